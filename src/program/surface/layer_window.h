/* layer_window.h - the inputs of a derived layer: heights around a row of samples, water and look. */
#ifndef TERRANE_PROGRAM_SURFACE_LAYER_WINDOW_H
#define TERRANE_PROGRAM_SURFACE_LAYER_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "program/surface/look.h"

typedef struct layer_window {
    const float *heights; /* the row's first sample, m; the apron of the layer can be read on all sides */
    const float *water;   /* water levels in the same layout, m, NaN where dry; NULL: no water except the sea */
    ptrdiff_t stride;     /* floats from a row to the next row to the south */
    int64_t width;        /* samples per row */
    int64_t i, j;         /* the row's first sample: column and row in the grid of its level */
    double step_m;        /* distance between samples */
    double sea_m;
    const look *look;
    int channel_bits;    /* bits of a channel of pictures: 8 or 16 */
    bool is_green_south; /* green channel of normal maps: south is positive; false: north is positive */
} layer_window;

#endif
