-- columns.lua - the columns of nodes below a mapchunk's square: how high the ground and the water are, what the ground
-- is made of, and which trees stand there. Chunks above each other share them.

local columns = {}
columns.__index = columns

local LAYERS = {"height", "water", "biome", "snow"}
local SLOPE_REACH = 2 -- nodes from a column to the samples from which its slope is computed
local KEPT = 64 -- squares
local TREES_UP_TO_M = 4 -- metres a node
local DRY = -2 ^ 31 -- height of the water in a column that has none

--- Create the columns of a world.
--   ffi                LuaJIT's module
--   source             of library.lua
--   land               of settings.lua
--   materials, trees   the modules
--   kinds              of trees.resolve
--   size               width of a mapchunk in nodes
function columns.new(ffi, source, land, materials, trees, kinds, size)
	local node_m = 2 ^ land.lod * source.spacing
	local biome_grounds = {}
	for name, number in pairs(source.biomes) do
		biome_grounds[number] = materials.number[name]
	end
	return setmetatable({
		ffi = ffi,
		source = source,
		land = land,
		materials = materials,
		trees = trees,
		kinds = kinds,
		size = size,
		node_m = node_m,
		has_trees = node_m <= TREES_UP_TO_M,
		biome_grounds = biome_grounds,
		squares = {},
		order = {},
	}, columns)
end

--- Fill the samples of a square and of the nodes around it that slopes and trees need.
function columns:sample(min_x, min_z, side)
	local land, margin = self.land, (side - self.size) / 2
	local step = 2 ^ land.lod
	local north = min_z + self.size - 1 + margin -- z grows to the north in the game, to the south in Terrane
	local layers, reason = self.source:fill(land.lod, math.floor(land.x / step) + min_x - margin,
		math.floor(land.z / step) - north, side, LAYERS)
	if not layers then
		error("[terrane] " .. reason)
	end
	return layers
end

--- Heights of ground and water in nodes. A node is ground if its height times the metres a node does not exceed the
-- height of the land. Shallow water gets one node, so that no river is interrupted.
local function levels(height, water, node_m)
	local top = math.floor(height / node_m)
	if water ~= water then
		return top, DRY
	end
	local level = math.floor(water / node_m)
	return math.min(top, level - 1), level
end

--- Make the columns of a square.
function columns:make(min_x, min_z)
	local ffi, materials, hash = self.ffi, self.materials, self.trees.hash
	local reach = self.trees.RADIUS
	local width = self.size + 2 * reach
	local side = width + 2 * SLOPE_REACH
	local samples = self:sample(min_x, min_z, side)
	local heights, waters, biomes, snows = samples.height, samples.water, samples.biome, samples.snow
	local square = {
		x = min_x - reach,
		z = min_z - reach,
		width = width,
		top = ffi.new("int32_t[?]", width * width),
		water = ffi.new("int32_t[?]", width * width),
		ground = ffi.new("uint8_t[?]", width * width),
		is_frozen = ffi.new("uint8_t[?]", width * width),
		trees = {},
		highest = DRY,
	}
	local to_slope = 1 / (2 * SLOPE_REACH * self.node_m)
	local sea = self.source.sea
	for row = 0, width - 1 do
		for column = 0, width - 1 do
			local n = row * width + column
			local s = (side - 1 - SLOPE_REACH - row) * side + column + SLOPE_REACH
			local east = (heights[s + SLOPE_REACH] - heights[s - SLOPE_REACH]) * to_slope
			local south = (heights[s + SLOPE_REACH * side] - heights[s - SLOPE_REACH * side]) * to_slope
			local slope = math.sqrt(east * east + south * south)
			local top, water = levels(heights[s], waters[s], self.node_m)
			square.top[n], square.water[n] = top, water
			if water ~= DRY then
				square.ground[n] = materials.choose_bed(slope)
			else
				local blur = hash(square.x + column, square.z + row, 0) / 2 ^ 31 - 1
				square.ground[n] = materials.choose(self.biome_grounds[biomes[s]], slope, snows[s],
					heights[s] - sea, blur)
			end
			square.is_frozen[n] = materials.is_frozen(snows[s]) and 1 or 0
			square.highest = math.max(square.highest, top, water)
		end
	end
	if self.has_trees then
		self:plant(square)
	end
	return square
end

--- Find the trees whose trunks stand in a square.
function columns:plant(square)
	local trees, cell = self.trees, self.trees.CELL
	local last_x, last_z = square.x + square.width - 1, square.z + square.width - 1
	for cell_z = math.floor(square.z / cell), math.floor(last_z / cell) do
		for cell_x = math.floor(square.x / cell), math.floor(last_x / cell) do
			local x, z = trees.place(cell_x, cell_z)
			local is_inside = x >= square.x and x <= last_x and z >= square.z and z <= last_z
			local n = (z - square.z) * square.width + x - square.x
			local ground = is_inside and self.materials.grounds[square.ground[n]]
			if ground and self.kinds[ground.tree] and trees.stands(x, z, ground.share) then
				local tree = {x = x, y = square.top[n] + 1, z = z, kind = ground.tree,
					height = trees.height(ground.tree, x, z)}
				square.trees[#square.trees + 1] = tree
				square.highest = math.max(square.highest, tree.y + tree.height)
			end
		end
	end
end

--- The columns of the square whose south-west node is min_x, min_z.
--   x, z, width   of the arrays, which reach a few nodes farther than the square
--   top           y of the highest node of the ground, by (z - square.z) * width + x - square.x
--   water         y of the highest node of the water, far below all nodes where it is dry
--   ground        number of the ground, see materials.lua
--   is_frozen     1 where water has ice on it
--   trees         list of x, y, z of the lowest node of the trunk, kind, height
--   highest       y over which there is only air
function columns:square(min_x, min_z)
	local key = min_x .. "," .. min_z
	local square = self.squares[key]
	if not square then
		square = self:make(min_x, min_z)
		self.squares[key] = square
		table.insert(self.order, key)
		if #self.order > KEPT then
			self.squares[table.remove(self.order, 1)] = nil
		end
	end
	return square
end

--- Heights at a place: y of the highest node of the ground, and y of that of the water, nil if it is dry.
function columns:at(x, z, first)
	local min_x = math.floor((x - first) / self.size) * self.size + first
	local min_z = math.floor((z - first) / self.size) * self.size + first
	local square = self:square(min_x, min_z)
	local n = (z - square.z) * square.width + x - square.x
	local water = square.water[n]
	return square.top[n], water ~= DRY and water or nil
end

return columns
