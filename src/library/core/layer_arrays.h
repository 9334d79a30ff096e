/* layer_arrays.h - arrays for the samples of a call, in the form that backends take. */
#ifndef TERRANE_CORE_LAYER_ARRAYS_H
#define TERRANE_CORE_LAYER_ARRAYS_H

#include "library/core/quantise.h"
#include "terrane/layers.h"

/** Layout of tiles in the output. Tile n starts at sample slots[n] * slot_stride of each array. Each of its rows starts
 * row_stride samples after the previous row. */
typedef struct ter_tile_layout {
    int width, height;     /* points of every tile, >= 1 */
    size_t row_stride;     /* samples, >= width */
    size_t slot_stride;    /* samples; not read for a single tile in slot 0 */
    const uint32_t *slots; /* NULL: tile n goes to slot n */
} ter_tile_layout;

/** An array for each requested layer; NULL for the others. */
typedef struct ter_layers {
    float *at[TER_LAYER_COUNT];
} ter_layers;

/** An array of 16-bit samples for each requested layer, with its range; NULL for the others. */
typedef struct ter_u16_layers {
    uint16_t *at[TER_LAYER_COUNT];
    ter_quantiser quantiser[TER_LAYER_COUNT];
} ter_u16_layers;

/** Some layers, each at most once. */
typedef struct ter_layer_list {
    ter_layer at[TER_LAYER_COUNT];
    int count;
} ter_layer_list;

#endif
