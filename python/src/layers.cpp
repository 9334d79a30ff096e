/* layers.cpp - finds layers by name, and fills those that the generator makes. */
#include "layers.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <new>
#include <vector>

#include "errors.h"

export_layer_id find_layer(const std::string &name)
{
    std::string known;
    for (int n = 0; n < EXPORT_LAYERS; n++) {
        if (export_layers[n].is_drained)
            continue;
        if (name == export_layers[n].name)
            return static_cast<export_layer_id>(n);
        known += (known.empty() ? "" : ", ") + std::string(export_layers[n].name);
    }
    throw invalid("layer is '" + std::string(c_text("layer", name)) + "', expected one of: " + known);
}

int apron_of(const layer_outputs &outputs)
{
    int apron = 0;
    for (const layer_output &o : outputs)
        apron = std::max(apron, o.layer().apron);
    return apron;
}

bool is_of_water(const world &w, const layer_output &o)
{
    return (export_layer_sources(o.id, w.params().basis) & 1u << TER_LAYER_WATER) != 0;
}

/* ---- generated layers ---- */

/** Outputs with the same strides, which the library fills together. */
struct output_group {
    size_t row_stride;
    ptrdiff_t slot_stride; /* floats */
    layer_arrays layers;

    /** The group with every array moved forward by some floats. */
    output_group moved(ptrdiff_t floats) const
    {
        output_group g = *this;
        for (float *&at : g.layers.at)
            at = at ? at + floats : nullptr;
        return g;
    }
};

/** Group outputs by their strides. There is one group, unless the caller's arrays have different gaps. */
static std::vector<output_group> group(const layer_outputs &outputs)
{
    std::vector<output_group> groups;
    for (const layer_output &o : outputs) {
        auto found = std::find_if(groups.begin(), groups.end(), [&](const output_group &g) {
            return g.row_stride == o.row_stride && g.slot_stride == o.slot_stride;
        });
        if (found == groups.end())
            found = groups.insert(groups.end(), output_group{o.row_stride, o.slot_stride, {}});
        found->layers.at[o.id] = reinterpret_cast<float *>(o.data);
    }
    return groups;
}

static tile_layout layout_of(const tile_batch &batch, const output_group &o)
{
    tile_layout layout = {};
    layout.width = batch.width;
    layout.height = batch.height;
    layout.row_stride = o.row_stride;
    layout.slot_stride = static_cast<size_t>(std::abs(o.slot_stride));
    layout.slots = batch.slots;
    return layout;
}

/** Call `fill` for each tile of a batch separately. Slot 0 of a call is the slot of its tile. */
template <typename Fill> static ter_status fill_each(const tile_batch &batch, const output_group &o, const Fill &fill)
{
    ter_status status = TER_OK;
    for (size_t n = 0; n < batch.count && status == TER_OK; n++) {
        const tile_batch tile = {batch.width, batch.height, batch.tiles + n, 1, nullptr};
        const output_group place = o.moved(static_cast<ptrdiff_t>(batch.slot_of(n)) * o.slot_stride);
        status = fill(tile, layout_of(tile, place), place.layers);
    }
    return status;
}

/** Call `fill` for outputs with a negative slot stride. Slot 0 of this call is the caller's last slot, which lies first
 * in memory. */
template <typename Fill>
static ter_status fill_reversed(const tile_batch &batch, const output_group &o, const Fill &fill)
{
    uint32_t last = 0;
    std::vector<uint32_t> slots;
    for (size_t n = 0; n < batch.count; n++)
        last = std::max(last, static_cast<uint32_t>(batch.slot_of(n)));
    for (size_t n = 0; n < batch.count; n++)
        slots.push_back(last - static_cast<uint32_t>(batch.slot_of(n)));
    tile_batch reversed = batch;
    reversed.slots = slots.data();
    const output_group place = o.moved(static_cast<ptrdiff_t>(last) * o.slot_stride);
    return fill(reversed, layout_of(reversed, place), place.layers);
}

/** Call `fill` for each group until a call fails. The library requires that each slot begins after the end of the slot
 * before it. So slots whose rows alternate in memory are filled one by one. */
template <typename Fill>
static ter_status fill_groups(const tile_batch &batch, const layer_outputs &outputs, const Fill &fill)
{
    ter_status status = TER_OK;
    for (const output_group &g : group(outputs)) {
        const size_t extent = static_cast<size_t>(batch.height - 1) * g.row_stride + static_cast<size_t>(batch.width);
        if (batch.count == 1 || static_cast<size_t>(std::abs(g.slot_stride)) < extent)
            status = fill_each(batch, g, fill);
        else if (g.slot_stride < 0)
            status = fill_reversed(batch, g, fill);
        else
            status = fill(batch, layout_of(batch, g), g.layers);
        if (status != TER_OK)
            break;
    }
    return status;
}

/** Fill an array of layer water with water of cells: a sample is wet if any water lies in the cell around it. */
static ter_status fill_cells(ter_generator *g, const world &w, const tile_batch &batch, const layer_output &o)
{
    ter_status status = TER_OK;
    for (size_t n = 0; n < batch.count && status == TER_OK; n++) {
        const ter_tile &t = batch.tiles[n];
        const ter_rect rect = {t.level, t.i, t.j, batch.width, batch.height};
        status = any_water_fill(g, w.get(), &rect, reinterpret_cast<float *>(o.row(batch.slot_of(n), 0)), o.row_stride);
    }
    if (status == TER_ENOMEM)
        throw std::bad_alloc();
    return status;
}

ter_status layers_fill(ter_generator *g, const world &w, const tile_batch &whole, const layer_outputs &outputs)
{
    if (apron_of(outputs) > 0)
        return layers_derive(g, w, whole, outputs);
    layer_outputs of_points, of_cells;
    std::partition_copy(outputs.begin(), outputs.end(), std::back_inserter(of_cells), std::back_inserter(of_points),
                        [&](const layer_output &o) { return o.is_any_water && is_of_water(w, o); });
    ter_status status =
        fill_groups(whole, of_points, [&](const tile_batch &batch, const tile_layout &layout, const layer_arrays &to) {
            return fill_tiles(g, w.get(), {batch.tiles, batch.count}, &layout, &to);
        });
    for (const layer_output &o : of_cells)
        status = status == TER_OK ? fill_cells(g, w, whole, o) : status;
    return status;
}

ter_status layers_fill_device(ter_generator *g, const world &w, const tile_batch &whole, const layer_outputs &outputs,
                              void *stream)
{
    return fill_groups(whole, outputs, [&](const tile_batch &batch, const tile_layout &layout, const layer_arrays &to) {
        return fill_tiles_device(g, w.get(), {batch.tiles, batch.count}, &layout, &to, stream);
    });
}

/* ---- the module ---- */

static nb::list list_layers()
{
    nb::list list;
    for (const export_layer &l : export_layers)
        if (!l.is_drained)
            list.append(nb::make_tuple(l.name, l.unit, l.meaning, l.has_no_data, l.channels, !l.is_generated));
    return list;
}

static std::vector<std::string> list_biomes()
{
    std::vector<std::string> list;
    for (int n = 0; n < TER_BIOME_COUNT; n++)
        list.push_back(ter_biome_name(static_cast<ter_biome>(n)));
    return list;
}

void bind_layers(nb::module_ &m)
{
    m.def("biomes", list_biomes, "Names of the biomes, in the order of their numbers.");
    m.def("layers", list_layers, nb::sig("def layers() -> list[tuple[str, str, str, bool, int, bool]]"),
          "Layers: name, unit, description, whether samples without a value are NaN, channels of a picture or 0, "
          "whether the layer is "
          "derived from heights.");
}
