-- materials.lua - which nodes the ground is made of: by biome, snow, slope, and by the sea.

-- Nodes by what they are for: the first one that the game has. Each name is sought with all prefixes.
local PREFIXES = {"mapgen_", "default:", "basenodes:"} -- aliases for map generators, Minetest Game, Development Test
local NODES = {
	stone = {"stone"},
	water = {"water_source"},
	river = {"river_water_source", "water_source"},
	ice = {"ice", "water_source"},
	snow = {"snowblock", "stone"},
	gravel = {"gravel", "stone"},
	sand = {"sand", "stone"},
	silver_sand = {"silver_sand", "sand", "stone"},
	desert_sand = {"desert_sand", "sand", "stone"},
	dirt = {"dirt", "stone"},
	permafrost = {"permafrost", "dirt", "stone"},
	dry_dirt = {"dry_dirt", "dirt", "stone"},
	grass = {"dirt_with_grass", "dirt", "stone"},
	dry_grass = {"dirt_with_dry_grass", "dirt_with_grass", "stone"},
	scrub = {"dry_dirt_with_dry_grass", "dirt_with_grass", "stone"},
	moss = {"permafrost_with_moss", "dirt_with_grass", "stone"},
	needles = {"dirt_with_coniferous_litter", "dirt_with_grass", "stone"},
	litter = {"dirt_with_rainforest_litter", "dirt_with_grass", "stone"},
	snowy = {"dirt_with_snow", "dirt", "stone"},
}

-- The highest node of a column, the three nodes below it, and for the biomes of Terrane the tree that grows there and
-- the share of places for a tree that have one. There is a place in each square of six by six nodes.
local GROUNDS = {
	{name = "sea", top = "sand", below = "sand"},
	{name = "ice", top = "snow", below = "ice"},
	{name = "tundra", top = "moss", below = "permafrost"},
	{name = "taiga", top = "needles", below = "dirt", tree = "pine", share = 0.7},
	{name = "cold desert", top = "silver_sand", below = "silver_sand"},
	{name = "steppe", top = "dry_grass", below = "dirt"},
	{name = "woodland", top = "grass", below = "dirt", tree = "broadleaf", share = 0.2},
	{name = "temperate forest", top = "grass", below = "dirt", tree = "broadleaf", share = 0.6},
	{name = "temperate rain forest", top = "needles", below = "dirt", tree = "pine", share = 0.8},
	{name = "hot desert", top = "desert_sand", below = "desert_sand"},
	{name = "thorn scrub", top = "scrub", below = "dry_dirt", tree = "bush", share = 0.15},
	{name = "savanna", top = "dry_grass", below = "dirt", tree = "acacia", share = 0.06},
	{name = "rain forest", top = "litter", below = "dirt", tree = "jungle", share = 0.9},
	{name = "rock", top = "stone", below = "stone"},
	{name = "scree", top = "gravel", below = "gravel"},
	{name = "beach", top = "sand", below = "sand"},
	{name = "bed", top = "sand", below = "gravel"},
	{name = "rapids", top = "gravel", below = "gravel"},
	{name = "meadow in snow", top = "snowy", below = "dirt"},
	{name = "forest in snow", top = "snowy", below = "dirt", tree = "pine", share = 0.3},
}

local ROCK_SLOPE, SCREE_SLOPE, RAPIDS_SLOPE = 0.85, 0.7, 0.12 -- rise over run
local ALWAYS_SNOW, MUCH_SNOW, FOREST_SNOW = 0.9, 0.6, 0.7 -- shares of the year
local BEACH_M = 2 -- over the sea

local materials = {}

--- Number of a ground by its name.
materials.number = {}
for n, ground in ipairs(GROUNDS) do
	materials.number[ground.name] = n
end

materials.grounds = GROUNDS

--- Choose the ground of a dry point. `blur`, -1 to 1, differs from node to node, so that no border is a line.
--   biome   number of the ground that belongs to the biome
--   slope   rise over run
--   snow    share of the year in which snow lies
--   over_m  altitude over the sea
function materials.choose(biome, slope, snow, over_m, blur)
	local number = materials.number
	local steep = slope + 0.08 * blur
	local white = snow + 0.05 * blur
	if steep > ROCK_SLOPE then
		return number.rock
	elseif white > ALWAYS_SNOW then
		return number.ice
	elseif steep > SCREE_SLOPE then
		return number.scree
	elseif over_m < BEACH_M then
		return number.beach
	elseif white > MUCH_SNOW then
		local is_forest = GROUNDS[biome].tree and white < FOREST_SNOW
		return is_forest and number["forest in snow"] or number["meadow in snow"]
	end
	return biome
end

--- Whether water has ice on it all year.
function materials.is_frozen(snow)
	return snow > ALWAYS_SNOW
end

--- Choose the bed of water.
function materials.choose_bed(slope)
	return slope > RAPIDS_SLOPE and materials.number.rapids or materials.number.bed
end

--- Find the first of some nodes that the game has. Returns its content id, or nil.
function materials.find(names)
	for _, name in ipairs(names) do
		for _, prefix in ipairs(PREFIXES) do
			local node = core.registered_aliases[prefix .. name] or prefix .. name
			if core.registered_nodes[node] then
				return core.get_content_id(node)
			end
		end
	end
end

--- Find the game's nodes. Returns a table from what they are for to content ids, or nil and a sentence.
function materials.resolve()
	local ids = {}
	for what, names in pairs(NODES) do
		ids[what] = materials.find(names)
		if not ids[what] then
			return nil, ("the game has no node for %s, expected one of %s"):format(what, table.concat(names, ", "))
		end
	end
	return ids
end

return materials
