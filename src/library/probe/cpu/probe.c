/* probe.c - computes heights at a few places on the calling thread. For bases midpoint and smooth, only the 2 x 2
 * corners of the cell that contains the place are made. For basis fluvial, the corners are taken from a stored window
 * (probe_windows.c). */
#include <stdlib.h>
#include <string.h>

#include "library/core/cpu/state.h"
#include "library/fractal/cpu/descent.h"
#include "library/probe/cpu/probe.h"
#include "library/probe/cpu/probe_windows.h"

typedef struct cpu_probe {
    const ter_row_kernels *kernels;
    ter_probe_windows *windows; /* NULL before the first fluvial world */
    bool is_over_water;
    uint64_t ticket;
    int count;
    float heights[TER_PROBE_POINTS_MAX];
    float scratch[TER_DESCENT_FLOATS];
} cpu_probe;

ter_status ter_cpu_probe_create(void *state, bool is_over_water, void **probe)
{
    cpu_probe *p = calloc(1, sizeof *p);
    if (!p)
        return ter_fail(TER_ENOMEM, "no memory for a probe");
    p->kernels = ((const ter_cpu_state *)state)->kernels;
    p->is_over_water = is_over_water;
    *probe = p;
    return TER_OK;
}

/** The land of a request: one landscape, or two during a morph. */
typedef struct probe_land {
    const ter_world *world, *to; /* to: NULL without a morph */
    const ter_place_blend *blend;
} probe_land;

static bool fluvial_corners(cpu_probe *p, const ter_world *world, const ter_cell *c, int level_shift, float corners[4])
{
    if (!p->windows)
        p->windows = ter_probe_windows_create(p->kernels->fluvial, p->is_over_water);
    return p->windows && ter_probe_windows_corners(p->windows, world, c, level_shift, corners);
}

static bool cell_corners(cpu_probe *p, const ter_world *world, const ter_cell *c, int level_shift, float corners[4])
{
    if (world->params.basis == TER_BASIS_FLUVIAL)
        return fluvial_corners(p, world, c, level_shift, corners);
    const ter_grid cell = {.at = corners, .stride = 2, .i = c->i, .j = c->j, .width = 2, .height = 2};
    ter_descend(p->kernels, &world->field, c->level + level_shift, NULL, &cell, p->scratch);
    if (world->field.craters.age > 0.0f)
        p->kernels->craters(&world->field, c->level + level_shift, &cell);
    return true;
}

static bool cell_height(cpu_probe *p, const probe_land *land, const ter_cell *c, float *out_m)
{
    float from[4], to[4];
    if (!cell_corners(p, land->world, c, 0, from))
        return false;
    if (land->to) {
        if (!cell_corners(p, land->to, c, land->blend->level_shift, to))
            return false;
        for (int n = 0; n < 4; n++)
            from[n] = ter_blend_height(from[n], to[n], ter_cell_share(land->blend, c, n));
    }
    *out_m = ter_cell_height(c, from[0], from[1], from[2], from[3]);
    return true;
}

static bool place_height(cpu_probe *p, const probe_land *land, const ter_place *place, float *out_m)
{
    float fine, coarse;
    if (!cell_height(p, land, &place->cell, &fine))
        return false;
    *out_m = fine;
    if (place->coarser > 0.0f) {
        const ter_cell coarser = ter_cell_coarser(&place->cell);
        if (!cell_height(p, land, &coarser, &coarse))
            return false;
        *out_m = ter_place_height(place, fine, coarse);
    }
    return true;
}

ter_status ter_cpu_probe_ask(void *probe, const ter_world *world, const ter_world *to, const ter_place_blend *blend,
                             const ter_probe_point *points, int count, uint64_t ticket)
{
    cpu_probe *p = probe;
    const probe_land land = {.world = world, .to = to, .blend = blend};
    float heights[TER_PROBE_POINTS_MAX] = {0};
    for (int n = 0; n < count; n++) {
        const ter_place place = ter_place_of(&points[n], world->params.levels);
        if (!place_height(p, &land, &place, &heights[n]))
            return ter_fail(TER_ENOMEM, "no memory for the land around a place that is probed");
    }
    memcpy(p->heights, heights, (size_t)count * sizeof(float));
    p->count = count;
    p->ticket = ticket;
    return TER_OK;
}

ter_status ter_cpu_probe_answer(void *probe, uint64_t *ticket, int *count, float *out_m)
{
    const cpu_probe *p = probe;
    *ticket = p->ticket;
    *count = p->count;
    memcpy(out_m, p->heights, (size_t)p->count * sizeof(float));
    return TER_OK;
}

void ter_cpu_probe_destroy(void *probe)
{
    ter_probe_windows_destroy(((cpu_probe *)probe)->windows);
    free(probe);
}
