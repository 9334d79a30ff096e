/* grid.h - a rectangle of one level held in memory, and the window of a coarser level that it is made from. */
#ifndef TERRANE_FRACTAL_CPU_GRID_H
#define TERRANE_FRACTAL_CPU_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "library/fractal/height.h"

enum {
    TER_BLOCK_WIDTH = 1024, /* points; a block's parents and row buffers stay in the second-level cache */
    TER_BLOCK_HEIGHT = 256, /* points */
    TER_BLOCK_SLACK = 8,    /* blocks may be an eighth larger, so that no block has only the last few columns or rows */
    TER_BLOCK_WIDTH_MAX = TER_BLOCK_WIDTH + TER_BLOCK_WIDTH / TER_BLOCK_SLACK,
    TER_BLOCK_HEIGHT_MAX = TER_BLOCK_HEIGHT + TER_BLOCK_HEIGHT / TER_BLOCK_SLACK,
    TER_GRID_PAD = 64 /* readable floats before and after a parent grid: vectors start before a row and end after it */
};

/** A rectangle of level k held in memory: the height of (i + column, j + row) is at[row * stride + column]. */
typedef struct ter_grid {
    float *at;
    size_t stride; /* floats */
    int64_t i, j;  /* level lattice */
    int64_t width, height;
    bool is_streamed; /* stores bypass the caches */
} ter_grid;

/** The window of level k - depth that a rectangle of level k depends on; without memory. */
static inline ter_grid ter_grid_window(const ter_field *f, const ter_grid *rect, int depth)
{
    ter_grid window = {.i = ter_window_low(f->basis, rect->i, depth), .j = ter_window_low(f->basis, rect->j, depth)};
    window.width = ter_window_high(f->basis, rect->i + rect->width - 1, depth) - window.i + 1;
    window.height = ter_window_high(f->basis, rect->j + rect->height - 1, depth) - window.j + 1;
    return window;
}

/** Floats of a packed grid, with the readable floats before and after it. */
static inline size_t ter_grid_floats(const ter_grid *grid)
{
    return (size_t)grid->width * (size_t)grid->height + 2 * TER_GRID_PAD;
}

/** Place a packed grid in memory of ter_grid_floats floats. */
static inline void ter_grid_place(ter_grid *grid, float *memory)
{
    grid->at = memory + TER_GRID_PAD;
    grid->stride = (size_t)grid->width;
}

#endif
