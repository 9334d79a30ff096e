/* glacier.h - computes where glaciers lie, and how high their ice stands over the ground.
 *
 *     points of the ground    climate, channels of valleys  ->  altitude of the ice (ter_ice_of)
 *     samples                 cubic interpolation           ->  the higher of ground and ice (ter_lay_ice)
 *
 *      \         /         A glacier fills its valley up to the thickness that follows from the area of its valley.
 *       \_______/  ice     It begins where more snow falls in a year than melts, and ends below this altitude: the
 *        \     /           larger the valley is, the lower.
 *         \___/  channel
 */
#ifndef TERRANE_FLUVIAL_GLACIER_H
#define TERRANE_FLUVIAL_GLACIER_H

#include "library/fluvial/climate.h"
#include "library/fluvial/surface.h"

#define TER_ICE_BELOW  100.0f  /* m; the altitude of the ice is at most this far below the ground */
#define TER_ICE_TONGUE 600.0f  /* m; a glacier ends at most this far below the equilibrium line */
#define TER_ICE_EDGE   150.0f  /* m of altitude over which a glacier reaches its full thickness */
#define TER_ICE_RAISE  1000.0f /* m; rise of the equilibrium line as `glaciers` falls from 1 to 0 */
#define TER_ICE_BLEND  120.0f  /* m; valley sides that rise this far above the ground do not count */

/** Mean temperature of the summer at which a year's precipitation melts, deg C. rain: mm a year. Source: Ohmura, Kasser
 * and Funk 1992, Climate at the equilibrium line of glaciers: P = 645 + 296 T + 9 T^2, solved for T. */
TER_FN float ter_melting_summer(float rain)
{
    return (ter_sqrt(ter_fma(36.0f, rain, 64396.0f)) - 296.0f) * (1.0f / 18.0f);
}

/** Altitude of the equilibrium line above the sea, metres: above it more snow falls than melts.
 *
 *  c     the climate at the place
 *  over  m; height of the place above the sea, which decides how much precipitation it gets
 */
TER_FN float ter_equilibrium_line(const ter_fluvial *f, const float c[TER_CLIMATE_NUMBERS], float over)
{
    const float summer = ter_fma(0.45f, c[TER_CLIMATE_RANGE], c[TER_CLIMATE_TEMPERATURE]); /* at the sea's level */
    return (summer - ter_melting_summer(ter_climate_over(c, over).rain)) * (1.0f / TER_LAPSE) + f->ice_raise;
}

/** Thickness of a glacier over its channel, metres. It grows with the valley, and is thin where the land is steep,
 * because ice flows faster there. Gentle land has a sheet of ice that hardly depends on its valleys. Sources: Bahr,
 * Meier and Peckham 1997, The physical basis of glacier volume-area scaling, for the power of the area; Nye 1952, The
 * mechanics of glacier flow, for the slope, with a stress of 1.6 bar.
 *
 *  area   cells; of the valley
 *  steep  m/m; slope of the hillsides of the province. Channels are gentler, by the power -3/8 of their areas
 *  over   m; height of the channel above the equilibrium line
 */
TER_FN float ter_glacier_thickness(float area, float steep, float over)
{
    const float root = ter_sqrt(ter_sqrt(ter_sqrt(ter_max(area, 1.0f)))), power = (root * root) * root;
    const float wide = 40.0f, flat = 18.0f / ter_max(steep, 0.03f), sheet = 50.0f + 1000.0f * steep;
    const float thick = power * (wide * flat / (wide + flat)) * (1.0f + ter_clamp(over * (1.0f / 800.0f), 0.0f, 1.0f));
    return ter_min(ter_min(thick, sheet), 320.0f);
}

/** How far below the equilibrium line the glacier of a valley ends, metres. area: cells; relief: TER_PROVINCE_RELIEF.
 * Gentle land has no high ground that could feed a tongue. */
TER_FN float ter_glacier_tongue(float area, float relief)
{
    return ter_min(60.0f * ter_sqrt(ter_sqrt(area) * 3.0f), TER_ICE_TONGUE) *
           ter_smooth_step((relief - 0.2f) * (1.0f / 0.8f));
}

/** The ground at a point, for its glaciers. */
typedef struct ter_ice_site {
    float height;        /* m */
    float line;          /* m; altitude of the equilibrium line */
    float relief, steep; /* TER_PROVINCE_RELIEF; m/m, slope of the hillsides of the province */
    float top, above;    /* TER_PROVINCE_TOP, TER_PROVINCE_ABOVE */
} ter_ice_site;

TER_FN ter_ice_site ter_ice_site_at(const ter_province_place *place, float height, float line)
{
    ter_ice_site s;
    s.height = height;
    s.line = line;
    s.relief = ter_province_value(place, TER_PROVINCE_RELIEF);
    s.steep = ter_province_value(place, TER_PROVINCE_SLOPE) * (1.0f / TER_UNIT);
    s.top = ter_province_value(place, TER_PROVINCE_TOP);
    s.above = ter_province_value(place, TER_PROVINCE_ABOVE);
    return s;
}

/** Altitude of the surface of a piece's glacier, metres; below the channel where the glacier has ended. side: of the
 * piece at the point */
TER_FN float ter_glacier_surface(const ter_piece *p, const ter_ice_site *at, const ter_side *side)
{
    const float area = ter_fma(side->t, p->darea, p->area), over = side->z - at->line;
    const float full = (over + ter_glacier_tongue(area, at->relief)) * (1.0f / TER_ICE_EDGE);
    return side->z + ter_clamp(full, -1.0f, 1.0f) * ter_glacier_thickness(area, at->steep, over);
}

/** Altitude of the ice at a place of the network's plane, metres: the mean of the glaciers on whose valley sides the
 * point lies. Sides that are higher than the ground count less, so that the glaciers of two valleys join smoothly.
 * Pieces are visited in the order of their nodes. */
TER_FN float ter_ice_over(const ter_fluvial_job *job, const ter_ice_site *at, int64_t px, int64_t py)
{
    const float in_x = (float)(int)(px & 0xffff) * (1.0f / 256.0f), in_y = (float)(int)(py & 0xffff) * (1.0f / 256.0f);
    const int first = ter_window_index(job->piece_at, px >> TER_CELL_SHIFT, py >> TER_CELL_SHIFT);
    float sum = 0.0f, weights = 0.0f;
    for (int b = -TER_GROUND_CELLS; b <= TER_GROUND_CELLS; b++)
        for (int a = -TER_GROUND_CELLS; a <= TER_GROUND_CELLS; a++) {
            const int cell = first + b * job->piece_at.width + a;
            const ter_piece *p = job->piece + (size_t)cell * TER_PIECES;
            if (job->course[cell] == TER_COURSE_NONE)
                continue;
            for (int i = 0; i < TER_PIECES; i++, p++) {
                const ter_side side = ter_side_at(p, in_x - (float)a * TER_CELL - p->x,
                                                  in_y - (float)b * TER_CELL - p->y, at->top, at->above);
                const float q = 1.0f - ter_max(side.height - at->height, 0.0f) * (1.0f / TER_ICE_BLEND);
                if (q > 0.0f) {
                    sum = ter_fma(q * q, ter_glacier_surface(p, at, &side), sum);
                    weights = ter_fma(q, q, weights);
                }
            }
        }
    return weights > 0.0f ? sum / weights : at->height - TER_ICE_BELOW;
}

/** Altitude of the ice at a point of the ground, metres; below the ground where there is none. x, y: lattice steps;
 * px, py: its place in the network's plane */
TER_FN float ter_ice_of(const ter_fluvial_job *job, float height, int64_t x, int64_t y, int64_t px, int64_t py)
{
    const ter_province_place place = ter_province_at(job->province_at, job->province, px, py);
    float c[TER_CLIMATE_NUMBERS];
    ter_land_climate(job, x, y, c);
    const float line = ter_equilibrium_line(&job->f, c, ter_max(height - job->f.sea, 0.0f)) + job->f.sea;
    if (height < line - TER_ICE_TONGUE - TER_ICE_EDGE) /* channels lie below the ground */
        return height - TER_ICE_BELOW;
    const ter_ice_site at = ter_ice_site_at(&place, height, line);
    return ter_max(ter_ice_over(job, &at, px, py), height - TER_ICE_BELOW);
}

/** Make the altitude of the ice at point (x, y) of its lattice. */
TER_PASS_FN void ter_make_ice(const ter_fluvial_job *job, int n, int x, int y)
{
    (void)n;
    const ter_ground_plan *plan = ter_surface_ground(job);
    const ter_lattice *at = &job->glaciers.points;
    const int64_t i = at->at.x + x, j = at->at.y + y;
    const size_t k = (size_t)ter_window_index(plan->points.at, i, j);
    int64_t px, py;
    ter_ground_place(plan, i, j, k, &px, &py);
    job->glaciers.ice[(size_t)y * (size_t)at->at.width + (size_t)x] =
        ter_ice_of(job, plan->ground[k].height, i * at->step, j * at->step, px, py);
}

/** Weights of four points in a row, of a cubic curve through all of them: Catmull and Rom 1974, A class of local
 * interpolating splines. a: 0..1, share of the way from the second point to the third */
TER_FN void ter_ice_weights(float a, float w[4])
{
    const float t = 1.0f - a;
    w[0] = -0.5f * a * t * t;
    w[1] = ter_fma(a * a, ter_fma(1.5f, a, -2.5f), 1.0f);
    w[2] = ter_fma(t * t, ter_fma(1.5f, t, -2.5f), 1.0f);
    w[3] = -0.5f * t * a * a;
}

/** Altitude of the ice at sample (x, y) of the job, metres. Points of the lattice keep their values. Four columns are
 * interpolated first, so that samples of one row share them. */
TER_FN float ter_ice_at(const ter_fluvial_job *job, int x, int y)
{
    const ter_lattice *g = &job->glaciers.points;
    const ter_between t = ter_lattice_between(g, job->points.at.x + x, job->points.at.y + y, job->points.step);
    const int is_between_columns = t.a > 0.0f, is_between_rows = t.b > 0.0f; /* the lattice may end at a point */
    float wx[4], wy[4], column[4];
    ter_ice_weights(t.a, wx);
    ter_ice_weights(t.b, wy);
    for (int n = is_between_columns ? 0 : 1; n < (is_between_columns ? 4 : 2); n++) {
        const float *p = job->glaciers.ice + t.index + n - 1;
        column[n] = p[0];
        if (is_between_rows)
            column[n] = ter_fma(wy[3], p[2 * g->at.width],
                                ter_fma(wy[2], p[g->at.width], ter_fma(wy[1], p[0], wy[0] * *(p - g->at.width))));
    }
    if (!is_between_columns)
        return column[1];
    return ter_fma(wx[3], column[3], ter_fma(wx[2], column[2], ter_fma(wx[1], column[1], wx[0] * column[0])));
}

/** Lay ice on a sample: update its layers. Water that lies no higher than the ice vanishes.
 *
 *  k    index of the sample in the layers
 *  ice  m; altitude of the ice
 */
TER_FN void ter_lay_ice(const ter_fluvial *f, const ter_fluvial_output *out, size_t k, float ice)
{
    float *height = out->layer[TER_LAYER_HEIGHT], *water = out->layer[TER_LAYER_WATER];
    const float thick = ter_max(ice - height[k], 0.0f);
    height[k] = ter_max(height[k], ice);
    if (out->layer[TER_LAYER_TOP])
        out->layer[TER_LAYER_TOP][k] = height[k];
    if (out->layer[TER_LAYER_LAND])
        out->layer[TER_LAYER_LAND][k] = height[k] < f->sea ? 0.0f : 1.0f;
    if (out->layer[TER_LAYER_GLACIER])
        out->layer[TER_LAYER_GLACIER][k] = thick;
    if (water && !(water[k] > height[k]))
        water[k] = ter_not_a_number();
}

/** Lay ice on the sample of an overview at (x, y), lattice steps. Its thickness is the mean over the surroundings,
 * fitted to means of exact land. */
TER_FN void ter_lay_mean_ice(const ter_fluvial_job *job, int64_t x, int64_t y, float layer[TER_LAND_LAYERS])
{
    float c[TER_CLIMATE_NUMBERS];
    ter_land_climate(job, x, y, c);
    const float height = layer[TER_LAYER_HEIGHT], over = height - job->f.sea;
    if (layer[TER_LAYER_WATER] > height)
        return;
    const float line = ter_equilibrium_line(&job->f, c, over) + job->f.sea;
    const float ice = 30.0f * ter_smooth_step((height - line + 350.0f) * (1.0f / 700.0f));
    layer[TER_LAYER_HEIGHT] += ice;
    layer[TER_LAYER_TOP] = ter_max(layer[TER_LAYER_TOP], layer[TER_LAYER_HEIGHT]);
    layer[TER_LAYER_GLACIER] = ice;
}

#endif
