/* fill.cpp - fills the caller's arrays with layers of rectangles and of batches of tiles. */
#include "fill.h"

#include <nanobind/ndarray.h>

#include <algorithm>
#include <string>
#include <vector>

#include "blocks.h"
#include "errors.h"
#include "generator.h"
#include "layers.h"
#include "outputs.h"
#include "place_order.h"
#include "world.h"

using tile_array = nb::ndarray<const int64_t, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;

/** Limit of the samples of a call that computes derived layers, because such a call keeps their heights in memory. */
static const uint64_t derived_samples_max = 1 << 22;

/* ---- rectangles ---- */

static array_shape shape_of(const ter_rect &rect, int device)
{
    return {1, static_cast<size_t>(rect.height), static_cast<size_t>(rect.width), false, device};
}

static ter_tile tile_of(const ter_rect &rect)
{
    return {rect.level, rect.i, rect.j};
}

static layer_outputs part_of(const layer_outputs &whole, int64_t row, int64_t column)
{
    layer_outputs part;
    for (const layer_output &o : whole)
        part.push_back(o.from(row, column));
    return part;
}

static void fill_blocks(generator &g, const world &w, const ter_rect &rect, const layer_outputs &outputs)
{
    const uint64_t samples_max = apron_of(outputs) > 0 ? derived_samples_max : UINT64_MAX;
    blocks rest(rect);
    pace steps(w.params(), rect.level);
    ter_rect block;
    while (rest.next(std::min(steps.samples(), samples_max), block)) {
        const layer_outputs part = part_of(outputs, block.j - rect.j, block.i - rect.i);
        const ter_tile tile = tile_of(block);
        const tile_batch one = {static_cast<int>(block.width), static_cast<int>(block.height), &tile, 1, nullptr};
        steps.measure(g.call([&](ter_generator *made) { return layers_fill(made, w, one, part); }));
        require_no_signal();
    }
}

/** Throw if water of cells (any_water.h) is requested, but no layer is water or is computed from water. */
static void require_water(const world &w, const layer_outputs &outputs)
{
    const auto is_cells = [](const layer_output &o) { return o.is_any_water; };
    const auto has_water = [&](const layer_output &o) { return is_of_water(w, o); };
    if (std::any_of(outputs.begin(), outputs.end(), is_cells) &&
        std::none_of(outputs.begin(), outputs.end(), has_water))
        throw invalid("water is 'any', which changes only layers water, splat and forest of a world of basis fluvial, "
                      "expected one of them among the layers");
}

static void fill(generator &g, const world &w, const rect_words &words, const named_arrays &named, bool is_any_water)
{
    const ter_rect rect = rect_of(words);
    const open_arrays arrays(named, shape_of(rect, array_shape::HOST), is_any_water);
    require_water(w, arrays.outputs());
    fill_blocks(g, w, rect, arrays.outputs());
}

static void fill_device(generator &g, const world &w, const rect_words &words, const named_arrays &named,
                        uintptr_t stream)
{
    const ter_rect rect = rect_of(words);
    const open_arrays arrays(named, shape_of(rect, g.device()));
    const ter_tile tile = tile_of(rect);
    const tile_batch one = {static_cast<int>(rect.width), static_cast<int>(rect.height), &tile, 1, nullptr};
    g.call([&](ter_generator *made) {
        return layers_fill_device(made, w, one, arrays.outputs(), reinterpret_cast<void *>(stream));
    });
}

/* ---- batches of tiles ---- */

static std::vector<ter_tile> tiles_of(const tile_array &table)
{
    std::vector<ter_tile> tiles;
    const int64_t *row = table.data();
    for (size_t n = 0; n < table.shape(0); n++, row += 3)
        tiles.push_back({static_cast<int>(row[0]), row[1], row[2]});
    if (tiles.size() > UINT32_MAX)
        throw invalid("a batch of " + std::to_string(tiles.size()) + " tiles, expected less than 2^32");
    return tiles;
}

static array_shape shape_of(const std::vector<ter_tile> &tiles, int width, int height, int device)
{
    return {tiles.size(), static_cast<size_t>(height), static_cast<size_t>(width), true, device};
}

static layer_outputs slots_from(const layer_outputs &whole, size_t slot)
{
    layer_outputs part;
    for (const layer_output &o : whole)
        part.push_back(o.from_slot(slot));
    return part;
}

/** The coarsest level of a batch. Samples of this level take longest. */
static int coarsest(const tile_batch &batch)
{
    int level = TER_LEVELS_MAX + TER_FINE_LODS;
    for (size_t n = 0; n < batch.count; n++)
        level = std::min(level, batch.tiles[n].level);
    return level;
}

static uint64_t samples_of(const tile_batch &batch, int apron)
{
    return (static_cast<uint64_t>(batch.width) + 2 * static_cast<uint64_t>(apron)) *
           (static_cast<uint64_t>(batch.height) + 2 * static_cast<uint64_t>(apron));
}

/** Whether tiles are so large that a call that makes one whole tile could take much longer than a tenth of a second. */
static bool are_large(const world &w, const tile_batch &batch)
{
    return samples_of(batch, 0) > 8 * pace(w.params(), coarsest(batch)).samples();
}

static void fill_large_tiles(generator &g, const world &w, const tile_batch &batch, const layer_outputs &outputs)
{
    for (size_t n = 0; n < batch.count; n++) {
        const ter_tile &t = batch.tiles[n];
        fill_blocks(g, w, {t.level, t.i, t.j, batch.width, batch.height}, slots_from(outputs, n));
    }
}

/** The tiles of a batch, sorted by place, and the slot of each tile. */
struct sorted_tiles {
    std::vector<uint32_t> slots;
    std::vector<ter_tile> tiles;

    sorted_tiles(const world &w, const tile_batch &batch) : slots(place_order(w.params(), batch.tiles, batch.count))
    {
        for (const uint32_t slot : slots)
            tiles.push_back(batch.tiles[slot]);
    }
};

static void fill_small_tiles(generator &g, const world &w, const tile_batch &whole, const layer_outputs &outputs)
{
    const int apron = apron_of(outputs);
    const uint64_t tile_cost = std::max(samples_of(whole, apron), samples_a_point),
                   samples_max = apron > 0 ? derived_samples_max : UINT64_MAX,
                   count_min = whole.width * whole.height <= 4 ? points_at_once_min : 1;
    const sorted_tiles sorted(w, whole);
    pace steps(w.params(), coarsest(whole));
    for (size_t n = 0; n < whole.count;) {
        const uint64_t count = std::max(std::min(steps.samples(), samples_max) / tile_cost, count_min);
        const tile_batch batch = {whole.width, whole.height, sorted.tiles.data() + n,
                                  static_cast<size_t>(std::min<uint64_t>(count, whole.count - n)),
                                  sorted.slots.data() + n};
        steps.measure(g.call([&](ter_generator *made) { return layers_fill(made, w, batch, outputs); }));
        n += batch.count;
        require_no_signal();
    }
}

static void fill_tile_table(generator &g, const world &w, const tile_array &table, int width, int height,
                            const named_arrays &named, bool is_any_water)
{
    const std::vector<ter_tile> tiles = tiles_of(table);
    const open_arrays arrays(named, shape_of(tiles, width, height, array_shape::HOST), is_any_water);
    require_water(w, arrays.outputs());
    const tile_batch batch = {width, height, tiles.data(), tiles.size(), nullptr};
    (are_large(w, batch) ? fill_large_tiles : fill_small_tiles)(g, w, batch, arrays.outputs());
}

static void fill_tile_table_on_device(generator &g, const world &w, const tile_array &table, int width, int height,
                                      const named_arrays &named, uintptr_t stream)
{
    const std::vector<ter_tile> tiles = tiles_of(table);
    const open_arrays arrays(named, shape_of(tiles, width, height, g.device()));
    const tile_batch batch = {width, height, tiles.data(), tiles.size(), nullptr};
    g.call([&](ter_generator *made) {
        return layers_fill_device(made, w, batch, arrays.outputs(), reinterpret_cast<void *>(stream));
    });
}

void bind_fill(nb::module_ &m)
{
    m.def("fill", fill, nb::arg("generator"), nb::arg("world"), nb::arg("rect"), nb::arg("outputs"),
          nb::arg("any_water") = false,
          "Fill arrays of host memory, an array for each layer. rect: level, i, j, width, height. any_water: a sample "
          "is wet if any water lies in its cell.");
    m.def("fill_device", fill_device, nb::arg("generator"), nb::arg("world"), nb::arg("rect"), nb::arg("outputs"),
          nb::arg("stream"), "Queue the filling of arrays of device memory.");
    m.def("fill_tiles", fill_tile_table, nb::arg("generator"), nb::arg("world"), nb::arg("tiles"), nb::arg("width"),
          nb::arg("height"), nb::arg("outputs"), nb::arg("any_water") = false,
          "Fill arrays of tiles in host memory. tiles: rows of level, i, j.");
    m.def("fill_tiles_device", fill_tile_table_on_device, nb::arg("generator"), nb::arg("world"), nb::arg("tiles"),
          nb::arg("width"), nb::arg("height"), nb::arg("outputs"), nb::arg("stream"),
          "Queue the filling of arrays of tiles in device memory.");
}
