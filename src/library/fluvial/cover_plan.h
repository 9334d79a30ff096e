/* cover_plan.h - plans what the climate lays on the ground: sediment of dried waters, glaciers and sand. Lists the
 * passes that make them, and lays them on samples. In a world without them the plan is empty.
 */
#ifndef TERRANE_FLUVIAL_COVER_PLAN_H
#define TERRANE_FLUVIAL_COVER_PLAN_H

#include "library/fluvial/glacier.h"
#include "library/fluvial/sand_plan.h"

enum { TER_COVER_NEEDS = 3 }; /* greatest result of ter_cover_needs */

/** Layers that the cover of the ground is made from, in addition to the layers that a call wants. Water vanishes where
 * sand or ice is higher; the thickness of ice is measured from the ground; sediment replaces water.
 *
 *  at       layers of the call, in the order of ter_layer
 *  needed   receives the layers that the call does not want
 *  Returns  their number
 */
TER_FN int ter_cover_needs(const ter_fluvial *f, float *const at[TER_LAND_LAYERS], ter_layer needed[TER_COVER_NEEDS])
{
    const int is_over = at[TER_LAYER_WATER] || at[TER_LAYER_GLACIER] || at[TER_LAYER_TOP] || at[TER_LAYER_LAND],
              is_dry = f->drought > 0.0f && (is_over || at[TER_LAYER_HEIGHT] || at[TER_LAYER_DRYNESS]);
    int count = 0;
    if (!at[TER_LAYER_HEIGHT] && (is_dry || (is_over && ter_has_cover(f))))
        needed[count++] = TER_LAYER_HEIGHT;
    if (!at[TER_LAYER_WATER] && is_dry)
        needed[count++] = TER_LAYER_WATER;
    if (!at[TER_LAYER_FLOW] && is_dry)
        needed[count++] = TER_LAYER_FLOW;
    return count;
}

/** Plan the knots of the climate around points `step` lattice steps apart. */
TER_FN ter_window ter_cover_climate(ter_window at, int64_t step)
{
    return ter_spline_window(at.x * step, at.y * step, (at.x + at.width - 1) * step, (at.y + at.height - 1) * step,
                             TER_CLIMATE_SHIFT);
}

/** Plan the knots of the climate around all points of the ground, which surround those of the sand. */
TER_FN void ter_plan_ground_climate(ter_fluvial_job *job)
{
    const ter_window none = {0, 0, 0, 0};
    job->cover_at = none;
    if (!ter_has_cover(&job->f))
        return;
    job->cover_at = ter_cover_climate(job->ground[0].points.at, job->ground[0].points.step);
    for (int g = 1; g < job->n_grounds; g++)
        job->cover_at =
            ter_window_united(job->cover_at, ter_cover_climate(job->ground[g].points.at, job->ground[g].points.step));
}

/** Plan the glaciers of a job whose points and ground are planned. In a world without them the plan is empty. */
TER_FN void ter_plan_glaciers(ter_fluvial_job *job)
{
    memset(&job->glaciers, 0, sizeof job->glaciers);
    if (job->f.glaciers > 0.0f)
        job->glaciers.points = ter_lattice_ancestors(job->fine[job->n_fine - 1], TER_GROUND_STEP);
}

/** Plan the sand and the glaciers of a job whose points and ground are planned. */
TER_FN void ter_plan_cover(ter_fluvial_job *job)
{
    ter_plan_sand(job);
    ter_plan_glaciers(job);
    ter_plan_ground_climate(job);
}

/** Plan the sand of an overview whose points are planned, and the climate for all that covers it. */
TER_FN void ter_plan_overview_cover(ter_fluvial_job *job)
{
    const ter_window none = {0, 0, 0, 0};
    const int lod = job->overview.lod, lod_max = TER_COVER_LOD_MAX;
    memset(&job->glaciers, 0, sizeof job->glaciers);
    ter_plan_overview_sand(job);
    job->cover_at =
        ter_has_cover(&job->f) && lod <= lod_max ? ter_cover_climate(job->points.at, (int64_t)1 << lod) : none;
}

/** Place the arrays of the sand and of the glaciers, except the knots of the climate. `heights`: number of lattices of
 * heights of the sand to place */
TER_FN void ter_place_cover(ter_arena *arena, int heights, ter_fluvial_job *job)
{
    ter_place_sand(arena, heights, job);
    job->glaciers.ice = (float *)ter_arena_cut(arena, ter_window_count(job->glaciers.points.at) * sizeof(float));
}

/** The passes that make the ice and the sand over the samples, after those of the ground and the climate. After them,
 * call ter_add_cover. */
#define TER_PASSES_TO_COVER(job, RUN)                                                                                  \
    do {                                                                                                               \
        RUN(ter_make_ice, 0, (job)->glaciers.points.at.width, (job)->glaciers.points.at.height);                       \
        TER_PASSES_TO_SAND(job, RUN);                                                                                  \
    } while (0)

/** Lay sediment, ice and sand on sample (x, y) of the job. `out` also has the layers of ter_cover_needs. */
TER_PASS_FN void ter_add_cover(const ter_fluvial_job *job, const ter_fluvial_output *out, int x, int y)
{
    const size_t k = (size_t)y * out->stride + (size_t)x;
    if (job->f.drought > 0.0f && out->layer[TER_LAYER_HEIGHT] && out->layer[TER_LAYER_WATER])
        ter_dry_sample(job, out, x, y);
    if (job->glaciers.points.at.width > 0 && out->layer[TER_LAYER_HEIGHT])
        ter_lay_ice(&job->f, out, k, ter_ice_at(job, x, y));
    if (job->sand.count > 0)
        ter_lay_sand(out, k, ter_sand_at(job, x, y));
}

/** Make sample (x, y) of an overview. */
TER_PASS_FN void ter_make_overview(const ter_fluvial_job *job, const ter_fluvial_output *out, int x, int y)
{
    float layer[TER_LAND_LAYERS];
    ter_overview_layers(job, out->layer[TER_LAYER_FLOW] || out->layer[TER_LAYER_SHORE] || job->f.drought > 0.0f, x, y,
                        layer);
    const int64_t step = (int64_t)1 << job->overview.lod, px = (job->points.at.x + x) * step,
                  py = (job->points.at.y + y) * step;
    if (job->cover_at.width > 0 && job->f.drought > 0.0f)
        ter_dry_overview(job, px, py, layer);
    if (job->cover_at.width > 0 && job->f.glaciers > 0.0f)
        ter_lay_mean_ice(job, px, py, layer);
    if (job->cover_at.width > 0 && job->f.sand > 0.0f)
        ter_lay_mean_sand(job, px, py, layer);
    for (int n = 0; n < TER_LAND_LAYERS; n++)
        if (out->layer[n])
            out->layer[n][(size_t)y * out->stride + (size_t)x] = layer[n];
}

#endif
