/* drought.h - lets waters and ground follow how dry the climate is. Rivers of dry land lose their water, the smaller
 * the sooner, and leave beds of sediment. Lakes of deserts are salt flats. Gullies of dry hills are deep and sharp.
 *
 *     rim  \                    / rim   Sediment fills a bed or a lake up to the level that its water would have.
 *           \~~~~~ level ~~~~~~/        So the level of the water that is left never changes, and no water rises
 *            \................/         downstream.
 *             `-..sediment..-'
 */
#ifndef TERRANE_FLUVIAL_DROUGHT_H
#define TERRANE_FLUVIAL_DROUGHT_H

#include "library/fluvial/climate.h"
#include "library/fluvial/surface.h"

#define TER_SEDIMENT_OVER  0.1f  /* m; sediment ends this far above the water that it replaces */
#define TER_RIVER_SEDIMENT 6.0f  /* m; depth of the sediment of a bed without water; more than that of any bed */
#define TER_LAKE_SEDIMENT  40.0f /* m; depth of the sediment of a lake of which little is left */

/** How dry the climate is at a place, 0..1: 0 where forest grows, about 0.7 at the border of deserts, 1 where
 * precipitation is 3/10 of what forest needs. The limit of forest is Koeppen's.
 *
 *  c     the climate at the place
 *  over  m; height of the place above the sea, at least 0
 */
TER_FN float ter_dryness_of(const float c[TER_CLIMATE_NUMBERS], float over)
{
    const ter_local_climate l = ter_climate_over(c, over);
    const float forest = ter_max(20.0f * l.mean + 140.0f * (1.0f + l.season), 60.0f); /* mm that forest needs */
    return ter_clamp((forest - l.rain) / (0.7f * forest), 0.0f, 1.0f);
}

/** As ter_dryness_of, at (x, y), lattice steps, for a height in metres, multiplied by the parameter drought. */
TER_FN float ter_drought_at(const ter_fluvial_job *job, int64_t x, int64_t y, float height)
{
    float c[TER_CLIMATE_NUMBERS];
    ter_land_climate(job, x, y, c);
    return job->f.drought * ter_dryness_of(c, ter_max(height - job->f.sea, 0.0f));
}

/** Share of a lake that sediment and salt have filled. A river that has water keeps its lakes. */
TER_FN float ter_lake_loss(float dry, float area)
{
    return ter_smooth_step((dry - 0.6f) * 5.0f) * ter_river_loss(dry, area);
}

/** Height of the sediment where a water has lost a share of its depth, metres. level: m; of the water; deep: m */
TER_FN float ter_sediment(float level, float loss, float deep)
{
    return level + TER_SEDIMENT_OVER - (1.0f - loss) * deep;
}

/** Lay the sediment of a dried water on a sample that has water, by layers height, water and flow.
 *
 *  k     index of the sample in the layers
 *  lake  m; level of the lake at the sample, or TER_NO_LAKE
 */
TER_FN void ter_lay_sediment(const ter_fluvial *f, const ter_fluvial_output *out, size_t k, float lake, float dry)
{
    float *height = out->layer[TER_LAYER_HEIGHT] + k, *water = out->layer[TER_LAYER_WATER] + k;
    const float area = out->layer[TER_LAYER_FLOW][k] * (1.0f / TER_AREA) / (f->spacing * f->spacing);
    const int is_lake = *water <= lake + 0.01f;
    const float far_from_sea = ter_smooth_step((*water - f->sea - 1.0f) * 0.25f);
    const float loss = far_from_sea * (is_lake ? ter_lake_loss(dry, area) : ter_river_loss(dry, area));
    *height = ter_max(*height, ter_sediment(*water, loss, is_lake ? TER_LAKE_SEDIMENT : TER_RIVER_SEDIMENT));
    if (out->layer[TER_LAYER_TOP])
        out->layer[TER_LAYER_TOP][k] = *height;
    if (out->layer[TER_LAYER_LAND])
        out->layer[TER_LAYER_LAND][k] = *height < f->sea ? 0.0f : 1.0f;
    if (!(*water > *height))
        *water = ter_not_a_number();
}

/** Let sample (x, y) of the job follow the drought of its climate. `out` has heights, water and flow. */
TER_FN void ter_dry_sample(const ter_fluvial_job *job, const ter_fluvial_output *out, int x, int y)
{
    enum { STEP = sizeof(ter_ground) / sizeof(float) };
    const size_t k = (size_t)y * out->stride + (size_t)x;
    const float height = out->layer[TER_LAYER_HEIGHT][k], water = out->layer[TER_LAYER_WATER][k];
    const int is_wet = water > height && water > job->f.sea;
    if (!is_wet && !out->layer[TER_LAYER_DRYNESS])
        return;
    const int64_t i = job->points.at.x + x, j = job->points.at.y + y, step = job->points.step;
    const float dry = ter_drought_at(job, i * step, j * step, height);
    if (out->layer[TER_LAYER_DRYNESS])
        out->layer[TER_LAYER_DRYNESS][k] = dry;
    if (!is_wet || !(dry > 0.0f))
        return;
    const ter_ground_plan *plan = ter_surface_ground(job);
    const ter_between t = ter_lattice_between(&plan->points, i, j, job->points.step);
    ter_lay_sediment(&job->f, out, k, ter_between_least(&t, (const float *)plan->ground + TER_GROUND_FIELD(lake), STEP),
                     dry);
}

/** Let the sample of an overview at (x, y), lattice steps, follow the drought of its climate. */
TER_FN void ter_dry_overview(const ter_fluvial_job *job, int64_t x, int64_t y, float layer[TER_LAND_LAYERS])
{
    const float water = layer[TER_LAYER_WATER], dry = ter_drought_at(job, x, y, layer[TER_LAYER_HEIGHT]);
    layer[TER_LAYER_DRYNESS] = dry;
    if (!(water > job->f.sea + 5.0f))
        return;
    const float area = layer[TER_LAYER_FLOW] * (1.0f / TER_AREA) / (job->f.spacing * job->f.spacing);
    if (ter_lake_loss(dry, area) > 0.5f) {
        layer[TER_LAYER_HEIGHT] = water;
        layer[TER_LAYER_TOP] = ter_max(layer[TER_LAYER_TOP], water);
        layer[TER_LAYER_WATER] = ter_not_a_number();
    }
}

/** Let the gullies at point (x, y) of ground g follow the drought of the climate. */
TER_PASS_FN void ter_dry_ground(const ter_fluvial_job *job, int g, int x, int y)
{
    const ter_lattice *at = &job->ground[g].points;
    ter_ground *ground = job->ground[g].ground + (size_t)y * (size_t)at->at.width + (size_t)x;
    const float dry = ter_drought_at(job, (at->at.x + x) * at->step, (at->at.y + y) * at->step, ground->height);
    const float hills = ter_smooth_step(ground->strength * 2.5f); /* plains have no gullies to change */
    ground->strength = ground->strength * ter_fma(0.5f, dry, 1.0f);
    ground->alpine = ter_max(ground->alpine, 0.8f * dry * hills);
    ground->rough = ter_limited_roughness(ground->rough, ground->strength);
}

#endif
