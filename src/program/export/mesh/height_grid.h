/* height_grid.h - a grid of heights in memory. */
#ifndef TERRANE_PROGRAM_EXPORT_MESH_HEIGHT_GRID_H
#define TERRANE_PROGRAM_EXPORT_MESH_HEIGHT_GRID_H

#include <stddef.h>
#include <stdint.h>

typedef struct height_grid {
    const float *heights; /* metres: heights[row * stride + column] */
    ptrdiff_t stride;
    int32_t width, height; /* samples, 2 to 4097 */
} height_grid;

#endif
