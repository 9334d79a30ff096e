/* point.c - makes one sample, or those of a small window: the passes over windows, as plain loops. */
#include "library/fluvial/point.h"

#include <stdlib.h>
#include <string.h>

#include "library/fluvial/blur.h"
#include "library/fluvial/climate_plan.h"
#include "library/fluvial/fine.h"
#include "library/fluvial/overview_plan.h"
#include "library/fluvial/cover_plan.h"

/** How samples of one kind are planned and made. */
typedef struct sample_steps {
    /** First part of the plan: the points and their warp. samples: for overviews, a window of one sample */
    void (*plan_points)(const ter_fluvial *f, int lod, ter_window samples, ter_arena *arena, ter_fluvial_job *job);
    void (*make_places)(const ter_fluvial_job *job);
    /** Cells of the network in which the places lie. */
    ter_window (*find_cells)(const ter_fluvial_job *job);
    /** Second part of the plan. */
    void (*plan_network)(ter_window cells, ter_arena *arena, ter_fluvial_job *job);
    void (*plan_cover)(ter_fluvial_job *job);
    void (*make_samples)(const ter_fluvial_job *job, const ter_fluvial_output *out);
} sample_steps;

/** Output that stores the layers of one sample one after the other. */
static ter_fluvial_output output_of(float *out)
{
    ter_fluvial_output output = {.stride = 1};
    for (int layer = 0; layer < TER_LAND_LAYERS; layer++)
        output.layer[layer] = &out[layer];
    return output;
}

/* ---- points ---- */

static void plan_points(const ter_fluvial *f, int lod, ter_window samples, ter_arena *arena, ter_fluvial_job *job)
{
    const ter_lattice points = {samples, 1 << lod};
    ter_plan_points(f, points, arena, job);
}

static void make_places(const ter_fluvial_job *job)
{
    TER_PASSES_TO_PLACES(job, TER_LOOP);
}

static void make_points(const ter_fluvial_job *job, const ter_fluvial_output *out)
{
    TER_PASSES_TO_PROVINCES(job, TER_LOOP);
    TER_PASSES_TO_ROOT(job, TER_LOOP);
    TER_PASSES_TO_NODES(job, 1, TER_LOOP);
    TER_PASSES_TO_CHANNELS(job, TER_LOOP);
    TER_PASS_TO_SLOPES(job, TER_LOOP);
    TER_PASSES_TO_PIECES(job, TER_LOOP);
    TER_PASSES_TO_GROUND(job, TER_LOOP);
    TER_PASSES_TO_GULLIES(job, TER_LOOP);
    TER_PASS_TO_BASE(job, TER_LOOP);
    TER_PASSES_TO_HEIGHTS(job, TER_LOOP);
    for (int y = 0; y < job->points.at.height; y++)
        for (int x = 0; x < job->points.at.width; x++)
            ter_make_sample(job, out, x, y);
    TER_PASSES_TO_COVER(job, TER_LOOP);
    for (int y = 0; y < job->points.at.height && ter_has_cover(&job->f); y++)
        for (int x = 0; x < job->points.at.width; x++)
            ter_add_cover(job, out, x, y);
}

static const sample_steps POINT = {plan_points,      make_places,    ter_plan_cells,
                                   ter_plan_network, ter_plan_cover, make_points};

/* ---- overviews ---- */

static void make_overview_places(const ter_fluvial_job *job)
{
    TER_PASSES_TO_OVERVIEW_PLACES(job, TER_LOOP);
}

static void make_overview(const ter_fluvial_job *job, const ter_fluvial_output *out)
{
    TER_PASSES_TO_SUMMARIES(job, TER_LOOP);
    TER_PASSES_TO_SAND_KNOTS(job, TER_LOOP);
    ter_make_overview(job, out, 0, 0);
}

static const sample_steps OVERVIEW = {ter_plan_overview_points,  make_overview_places,    ter_overview_cells,
                                      ter_plan_overview_network, ter_plan_overview_cover, make_overview};

/* ---- samples ---- */

/** The climate that sand and glaciers of a job depend on, and the memory of all. */
typedef struct cover_memory {
    ter_fluvial_job climate;
    char *knots, *cover; /* free them */
} cover_memory;

static void make_climate(const ter_fluvial_job *job)
{
    TER_PASSES_TO_CLIMATE(job, TER_LOOP);
}

/** Plan the sand and the glaciers of a job, and make their climate. Returns 0 when there is no memory. */
static int plan_cover(const sample_steps *steps, ter_fluvial_job *job, cover_memory *m)
{
    ter_arena knots = {NULL, 0}, cover = {NULL, 0};
    steps->plan_cover(job);
    if (job->cover_at.width == 0)
        return 1;
    ter_plan_climate(&job->f, TER_CLIMATE_SHIFT, job->cover_at, &knots, &m->climate);
    ter_place_cover(&cover, 2, job);
    m->knots = malloc(knots.bytes);
    m->cover = malloc(cover.bytes);
    if (!m->knots || !m->cover)
        return 0;
    knots = (ter_arena){m->knots, 0};
    cover = (ter_arena){m->cover, 0};
    ter_plan_climate(&job->f, TER_CLIMATE_SHIFT, job->cover_at, &knots, &m->climate);
    ter_place_cover(&cover, 2, job);
    make_climate(&m->climate);
    job->climate = m->climate.climate;
    return 1;
}

/** Plan the network, and make the samples. Their places have been made. Returns 0 when there is no memory. */
static int make_from_places(const sample_steps *steps, ter_fluvial_job *job, const ter_fluvial_output *out)
{
    const ter_window cells = steps->find_cells(job);
    ter_arena size = {NULL, 0}, arena = {NULL, 0};
    steps->plan_network(cells, &size, job);
    void *memory = arena.base = malloc(size.bytes);
    cover_memory *cover = calloc(1, sizeof *cover);
    const int is_planned = memory && cover && plan_cover(steps, job, cover);
    if (is_planned) {
        steps->plan_network(cells, &arena, job);
        steps->make_samples(job, out);
    }
    if (cover) {
        free(cover->knots);
        free(cover->cover);
    }
    free(cover);
    free(memory);
    return is_planned;
}

/** Make the samples of a window of a level of detail. Returns 0 when there is no memory. */
static int make_samples(const sample_steps *steps, const ter_fluvial *f, int lod, ter_window samples,
                        const ter_fluvial_output *out)
{
    ter_fluvial_job *job = malloc(sizeof *job);
    ter_arena size = {NULL, 0}, arena = {NULL, 0};
    if (!job)
        return 0;
    steps->plan_points(f, lod, samples, &size, job);
    void *memory = arena.base = malloc(size.bytes);
    int is_made = 0;
    if (memory) {
        steps->plan_points(f, lod, samples, &arena, job);
        steps->make_places(job);
        is_made = make_from_places(steps, job, out);
    }
    free(memory);
    free(job);
    return is_made;
}

/** Make all layers of sample (x, y). */
static int make_sample(const sample_steps *steps, const ter_fluvial *f, int lod, int64_t x, int64_t y, float *out)
{
    const ter_window sample = {x, y, 1, 1};
    const ter_fluvial_output output = output_of(out);
    return make_samples(steps, f, lod, sample, &output);
}

/** Make a sample of TER_BLUR_LOD: a mean of five points, which are the middle one of 3 x 3 points and the four beside
 * it.
 * */
static int make_blurred(const ter_fluvial *f, int lod, int64_t x, int64_t y, float *out)
{
    enum { SIDE = 3 };
    float points[TER_LAND_LAYERS][SIDE * SIDE] = {{0.0f}}, point[TER_LAND_LAYERS];
    ter_fluvial_output from = {.stride = SIDE};
    const ter_fluvial_output to = output_of(out);
    for (int n = 0; n < SIDE * SIDE; n++) {
        if (n % SIDE != 1 && n / SIDE != 1)
            continue;
        if (!make_sample(&POINT, f, lod, x + n % SIDE - 1, y + n / SIDE - 1, point))
            return 0;
        for (int layer = 0; layer < TER_LAND_LAYERS; layer++)
            points[layer][n] = point[layer];
    }
    for (int layer = 0; layer < TER_LAND_LAYERS; layer++)
        from.layer[layer] = points[layer];
    ter_blur(f, &from, &to, 0, 0);
    return 1;
}

/* ---- levels of detail below 0 ---- */

/** Layers of the points of a window, and the array that holds them. */
typedef struct point_window {
    ter_window at;
    ter_fluvial_output layers;
    float *memory; /* free it */
} point_window;

/** Make all layers of the points of a window. Returns 0 when there is no memory. */
static int make_window(const ter_fluvial *f, int lod, ter_window at, point_window *w)
{
    const size_t count = ter_window_count(at);
    w->at = at;
    w->layers.stride = (size_t)at.width;
    w->memory = malloc(TER_LAND_LAYERS * count * sizeof(float));
    for (int layer = 0; layer < TER_LAND_LAYERS && w->memory; layer++)
        w->layers.layer[layer] = w->memory + (size_t)layer * count;
    return w->memory && make_samples(&POINT, f, lod, at, &w->layers);
}

/** Refine heights, from points 1 m apart down to the sample. Returns the height of the sample. heights: two arrays of
 * at least as many floats as the window of any level of detail has points; the first one holds heights of points 1 m
 * apart */
static float refine(const ter_fluvial *f, const ter_fine_plan *p, const ter_microrelief *micro, float *heights[2])
{
    for (int n = 1; n <= p->depth; n++) {
        const ter_window to = p->at[n];
        for (int k = 0; k < to.width * to.height; k++) {
            const int64_t x = to.x + k % to.width, y = to.y + k / to.width;
            const ter_microrelief m = ter_micro_between(p->micro, micro, x >> n, y >> n);
            heights[n & 1][k] = ter_fine_height(f, n, p->at[n - 1], heights[(n - 1) & 1], x, y, &m);
        }
    }
    return heights[p->depth & 1][0];
}

/** A sample of a level of detail below 0. */
static int make_fine(const ter_fluvial *f, int lod, int64_t x, int64_t y, float *out)
{
    enum { SIDE = 8 }; /* more than the greatest number of points of a side of a window */
    const ter_window sample = {x, y, 1, 1};
    const ter_fine_plan p = ter_plan_fine(-lod, sample);
    const ter_fluvial_output to = output_of(out);
    float first[SIDE * SIDE], second[SIDE * SIDE], *heights[2] = {first, second};
    ter_microrelief micro[SIDE * SIDE];
    point_window base = {.memory = NULL}, land = {.memory = NULL};
    const int is_made = make_window(f, 0, p.at[0], &base) && make_window(f, TER_MATERIAL_LOD, p.land, &land);
    if (is_made) {
        for (int n = 0; n < p.micro.width * p.micro.height; n++) {
            const int64_t u = p.micro.x + n % p.micro.width, v = p.micro.y + n / p.micro.width;
            micro[n] = ter_make_microrelief(f, &land.layers, (size_t)ter_window_index(p.land, u, v), u, v);
        }
        memcpy(first, base.layers.layer[TER_LAYER_HEIGHT], ter_window_count(base.at) * sizeof(float));
        const float height = ter_rippled(f, p.depth, p.micro, micro, x, y, refine(f, &p, micro, heights));
        ter_finish_fine(f, &p, &base.layers, x, y, height, &to);
    }
    free(base.memory);
    free(land.memory);
    return is_made;
}

int ter_fluvial_point(const ter_fluvial *f, int lod, int64_t x, int64_t y, float *out)
{
    if (lod < 0)
        return make_fine(f, lod, x, y, out);
    if (lod == TER_BLUR_LOD)
        return make_blurred(f, lod, x, y, out);
    return make_sample(lod >= TER_OVERVIEW_LOD ? &OVERVIEW : &POINT, f, lod, x, y, out);
}
