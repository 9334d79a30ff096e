/* fill.h - short ways to ter_fill: layers of a rectangle or of tiles, as floats. */
#ifndef TERRANE_PROGRAM_CORE_FILL_H
#define TERRANE_PROGRAM_CORE_FILL_H

#include "terrane/terrane.h"

/** An array for each layer that is wanted, NULL for the others. */
typedef struct layer_arrays {
    float *at[TER_LAYER_COUNT];
} layer_arrays;

/** Where tiles lie in each array: tile n begins at sample slots[n] * slot_stride, its rows follow at row_stride. */
typedef struct tile_layout {
    int width, height; /* points of every tile */
    size_t row_stride, slot_stride;
    const uint32_t *slots; /* NULL: tile n lies in slot n */
} tile_layout;

/** Tiles of a call. */
typedef struct tile_span {
    const ter_tile *tiles;
    size_t count;
} tile_span;

/** The arrays as a target's outputs. Returns how many there are. */
size_t fill_outputs(const layer_arrays *arrays, ter_output outputs[TER_LAYER_COUNT]);

/** A target of outputs in host memory with a layout. */
ter_target fill_target(const ter_output *outputs, size_t n_outputs, const tile_layout *layout);

/** Fill host memory with layers of a rectangle. stride: floats from row to row. Errors as ter_fill */
ter_status fill_rect(ter_generator *generator, const ter_world *world, const ter_rect *rect, const layer_arrays *arrays,
                     size_t stride);

/** The same with heights alone. */
ter_status fill_heights(ter_generator *generator, const ter_world *world, const ter_rect *rect, float *out,
                        size_t stride);

/** Fill host memory with layers of tiles. Errors as ter_fill */
ter_status fill_tiles(ter_generator *generator, const ter_world *world, tile_span tiles, const tile_layout *layout,
                      const layer_arrays *arrays);

/** The same in device memory, on a stream. */
ter_status fill_tiles_device(ter_generator *generator, const ter_world *world, tile_span tiles,
                             const tile_layout *layout, const layer_arrays *arrays, void *cuda_stream);

#endif
