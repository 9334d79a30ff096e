/* layers.h - the layers of a world by name, and the library's functions that fill them, all of one call in one go. Every other file
 * goes through here. */
#ifndef TERRANE_PYTHON_LAYERS_H
#define TERRANE_PYTHON_LAYERS_H

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "parts.h"

namespace nb = nanobind;

/** A number a sample. */
struct layer {
    ter_layer id;
    const char *name, *unit, *about;
    bool has_gaps; /* NaN where the layer has no value */
};

/** The layer of that name, or InvalidArgumentError. */
const layer &find_layer(const std::string &name);

/** Where one layer goes: host memory, or memory of the generator's device. */
struct layer_output {
    const layer *kind;
    float *data;
    size_t row_stride, slot_stride; /* floats; slots for tiles alone */

    /** The same array from a sample on. */
    layer_output from(int64_t row, int64_t column) const
    {
        layer_output part = *this;
        part.data += static_cast<size_t>(row) * row_stride + static_cast<size_t>(column);
        return part;
    }
};
using layer_outputs = std::vector<layer_output>;

/** Tiles of a batch: their size and their north-west points. */
struct tile_batch {
    int width, height;
    const ter_tile *tiles;
    size_t count;
};

/** Fill host memory. */
ter_status layers_fill(ter_generator *g, const ter_world *w, const ter_rect &rect, const layer_outputs &outputs);
ter_status layers_fill_tiles(ter_generator *g, const ter_world *w, const tile_batch &batch, const layer_outputs &outputs);

/** Queue the filling of device memory on a stream. */
ter_status layers_fill_device(ter_generator *g, const ter_world *w, const ter_rect &rect, const layer_outputs &outputs,
                              void *stream);
ter_status layers_fill_tiles_device(ter_generator *g, const ter_world *w, const tile_batch &batch, const layer_outputs &outputs,
                                    void *stream);

void bind_layers(nb::module_ &m);

#endif
