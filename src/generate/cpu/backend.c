/* backend.c - the CPU backend: the three methods over cache-sized blocks on all cores, statistics, morph, probe. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "generate/backend.h"
#include "generate/cpu/simd.h"
#include "generate/place.h"
#include "generate/statistics.h"

typedef struct cpu_state {
    const ter_cpu_kernels *kernels;
    ter_method method;
    int n_threads;
    float *scratch; /* TER_CPU_SCRATCH floats a thread */
    float *levels[2];
    size_t levels_floats; /* size of each of the two arrays that `recursive` goes back and forth between */
    float *start;         /* the level that a large array's tiles start from */
    size_t start_floats;
} cpu_state;

static int available_threads(void)
{
#ifdef _OPENMP
    return omp_get_num_procs();
#else
    return 1;
#endif
}

static int this_thread(void)
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

static int cpu_device_count(char *reason, size_t reason_size)
{
    snprintf(reason, reason_size, "the host");
    return 1;
}

/** Zeroed floats, 64-byte aligned. */
static float *allocate_floats(size_t count)
{
    const size_t bytes = (count * sizeof(float) + 63) & ~(size_t)63;
    float *at = aligned_alloc(64, bytes);
    if (at)
        memset(at, 0, bytes);
    return at;
}

static void cpu_destroy(void *state)
{
    cpu_state *cpu = state;
    free(cpu->levels[0]);
    free(cpu->levels[1]);
    free(cpu->start);
    free(cpu->scratch);
    free(cpu);
}

static ter_status cpu_create(const ter_generator_options *options, void **state)
{
    const ter_cpu_kernels *kernels = ter_cpu_kernels_for(options->simd);
    if (!kernels)
        return TER_ENOBACKEND;
    cpu_state *cpu = calloc(1, sizeof *cpu);
    if (!cpu)
        return ter_fail(TER_ENOMEM, "no memory for the CPU backend");
    cpu->kernels = kernels;
    cpu->method = options->method;
    cpu->n_threads = options->threads > 0 ? options->threads : available_threads();
    cpu->scratch = allocate_floats((size_t)cpu->n_threads * TER_CPU_SCRATCH);
    if (!cpu->scratch) {
        ter_fail(TER_ENOMEM, "no memory for the scratch of %d threads", cpu->n_threads);
        cpu_destroy(cpu);
        return TER_ENOMEM;
    }
    *state = cpu;
    return TER_OK;
}

/* ---- blocks: every method works through an array in blocks of at most one tile ---- */

typedef struct blocking {
    int64_t width, height; /* points of a block */
    int64_t n_columns, n_rows;
} blocking;

enum { BLOCK_POINTS_MIN = 1 << 14 }; /* less is not worth another thread, where many points are made together */

/** Cut an array into blocks: full width first, then low enough that every thread gets several. */
static blocking cut_into_blocks(const cpu_state *cpu, int64_t width, int64_t height, int64_t n_arrays)
{
    blocking b = {.width = TER_CPU_TILE_WIDTH, .height = TER_CPU_TILE_HEIGHT};
    b.n_columns = (width + b.width - 1) / b.width;
    const int64_t row_points = width < b.width ? width : b.width;
    const int64_t points_min = cpu->method == TER_METHOD_SINGLE_PASS ? 1 : BLOCK_POINTS_MIN;
    while (cpu->n_threads > 1 && b.height > 16 && b.height * row_points / 2 >= points_min &&
           b.n_columns * ((height + b.height - 1) / b.height) * n_arrays < 4 * cpu->n_threads)
        b.height /= 2;
    b.n_rows = (height + b.height - 1) / b.height;
    return b;
}

/** Block n of an array. */
static ter_grid block_of(const blocking *b, const ter_grid *array, int64_t n)
{
    const int64_t column = n % b->n_columns * b->width, row = n / b->n_columns * b->height;
    ter_grid block = *array;
    block.at = array->at + (size_t)row * array->stride + (size_t)column;
    block.i += column;
    block.j += row;
    block.width = array->width - column < b->width ? array->width - column : b->width;
    block.height = array->height - row < b->height ? array->height - row : b->height;
    return block;
}

void ter_grid_window(const ter_field *f, const ter_grid *rect, int depth, ter_grid *out)
{
    out->i = ter_window_low(f->basis, rect->i, depth);
    out->j = ter_window_low(f->basis, rect->j, depth);
    out->width = ter_window_high(f->basis, rect->i + rect->width - 1, depth) - out->i + 1;
    out->height = ter_window_high(f->basis, rect->j + rect->height - 1, depth) - out->j + 1;
}

/* ---- recursive: level by level over the whole array ---- */

static ter_status reserve_levels(cpu_state *cpu, size_t floats)
{
    if (floats <= cpu->levels_floats)
        return TER_OK;
    for (int n = 0; n < 2; n++) {
        free(cpu->levels[n]);
        cpu->levels[n] = allocate_floats(floats);
    }
    cpu->levels_floats = cpu->levels[0] && cpu->levels[1] ? floats : 0;
    return cpu->levels_floats ? TER_OK : ter_fail(TER_ENOMEM, "no memory for the coarser levels: 2 x %zu floats", floats);
}

static void refine_array(const cpu_state *cpu, const ter_field *f, int k, const ter_grid *parent, const ter_grid *out)
{
    const blocking b = cut_into_blocks(cpu, out->width, out->height, 1);
    const int64_t n_blocks = b.n_columns * b.n_rows;
#pragma omp parallel for schedule(dynamic) num_threads(cpu->n_threads) if (n_blocks > 1)
    for (int64_t n = 0; n < n_blocks; n++) {
        const ter_grid block = block_of(&b, out, n);
        cpu->kernels->refine(f, k, parent, &block);
    }
}

static ter_status fill_recursive(cpu_state *cpu, const ter_field *f, int level, const ter_grid *out)
{
    if (level == 0) {
        cpu->kernels->root(f, out);
        return TER_OK;
    }
    ter_grid coarse = {0}, fine = {0};
    ter_grid_window(f, out, 1, &fine);
    const ter_status status = reserve_levels(cpu, (size_t)fine.width * (size_t)fine.height + 2 * TER_CPU_PAD);
    if (status != TER_OK)
        return status;
    ter_grid_window(f, out, level, &coarse);
    coarse.at = cpu->levels[0] + TER_CPU_PAD;
    coarse.stride = (size_t)coarse.width;
    cpu->kernels->root(f, &coarse);
    for (int k = 1; k < level; k++) {
        ter_grid_window(f, out, level - k, &fine);
        fine.at = cpu->levels[k & 1] + TER_CPU_PAD;
        fine.stride = (size_t)fine.width;
        refine_array(cpu, f, k, &coarse, &fine);
        coarse = fine;
    }
    refine_array(cpu, f, level, &coarse, out);
    return TER_OK;
}

/* ---- tiles ---- */

enum { STREAMED_MIN = 1 << 22 }; /* samples of an array that no cache will hold */

static ter_grid tile_grid(const ter_tile *tiles, size_t n, const ter_tile_layout *layout, float *out)
{
    const size_t slot = layout->slots ? layout->slots[n] : n;
    return (ter_grid){.at = out + slot * layout->slot_stride,
                      .stride = layout->row_stride,
                      .i = tiles[n].i,
                      .j = tiles[n].j,
                      .width = layout->width,
                      .height = layout->height,
                      .is_streamed = (int64_t)layout->width * layout->height >= STREAMED_MIN};
}

static ter_status fill_tiles_recursive(cpu_state *cpu, const ter_field *f, const ter_tile *tiles, size_t count,
                                       const ter_tile_layout *layout, float *out)
{
    for (size_t n = 0; n < count; n++) {
        const ter_grid grid = tile_grid(tiles, n, layout, out);
        const ter_status status = fill_recursive(cpu, f, tiles[n].level, &grid);
        if (status != TER_OK)
            return status;
    }
    return TER_OK;
}

/** For an array of several tiles: make a level far above it once, of which all tiles take their part; depth 0 for none. */
static ter_status make_start(cpu_state *cpu, const ter_field *f, int level, const ter_grid *out, int64_t n_blocks, ter_grid *start,
                             int *depth)
{
    enum { DEPTH_MIN = 4, START_FLOATS = 1 << 17 };
    *depth = 0;
    if (cpu->method != TER_METHOD_TILED || n_blocks < 2 || level <= DEPTH_MIN)
        return TER_OK;
    int d = DEPTH_MIN;
    while (d < level && (out->width >> d) * (out->height >> d) > START_FLOATS)
        d++;
    ter_grid_window(f, out, d, start);
    const size_t floats = (size_t)start->width * (size_t)start->height + 2 * TER_CPU_PAD;
    if (floats > cpu->start_floats) {
        free(cpu->start);
        cpu->start = allocate_floats(floats);
        cpu->start_floats = cpu->start ? floats : 0;
    }
    if (!cpu->start)
        return ter_fail(TER_ENOMEM, "no memory for the level that tiles start from: %zu floats", floats);
    start->at = cpu->start + TER_CPU_PAD;
    start->stride = (size_t)start->width;
    *depth = d;
    return fill_recursive(cpu, f, level - d, start);
}

/** Whether one thread makes an array sooner level by level as a whole: the caches hold it, and smooth's blocks overlap the most. */
static bool is_best_whole(const cpu_state *cpu, const ter_field *f, const ter_grid *out, int64_t n_blocks)
{
    enum { WHOLE_POINTS = 1 << 18 };
    return cpu->method == TER_METHOD_TILED && cpu->n_threads == 1 && n_blocks > 1 && f->basis == TER_BASIS_SMOOTH &&
           out->width * out->height <= WHOLE_POINTS;
}

static ter_status cpu_fill_tiles(void *state, const ter_world *world, const ter_tile *tiles, size_t count,
                                 const ter_tile_layout *layout, float *out)
{
    cpu_state *cpu = state;
    const ter_field *f = &world->field;
    if (cpu->method == TER_METHOD_RECURSIVE)
        return fill_tiles_recursive(cpu, f, tiles, count, layout, out);
    const blocking b = cut_into_blocks(cpu, layout->width, layout->height, (int64_t)count);
    const int64_t per_tile = b.n_columns * b.n_rows, n_blocks = per_tile * (int64_t)count;
    ter_grid start = {0};
    int depth = 0;
    if (count == 1) {
        const ter_grid grid = tile_grid(tiles, 0, layout, out);
        if (is_best_whole(cpu, f, &grid, n_blocks))
            return fill_recursive(cpu, f, tiles[0].level, &grid);
        const ter_status status = make_start(cpu, f, tiles[0].level, &grid, n_blocks, &start, &depth);
        if (status != TER_OK)
            return status;
    }
#pragma omp parallel for schedule(dynamic) num_threads(cpu->n_threads) if (n_blocks > 1)
    for (int64_t n = 0; n < n_blocks; n++) {
        const size_t t = (size_t)(n / per_tile);
        const ter_grid grid = tile_grid(tiles, t, layout, out);
        const ter_grid block = block_of(&b, &grid, n % per_tile);
        if (cpu->method == TER_METHOD_TILED)
            cpu->kernels->fill_tile(f, tiles[t].level, depth > 0 ? &start : NULL, depth, &block,
                                    cpu->scratch + (size_t)this_thread() * TER_CPU_SCRATCH);
        else
            cpu->kernels->fill_points(f, tiles[t].level, &block);
    }
    return TER_OK;
}

static ter_status cpu_heights(void *state, const ter_world *world, int level, const int64_t (*points)[2], size_t count, float *out)
{
    const cpu_state *cpu = state;
#pragma omp parallel for schedule(dynamic, 64) num_threads(cpu->n_threads) if (count > 64)
    for (size_t n = 0; n < count; n++) {
        const ter_grid point = {.at = &out[n], .stride = 1, .i = points[n][0], .j = points[n][1], .width = 1, .height = 1};
        cpu->kernels->fill_points(&world->field, level, &point);
    }
    return TER_OK;
}

/* ---- statistics ---- */

typedef struct partial_statistics {
    float min, max;
    int64_t sum;
} partial_statistics;

static void add_row(partial_statistics *s, const float *row, int64_t width, double scale)
{
    for (int64_t n = 0; n < width; n++) {
        s->min = row[n] < s->min ? row[n] : s->min;
        s->max = row[n] > s->max ? row[n] : s->max;
        s->sum += ter_sum_term(row[n], scale);
    }
}

static ter_status cpu_statistics(void *state, const ter_world *world, const ter_rect *rect, float lo, float hi, int bins,
                                 uint64_t *histogram, ter_statistics *out)
{
    cpu_state *cpu = state;
    const ter_grid array = {.i = rect->i, .j = rect->j, .width = rect->width, .height = rect->height};
    const blocking b = cut_into_blocks(cpu, rect->width, rect->height, 1);
    const int64_t n_blocks = b.n_columns * b.n_rows;
    const double scale = ter_sum_scale(world->params.amplitude);
    const float bin_scale = bins > 0 ? (float)bins / (hi - lo) : 0.0f;
    const size_t block_floats = (size_t)TER_CPU_TILE_WIDTH * TER_CPU_TILE_HEIGHT;
    float *blocks = allocate_floats((size_t)cpu->n_threads * block_floats);
    uint64_t *counts = calloc((size_t)cpu->n_threads * (size_t)bins + 1, sizeof *counts);
    if (!blocks || !counts) {
        free(blocks);
        free(counts);
        return ter_fail(TER_ENOMEM, "no memory for the statistics of %d threads", cpu->n_threads);
    }
    float min = INFINITY, max = -INFINITY;
    int64_t sum = 0;
#pragma omp parallel for schedule(dynamic) num_threads(cpu->n_threads) reduction(min : min) reduction(max : max) reduction(+ : sum)
    for (int64_t n = 0; n < n_blocks; n++) {
        const size_t thread = (size_t)this_thread();
        ter_grid block = block_of(&b, &array, n);
        block.at = blocks + thread * block_floats;
        block.stride = TER_CPU_TILE_WIDTH;
        cpu->kernels->fill_tile(&world->field, rect->level, NULL, 0, &block, cpu->scratch + thread * TER_CPU_SCRATCH);
        partial_statistics part = {.min = INFINITY, .max = -INFINITY};
        for (int64_t row = 0; row < block.height; row++) {
            const float *heights = block.at + (size_t)row * block.stride;
            add_row(&part, heights, block.width, scale);
            for (int64_t c = 0; bins > 0 && c < block.width; c++)
                counts[thread * (size_t)bins + (size_t)ter_histogram_bin(heights[c], lo, bin_scale, bins)]++;
        }
        min = part.min < min ? part.min : min;
        max = part.max > max ? part.max : max;
        sum += part.sum;
    }
    for (int bin = 0; bin < bins; bin++) {
        histogram[bin] = 0;
        for (int thread = 0; thread < cpu->n_threads; thread++)
            histogram[bin] += counts[(size_t)thread * (size_t)bins + (size_t)bin];
    }
    free(blocks);
    free(counts);
    const uint64_t count = (uint64_t)rect->width * (uint64_t)rect->height;
    *out = (ter_statistics){.min_m = min, .max_m = max, .mean_m = (double)sum / scale / (double)count, .count = count};
    return TER_OK;
}

/* ---- morph ---- */

static ter_status cpu_memory_create(void *state, size_t bytes, void **memory)
{
    (void)state;
    *memory = aligned_alloc(64, (bytes + 63) & ~(size_t)63); /* not zeroed: pages come when tiles do */
    return *memory ? TER_OK : ter_fail(TER_ENOMEM, "no memory for %zu bytes of heights", bytes);
}

static void cpu_memory_destroy(void *state, void *memory)
{
    (void)state;
    free(memory);
}

static ter_status cpu_blend(void *state, const ter_blend_work *w, void *stream)
{
    const cpu_state *cpu = state;
    const size_t points = (size_t)w->width * (size_t)w->height;
    (void)stream;
#pragma omp parallel for num_threads(cpu->n_threads) schedule(static)
    for (size_t n = 0; n < w->count; n++) {
        const ter_blend_tile *t = &w->tiles[n];
        const double step = (double)(INT64_C(1) << t->shift);
        for (int row = 0; row < w->height; row++) {
            const size_t first = t->held * points + (size_t)row * (size_t)w->width;
            const float dz = (float)(t->dz + ((int64_t)row << t->shift));
            cpu->kernels->blend_row(w, first, (double)t->dx, step, dz,
                                    w->out + t->slot * w->slot_stride + (size_t)row * w->row_stride);
        }
    }
    return TER_OK;
}

/* ---- probe: answered at once, the CPU has nothing to wait for ---- */

typedef struct cpu_probe {
    const ter_cpu_kernels *kernels;
    uint64_t ticket;
    int count;
    float heights[TER_PROBE_POINTS_MAX];
    float scratch[TER_CPU_SCRATCH];
} cpu_probe;

static ter_status cpu_probe_create(void *state, void **probe)
{
    cpu_probe *p = calloc(1, sizeof *p);
    if (!p)
        return ter_fail(TER_ENOMEM, "no memory for a probe");
    p->kernels = ((const cpu_state *)state)->kernels;
    *probe = p;
    return TER_OK;
}

/** Height of a cell of a world, and where there is another one between both. */
static float cell_height(cpu_probe *p, const ter_world *world, const ter_world *to, const ter_place_blend *blend, const ter_cell *c)
{
    float corners[2][4];
    for (int n = 0; n < (to ? 2 : 1); n++) {
        const ter_grid cell = {.at = corners[n], .stride = 2, .i = c->i, .j = c->j, .width = 2, .height = 2};
        p->kernels->fill_tile(n ? &to->field : &world->field, c->level + (n ? blend->level_shift : 0), NULL, 0, &cell, p->scratch);
    }
    for (int n = 0; n < 4 && to; n++)
        corners[0][n] = ter_blend_height(corners[0][n], corners[1][n], ter_cell_share(blend, c, n));
    return ter_cell_height(c, corners[0][0], corners[0][1], corners[0][2], corners[0][3]);
}

static ter_status cpu_probe_ask(void *probe, const ter_world *world, const ter_world *to, const ter_place_blend *blend,
                                const ter_probe_point *points, int count, uint64_t ticket)
{
    cpu_probe *p = probe;
    for (int n = 0; n < count; n++) {
        const ter_place place = ter_place_of(&points[n], world->params.levels);
        p->heights[n] = cell_height(p, world, to, blend, &place.cell);
        if (place.coarser > 0.0f) {
            const ter_cell coarser = ter_cell_coarser(&place.cell);
            p->heights[n] = ter_place_height(&place, p->heights[n], cell_height(p, world, to, blend, &coarser));
        }
    }
    p->count = count;
    p->ticket = ticket;
    return TER_OK;
}

static ter_status cpu_probe_answer(void *probe, uint64_t *ticket, int *count, float *out_m)
{
    const cpu_probe *p = probe;
    *ticket = p->ticket;
    *count = p->count;
    memcpy(out_m, p->heights, (size_t)p->count * sizeof(float));
    return TER_OK;
}

const ter_backend_table ter_backend_cpu = {
    .kind = TER_BACKEND_CPU,
    .name = "cpu",
    .device_count = cpu_device_count,
    .create = cpu_create,
    .destroy = cpu_destroy,
    .fill_tiles = cpu_fill_tiles,
    .heights = cpu_heights,
    .statistics = cpu_statistics,
    .memory_create = cpu_memory_create,
    .memory_destroy = cpu_memory_destroy,
    .blend = cpu_blend,
    .probe_create = cpu_probe_create,
    .probe_ask = cpu_probe_ask,
    .probe_answer = cpu_probe_answer,
    .probe_destroy = free,
};
