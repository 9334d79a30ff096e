/* row_kernels.h - the inner loops of the CPU backend: a table of functions for each instruction set level. */
#ifndef TERRANE_FRACTAL_CPU_ROW_KERNELS_H
#define TERRANE_FRACTAL_CPU_ROW_KERNELS_H

#include "library/core/quantise.h"
#include "library/fractal/cpu/grid.h"

struct ter_blend_work;      /* library/morph/blend.h */
struct ter_fluvial_kernels; /* library/fluvial/cpu/kernels.h */
struct ter_sum_unit;        /* library/world/height_sums.h */

typedef struct ter_row_kernels {
    /** Compute the heights of the points of `out`, at level 0, without craters. */
    void (*root)(const ter_field *f, const ter_grid *out);
    /** The same at level k >= 1. `out` is at most one block. `parent` is a grid of level k - 1 that covers the window
     * of `out`; TER_GRID_PAD floats before and after it must be readable. */
    void (*refine)(const ter_field *f, int k, const ter_grid *parent, const ter_grid *out);
    /** Compute the heights of the points of `out` one by one, without a parent grid: each point is computed from level
     * 0 through its own windows, and its craters are added. */
    void (*points)(const ter_field *f, int level, const ter_grid *out);
    /** Add the craters of a world that has some to heights without craters. */
    void (*craters)(const ter_field *f, int level, const ter_grid *heights);
    /** Convert `count` heights to 16-bit samples. Returns the number of samples that were clamped. */
    uint64_t (*quantise)(const ter_quantiser *q, const float *heights, size_t count, uint16_t *out);
    /** Find the least and the greatest of `count` heights, count >= 1. */
    void (*extremes)(const float *heights, size_t count, float *min_m, float *max_m);
    /** Return the sum of a row of heights in fixed point. */
    int64_t (*sum)(const float *heights, size_t count, const struct ter_sum_unit *unit);
    /** Blend a row of heights of two landscapes. In both landscapes the row begins at index `first`. It begins dx
     * lattice steps east and dz steps south of the blend's origin, and its points are `step` lattice steps apart. */
    void (*blend)(const struct ter_blend_work *w, size_t first, double dx, double step, float dz, float *out);
    /** The same as `blend`, but for the altitude of the water. */
    void (*blend_water)(const struct ter_blend_work *w, size_t first, double dx, double step, float dz, float *out);
    /** The kernels of worlds of basis fluvial. */
    const struct ter_fluvial_kernels *fluvial;
} ter_row_kernels;

extern const ter_row_kernels ter_row_kernels_baseline;
extern const ter_row_kernels ter_row_kernels_avx2;
extern const ter_row_kernels ter_row_kernels_avx512;

#endif
