/* drained_area.c - calls the steps that drain a rectangle: rivers, conditioning, inflow, routing. */
#include "program/drainage/drained_area.h"

#include <math.h>
#include <stdlib.h>

#include "program/drainage/conditioning.h"
#include "program/drainage/inflow.h"
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

/** Create a network without tiles. Returns NULL when there is no memory. */
static river_net *open_net(const ter_world *world, double min_area_m2, const work_progress *progress)
{
    river_net_options options = {.world = world, .min_area_m2 = min_area_m2, .path = "rivers"};
    if (progress) {
        options.events = (work_events){.user = progress->user, .progress = progress->goes_on};
        options.is_cancelled = progress->is_cancelled;
        options.cancel_user = progress->user;
    }
    return river_net_create(&options);
}

/** Least area of the rivers that the water follows. */
static double least_river(const drained_request *q)
{
    const ter_params *params = ter_world_params(q->world);
    if (!q->is_conditioned)
        return TER_EDGE_AREA_WET * params->spacing * params->spacing;
    return q->min_area_m2 > 0.0 ? q->min_area_m2 : drained_least_area(params, params->levels - q->rect.level);
}

/** Draw the rivers of the rectangle, and make the water follow them. net: has no tiles yet */
static result take_rivers(drained_area *area, river_net *net)
{
    const ter_rect r = ringed(area);
    const double step = ldexp(1.0, ter_world_params(area->request.world)->levels - r.level);
    const tree_grid tree = {(int)r.height, (int)r.width, (double)r.i * step, (double)r.j * step, step};
    float *level_m = area->accumulation; /* its memory is free until the water is routed */
    ter_river_window cells;
    result res = result_of_library(ter_river_edges_window(area->request.world, &r, &cells), "rivers");
    if (res.kind == RESULT_DONE)
        res = river_net_load(net, &cells, true, 0.0, 1.0);
    int32_t *next = malloc(count_of(area) * sizeof *next);
    if (res.kind == RESULT_DONE)
        res = next ? river_tree_draw(net, &tree, next, level_m) : result_of(RESULT_FAILED, "out of memory");
    if (res.kind == RESULT_DONE && area->request.is_conditioned)
        res = condition(area, next, level_m);
    else if (res.kind == RESULT_DONE)
        flood_rivers(area, next, level_m);
    free(next);
    return res;
}

/** Let the rivers of the network determine the water's way, and the areas that come in. */
static result add_network(drained_area *area, const work_progress *progress)
{
    const ter_world *world = area->request.world;
    const double spacing = ter_world_params(world)->spacing;
    const ter_rect r = ringed(area);
    river_net *net = open_net(world, least_river(&area->request), progress);
    result res = net ? take_rivers(area, net) : result_of(RESULT_FAILED, "out of memory");
    river_net_destroy(net);
    if (res.kind != RESULT_DONE)
        return res;
    const routing_grid grid = grid_of(area);
    net = open_net(world, TER_EDGE_AREA_MIN * spacing * spacing, progress);
    res = net ? inflow_find(world, net, &r, &grid, area->least_m2) : result_of(RESULT_FAILED, "out of memory");
    river_net_destroy(net);
    return res;
}

result drained_area_route(drained_area *area, const work_progress *progress)
{
    const routing_grid grid = grid_of(area);
    const routing out = {.direction = area->direction, .accumulation = area->accumulation};
    const bool has_rivers = ter_world_params(area->request.world)->basis == TER_BASIS_FLUVIAL;
    result res = has_rivers ? add_network(area, progress) : result_done();
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
