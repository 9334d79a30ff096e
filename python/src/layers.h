/* layers.h - finds the layers of a world by name, and fills all layers of one call together. */
#ifndef TERRANE_PYTHON_LAYERS_H
#define TERRANE_PYTHON_LAYERS_H

#include <nanobind/nanobind.h>

#include <string>

#include "outputs.h"
#include "parts.h"
#include "world.h"

namespace nb = nanobind;

/** The layer of that name, or InvalidArgumentError. */
export_layer_id find_layer(const std::string &name);

/** Width of the apron that the derived layers of a call need, in samples; 0 if the generator makes all layers. */
int apron_of(const layer_outputs &outputs);

/** Whether a world has water, and a layer is this water or is computed from it. */
bool is_of_water(const world &w, const layer_output &output);

/** Tiles of a batch: their size, their north-west points, and the slot of the outputs that each tile fills. */
struct tile_batch {
    int width, height;
    const ter_tile *tiles;
    size_t count;
    const uint32_t *slots; /* each at most once; NULL: tile n goes to slot n */

    size_t slot_of(size_t tile) const
    {
        return slots ? slots[tile] : tile;
    }
};

/** Fill host memory. */
ter_status layers_fill(ter_generator *g, const world &w, const tile_batch &batch, const layer_outputs &outputs);

/** Queue the filling of device memory on a stream. Derived layers are not possible. */
ter_status layers_fill_device(ter_generator *g, const world &w, const tile_batch &batch, const layer_outputs &outputs,
                              void *stream);

/** Fill host memory with the layers of a call, if at least one of them is derived from heights. */
ter_status layers_derive(ter_generator *g, const world &w, const tile_batch &batch, const layer_outputs &outputs);

void bind_layers(nb::module_ &m);

#endif
