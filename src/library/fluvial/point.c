/* point.c - makes one sample: the passes over windows for that sample, as plain loops. */
#include "library/fluvial/point.h"

#include <stdlib.h>

#include "library/fluvial/blur.h"
#include "library/fluvial/overview_plan.h"

/** Memory for what a plan has counted; NULL when there is none. */
static ter_arena arena_of(size_t bytes)
{
    const ter_arena arena = {malloc(bytes), 0};
    return arena;
}

/** The layers of one sample, one after the other. */
static ter_fluvial_output output_of(float *out)
{
    ter_fluvial_output output = {.stride = 1};
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
        output.layer[layer] = &out[layer];
    return output;
}

static void run_passes(const ter_fluvial_job *job, float *out)
{
    const ter_fluvial_output output = output_of(out);
    TER_PASSES_TO_PROVINCES(job, TER_LOOP);
    TER_PASSES_TO_ROOT(job, TER_LOOP);
    TER_PASSES_TO_NODES(job, TER_LOOP);
    TER_PASSES_TO_CHANNELS(job, TER_LOOP);
    TER_PASS_TO_SLOPES(job, TER_LOOP);
    TER_PASS_TO_PIECES(job, TER_LOOP);
    TER_PASSES_TO_GROUND(job, TER_LOOP);
    TER_PASSES_TO_GULLIES(job, TER_LOOP);
    TER_PASS_TO_BASE(job, TER_LOOP);
    TER_PASSES_TO_HEIGHTS(job, TER_LOOP);
    ter_make_sample(job, &output, 0, 0);
}

/** Second part of a point: the network, and everything down to the sample. */
static int make_sample(ter_fluvial_job *job, float *out)
{
    const ter_window cells = ter_plan_cells(job);
    ter_arena count = {NULL, 0};
    ter_plan_network(cells, &count, job);
    ter_arena arena = arena_of(count.bytes);
    if (!arena.base)
        return 0;
    ter_plan_network(cells, &arena, job);
    run_passes(job, out);
    free(arena.base);
    return 1;
}

/** A sample of a level of detail below TER_BLUR_LOD. */
static int make_point(const ter_fluvial *f, int step, int64_t x, int64_t y, float *out)
{
    ter_fluvial_job *job = malloc(sizeof *job);
    ter_arena count = {NULL, 0}, arena = {NULL, 0};
    if (!job)
        return 0;
    const ter_lattice points = {{x, y, 1, 1}, step};
    ter_plan_points(f, points, &count, job);
    arena = arena_of(count.bytes);
    if (arena.base) {
        ter_plan_points(f, points, &arena, job);
        TER_PASSES_TO_PLACES(job, TER_LOOP);
    }
    const int is_made = arena.base && make_sample(job, out);
    free(arena.base);
    free(job);
    return is_made;
}

/** Second part of an overview: the network, or the random fields alone, and the sample. */
static int make_overview_sample(ter_fluvial_job *job, float *out)
{
    const ter_window cells = ter_overview_cells(job);
    const ter_fluvial_output output = output_of(out);
    ter_arena count = {NULL, 0};
    ter_plan_overview_network(cells, &count, job);
    ter_arena arena = arena_of(count.bytes);
    if (!arena.base)
        return 0;
    ter_plan_overview_network(cells, &arena, job);
    TER_PASSES_TO_SUMMARIES(job, TER_LOOP);
    ter_make_overview(job, &output, 0, 0);
    free(arena.base);
    return 1;
}

static int make_overview(const ter_fluvial *f, int lod, int64_t x, int64_t y, float *out)
{
    ter_fluvial_job *job = malloc(sizeof *job);
    ter_arena count = {NULL, 0}, arena = {NULL, 0};
    if (!job)
        return 0;
    const ter_window point = {x, y, 1, 1};
    ter_plan_overview_points(f, lod, point, &count, job);
    arena = arena_of(count.bytes);
    if (arena.base) {
        ter_plan_overview_points(f, lod, point, &arena, job);
        TER_PASSES_TO_OVERVIEW_PLACES(job, TER_LOOP);
    }
    const int is_made = arena.base && make_overview_sample(job, out);
    free(arena.base);
    free(job);
    return is_made;
}

/** A sample of TER_BLUR_LOD: a mean of five points, the middle and the four beside it of 3 x 3. */
static int make_blurred(const ter_fluvial *f, int step, int64_t x, int64_t y, float *out)
{
    enum { SIDE = 3 };
    float points[TER_LAYER_COUNT][SIDE * SIDE] = {{0.0f}}, point[TER_LAYER_COUNT];
    ter_fluvial_output from = {.stride = SIDE};
    const ter_fluvial_output to = output_of(out);
    for (int n = 0; n < SIDE * SIDE; n++) {
        if (n % SIDE != 1 && n / SIDE != 1)
            continue;
        if (!make_point(f, step, x + n % SIDE - 1, y + n / SIDE - 1, point))
            return 0;
        for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
            points[layer][n] = point[layer];
    }
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
        from.layer[layer] = points[layer];
    ter_blur(f, &from, &to, 0, 0);
    return 1;
}

int ter_fluvial_point(const ter_fluvial *f, int step, int64_t x, int64_t y, float *out)
{
    const int lod = ter_lod_of_step(step);
    return lod >= TER_OVERVIEW_LOD ? make_overview(f, lod, x, y, out)
           : lod == TER_BLUR_LOD   ? make_blurred(f, step, x, y, out)
                                   : make_point(f, step, x, y, out);
}
