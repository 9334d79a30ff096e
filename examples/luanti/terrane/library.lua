-- library.lua - opens the library Terrane through the FFI of LuaJIT, and fills arrays with its layers.
--
-- The declarations repeat those members of src/include/terrane/*.h that the mod uses, in the same order.

local DECLARATIONS = [[
typedef struct ter_world ter_world;
typedef struct ter_generator ter_generator;
typedef struct ter_params {
    size_t struct_size;
    uint64_t seed;
    int levels;
    double amplitude, gain;
    int broad;
    double broad_gain, base;
    int basis;
    double valley, sea, spacing, land, relief, uplift, hills, plateau, ice, dryness, continents;
    const void *guide;
    double warmth, wetness, belts, sand, wind, craters, maria;
} ter_params;
typedef struct ter_rect { int level; int64_t i, j, width, height; } ter_rect;
typedef struct ter_region { size_t struct_size; ter_rect rect; const void *tiles; size_t n_tiles; } ter_region;
typedef struct ter_output { int layer; void *samples; double lo, hi; } ter_output;
typedef struct ter_target {
    size_t struct_size;
    const ter_output *outputs;
    size_t n_outputs;
    int sample_type, memory;
    size_t row_stride, slot_stride;
    const uint32_t *slots;
    void *cuda_stream;
} ter_target;
typedef struct ter_generator_options {
    size_t struct_size;
    int backend, method, threads, simd, device, is_by_sample;
    int (*is_cancelled)(void *user);
    void *cancel_user;
} ter_generator_options;
int ter_version_number(void);
const char *ter_version(void);
const char *ter_error_detail(void);
const char *ter_basis_name(int basis);
const char *ter_layer_name(int layer);
const char *ter_biome_name(int biome);
void ter_params_default_sized(ter_params *params, size_t struct_size);
int ter_world_create(const ter_params *params, ter_world **out);
void ter_world_destroy(ter_world *world);
int ter_generator_create(const ter_generator_options *options, ter_generator **out);
void ter_generator_destroy(ter_generator *generator);
int ter_fill(ter_generator *generator, const ter_world *world, const ter_region *region, const ter_target *target);
]]
local COMPATIBLE = 1 -- 1000 * major + minor version of the headers that the declarations repeat
local BACKEND_CPU = 1

local library = {}
library.__index = library

--- Open the library. `ffi` is LuaJIT's module. Returns nil and a sentence if the library is missing or too different.
function library.open(ffi, path)
	ffi.cdef(DECLARATIONS)
	local is_open, c = pcall(ffi.load, path)
	if not is_open then
		return nil, ("cannot open the library: %s. Set terrane_library to the path of libterrane.so"):format(c)
	end
	local has_version, number = pcall(function() return c.ter_version_number() end)
	if not has_version then
		return nil, ("'%s' is not the library Terrane: %s"):format(path, number)
	end
	if math.floor(number / 1000) ~= COMPATIBLE then
		return nil, ("'%s' is version %s, expected 0.%d"):format(path, ffi.string(c.ter_version()), COMPATIBLE)
	end
	return setmetatable({ffi = ffi, c = c}, library)
end

function library:version()
	return self.ffi.string(self.c.ter_version())
end

--- Read a seed, a decimal number of up to 64 bits. Returns nil if the text is none.
function library:seed(text)
	local ten, seed = self.ffi.new("uint64_t", 10), self.ffi.new("uint64_t", 0)
	local greatest = seed - 1
	if not text:match("^%d+$") then
		return nil
	end
	for digit in text:gmatch("%d") do
		if seed > (greatest - tonumber(digit)) / ten then
			return nil
		end
		seed = seed * ten + tonumber(digit)
	end
	return seed
end

--- List the names that a function of the library gives the numbers from 0 on: a table from name to number.
function library:numbers(of)
	local numbers, n = {}, 0
	while self.c[of](n) ~= nil do
		numbers[self.ffi.string(self.c[of](n))] = n
		n = n + 1
	end
	return numbers
end

local source = {}
source.__index = source

--- Create a world and a generator. `parameters` is a table from keys of world files to texts. Returns nil and a
-- sentence if a parameter is wrong.
function library:source(parameters, threads)
	local ffi, c = self.ffi, self.c
	local params = ffi.new("ter_params")
	c.ter_params_default_sized(params, ffi.sizeof(params))
	for key, text in pairs(parameters) do
		local value = tonumber(text)
		if key == "seed" then
			value = self:seed(text)
		elseif key == "basis" then
			value = self:numbers("ter_basis_name")[text]
		end
		if not value then
			return nil, ("%s is '%s', which is no value for it"):format(key, text)
		end
		params[key] = value
	end
	local world, generator = ffi.new("ter_world *[1]"), ffi.new("ter_generator *[1]")
	local options = ffi.new("ter_generator_options",
		{struct_size = ffi.sizeof("ter_generator_options"), backend = BACKEND_CPU, threads = threads})
	if c.ter_world_create(params, world) ~= 0 or c.ter_generator_create(options, generator) ~= 0 then
		return nil, ffi.string(c.ter_error_detail())
	end
	return setmetatable({
		ffi = ffi,
		c = c,
		world = ffi.gc(world[0], c.ter_world_destroy),
		generator = ffi.gc(generator[0], c.ter_generator_destroy),
		levels = params.levels,
		sea = params.sea,
		spacing = params.spacing,
		layers = self:numbers("ter_layer_name"),
		biomes = self:numbers("ter_biome_name"),
	}, source)
end

--- Fill arrays with layers of a square of points, row by row from the north.
--   lod      level of detail: the points are 2^lod lattice steps apart
--   i, j     coordinates of the north-west point, in these distances
--   layers   names of layers
-- Returns a table from name to array of side * side floats, or nil and a sentence.
function source:fill(lod, i, j, side, layers)
	local ffi = self.ffi
	local outputs, arrays = ffi.new("ter_output[?]", #layers), {}
	for n, name in ipairs(layers) do
		arrays[name] = ffi.new("float[?]", side * side)
		outputs[n - 1].layer = self.layers[name]
		outputs[n - 1].samples = arrays[name]
	end
	local region = ffi.new("ter_region", {struct_size = ffi.sizeof("ter_region"),
		rect = {level = self.levels - lod, i = i, j = j, width = side, height = side}})
	local target = ffi.new("ter_target",
		{struct_size = ffi.sizeof("ter_target"), outputs = outputs, n_outputs = #layers})
	if self.c.ter_fill(self.generator, self.world, region, target) ~= 0 then
		return nil, ffi.string(self.c.ter_error_detail())
	end
	return arrays
end

return library
