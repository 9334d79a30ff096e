/* fill.h - calls ter_fill for the common cases: layers of a rectangle or of tiles, as floats. */
#ifndef TERRANE_PROGRAM_CORE_FILL_H
#define TERRANE_PROGRAM_CORE_FILL_H

#include "terrane/terrane.h"

/** An array for each requested layer; NULL for the others. */
typedef struct layer_arrays {
    float *at[TER_LAYER_COUNT];
} layer_arrays;

/** Places of tiles in each array: tile n begins at float slots[n] * slot_stride, and its rows are row_stride floats
 * apart. */
typedef struct tile_layout {
    int width, height; /* samples of each tile */
    size_t row_stride, slot_stride;
    const uint32_t *slots; /* NULL: tile n is in slot n */
} tile_layout;

/** An array of tiles. */
typedef struct tile_span {
    const ter_tile *tiles;
    size_t count;
} tile_span;

/** List the arrays as outputs of a target. Returns the number of outputs. */
size_t fill_outputs(const layer_arrays *arrays, ter_output outputs[TER_LAYER_COUNT]);

/** Make a target of outputs in host memory. It refers to `outputs` and to layout->slots. */
ter_target fill_target(const ter_output *outputs, size_t n_outputs, const tile_layout *layout);

/** Fill host memory with layers of a rectangle.
 *
 *  stride  floats from each row to the next
 *  Errors  those of ter_fill
 */
ter_status fill_rect(ter_generator *generator, const ter_world *world, const ter_rect *rect, const layer_arrays *arrays,
                     size_t stride);

/** Fill host memory with the heights of a rectangle. stride and Errors as for fill_rect */
ter_status fill_heights(ter_generator *generator, const ter_world *world, const ter_rect *rect, float *out,
                        size_t stride);

/** Fill host memory with layers of tiles. Errors those of ter_fill */
ter_status fill_tiles(ter_generator *generator, const ter_world *world, tile_span tiles, const tile_layout *layout,
                      const layer_arrays *arrays);

/** Fill device memory with layers of tiles, in a CUDA stream. Errors those of ter_fill */
ter_status fill_tiles_device(ter_generator *generator, const ter_world *world, tile_span tiles,
                             const tile_layout *layout, const layer_arrays *arrays, void *cuda_stream);

#endif
