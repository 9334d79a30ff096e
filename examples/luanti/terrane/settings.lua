-- settings.lua - the settings of the mod, and those with which the game's world began.

local settings = {}

local START = "-1078272,1921024" -- where Terrane's own commands begin
local LOD_MIN, LOD_MAX = -4, 8 -- levels of detail whose samples are points

--- Level of detail whose points are `scale` lattice steps apart; nil if there is none.
local function lod_of(scale)
	for lod = LOD_MIN, LOD_MAX do
		if scale == 2 ^ lod then
			return lod
		end
	end
end

--- Read what determines the land. Returns a table of texts, or nil and a sentence.
local function read(get, read_world)
	local name = get("terrane_world", "")
	local parameters, reason = {}, nil
	if name ~= "" then
		parameters, reason = read_world(name)
	end
	if not parameters then
		return nil, reason
	end
	parameters.seed = get("terrane_seed", parameters.seed or "1")
	return {parameters = parameters, place = get("terrane_place", START), scale = get("terrane_scale", "1")}
end

local function is_same(a, b)
	for key, value in pairs(a) do
		if type(value) == "table" and not is_same(value, b[key]) or type(value) ~= "table" and value ~= b[key] then
			return false
		end
	end
	return true
end

--- Find the land of this game's world. If the world has begun already, its land stays what it was, and a warning tells
-- which settings are not used. Returns a table, or nil and a sentence:
--   parameters  of Terrane's world: texts by keys of world files
--   x, z        lattice coordinates of the game's origin
--   lod         level of detail
function settings.land(storage, get, read_world)
	local kept = core.deserialize(storage:get_string("land"))
	local land, reason = read(get, read_world)
	if kept then
		if not land or not (is_same(land, kept) and is_same(kept, land)) then
			core.log("warning", "[terrane] the settings describe other land than that with which this world began; "
				.. "the world keeps its land: " .. storage:get_string("land"))
		end
		land = kept
	end
	if not land then
		return nil, reason
	end
	local x, z = land.place:match("^%s*(-?%d+)%s*,%s*(-?%d+)%s*$")
	local lod = lod_of(tonumber(land.scale))
	if not x then
		return nil, ("terrane_place is '%s', expected X,Z, such as %s"):format(land.place, START)
	end
	if not lod then
		return nil, ("terrane_scale is '%s', expected a power of two from 0.0625 to 256"):format(land.scale)
	end
	return {parameters = land.parameters, x = tonumber(x), z = tonumber(z), lod = lod, texts = land}
end

--- Remember the land of this world, so that later settings do not change it.
function settings.keep(storage, land)
	storage:set_string("land", core.serialize(land.texts))
end

return settings
