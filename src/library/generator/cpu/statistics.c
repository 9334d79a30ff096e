/* statistics.c - minimum, maximum, mean and histogram of a rectangle. The thread that makes a block reduces it at
 * once. */
#include <stdatomic.h>
#include <stdlib.h>

#include "library/core/cpu/state.h"
#include "library/core/system.h"
#include "library/fluvial/cpu/fluvial.h"
#include "library/fractal/cpu/descent.h"
#include "library/generator/cpu/statistics.h"
#include "library/world/height_sums.h"

/** Result of the blocks that a thread has made so far. No two threads share a cache line. */
typedef struct partial {
    _Alignas(64) float min, max;
    int64_t sum;
} partial;

typedef struct reduction {
    ter_cpu_state *cpu;
    const ter_world *world;
    int level;
    ter_grid array; /* only the place and the size of the rectangle; it has no memory */
    ter_blocks blocks;
    ter_sum_unit unit;
    float lo, bin_scale;
    int bins;
    float *heights;   /* one block per thread */
    partial *partial; /* one per thread */
    uint64_t *counts; /* `bins` counters per thread */
    atomic_int is_out_of_memory;
} reduction;

static bool is_fluvial(const reduction *r)
{
    return r->world->params.basis == TER_BASIS_FLUVIAL;
}

static void count_row(const reduction *r, const float *row, int64_t width, uint64_t *counts)
{
    for (int64_t n = 0; n < width; n++)
        counts[ter_histogram_bin(row[n], r->lo, r->bin_scale, r->bins)]++;
}

/** Number of floats of the block that each thread has in `heights`. */
static size_t block_floats(const reduction *r)
{
    return (size_t)r->blocks.width * (size_t)r->blocks.height;
}

/** Make the heights of a block. Returns false if there is no memory for the network of a fluvial block. */
static bool make_block(const reduction *r, int thread, const ter_grid *block)
{
    if (is_fluvial(r))
        return ter_cpu_fluvial_block(r->cpu, thread, &r->world->fluvial, r->level, block);
    const ter_field *f = &r->world->field;
    ter_descend(r->cpu->kernels, f, r->level, NULL, block, ter_descent_scratch(r->cpu, thread));
    if (f->craters.age > 0.0f)
        r->cpu->kernels->craters(f, r->level, block);
    return true;
}

static void reduce_block(void *user, int thread, int64_t n)
{
    reduction *r = user;
    const ter_row_kernels *kernels = r->cpu->kernels;
    partial *p = &r->partial[thread];
    ter_grid block = ter_blocks_at(&r->blocks, &r->array, n);
    block.at = r->heights + (size_t)thread * block_floats(r);
    block.stride = (size_t)r->blocks.width;
    if (atomic_load(&r->is_out_of_memory) || !make_block(r, thread, &block)) {
        atomic_store(&r->is_out_of_memory, 1);
        return;
    }
    for (int64_t row = 0; row < block.height; row++) {
        const float *heights = block.at + (size_t)row * block.stride;
        float min, max;
        kernels->extremes(heights, (size_t)block.width, &min, &max);
        p->min = min < p->min ? min : p->min;
        p->max = max > p->max ? max : p->max;
        p->sum += kernels->sum(heights, (size_t)block.width, &r->unit);
        if (r->bins > 0)
            count_row(r, heights, block.width, r->counts + (size_t)thread * (size_t)r->bins);
    }
}

static ter_status allocate(reduction *r, size_t n_threads)
{
    r->heights = ter_cpu_allocate(n_threads * block_floats(r));
    r->partial = ter_aligned_alloc(_Alignof(partial), n_threads * sizeof *r->partial);
    r->counts = calloc(n_threads * (size_t)r->bins + 1, sizeof *r->counts);
    if (!r->heights || !r->partial || !r->counts)
        return ter_fail(TER_ENOMEM, "no memory for the statistics of %zu threads", n_threads);
    for (size_t n = 0; n < n_threads; n++)
        r->partial[n] = (partial){.min = INFINITY, .max = -INFINITY};
    return is_fluvial(r) ? ter_cpu_fluvial_begin(r->cpu) : TER_OK;
}

static void collect(const reduction *r, int n_threads, uint64_t *counts, ter_statistics *out)
{
    partial all = r->partial[0];
    for (int n = 1; n < n_threads; n++) {
        const partial *p = &r->partial[n];
        all.min = p->min < all.min ? p->min : all.min;
        all.max = p->max > all.max ? p->max : all.max;
        all.sum += p->sum;
    }
    for (int bin = 0; bin < r->bins; bin++) {
        counts[bin] = 0;
        for (int n = 0; n < n_threads; n++)
            counts[bin] += r->counts[(size_t)n * (size_t)r->bins + (size_t)bin];
    }
    const uint64_t count = (uint64_t)r->array.width * (uint64_t)r->array.height;
    *out = (ter_statistics){
        .min_m = all.min, .max_m = all.max, .mean_m = ter_sum_mean(r->unit, all.sum, count), .count = count};
}

ter_status ter_cpu_statistics(void *state, const ter_world *world, const ter_rect *rect, const ter_histogram *histogram,
                              ter_statistics *out)
{
    ter_cpu_state *cpu = state;
    const int n_threads = ter_team_size(cpu->team);
    reduction r = {.cpu = cpu,
                   .world = world,
                   .level = rect->level,
                   .array = {.i = rect->i, .j = rect->j, .width = rect->width, .height = rect->height},
                   .unit = ter_sum_unit_of(&world->params, (uint64_t)rect->width * (uint64_t)rect->height)};
    if (histogram) {
        r.lo = histogram->lo;
        r.bins = histogram->bins;
        r.bin_scale = (float)histogram->bins / (histogram->hi - histogram->lo);
    }
    r.blocks = is_fluvial(&r) ? ter_cpu_fluvial_blocks(cpu, world->params.levels - rect->level, &r.array, 1)
                              : ter_blocks_cut_usual(&r.array, 1, n_threads, TER_BLOCK_POINTS_MIN);
    ter_status status = allocate(&r, (size_t)n_threads);
    if (status == TER_OK) {
        status = ter_cpu_run(cpu, ter_blocks_count(&r.blocks), reduce_block, &r);
        if (status == TER_OK && atomic_load(&r.is_out_of_memory))
            status = ter_fail(TER_ENOMEM, "no memory for the network of a block of %lld x %lld points",
                              (long long)r.blocks.width, (long long)r.blocks.height);
    }
    if (status == TER_OK)
        collect(&r, n_threads, histogram ? histogram->counts : NULL, out);
    ter_aligned_free(r.heights);
    ter_aligned_free(r.partial);
    free(r.counts);
    return status;
}
