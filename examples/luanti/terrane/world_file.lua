-- world_file.lua - finds Terrane's world files, and reads their section [world].

local KEYS = {}
for key in ([[seed levels sea spacing basis land relief uplift hills plateau ice dryness continents warmth wetness belts
	sand wind]]):gmatch("%a+") do
	KEYS[key] = true
end
local FRACTAL_KEYS = {amplitude = true, gain = true, broad = true, broad_gain = true, base = true, valley = true,
	craters = true, maria = true}

local world_file = {}

--- Find a world file: by its path, in the source of Terrane, or where Terrane is installed.
local function open(name, modpath, io_open)
	local folders = {modpath .. "/../../../assets/worlds", "/usr/local/share/terrane/worlds", "/usr/share/terrane/worlds"}
	local file = name:find("[/.]") and io_open(name, "r")
	for _, folder in ipairs(folders) do
		file = file or io_open(folder .. "/" .. name .. ".ini", "r")
	end
	return file
end

local function is_fluvial(parameters, fractal_key)
	return parameters.basis == "fluvial" or not (parameters.basis or fractal_key)
end

--- Read a world. Returns a table from keys to texts, or nil and a sentence.
--   name     of a world that comes with Terrane, or a path
--   io_open  the function io.open, without the mod security's limits
function world_file.read(name, modpath, io_open)
	local file = open(name, modpath, io_open)
	if not file then
		return nil, ("there is no world '%s': expected a path, or a name such as alps"):format(name)
	end
	local parameters, section, number, fractal_key = {}, "", 0, nil
	for line in (file:read("*a") .. "\n"):gsub("\r\n?", "\n"):gmatch("([^\n]*)\n") do
		number = number + 1
		section = line:match("^%s*%[(.-)%]") or section
		local key, value = line:match("^%s*([%w_]+)%s*[=:]%s*(.-)%s*$")
		if section == "world" and key then
			if KEYS[key] then
				parameters[key] = value:gsub("%s+;.*$", "")
			elseif FRACTAL_KEYS[key] then
				fractal_key = key
			else
				file:close()
				return nil, ("%s:%d: the mod does not know the key %s"):format(name, number, key)
			end
		end
	end
	file:close()
	if not is_fluvial(parameters, fractal_key) then
		return nil, ("the basis of world '%s' is not fluvial: only fluvial worlds have rivers and a climate"):format(name)
	end
	return parameters
end

return world_file
