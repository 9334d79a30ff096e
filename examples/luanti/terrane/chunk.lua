-- chunk.lua - writes columns and trees into a mapchunk.

local chunk = {}
chunk.__index = chunk

local SOIL = 3 -- nodes between the highest node of the ground and the stone

--- Create the writer.
--   ids     content ids of materials.resolve
--   kinds   content ids of trees.resolve
--   sea_y   y of the highest node of the sea
function chunk.new(ffi, columns, materials, trees, ids, kinds, sea_y)
	local tops, belows = ffi.new("int32_t[256]"), ffi.new("int32_t[256]")
	for n, ground in ipairs(materials.grounds) do
		tops[n], belows[n] = ids[ground.top], ids[ground.below]
	end
	return setmetatable({columns = columns, trees = trees, ids = ids, kinds = kinds, tops = tops, belows = belows,
		sea_y = sea_y, buffer = {}, chunks = 0, total_ms = 0, longest_ms = 0}, chunk)
end

--- Write ground and water. Returns whether there is water.
function chunk:write_columns(square, data, area, min, max)
	local ids, tops, belows = self.ids, self.tops, self.belows
	local top, water, ground, is_frozen = square.top, square.water, square.ground, square.is_frozen
	local stone, river, sea, ice, sea_y = ids.stone, ids.river, ids.water, ids.ice, self.sea_y
	local has_water = false
	for z = min.z, max.z do
		local first = (z - square.z) * square.width - square.x
		for y = min.y, max.y do
			local at = area:index(min.x, y, z) - min.x
			for x = min.x, max.x do
				local n = first + x
				local depth = top[n] - y
				if depth > SOIL then
					data[at + x] = stone
				elseif depth > 0 then
					data[at + x] = belows[ground[n]]
				elseif depth == 0 then
					data[at + x] = tops[ground[n]]
				elseif y <= water[n] then
					has_water = true
					if y == water[n] and is_frozen[n] == 1 then
						data[at + x] = ice
					else
						data[at + x] = water[n] > sea_y and river or sea
					end
				end
			end
		end
	end
	return has_water
end

--- Write the part of the trees that lies in the chunk. Leaves only replace air, trunks also leaves.
function chunk:write_trees(square, data, area, min, max)
	local air = core.CONTENT_AIR
	for _, tree in ipairs(square.trees) do
		local kind = self.kinds[tree.kind]
		if tree.y <= max.y and tree.y + tree.height >= min.y then
			self.trees.each(tree, function(x, y, z, is_trunk)
				if x >= min.x and x <= max.x and y >= min.y and y <= max.y and z >= min.z and z <= max.z then
					local at = area:index(x, y, z)
					if is_trunk or data[at] == air then
						data[at] = is_trunk and kind.trunk or kind.leaves
					end
				end
			end)
		end
	end
end

--- Write the mapchunk from min to max that the engine is making.
function chunk:write(min, max)
	local begin_s = os.clock()
	local square = self.columns:square(min.x, min.z)
	if min.y > square.highest then
		return -- the engine's generator "singlenode" has made it of air
	end
	local voxels, emerged_min, emerged_max = core.get_mapgen_object("voxelmanip")
	local area = VoxelArea:new({MinEdge = emerged_min, MaxEdge = emerged_max})
	local data = voxels:get_data(self.buffer)
	local has_water = self:write_columns(square, data, area, min, max)
	self:write_trees(square, data, area, min, max)
	voxels:set_data(data)
	core.generate_ores(voxels, min, max)
	voxels:calc_lighting()
	voxels:write_to_map()
	if has_water then
		voxels:update_liquids()
	end
	local ms = (os.clock() - begin_s) * 1000
	self.chunks, self.total_ms, self.longest_ms = self.chunks + 1, self.total_ms + ms, math.max(self.longest_ms, ms)
end

--- Number of mapchunks with land that were made, and their mean and longest time: ms of the server's processor time.
function chunk:figures()
	return self.chunks, self.total_ms / math.max(self.chunks, 1), self.longest_ms
end

return chunk
