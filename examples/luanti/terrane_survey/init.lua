-- init.lua - makes the land of an area, writes survey.csv into the folder of the world, and ends the server.
--
-- The setting terrane_survey_area has the area: least x, least z, greatest x, greatest z. The file has a line for each
-- column of nodes: x, z, y of the ground, its node, y of the highest water or nothing, number of nodes of trees.

local text = core.settings:get("terrane_survey_area") or "-40,-40,40,40"
local WINDOW = 80 -- nodes; columns that are read at a time

--- Least and greatest y that have ground, water or trees.
local function range_of(area)
	local lowest, highest = math.huge, -math.huge
	for z = area.min_z, area.max_z do
		for x = area.min_x, area.max_x do
			local top, water = terrane.heights(x, z)
			lowest, highest = math.min(lowest, top), math.max(highest, water or top)
		end
	end
	return lowest - 5, highest + 20
end

--- What a node is: "air", which includes flowing water, "water", "tree" or "ground".
local kinds = setmetatable({}, {__index = function(known, id)
	local name = core.get_name_from_content_id(id)
	local node = core.registered_nodes[name]
	local is_tree = core.get_item_group(name, "tree") > 0 or core.get_item_group(name, "leaves") > 0
		or core.get_item_group(name, "leafdecay") > 0 or name:find("tree") or name:find("leaves") or name:find("needles$")
	local is_air = name == "air" or node.liquidtype == "flowing"
	local kind = is_air and "air" or node.liquidtype == "source" and "water" or is_tree and "tree" or "ground"
	known[id] = kind
	return kind
end})

--- Whether water could flow out of a column: beside its highest node is air, and below that air no water.
local function is_leak(data, area, x, water, z)
	for _, side in ipairs({{1, 0}, {0, 1}, {-1, 0}, {0, -1}}) do
		local at = area:index(x + side[1], water, z + side[2])
		if kinds[data[at]] == "air" and kinds[data[at - area.ystride]] ~= "water" then
			return true
		end
	end
	return false
end

--- Write the columns of a window. Returns how many of them could lose water.
local function survey(file, min, max)
	local voxels = core.get_voxel_manip()
	local read_min, read_max = voxels:read_from_map(min, max)
	local area = VoxelArea:new({MinEdge = read_min, MaxEdge = read_max})
	local data, leaks = voxels:get_data(), 0
	for z = min.z, max.z do
		for x = min.x, max.x do
			local y, trees, water = max.y, 0, nil
			local kind = kinds[data[area:index(x, y, z)]]
			while y > min.y and kind ~= "ground" do
				trees = trees + (kind == "tree" and 1 or 0)
				water = water or kind == "water" and y or nil
				y = y - 1
				kind = kinds[data[area:index(x, y, z)]]
			end
			local is_inner = x > min.x and x < max.x and z > min.z and z < max.z
			leaks = leaks + (water and is_inner and is_leak(data, area, x, water, z) and 1 or 0)
			local name = core.get_name_from_content_id(data[area:index(x, y, z)])
			file:write(("%d,%d,%d,%s,%s,%d\n"):format(x, z, y, name, water or "", trees))
		end
	end
	return leaks
end

local function survey_all(area, lowest, highest)
	local file = assert(io.open(core.get_worldpath() .. "/survey.csv", "w"))
	local leaks = 0
	for z = area.min_z, area.max_z, WINDOW do
		for x = area.min_x, area.max_x, WINDOW do
			leaks = leaks + survey(file, {x = x, y = lowest, z = z}, {x = math.min(x + WINDOW - 1, area.max_x), y = highest,
				z = math.min(z + WINDOW - 1, area.max_z)})
		end
	end
	file:close()
	return leaks
end

local function begin()
	local min_x, min_z, max_x, max_z = text:match("^(-?%d+),(-?%d+),(-?%d+),(-?%d+)$")
	if not min_x or not core.global_exists("terrane") then
		core.log("error", min_x and "[terrane_survey] there is no land"
			or "[terrane_survey] terrane_survey_area is '" .. text .. "', expected four numbers")
		core.request_shutdown()
		return
	end
	local area = {min_x = tonumber(min_x), min_z = tonumber(min_z), max_x = tonumber(max_x), max_z = tonumber(max_z)}
	local lowest, highest = range_of(area)
	local failed = 0
	core.emerge_area({x = area.min_x, y = lowest, z = area.min_z}, {x = area.max_x, y = highest, z = area.max_z},
		function(_, action, remaining)
			if action == core.EMERGE_CANCELLED or action == core.EMERGE_ERRORED then
				failed = failed + 1
			end
			if remaining == 0 then
				local leaks = survey_all(area, lowest, highest)
				core.log("action", ("[terrane_survey] y %d to %d; %d blocks failed; %d columns lose water"):format(
					lowest, highest, failed, leaks))
				core.log("action", ("[terrane_survey] %d chunks with land, %.1f ms of processor time each, the longest "
					.. "%.1f ms"):format(terrane.figures()))
				core.request_shutdown()
			end
		end)
end

core.after(0, begin)
