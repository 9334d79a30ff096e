-- trees.lua - where trees stand, and their shapes. Both follow from the place alone, so that a tree on the border of
-- two chunks is whole, whichever of them is made first.

local trees = {}

-- trunk and leaves: nodes of which the game's first is taken; least height; by how much it varies; shape
local KINDS = {
	pine = {trunk = {"pine_tree", "tree"}, leaves = {"pine_needles", "leaves"},
		height = 8, more = 5, shape = "cone"},
	broadleaf = {trunk = {"tree"}, leaves = {"leaves"}, height = 5, more = 3, shape = "ball"},
	acacia = {trunk = {"acacia_tree", "tree"}, leaves = {"acacia_leaves", "leaves"},
		height = 5, more = 2, shape = "flat"},
	jungle = {trunk = {"jungletree", "tree"}, leaves = {"jungleleaves", "leaves"},
		height = 9, more = 7, shape = "ball"},
	bush = {trunk = {"acacia_bush_stem", "tree"}, leaves = {"acacia_bush_leaves", "leaves"},
		height = 1, more = 1, shape = "bush"},
}

trees.RADIUS = 2 -- nodes from the trunk to the outermost leaf
trees.CELL = 6 -- width of the square that has a place for one tree
local JITTER = 5 -- the trunk stands in the first JITTER nodes of the square, so no trunks are neighbours
local GROVE = 40 -- nodes from one wood or clearing to the next

-- Radius of the leaves `below` nodes under the tip of the tree; nil where there are none.
local SHAPES = {
	cone = function(below, height)
		if below > height - 2 then
			return nil
		end
		return below == 0 and 0 or below % 3 == 0 and 1 or math.min(2, 0.5 + below * 0.4)
	end,
	ball = function(below) return ({[0] = 1, 2, 2.3, 1.5})[below] end,
	flat = function(below) return ({[0] = 2.3, 1})[below] end,
	bush = function(below) return ({[0] = 1, 1.5})[below] end,
}

local function multiply(a, b)
	local low = bit.band(a, 0xffff) * b
	local high = bit.rshift(a, 16) * b % 2 ^ 16 * 2 ^ 16
	return bit.tobit((low + high) % 2 ^ 32)
end

--- A number from 0 to 2^32 - 1 that depends on a place and a purpose.
-- Source of the finaliser: MurmurHash3, Appleby 2008
function trees.hash(x, z, purpose)
	local h = bit.tobit((x * 73856093 + z * 19349663 + purpose * 83492791) % 2 ^ 32)
	h = multiply(bit.bxor(h, bit.rshift(h, 16)), 0x85ebca6b)
	h = multiply(bit.bxor(h, bit.rshift(h, 13)), 0xc2b2ae35)
	return bit.bxor(h, bit.rshift(h, 16)) % 2 ^ 32
end

--- Find the game's nodes for trees: a table from kind to content ids; a kind that the game cannot build is left out.
function trees.resolve(find)
	local kinds = {}
	for name, kind in pairs(KINDS) do
		local trunk, leaves = find(kind.trunk), find(kind.leaves)
		if trunk and leaves then
			kinds[name] = {trunk = trunk, leaves = leaves}
		end
	end
	return kinds
end

--- How dense the wood is at a place, 0 to 1: random values at the corners of a grid, and between them a smooth surface.
-- Source: Ebert et al. 2003, "Texturing and Modeling", value noise
local function density(x, z)
	local i, j = math.floor(x / GROVE), math.floor(z / GROVE)
	local u, v = x / GROVE - i, z / GROVE - j
	u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
	local function corner(di, dj)
		return trees.hash(i + di, j + dj, 4) / 2 ^ 32
	end
	local south = corner(0, 0) + (corner(1, 0) - corner(0, 0)) * u
	local north = corner(0, 1) + (corner(1, 1) - corner(0, 1)) * u
	return south + (north - south) * v
end

--- The place for a tree in a square: x and z.
function trees.place(cell_x, cell_z)
	local h = trees.hash(cell_x, cell_z, 1)
	local x = cell_x * trees.CELL + h % JITTER
	local z = cell_z * trees.CELL + math.floor(h / 16) % JITTER
	return x, z
end

--- Whether a tree stands at a place of a wood in which about `share` of the places have one.
function trees.stands(x, z, share)
	return trees.hash(x, z, 2) / 2 ^ 32 < share * (0.2 + 1.6 * density(x, z))
end

--- Nodes that a tree of a kind is high at a place.
function trees.height(kind, x, z)
	return KINDS[kind].height + trees.hash(x, z, 3) % (KINDS[kind].more + 1)
end

--- Call put(x, y, z, is_trunk) for all nodes of a tree, which stands on the node below x, y, z.
function trees.each(tree, put)
	local tip, shape = tree.y + tree.height, SHAPES[KINDS[tree.kind].shape]
	for below = 0, tree.height do
		local radius = shape(below, tree.height)
		if radius then
			local reach = math.floor(radius)
			for dz = -reach, reach do
				for dx = -reach, reach do
					if dx * dx + dz * dz <= radius * radius + 0.5 then
						put(tree.x + dx, tip - below, tree.z + dz, false)
					end
				end
			end
		end
	end
	for y = tree.y, tip - 1 do
		put(tree.x, y, tree.z, true)
	end
end

return trees
