-- init.lua - the mod's beginning: opens the library, and gives the engine's mapchunks to chunk.lua. If something is
-- missing, one sentence in the log says what, and the mod does nothing.

local insecure = core.request_insecure_environment()
local modpath = core.get_modpath("terrane")
local storage = core.get_mod_storage()

local library = dofile(modpath .. "/library.lua")
local world_file = dofile(modpath .. "/world_file.lua")
local settings = dofile(modpath .. "/settings.lua")
local materials = dofile(modpath .. "/materials.lua")
local trees = dofile(modpath .. "/trees.lua")
local columns = dofile(modpath .. "/columns.lua")
local chunk = dofile(modpath .. "/chunk.lua")

--- The value of a setting; if it is empty, `otherwise`.
local function get(name, otherwise)
	local value = core.settings:get(name)
	return value and value ~= "" and value or otherwise
end

--- Tell why there is no land. A world that began with Terrane's land ends its server, because the engine would keep
-- empty chunks for good.
local function give_up(reason)
	core.log("error", "[terrane] no land is made: " .. reason)
	if storage:get_string("land") ~= "" then
		core.log("error", "[terrane] this world began with land of Terrane; the server ends, so that no holes are stored")
		core.after(0, core.request_shutdown)
	end
end

--- Open library and world. Returns LuaJIT's module ffi, the source of layers and the land, or nil and a sentence.
local function open()
	if not insecure then
		return nil, "the mod is not trusted. Add it to secure.trusted_mods"
	end
	local has_ffi, ffi = pcall(insecure.require, "ffi")
	if not has_ffi then
		return nil, "the game's engine has no FFI. Use one that was built with LuaJIT"
	end
	local lib, reason = library.open(ffi, get("terrane_library", "libterrane.so.0.1"))
	if not lib then
		return nil, reason
	end
	local land, source
	land, reason = settings.land(storage, get, function(name)
		return world_file.read(name, modpath, insecure.io.open)
	end)
	if not land then
		return nil, reason
	end
	source, reason = lib:source(land.parameters, tonumber(get("terrane_threads", "0")) or 0)
	if not source then
		return nil, reason
	end
	return ffi, source, land, lib:version()
end

--- Put players on the ground, or on the shore if there is water.
local function begin_on_ground(at)
	local function place(player)
		local name = player:get_player_name()
		local has_bed = core.global_exists("beds") and beds.spawn and beds.spawn[name]
		if has_bed or core.settings:get("static_spawnpoint") then
			return false
		end
		for distance = 0, 512, 4 do
			for _, side in ipairs({{1, 0}, {0, 1}, {-1, 0}, {0, -1}}) do
				local x, z = side[1] * distance, side[2] * distance
				local top, water = at(x, z)
				if not water then
					player:set_pos({x = x, y = top + 1, z = z})
					return true
				end
			end
		end
		return false
	end
	core.register_on_newplayer(place)
	core.register_on_respawnplayer(place)
end

--- Prepare the engine's generator, and register the mod's. Returns functions for other mods:
--   heights(x, z)  y of the highest node of the ground, and y of that of the water, nil if it is dry
--   figures()      see chunk.lua
local function begin(ffi, source, land, version)
	local size = tonumber(core.get_mapgen_setting("chunksize"):match("%d+")) * 16
	local first = -math.floor(size / 32) * 16 -- least x and z of the chunk that has the origin
	local node_m = 2 ^ land.lod * source.spacing
	local sea_y = math.floor(source.sea / node_m)
	core.set_mapgen_setting("mg_name", "singlenode", true)
	core.set_mapgen_setting("water_level", tostring(sea_y), true)
	settings.keep(storage, land)

	local columns_of_world, writer
	core.register_on_mods_loaded(function()
		local ids, reason = materials.resolve()
		if not ids then
			error("[terrane] " .. reason)
		end
		local kinds = trees.resolve(materials.find)
		columns_of_world = columns.new(ffi, source, land, materials, trees, kinds, size)
		writer = chunk.new(ffi, columns_of_world, materials, trees, ids, kinds, sea_y)
		core.register_on_generated(function(min, max) writer:write(min, max) end)
	end)
	local function at(x, z)
		return columns_of_world:at(x, z, first)
	end
	begin_on_ground(at)
	core.log("action", ("[terrane] version %s, seed %s, the origin lies at %d,%d, a node measures %g m"):format(
		version, land.parameters.seed, land.x, land.z, node_m))
	return {heights = at, figures = function() return writer:figures() end}
end

local ffi, source, land, version = open()
if ffi then
	terrane = begin(ffi, source, land, version) -- for other mods
else
	give_up(source)
end
