/* point.c - makes one sample: the passes over windows for that sample, as plain loops. */
#include "library/fluvial/point.h"

#include <stdlib.h>

#include "library/fluvial/blur.h"
#include "library/fluvial/overview_plan.h"

/** How a sample of one kind is planned and made. */
typedef struct sample_steps {
    /** First part of the plan: the points and their warp. sample: a window of one sample */
    void (*plan_points)(const ter_fluvial *f, int lod, ter_window sample, ter_arena *arena, ter_fluvial_job *job);
    void (*make_places)(const ter_fluvial_job *job);
    /** Cells of the network in which the places lie. */
    ter_window (*find_cells)(const ter_fluvial_job *job);
    /** Second part of the plan. */
    void (*plan_network)(ter_window cells, ter_arena *arena, ter_fluvial_job *job);
    void (*make_sample)(const ter_fluvial_job *job, const ter_fluvial_output *out);
} sample_steps;

/** Output that stores the layers of one sample one after the other. */
static ter_fluvial_output output_of(float *out)
{
    ter_fluvial_output output = {.stride = 1};
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
        output.layer[layer] = &out[layer];
    return output;
}

/* ---- points ---- */

static void plan_points(const ter_fluvial *f, int lod, ter_window sample, ter_arena *arena, ter_fluvial_job *job)
{
    const ter_lattice points = {sample, 1 << lod};
    ter_plan_points(f, points, arena, job);
}

static void make_places(const ter_fluvial_job *job)
{
    TER_PASSES_TO_PLACES(job, TER_LOOP);
}

static void make_point(const ter_fluvial_job *job, const ter_fluvial_output *out)
{
    TER_PASSES_TO_PROVINCES(job, TER_LOOP);
    TER_PASSES_TO_ROOT(job, TER_LOOP);
    TER_PASSES_TO_NODES(job, TER_LOOP);
    TER_PASSES_TO_CHANNELS(job, TER_LOOP);
    TER_PASS_TO_SLOPES(job, TER_LOOP);
    TER_PASSES_TO_PIECES(job, TER_LOOP);
    TER_PASSES_TO_GROUND(job, TER_LOOP);
    TER_PASSES_TO_GULLIES(job, TER_LOOP);
    TER_PASS_TO_BASE(job, TER_LOOP);
    TER_PASSES_TO_HEIGHTS(job, TER_LOOP);
    ter_make_sample(job, out, 0, 0);
}

static const sample_steps POINT = {plan_points, make_places, ter_plan_cells, ter_plan_network, make_point};

/* ---- overviews ---- */

static void make_overview_places(const ter_fluvial_job *job)
{
    TER_PASSES_TO_OVERVIEW_PLACES(job, TER_LOOP);
}

static void make_overview(const ter_fluvial_job *job, const ter_fluvial_output *out)
{
    TER_PASSES_TO_SUMMARIES(job, TER_LOOP);
    ter_make_overview(job, out, 0, 0);
}

static const sample_steps OVERVIEW = {ter_plan_overview_points, make_overview_places, ter_overview_cells,
                                      ter_plan_overview_network, make_overview};

/* ---- samples ---- */

/** Second part of a sample, when its places have been made. */
static int make_from_places(const sample_steps *steps, ter_fluvial_job *job, float *out)
{
    const ter_window cells = steps->find_cells(job);
    const ter_fluvial_output output = output_of(out);
    ter_arena size = {NULL, 0}, arena = {NULL, 0};
    steps->plan_network(cells, &size, job);
    void *memory = arena.base = malloc(size.bytes);
    if (!memory)
        return 0;
    steps->plan_network(cells, &arena, job);
    steps->make_sample(job, &output);
    free(memory);
    return 1;
}

/** Make sample (x, y) of a level of detail. Returns 0 when there is no memory. */
static int make_sample(const sample_steps *steps, const ter_fluvial *f, int lod, int64_t x, int64_t y, float *out)
{
    const ter_window sample = {x, y, 1, 1};
    ter_fluvial_job *job = malloc(sizeof *job);
    ter_arena size = {NULL, 0}, arena = {NULL, 0};
    if (!job)
        return 0;
    steps->plan_points(f, lod, sample, &size, job);
    void *memory = arena.base = malloc(size.bytes);
    int is_made = 0;
    if (memory) {
        steps->plan_points(f, lod, sample, &arena, job);
        steps->make_places(job);
        is_made = make_from_places(steps, job, out);
    }
    free(memory);
    free(job);
    return is_made;
}

/** A sample of TER_BLUR_LOD: a mean of five points, the middle and the four beside it of 3 x 3. */
static int make_blurred(const ter_fluvial *f, int lod, int64_t x, int64_t y, float *out)
{
    enum { SIDE = 3 };
    float points[TER_LAYER_COUNT][SIDE * SIDE] = {{0.0f}}, point[TER_LAYER_COUNT];
    ter_fluvial_output from = {.stride = SIDE};
    const ter_fluvial_output to = output_of(out);
    for (int n = 0; n < SIDE * SIDE; n++) {
        if (n % SIDE != 1 && n / SIDE != 1)
            continue;
        if (!make_sample(&POINT, f, lod, x + n % SIDE - 1, y + n / SIDE - 1, point))
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
    if (lod == TER_BLUR_LOD)
        return make_blurred(f, lod, x, y, out);
    return make_sample(lod >= TER_OVERVIEW_LOD ? &OVERVIEW : &POINT, f, lod, x, y, out);
}
