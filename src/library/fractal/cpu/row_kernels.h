/* row_kernels.h - the inner loops of the CPU backend: a table of functions for each instruction set level. */
#ifndef TERRANE_FRACTAL_CPU_ROW_KERNELS_H
#define TERRANE_FRACTAL_CPU_ROW_KERNELS_H

#include "library/core/quantise.h"
#include "library/fractal/cpu/grid.h"

struct ter_blend_work;      /* library/morph/blend.h */
struct ter_fluvial_kernels; /* library/fluvial/cpu/kernels.h */
struct ter_sum_unit;        /* library/world/height_sums.h */

typedef struct ter_row_kernels {
    /** Points of level 0. */
    void (*root)(const ter_field *f, const ter_grid *out);
    /** Points of level k >= 1 from a grid of level k - 1 that covers their window, with TER_GRID_PAD floats around it;
     * out is at most one block. */
    void (*refine)(const ter_field *f, int k, const ter_grid *parent, const ter_grid *out);
    /** Points of a level one by one, each from the root through its own window. */
    void (*points)(const ter_field *f, int level, const ter_grid *out);
    /** Heights as 16-bit samples; returns how many were clamped. */
    uint64_t (*quantise)(const ter_quantiser *q, const float *heights, size_t count, uint16_t *out);
    /** Least and greatest of at least one height. */
    void (*extremes)(const float *heights, size_t count, float *min_m, float *max_m);
    /** Sum of a row of heights in fixed point. */
    int64_t (*sum)(const float *heights, size_t count, const struct ter_sum_unit *unit);
    /** Blend a row of heights: points from index `first` on, in both landscapes. The row begins dx steps east of the
     * blend's origin, and its points are `step` apart. */
    void (*blend)(const struct ter_blend_work *w, size_t first, double dx, double step, float dz, float *out);
    /** As blend, for the altitude of the water. */
    void (*blend_water)(const struct ter_blend_work *w, size_t first, double dx, double step, float dz, float *out);
    /** Basis fluvial. */
    const struct ter_fluvial_kernels *fluvial;
} ter_row_kernels;

extern const ter_row_kernels ter_row_kernels_baseline;
extern const ter_row_kernels ter_row_kernels_avx2;
extern const ter_row_kernels ter_row_kernels_avx512;

#endif
