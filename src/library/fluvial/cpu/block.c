/* block.c - makes the samples of a block: plans its windows, takes a region of the network, and runs the kernels. */
#include "library/fluvial/cpu/block.h"

#include <string.h>

#include "library/fluvial/blur.h"
#include "library/fluvial/climate_plan.h"
#include "library/fluvial/cover_plan.h"

/** As ter_plan_points. The broadest octave of gullies is taken from the shared one if that contains the points. */
static void plan_block_points(const ter_fluvial_maker *m, const ter_fluvial *f, ter_lattice points, ter_arena *arena,
                              ter_fluvial_job *job)
{
    ter_plan_windows(f, points, job);
    if (m->octave.points.at.width > 0 && ter_may_share_octave(job) &&
        ter_window_contains(m->octave.points.at, job->octave[0].points.at))
        ter_share_octave(&m->octave, job);
    ter_place_grounds(arena, job);
    ter_place_warp(arena, job);
}

/** Plan the points and make their places. cells: receives the window in which the places lie, on which the network's
 * windows depend */
static bool plan_points(ter_fluvial_maker *m, const ter_fluvial_kernels *kernels, const ter_fluvial *f,
                        ter_lattice points, ter_window *cells)
{
    ter_arena arena = {NULL, 0};
    plan_block_points(m, f, points, &arena, &m->job);
    if (!ter_fluvial_reserve(&m->points, arena.bytes) || !ter_fluvial_reserve(&m->scratch, kernels->scratch_bytes))
        return false;
    arena = (ter_arena){m->points.at, 0};
    plan_block_points(m, f, points, &arena, &m->job);
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

/** Place the gullies and the heights at points of 16 m. The network belongs to a region, and finer heights are made in
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

/** Plan the octave that blocks share, and make the places of its ground points. */
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
    ter_plan_ground_climate(&m->octave);
    if (m->octave.cover_at.width > 0 && !ter_fluvial_have_climate(m, kernels, f, TER_CLIMATE_SHIFT, m->octave.cover_at))
        return false;
    ter_fluvial_region *region = ter_fluvial_regions_take(m->regions, kernels, f, cells, m->around, &m->cancel);
    if (!region)
        return false;
    ter_share_network(ter_fluvial_region_job(region), &m->octave);
    m->octave.climate = m->climate.climate;
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

/** The smallest window that contains a window and whose borders are multiples of 8. */
static ter_window aligned(ter_window w)
{
    const int64_t side = 8;
    const int64_t x1 = ter_floor_div(w.x + w.width - 1, side) * side + side - 1,
                  y1 = ter_floor_div(w.y + w.height - 1, side) * side + side - 1;
    return ter_window_between(ter_floor_div(w.x, side) * side, ter_floor_div(w.y, side) * side, x1, y1);
}

bool ter_fluvial_have_climate(ter_fluvial_maker *m, const ter_fluvial_kernels *kernels, const ter_fluvial *f, int shift,
                              ter_window knots)
{
    const ter_climate_plan *c = &m->climate.climate;
    if (m->has_climate && c->shift == shift && memcmp(&m->climate.f, f, sizeof *f) == 0 &&
        ter_window_contains(c->knot_at, knots))
        return true;
    ter_arena arena = {NULL, 0};
    const ter_window wide = aligned(knots);
    m->has_climate = false;
    ter_plan_climate(f, shift, wide, &arena, &m->climate);
    if (!ter_fluvial_reserve(&m->climate_memory, arena.bytes))
        return false;
    arena = (ter_arena){m->climate_memory.at, 0};
    ter_plan_climate(f, shift, wide, &arena, &m->climate);
    kernels->climate_knots(&m->climate, &m->cancel);
    m->has_climate = !ter_is_cancelled(&m->cancel);
    return true;
}

/** Place the sand and the glaciers of the maker's job, and make the climate that they depend on. In a world without
 * them nothing is done. heights: number of lattices of heights of the sand to place. Returns false when there is no
 * memory */
static bool place_cover(ter_fluvial_maker *m, const ter_fluvial_kernels *kernels, const ter_fluvial *f, int heights)
{
    ter_arena arena = {NULL, 0};
    if (m->job.cover_at.width == 0)
        return true;
    ter_place_cover(&arena, heights, &m->job);
    if (!ter_fluvial_reserve(&m->cover, arena.bytes) ||
        !ter_fluvial_have_climate(m, kernels, f, TER_CLIMATE_SHIFT, m->job.cover_at))
        return false;
    arena = (ter_arena){m->cover.at, 0};
    ter_place_cover(&arena, heights, &m->job);
    m->job.climate = m->climate.climate;
    return true;
}

/** Cells of a block that makes its own network. Such a network has only the cells that the block needs, which are fewer
 * than those of a region. Smaller blocks share regions with others. */
enum { OWN_NETWORK_CELLS = 4096 };

/** Place the network of a block, its gullies and its heights at points of 16 m. */
static bool place_own_network(ter_fluvial_maker *m, ter_window cells)
{
    ter_arena arena = {NULL, 0};
    ter_plan_drainage(cells, &arena, &m->job);
    ter_place_surface(m->job.n_fine - 1, m->job.n_octaves, &arena, &m->job);
    if (!ter_fluvial_reserve(&m->network, arena.bytes))
        return false;
    arena = (ter_arena){m->network.at, 0};
    ter_plan_drainage(cells, &arena, &m->job);
    ter_place_surface(m->job.n_fine - 1, m->job.n_octaves, &arena, &m->job);
    return true;
}

/** Whether a block whose points have been planned makes its own network. Regions use the nodes of a guide; blocks that
 * share an octave also share regions. */
static bool has_own_network(const ter_fluvial_maker *m, const ter_fluvial_kernels *kernels, ter_window cells)
{
    if (m->job.f.guide || m->job.n_grounds == 0 || ter_window_count(cells) < OWN_NETWORK_CELLS)
        return false;
    ter_fluvial_job plan = m->job;
    ter_arena none = {NULL, 0};
    ter_plan_drainage(cells, &none, &plan);
    return kernels->overviews->fits_network(&plan);
}

/** As make_points, after plan_points, for a block that makes its own network. */
static bool make_points_of_network(ter_fluvial_maker *m, const ter_fluvial_kernels *kernels, const ter_fluvial *f,
                                   ter_window cells, const ter_fluvial_output *out, bool is_streamed)
{
    if (!place_own_network(m, cells) || !place_cover(m, kernels, f, 1) ||
        !ter_fluvial_reserve(&m->scratch, kernels->overviews->scratch_bytes))
        return false;
    kernels->overviews->network(&m->job, m->scratch.at, &m->cancel);
    if (!ter_is_cancelled(&m->cancel))
        kernels->samples(&m->job, out, is_streamed, m->scratch.at, &m->cancel);
    return true;
}

/** Make samples of levels of detail below TER_BLUR_LOD, or the points of which samples of TER_BLUR_LOD are means. */
static bool make_points(ter_fluvial_maker *m, const ter_fluvial_kernels *kernels, const ter_fluvial *f,
                        ter_lattice points, const ter_fluvial_output *out, bool is_streamed)
{
    ter_window cells;
    if (!plan_points(m, kernels, f, points, &cells))
        return false;
    ter_plan_cover(&m->job);
    if (has_own_network(m, kernels, cells))
        return make_points_of_network(m, kernels, f, cells, out, is_streamed);
    if (!place_surface(m) || !place_cover(m, kernels, f, 1))
        return false;
    ter_fluvial_region *region = ter_fluvial_regions_take(m->regions, kernels, f, cells, m->around, &m->cancel);
    if (!region)
        return false;
    ter_share_network(ter_fluvial_region_job(region), &m->job);
    kernels->samples(&m->job, out, is_streamed, m->scratch.at, &m->cancel);
    ter_fluvial_regions_leave(m->regions, region);
    return true;
}

/** As make_points, by the definition. */
static bool define_points(ter_fluvial_maker *m, const ter_fluvial_kernels *kernels, const ter_fluvial *f,
                          ter_lattice points, const ter_fluvial_output *out, bool is_streamed)
{
    ter_window cells;
    (void)is_streamed;
    if (!plan_points(m, kernels, f, points, &cells))
        return false;
    ter_plan_cover(&m->job);
    if (!plan_network(m, cells) || !place_cover(m, kernels, f, 2))
        return false;
    kernels->defined_samples(&m->job, out, &m->cancel);
    return true;
}

/** Make samples of an overview. is_defined: make them by the definition */
static bool make_overview(ter_fluvial_maker *m, const ter_fluvial_kernels *kernels, const ter_fluvial *f, int lod,
                          ter_window points, const ter_fluvial_output *out, bool is_defined)
{
    const ter_overview_kernels *overviews = kernels->overviews;
    ter_arena arena = {NULL, 0};
    ter_plan_overview_points(f, lod, points, &arena, &m->job);
    if (!ter_fluvial_reserve(&m->points, arena.bytes) || !ter_fluvial_reserve(&m->scratch, overviews->scratch_bytes))
        return false;
    arena = (ter_arena){m->points.at, 0};
    ter_plan_overview_points(f, lod, points, &arena, &m->job);
    const ter_window cells = overviews->places(&m->job);
    arena = (ter_arena){NULL, 0};
    ter_plan_overview_network(cells, &arena, &m->job);
    if (!ter_fluvial_reserve(&m->network, arena.bytes))
        return false;
    arena = (ter_arena){m->network.at, 0};
    ter_plan_overview_network(cells, &arena, &m->job);
    ter_plan_overview_cover(&m->job);
    if (!place_cover(m, kernels, f, 0))
        return false;
    if (is_defined)
        overviews->defined_samples(&m->job, out, &m->cancel);
    else
        overviews->samples(&m->job, out, m->scratch.at, &m->cancel);
    return true;
}

typedef bool points_maker(ter_fluvial_maker *m, const ter_fluvial_kernels *kernels, const ter_fluvial *f,
                          ter_lattice points, const ter_fluvial_output *out, bool is_streamed);

/** Make samples of TER_BLUR_LOD: means of points, which are made with a margin of one point on each side. */
static bool make_blurred(ter_fluvial_maker *m, const ter_fluvial_kernels *kernels, const ter_fluvial *f,
                         ter_lattice points, const ter_fluvial_output *out, points_maker *make)
{
    const ter_lattice grown = {ter_window_grown(points.at, 1), points.step};
    const size_t floats = ter_window_count(grown.at);
    if (!ter_fluvial_reserve(&m->blurred, TER_LAND_LAYERS * floats * sizeof(float)))
        return false;
    ter_fluvial_output from = {.stride = (size_t)grown.at.width};
    for (int layer = 0; layer < TER_LAND_LAYERS; layer++)
        if (out->layer[layer] || layer <= TER_LAYER_WATER)
            from.layer[layer] = (float *)m->blurred.at + (size_t)layer * floats;
    if (!make(m, kernels, f, grown, &from, false))
        return false;
    for (int y = 0; y < points.at.height; y++)
        for (int x = 0; x < points.at.width; x++)
            ter_blur(f, &from, out, x, y);
    return true;
}

/** Place layers of a window in memory, one after the other. Returns the first float after them. */
static float *place_layers(ter_window at, const bool is_needed[TER_LAND_LAYERS], float *memory, ter_fluvial_output *out)
{
    out->stride = (size_t)at.width;
    for (int layer = 0; layer < TER_LAND_LAYERS; layer++) {
        out->layer[layer] = is_needed[layer] ? memory : NULL;
        memory += is_needed[layer] ? ter_window_count(at) : 0;
    }
    return memory;
}

/** Make samples of a level of detail below 0 from points 1 m apart, and from points of TER_MATERIAL_STEP. */
static bool make_fine(ter_fluvial_maker *m, const ter_fluvial_kernels *kernels, const ter_fluvial *f, int lod,
                      ter_window at, const ter_fluvial_output *out, points_maker *make)
{
    const ter_fine_plan plan = ter_plan_fine(-lod, at);
    const ter_lattice points = {plan.at[0], 1}, sites = {plan.land, TER_MATERIAL_STEP};
    bool base_needs[TER_LAND_LAYERS], land_needs[TER_LAND_LAYERS];
    size_t floats = ter_window_count(plan.micro) * (sizeof(ter_microrelief) / sizeof(float));
    for (int layer = 0; layer < TER_LAND_LAYERS; layer++) {
        base_needs[layer] = ter_base_needs(f, out, layer);
        land_needs[layer] = ter_micro_needs(f, layer);
        floats += (base_needs[layer] ? ter_window_count(points.at) : 0) +
                  (land_needs[layer] ? ter_window_count(sites.at) : 0);
    }
    if (!ter_fluvial_reserve(&m->fine, floats * sizeof(float)))
        return false;
    ter_fluvial_output base, land;
    float *memory = place_layers(points.at, base_needs, m->fine.at, &base);
    memory = place_layers(sites.at, land_needs, memory, &land);
    if (!make(m, kernels, f, points, &base, false) || !make(m, kernels, f, sites, &land, false))
        return false;
    kernels->fine(&(ter_fine_block){f, &plan, &base, &land, (ter_microrelief *)memory}, out, m->scratch.at, &m->cancel);
    return true;
}

static bool make_samples(ter_fluvial_maker *m, const ter_fluvial_kernels *kernels, const ter_fluvial *f, int lod,
                         ter_window at, const ter_fluvial_output *out, bool is_streamed, points_maker *make)
{
    const ter_lattice points = {at, lod > 0 ? 1 << lod : 1};
    return lod < 0                   ? make_fine(m, kernels, f, lod, at, out, make)
           : lod >= TER_OVERVIEW_LOD ? make_overview(m, kernels, f, lod, at, out, make == define_points)
           : lod == TER_BLUR_LOD     ? make_blurred(m, kernels, f, points, out, make)
                                     : make(m, kernels, f, points, out, is_streamed);
}

/** Make the samples of a block, with the layers that its cover needs. */
static bool make_covered(ter_fluvial_maker *m, const ter_fluvial_kernels *kernels, const ter_fluvial *f, int lod,
                         ter_window at, const ter_fluvial_output *out, bool is_streamed, points_maker *make)
{
    ter_fluvial_output whole = *out;
    ter_layer needed[TER_COVER_NEEDS];
    const int count = ter_cover_needs(f, out->layer, needed);
    const size_t floats = (size_t)(at.height - 1) * out->stride + (size_t)at.width;
    if (count > 0 && !ter_fluvial_reserve(&m->needed, (size_t)count * floats * sizeof(float)))
        return false;
    for (int n = 0; n < count; n++)
        whole.layer[needed[n]] = (float *)m->needed.at + (size_t)n * floats;
    return make_samples(m, kernels, f, lod, at, &whole, is_streamed && count == 0, make);
}

bool ter_fluvial_make_block(ter_fluvial_maker *m, const ter_fluvial_kernels *kernels, const ter_fluvial *f, int lod,
                            ter_window at, const ter_fluvial_output *out, bool is_streamed)
{
    return make_covered(m, kernels, f, lod, at, out, is_streamed, make_points);
}

bool ter_fluvial_define_block(ter_fluvial_maker *m, const ter_fluvial_kernels *kernels, const ter_fluvial *f, int lod,
                              ter_window at, const ter_fluvial_output *out)
{
    return make_covered(m, kernels, f, lod, at, out, false, define_points);
}

void ter_fluvial_maker_free(ter_fluvial_maker *m)
{
    ter_aligned_free(m->points.at);
    ter_aligned_free(m->network.at);
    ter_aligned_free(m->scratch.at);
    ter_aligned_free(m->merged.at);
    ter_aligned_free(m->blurred.at);
    ter_aligned_free(m->fine.at);
    ter_aligned_free(m->octave_points.at);
    ter_aligned_free(m->octave_surface.at);
    ter_aligned_free(m->climate_memory.at);
    ter_aligned_free(m->cover.at);
    ter_aligned_free(m->needed.at);
}
