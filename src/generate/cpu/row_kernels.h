/* kernels.h - the CPU's inner loops, compiled once per instruction set level and chosen at run time. */
#ifndef TER_GENERATE_CPU_KERNELS_H
#define TER_GENERATE_CPU_KERNELS_H

#include <stdbool.h>

#include "generate/blend.h"
#include "world/quantise.h"

enum {
    TER_CPU_TILE_WIDTH = 1024, /* points; a tile's parents and row buffers stay in the second-level cache */
    TER_CPU_TILE_HEIGHT = 256, /* points */
    TER_CPU_PARENT_WIDTH = TER_CPU_TILE_WIDTH / 2 + 8,
    TER_CPU_PARENT_HEIGHT = TER_CPU_TILE_HEIGHT / 2 + 8,
    TER_CPU_PAD = 64, /* floats readable before and behind a parent array: vectors start before a row and end behind it */
    TER_CPU_SCRATCH = 2 * (TER_CPU_PARENT_WIDTH * TER_CPU_PARENT_HEIGHT + 2 * TER_CPU_PAD) /* floats for fill_tile */
};

/** A rectangle of level k held in memory: height of (i + column, j + row) is at[row * stride + column]. */
typedef struct ter_grid {
    float *at;
    size_t stride;
    int64_t i, j;
    int64_t width, height;
    bool is_streamed; /* output that goes past the caches */
} ter_grid;

typedef struct ter_cpu_kernels {
    /** Points of level 0. */
    void (*root)(const ter_field *f, const ter_grid *out);
    /** Points of level k >= 1 from a grid of level k - 1 that covers their window; out is at most one tile. */
    void (*refine)(const ter_field *f, int k, const ter_grid *parent, const ter_grid *out);
    /** At most one tile of a level, from a grid `depth` levels above it that covers the tile's window, or from the root when that
     * is NULL. scratch: TER_CPU_SCRATCH floats. */
    void (*fill_tile)(const ter_field *f, int level, const ter_grid *start, int depth, const ter_grid *out, float *scratch);
    /** Points of a level one by one, each with its own hierarchy. */
    void (*fill_points)(const ter_field *f, int level, const ter_grid *out);
    /** Heights as 16-bit samples; returns how many were clamped. */
    uint64_t (*quantise)(const ter_quantiser *q, const float *heights, size_t count, uint16_t *out);
    /** Least and greatest of at least one height. */
    void (*find_extremes)(const float *heights, size_t count, float *min_m, float *max_m);
    /** A row of a blend: points `first`.. of both landscapes, from dx steps east of the blend's origin, `step` apart. */
    void (*blend_row)(const ter_blend_work *w, size_t first, double dx, double step, float dz, float *out);
} ter_cpu_kernels;

extern const ter_cpu_kernels ter_cpu_kernels_baseline;
extern const ter_cpu_kernels ter_cpu_kernels_avx2;
extern const ter_cpu_kernels ter_cpu_kernels_avx512;

/** Window of level k that a rectangle of level k + depth depends on; sets i, j, width, height of `out`. */
void ter_grid_window(const ter_field *f, const ter_grid *rect, int depth, ter_grid *out);

#endif
