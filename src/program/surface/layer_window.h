/* layer_window.h - heights around a row of samples, and what else a layer is derived from. */
#ifndef TERRANE_PROGRAM_SURFACE_LAYER_WINDOW_H
#define TERRANE_PROGRAM_SURFACE_LAYER_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "program/surface/look.h"

typedef struct layer_window {
    const float
        *heights; /* m, of the row's first sample; samples around it can be read, to all sides, as the layer needs */
    const float *water; /* m, of the same samples; not a number where it is dry. NULL: there is none but the sea */
    ptrdiff_t stride;   /* floats from a row to the next one to the south */
    int64_t width;      /* samples of the row */
    int64_t i, j;       /* of the row's first sample in the lattice of its level */
    double step_m;      /* from sample to sample */
    double sea_m;
    const look *look;
    int channel_bits;    /* of pictures, 8 or 16 */
    bool is_green_south; /* of normals */
} layer_window;

#endif
