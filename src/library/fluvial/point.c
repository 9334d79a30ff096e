/* point.c - the passes of a window of one sample, in plain loops. */
#include "library/fluvial/point.h"

#include <stdlib.h>

#include "library/fluvial/passes.h"

/** Memory for what a plan has counted; NULL when there is none. */
static ter_arena arena_of(size_t bytes)
{
    const ter_arena arena = {malloc(bytes), 0};
    return arena;
}

static void run_passes(const ter_fluvial_job *job, float *out)
{
    ter_fluvial_output output = {.stride = 1};
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
        output.layer[layer] = &out[layer];
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

/** The second part: the network, and everything down to the sample. */
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

int ter_fluvial_point(const ter_fluvial *f, int step, int64_t x, int64_t y, float *out)
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
