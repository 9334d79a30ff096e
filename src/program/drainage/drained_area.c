/* drained_area.c - calls the steps that drain a rectangle: rivers, conditioning, inflow, routing. */
#include "program/drainage/drained_area.h"

#include <math.h>
#include <stdlib.h>

#include "program/drainage/conditioning.h"
#include "program/drainage/inflow.h"
#include "program/drainage/river_edges.h"
#include "program/drainage/river_tree.h"
#include "program/drainage/routing.h"

result drained_area_check(const ter_params *params, const ter_rect *rect, const char *name)
{
    const double width = (double)rect->width, height = (double)rect->height, all = (width + 2.0) * (height + 2.0),
                 steps = ldexp(fmax(width, height), params->levels - rect->level);
    if (params->basis == TER_BASIS_FLUVIAL && steps > DRAINED_STEPS_MAX)
        return result_of(RESULT_USAGE, "a side of %.0f lattice steps, expected at most %.0f for %s", steps,
                         DRAINED_STEPS_MAX, name);
    if (all > (double)DRAINED_SAMPLES_MAX)
        return result_of(RESULT_USAGE,
                         "%.0f samples with the ring around them, expected at most %d for %s: all are in memory at the "
                         "same time",
                         all, DRAINED_SAMPLES_MAX, name);
    return result_done();
}

double drained_least_area(const ter_params *params, int lod)
{
    static const double SAMPLES = 32.0;
    const double side = params->spacing * ldexp(1.0, lod);
    return fmax(SAMPLES * side * side, TER_EDGE_AREA_WET * params->spacing * params->spacing);
}

static size_t count_of(const drained_area *area)
{
    return (size_t)(area->request.rect.width + 2) * (size_t)(area->request.rect.height + 2);
}

result drained_area_begin(const drained_request *request, drained_area *area)
{
    *area = (drained_area){.request = *request};
    const size_t all = count_of(area);
    area->height = malloc(all * sizeof *area->height);
    area->water = malloc(all * sizeof *area->water);
    area->accumulation = malloc(all * sizeof *area->accumulation);
    area->direction = malloc(all);
    area->least_m2 = calloc(all, sizeof *area->least_m2);
    if (area->height && area->water && area->accumulation && area->direction && area->least_m2)
        return result_done();
    return result_of(RESULT_FAILED, "out of memory: the drainage of %.0f samples", (double)all);
}

/** The rectangle with its ring. */
static ter_rect ringed(const drained_area *area)
{
    const ter_rect r = area->request.rect;
    return (ter_rect){r.level, r.i - 1, r.j - 1, r.width + 2, r.height + 2};
}

static routing_grid grid_of(const drained_area *area)
{
    const ter_params *params = ter_world_params(area->request.world);
    const ter_rect r = ringed(area);
    return (routing_grid){.height = area->height,
                          .water = area->water,
                          .rows = (int)r.height,
                          .columns = (int)r.width,
                          .sea_m = (float)params->sea,
                          .step_m = (float)ldexp(params->spacing, params->levels - r.level),
                          .has_ring = true,
                          .least_m2 = area->least_m2};
}

/** Condition the heights of the rectangle. Afterwards all its cells are dry. next, level_m: from river_tree_draw */
static result condition(drained_area *area, const int32_t *next, float *level_m)
{
    const routing_grid grid = grid_of(area);
    const result res = condition_heights(&grid, next, level_m);
    for (size_t n = 0; n < count_of(area) && res.kind == RESULT_DONE; n++) {
        area->height[n] = level_m[n];
        area->water[n] = NAN;
    }
    return res;
}

/** Give cells that rivers pass, also between samples, the level of the river, unless their surface is lower. */
static void flood_rivers(drained_area *area, const int32_t *next, const float *level_m)
{
    for (size_t n = 0; n < count_of(area); n++) {
        const float surface = isnan(area->water[n]) ? area->height[n] : area->water[n];
        if (next[n] != TREE_LAND)
            area->water[n] = fminf(surface, level_m[n]);
    }
}

/** Draw the rivers of the rectangle, and make the water follow them. */
static result take_rivers(drained_area *area, const work_progress *progress)
{
    const drained_request *q = &area->request;
    const ter_params *params = ter_world_params(q->world);
    const ter_rect r = ringed(area);
    const double step = ldexp(1.0, params->levels - r.level), square = params->spacing * params->spacing;
    const tree_grid tree = {(int)r.height, (int)r.width, (double)r.i * step, (double)r.j * step, step};
    river_edges edges = {.world = q->world,
                         .min_area_m2 = !q->is_conditioned     ? TER_EDGE_AREA_WET * square
                                        : q->min_area_m2 > 0.0 ? q->min_area_m2
                                                               : drained_least_area(params, params->levels - r.level)};
    float *level_m = area->accumulation; /* its memory is free until the water is routed */
    int32_t *next = malloc(count_of(area) * sizeof *next);
    result res = next ? river_edges_add(&edges, &r, progress) : result_of(RESULT_FAILED, "out of memory");
    if (res.kind == RESULT_DONE)
        res = river_tree_draw(&edges, &tree, next, level_m);
    if (res.kind == RESULT_DONE && q->is_conditioned)
        res = condition(area, next, level_m);
    else if (res.kind == RESULT_DONE)
        flood_rivers(area, next, level_m);
    free(next);
    river_edges_free(&edges);
    return res;
}

result drained_area_route(drained_area *area, const work_progress *progress)
{
    const ter_rect r = ringed(area);
    const routing_grid grid = grid_of(area);
    const routing out = {.direction = area->direction, .accumulation = area->accumulation};
    const bool has_rivers = ter_world_params(area->request.world)->basis == TER_BASIS_FLUVIAL;
    result res = has_rivers ? take_rivers(area, progress) : result_done();
    if (res.kind == RESULT_DONE && has_rivers)
        res = inflow_find(area->request.world, &r, &grid, area->least_m2, progress);
    if (res.kind == RESULT_DONE && !route_water(&grid, &out))
        res = result_of(RESULT_FAILED, "out of memory: the drainage of %.0f samples", (double)count_of(area));
    return res;
}

size_t drained_area_index(const drained_area *area, int64_t i, int64_t j)
{
    const ter_rect *r = &area->request.rect;
    return (size_t)(j - r->j + 1) * (size_t)(r->width + 2) + (size_t)(i - r->i + 1);
}

uint8_t drained_area_direction(const drained_area *area, int64_t i, int64_t j)
{
    const ter_rect *r = &area->request.rect;
    const uint8_t code = area->direction[drained_area_index(area, i, j)];
    int columns, rows;
    routing_step(code, &columns, &rows);
    i += columns;
    j += rows;
    return i < r->i || j < r->j || i >= r->i + r->width || j >= r->j + r->height ? 0 : code;
}

void drained_area_free(drained_area *area)
{
    free(area->height);
    free(area->water);
    free(area->accumulation);
    free(area->direction);
    free(area->least_m2);
    *area = (drained_area){0};
}
