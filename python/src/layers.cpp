/* layers.cpp - the table of layers. */
#include "layers.h"

#include <algorithm>

#include "errors.h"

/** A unit as xarray and UDUNITS spell it: shares have the unit 1. */
static constexpr const char *unit_of(const char *unit)
{
    return *unit ? unit : "1";
}

static const layer layers[] = {
#define LAYER(id, name, unit, about) {id, name, unit_of(unit), about, id == TER_LAYER_WATER},
    TER_LAYER_LIST(LAYER)
#undef LAYER
};

const layer &find_layer(const std::string &name)
{
    std::string known;
    for (const layer &l : layers) {
        if (name == l.name)
            return l;
        known += (known.empty() ? "" : ", ") + std::string(l.name);
    }
    throw invalid("layer is '" + name + "', expected one of: " + known);
}

/** Outputs whose rows and tiles are as far apart: the library fills them together. */
struct output_group {
    size_t row_stride, slot_stride; /* floats */
    ter_layers layers;

    bool is_height_alone() const
    {
        for (int n = 0; n < TER_LAYER_COUNT; n++)
            if ((layers.at[n] != nullptr) != (n == TER_LAYER_HEIGHT))
                return false;
        return true;
    }

    ter_tile_layout layout(int width, int height) const
    {
        ter_tile_layout layout = {};
        layout.width = width;
        layout.height = height;
        layout.row_stride = row_stride;
        layout.slot_stride = slot_stride;
        return layout;
    }
};

/** One group, unless the caller's arrays have gaps of their own. */
static std::vector<output_group> group(const layer_outputs &outputs)
{
    std::vector<output_group> groups;
    for (const layer_output &o : outputs) {
        auto found = std::find_if(groups.begin(), groups.end(), [&](const output_group &g) {
            return g.row_stride == o.row_stride && g.slot_stride == o.slot_stride;
        });
        if (found == groups.end())
            found = groups.insert(groups.end(), output_group{o.row_stride, o.slot_stride, {}});
        found->layers.at[o.kind->id] = o.data;
    }
    return groups;
}

/** Call `fill` for each group until one fails. */
template <typename Fill> static ter_status fill_groups(const layer_outputs &outputs, const Fill &fill)
{
    for (const output_group &g : group(outputs)) {
        const ter_status status = fill(g);
        if (status != TER_OK)
            return status;
    }
    return TER_OK;
}

ter_status layers_fill(ter_generator *g, const ter_world *w, const ter_rect &rect, const layer_outputs &outputs)
{
    return fill_groups(outputs, [&](const output_group &o) {
        return o.is_height_alone() ? ter_generator_fill(g, w, &rect, o.layers.at[TER_LAYER_HEIGHT], o.row_stride)
                                   : ter_generator_fill_layers(g, w, &rect, &o.layers, o.row_stride);
    });
}

ter_status layers_fill_tiles(ter_generator *g, const ter_world *w, const tile_batch &batch, const layer_outputs &outputs)
{
    return fill_groups(outputs, [&](const output_group &o) {
        const ter_tile_layout layout = o.layout(batch.width, batch.height);
        return o.is_height_alone()
                   ? ter_generator_fill_tiles(g, w, batch.tiles, batch.count, &layout, o.layers.at[TER_LAYER_HEIGHT])
                   : ter_generator_fill_tiles_layers(g, w, batch.tiles, batch.count, &layout, &o.layers);
    });
}

/** Layers of a rectangle in device memory: of a tile of its size. */
static ter_status fill_rect_device(ter_generator *g, const ter_world *w, const ter_rect &rect, const output_group &o, void *stream)
{
    const ter_tile tile = {rect.level, rect.i, rect.j};
    const ter_tile_layout layout = o.layout(static_cast<int>(rect.width), static_cast<int>(rect.height));
    return ter_generator_fill_tiles_layers_device(g, w, &tile, 1, &layout, &o.layers, stream);
}

ter_status layers_fill_device(ter_generator *g, const ter_world *w, const ter_rect &rect, const layer_outputs &outputs,
                              void *stream)
{
    return fill_groups(outputs, [&](const output_group &o) {
        return o.is_height_alone() ? ter_generator_fill_device(g, w, &rect, o.layers.at[TER_LAYER_HEIGHT], o.row_stride, stream)
                                   : fill_rect_device(g, w, rect, o, stream);
    });
}

ter_status layers_fill_tiles_device(ter_generator *g, const ter_world *w, const tile_batch &batch, const layer_outputs &outputs,
                                    void *stream)
{
    return fill_groups(outputs, [&](const output_group &o) {
        const ter_tile_layout layout = o.layout(batch.width, batch.height);
        return o.is_height_alone()
                   ? ter_generator_fill_tiles_device(g, w, batch.tiles, batch.count, &layout, o.layers.at[TER_LAYER_HEIGHT], stream)
                   : ter_generator_fill_tiles_layers_device(g, w, batch.tiles, batch.count, &layout, &o.layers, stream);
    });
}

static nb::list list_layers()
{
    nb::list list;
    for (const layer &l : layers)
        list.append(nb::make_tuple(l.name, l.unit, l.about, l.has_gaps));
    return list;
}

void bind_layers(nb::module_ &m)
{
    m.def("layers", list_layers, nb::sig("def layers() -> list[tuple[str, str, str, bool]]"),
          "Layers of a world: name, unit, description, whether it is NaN where there is no value.");
}
