/* block.c - from a rectangle of points to its windows, and through the kernels to samples. */
#include "library/fluvial/cpu/block.h"

/** ter_plan_points, with the broadest octave of others where they share it. */
static void plan_own_points(const ter_fluvial_maker *m, const ter_fluvial *f, ter_lattice points, ter_arena *arena,
                            ter_fluvial_job *job)
{
    ter_plan_windows(f, points, job);
    if (m->octave.points.at.width > 0 && ter_may_share_octave(job) &&
        ter_window_contains(m->octave.points.at, job->octave[0].points.at))
        ter_share_octave(&m->octave, job);
    ter_place_grounds(arena, job);
    ter_place_warp(arena, job);
}

/** Plan the points and make their places; the network's windows depend on them. */
static bool plan_points(ter_fluvial_maker *m, const ter_fluvial_kernels *kernels, const ter_fluvial *f,
                        ter_lattice points, ter_window *cells)
{
    ter_arena arena = {NULL, 0};
    plan_own_points(m, f, points, &arena, &m->job);
    if (!ter_fluvial_reserve(&m->points, arena.bytes) || !ter_fluvial_reserve(&m->scratch, kernels->scratch_bytes))
        return false;
    arena = (ter_arena){m->points.at, 0};
    plan_own_points(m, f, points, &arena, &m->job);
    *cells = kernels->places(&m->job, m->scratch.at);
    return true;
}

static bool plan_network(ter_fluvial_maker *m, ter_window cells)
{
    ter_arena arena = {NULL, 0};
    ter_plan_network(cells, &arena, &m->job);
    if (!ter_fluvial_reserve(&m->network, arena.bytes))
        return false;
    arena = (ter_arena){m->network.at, 0};
    ter_plan_network(cells, &arena, &m->job);
    return true;
}

/** Room for gullies and heights of the form's lattice alone: the network is a region's, finer heights are made in
 * bands. */
static bool place_surface(ter_fluvial_maker *m)
{
    ter_arena arena = {NULL, 0};
    ter_place_surface(m->job.n_fine - 1, m->job.n_octaves, &arena, &m->job);
    if (!ter_fluvial_reserve(&m->network, arena.bytes))
        return false;
    arena = (ter_arena){m->network.at, 0};
    ter_place_surface(m->job.n_fine - 1, m->job.n_octaves, &arena, &m->job);
    return true;
}

/** Plan the octave that blocks share, and make the places of its ground. */
static bool plan_octave(ter_fluvial_maker *m, const ter_fluvial_kernels *kernels, const ter_fluvial *f,
                        ter_window points, ter_window *cells)
{
    ter_arena grounds = {NULL, 0}, surface = {NULL, 0};
    ter_plan_shared_octave(f, points, &m->octave);
    ter_place_grounds(&grounds, &m->octave);
    ter_place_warp(&grounds, &m->octave);
    ter_place_surface(1, 1, &surface, &m->octave);
    if (!ter_fluvial_reserve(&m->octave_points, grounds.bytes) ||
        !ter_fluvial_reserve(&m->octave_surface, surface.bytes) ||
        !ter_fluvial_reserve(&m->scratch, kernels->scratch_bytes))
        return false;
    grounds = (ter_arena){m->octave_points.at, 0};
    surface = (ter_arena){m->octave_surface.at, 0};
    ter_place_grounds(&grounds, &m->octave);
    ter_place_warp(&grounds, &m->octave);
    ter_place_surface(1, 1, &surface, &m->octave);
    *cells = kernels->places(&m->octave, m->scratch.at);
    return true;
}

static bool make_octave(ter_fluvial_maker *m, const ter_fluvial_kernels *kernels, const ter_fluvial *f,
                        ter_window points)
{
    ter_window cells;
    if (!plan_octave(m, kernels, f, points, &cells))
        return false;
    ter_fluvial_region *region = ter_fluvial_regions_take(m->regions, kernels, f, cells, m->around, &m->cancel);
    if (!region)
        return false;
    ter_share_network(ter_fluvial_region_job(region), &m->octave);
    kernels->octave(&m->octave, m->scratch.at, &m->cancel);
    ter_fluvial_regions_leave(m->regions, region);
    return true;
}

bool ter_fluvial_share(ter_fluvial_maker *m, const ter_fluvial_kernels *kernels, const ter_fluvial *f, ter_window cells,
                       ter_window points)
{
    m->around = cells;
    m->octave.points.at.width = 0;
    return points.width == 0 || make_octave(m, kernels, f, points);
}

bool ter_fluvial_make_block(ter_fluvial_maker *m, const ter_fluvial_kernels *kernels, const ter_fluvial *f,
                            ter_lattice points, const ter_fluvial_output *out, bool is_streamed)
{
    ter_window cells;
    if (!plan_points(m, kernels, f, points, &cells))
        return false;
    if (!place_surface(m))
        return false;
    ter_fluvial_region *region = ter_fluvial_regions_take(m->regions, kernels, f, cells, m->around, &m->cancel);
    if (!region)
        return false;
    ter_share_network(ter_fluvial_region_job(region), &m->job);
    kernels->samples(&m->job, out, is_streamed, m->scratch.at, &m->cancel);
    ter_fluvial_regions_leave(m->regions, region);
    return true;
}

bool ter_fluvial_define_block(ter_fluvial_maker *m, const ter_fluvial_kernels *kernels, const ter_fluvial *f,
                              ter_lattice points, const ter_fluvial_output *out)
{
    ter_window cells;
    if (!plan_points(m, kernels, f, points, &cells) || !plan_network(m, cells))
        return false;
    kernels->defined_samples(&m->job, out, &m->cancel);
    return true;
}

void ter_fluvial_maker_free(ter_fluvial_maker *m)
{
    free(m->points.at);
    free(m->network.at);
    free(m->scratch.at);
    free(m->united.at);
    free(m->octave_points.at);
    free(m->octave_surface.at);
}
