/* map.cpp - draws maps: relief with rivers and lakes in the world's colours; encodes pictures as PNG. */
#include "map.h"

#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "blocks.h"
#include "errors.h"
#include "fill.h"
#include "generator.h"
#include "gil.h"
#include "world.h"

using map_pixels = nb::ndarray<uint8_t, nb::shape<-1, -1, 3>, nb::c_contig, nb::device::cpu>;
using picture_pixels = nb::ndarray<const uint8_t, nb::shape<-1, -1, 3>, nb::c_contig, nb::device::cpu>;

/** Limit of the pixels of a block with water. A pixel may need four samples. */
static constexpr uint64_t WET_BLOCK_MAX = 1 << 18;

/** Run Python's handlers of pending signals. Returns false if one has raised an exception. The caller does not hold the
 * GIL. */
static bool goes_on()
{
    const held_gil held;
    return PyErr_CheckSignals() == 0;
}

static bool continue_drawing(void *, double)
{
    return goes_on();
}

static bool continue_encoding(void *)
{
    return goes_on();
}

/** Like goes_on(), but for a caller that holds the GIL. */
static bool keep_joining(void *)
{
    return PyErr_CheckSignals() == 0;
}

static int is_interrupted()
{
    return !goes_on();
}

static int map_height(int width, int height)
{
    relief land = {};
    land.width = width;
    land.height = height;
    return relief_picture_height(&land);
}

/** The data of a map: heights of a rectangle, and its water if the world has rivers. */
struct map_land {
    std::vector<float> heights;
    std::vector<map_water> water;
    std::vector<float> climate; /* layers of map_climate_layers, one after another; empty in style relief */
    std::vector<float> cover;   /* layers of map_cover_layers, likewise; empty: the world has no glaciers and no sand */
};

static ter_status make_dry_block(ter_generator *g, const world &w, const ter_rect &rect, const ter_rect &block,
                                 map_land &land)
{
    float *to = land.heights.data() + (block.j - rect.j) * rect.width + (block.i - rect.i);
    return fill_heights(g, w.get(), &block, to, static_cast<size_t>(rect.width));
}

static ter_status make_wet_block(ter_generator *g, const world &w, const ter_rect &rect, const ter_rect &block,
                                 map_land &land)
{
    const int n_a_side = map_water_samples_a_side(&w.params(), &rect);
    const ter_rect samples = map_water_samples(n_a_side, &rect, &block);
    const size_t count = static_cast<size_t>(samples.width * samples.height);
    std::vector<float> numbers(count * MAP_LAYERS);
    const float *layers[MAP_LAYERS];
    layer_arrays out = {};
    for (size_t n = 0; n < MAP_LAYERS; n++)
        layers[n] = out.at[map_water_layers[n]] =
            map_water_needs(&w.params(), static_cast<int>(n)) ? numbers.data() + n * count : nullptr;
    const ter_status status = fill_rect(g, w.get(), &samples, &out, static_cast<size_t>(samples.width));
    if (status == TER_OK)
        map_water_compute(&w.params(), n_a_side, &rect, &block, layers, land.heights.data(), land.water.data());
    return status;
}

/** Make layers of climate and cover of a block of pixels. */
static ter_status make_layers_block(ter_generator *g, const world &w, const ter_rect &rect, const ter_rect &block,
                                    map_land &land)
{
    const int64_t first = (block.j - rect.j) * rect.width + (block.i - rect.i);
    layer_arrays out = {};
    for (int n = 0; n < MAP_CLIMATE_LAYERS && !land.climate.empty(); n++)
        out.at[map_climate_layers[n]] = land.climate.data() + n * rect.width * rect.height + first;
    for (int n = 0; n < MAP_COVER_LAYERS && !land.cover.empty(); n++)
        out.at[map_cover_layers[n]] = land.cover.data() + n * rect.width * rect.height + first;
    return fill_rect(g, w.get(), &block, &out, static_cast<size_t>(rect.width));
}

static map_land make_land(generator &g, const world &w, const ter_rect &rect, map_style style)
{
    const size_t count = static_cast<size_t>(rect.width) * static_cast<size_t>(rect.height);
    const bool is_wet = world_has_rivers(&w.params());
    map_land land = {std::vector<float>(count), std::vector<map_water>(is_wet ? count : 0),
                     std::vector<float>(style == MAP_RELIEF ? 0 : MAP_CLIMATE_LAYERS * count),
                     std::vector<float>(map_has_cover(&w.params()) ? MAP_COVER_LAYERS * count : 0)};
    const bool has_layers = !land.climate.empty() || !land.cover.empty();
    blocks rest(rect);
    pace steps(w.params(), rect.level);
    ter_rect block;
    while (rest.next(is_wet ? std::min<uint64_t>(steps.samples(), WET_BLOCK_MAX) : steps.samples(), block)) {
        steps.measure(g.call([&](ter_generator *made) {
            const ter_status status =
                is_wet ? make_wet_block(made, w, rect, block, land) : make_dry_block(made, w, rect, block, land);
            return status == TER_OK && has_layers ? make_layers_block(made, w, rect, block, land) : status;
        }));
        require_no_signal();
    }
    return land;
}

/** Read the name of a style. */
static map_style style_of(const std::string &name, const world &w)
{
    for (int n = 0; n < MAP_STYLES; n++)
        if (name == map_style_names[n]) {
            if (n != MAP_RELIEF && w.params().basis != TER_BASIS_FLUVIAL)
                throw invalid("style is '" + name + "', but a world of basis " + ter_basis_name(w.params().basis) +
                              " has no climate: expected 'relief'");
            return static_cast<map_style>(n);
        }
    throw invalid("style is '" + name + "', expected 'relief', 'climate' or 'biome'");
}

static void draw_map(generator &g, const world &w, const rect_words &words, const map_pixels &pixels,
                     const nb::str &style)
{
    const ter_rect rect = rect_of(words);
    relief land = {};
    land.style = style_of(text_of(style), w);
    map_land made = make_land(g, w, rect, land.style);
    if (!made.water.empty()) {
        const picture_progress of_rivers = {keep_joining, nullptr};
        require(map_rivers_join(&w.params(), &rect, made.heights.data(), made.water.data(), &of_rivers));
    }
    const double step = std::ldexp(1.0, w.params().levels - rect.level);
    land.world = &w.params();
    land.look = &w.colors();
    land.x = static_cast<double>(rect.i) * step;
    land.z = static_cast<double>(rect.j) * step;
    land.step = step;
    land.pixel_m = w.params().spacing * step;
    land.width = static_cast<int>(rect.width);
    land.height = static_cast<int>(rect.height);
    land.heights = made.heights.data();
    land.water = made.water.empty() ? nullptr : made.water.data();
    for (int n = 0; n < MAP_CLIMATE_LAYERS && !made.climate.empty(); n++)
        land.climate[n] = made.climate.data() + n * made.heights.size();
    for (int n = 0; n < MAP_COVER_LAYERS && !made.cover.empty(); n++)
        land.cover[n] = made.cover.data() + n * made.heights.size();
    const relief_progress progress = {continue_drawing, nullptr};
    result res;
    {
        const released_gil released;
        res = relief_draw(&land, pixels.data(), &progress);
    }
    require(res);
}

static nb::bytes encode_png(const picture_pixels &pixels)
{
    const picture_progress progress = {continue_encoding, nullptr};
    void *bytes = nullptr;
    size_t size = 0;
    result res;
    {
        const released_gil released;
        res = picture_encode("picture", pixels.data(), static_cast<int>(pixels.shape(1)),
                             static_cast<int>(pixels.shape(0)), &progress, &bytes, &size);
    }
    const std::unique_ptr<void, decltype(&std::free)> owner(bytes, std::free);
    require(res);
    return nb::bytes(bytes, size);
}

static void write_png(const nb::str &name, const picture_pixels &pixels, bool may_replace)
{
    const std::string path = text_of(name);
    const char *file = c_text("path", path);
    picture_output output = {};
    output.may_replace = may_replace;
    output.is_interrupted = is_interrupted;
    result res;
    {
        const released_gil released;
        res = picture_write(file, pixels.data(), static_cast<int>(pixels.shape(1)), static_cast<int>(pixels.shape(0)),
                            &output);
    }
    require(res);
}

void bind_map(nb::module_ &m)
{
    m.def("map_height", map_height, nb::arg("width"), nb::arg("height"),
          "Rows of a map's picture, its legend included.");
    m.def("draw_map", draw_map, nb::arg("generator"), nb::arg("world"), nb::arg("rect"), nb::arg("pixels"),
          nb::arg("style"), "Draw a map of a rectangle: level, i, j, width, height.");
    m.def("encode_png", encode_png, nb::arg("pixels"), "A picture as the bytes of a PNG file.");
    m.def("write_png", write_png, nb::arg("path"), nb::arg("pixels"), nb::arg("may_replace"),
          "Write a picture as a PNG file.");
}
