/* climate_knot.h - makes the knots of the climate from the coarse land around each knot and the air that reaches it.
 *
 * For each season, one path is traced upwind from each knot. The air takes up moisture over the sea and loses
 * it where the ground rises. Over level land its moisture approaches the amount that plants and lakes give back. Little
 * rain falls from air that sinks.
 *
 *     sea  ~~~~~~~~ coast ____/\/\/\____ lee
 *     moist --------> rain ^^^^ ------> dry
 */
#ifndef TERRANE_FLUVIAL_CLIMATE_KNOT_H
#define TERRANE_FLUVIAL_CLIMATE_KNOT_H

#include "library/fluvial/climate_zone.h"
#include "library/fluvial/overview.h"

/* ---- places ---- */

enum {
    TER_CLIMATE_SHIFT = 15, /* the spacing of the knots is 2^15 lattice steps, or that of the samples if it is larger */
    TER_CLIMATE_STEPS = 32, /* steps of a path if knots are 2^15 lattice steps apart */
    TER_CLIMATE_STEPS_MIN = 4
};

/** Number of steps of a path. A step is at most as long as the spacing of the knots, and shorter in weak wind. shift:
 * knots are 2^shift lattice steps apart */
TER_FN int ter_climate_steps(int shift)
{
    const int steps = shift - TER_CLIMATE_SHIFT < 5 ? TER_CLIMATE_STEPS >> (shift - TER_CLIMATE_SHIFT) : 0;
    return steps < TER_CLIMATE_STEPS_MIN ? (int)TER_CLIMATE_STEPS_MIN : steps;
}

/** Number of octaves of the provinces' fields that the coarse land uses: those of continents, and those with a pitch of
 * at least the spacing of the knots. */
TER_FN int ter_climate_octaves(int shift)
{
    const int octaves = TER_CONTINENT_OCTAVES + 5 - (shift - TER_CLIMATE_SHIFT);
    return octaves < TER_CONTINENT_OCTAVES ? (int)TER_CONTINENT_OCTAVES : octaves;
}

/** Number of octaves of the warp that the coarse land uses. */
TER_FN int ter_climate_warps(int shift)
{
    const int octaves = TER_CLIMATE_WARPS - (shift - TER_CLIMATE_SHIFT);
    return octaves < 0 ? 0 : octaves;
}

/* ---- slow fields ---- */

/** Make knot (x, y) of octave m of the slow fields. */
TER_PASS_FN void ter_make_slow_knot(const ter_fluvial_job *job, int m, int x, int y)
{
    const ter_window at = job->climate.slow_at[m];
    ter_slow_knot(&job->f, m, at.x + x, at.y + y,
                  job->climate.slow[m] + ((size_t)y * (size_t)at.width + (size_t)x) * TER_FIELD_CHANNELS);
}

/** Sums of the slow fields at (x, y). x, y: in scaled lattice steps */
TER_FN void ter_slow_fields(const ter_climate_plan *c, int64_t x, int64_t y, float out[TER_FIELD_CHANNELS])
{
    for (int k = 0; k < TER_FIELD_CHANNELS; k++)
        out[k] = 0.0f;
    for (int m = 0; m < TER_SLOW_OCTAVES; m++) {
        float s[TER_FIELD_CHANNELS];
        ter_spline(c->slow_at[m], c->slow[m], TER_CLIMATE_PITCH - m, TER_FIELD_CHANNELS, x, y, s);
        for (int k = 0; k < TER_FIELD_CHANNELS; k++)
            out[k] = ter_fma(ter_slow_weight(m), s[k], out[k]);
    }
}

/* ---- the coarse land ---- */

/** Compute the mean height of the land around a point, multiplied by the share of land; and the share of sea. */
TER_FN void ter_coarse_land(const ter_fluvial_job *job, int64_t x, int64_t y, ter_climate_ground *out)
{
    float warp[TER_SHIFTS], v[TER_PROVINCE_COUNT], sum[TER_SUMMARY_COUNT];
    ter_warp_octaves(job, ter_climate_warps(job->climate.shift), x, y, warp);
    ter_province_made(job, ter_climate_octaves(job->climate.shift), ter_place_x(x, y, warp), ter_place_y(x, y, warp),
                      v);
    ter_sum_up(&job->f, v, v[TER_PROVINCE_HEIGHT], TER_NO_LAKE, ter_mean_rise(v, 0, 0.0f, 0.0f, 0), 60.0f, sum);
    out->height = sum[TER_SUMMARY_LAND];
    out->sea = 1.0f - sum[TER_SUMMARY_SHARE];
}

/** Make the coarse land and the winds of knot (x, y). */
TER_PASS_FN void ter_make_climate_ground(const ter_fluvial_job *job, int n, int x, int y)
{
    (void)n;
    const ter_climate_plan *c = &job->climate;
    const int64_t px = (c->ground_at.x + x) * ((int64_t)1 << c->shift),
                  py = (c->ground_at.y + y) * ((int64_t)1 << c->shift);
    const int64_t sx = ter_climate_scaled(&job->f, px), sy = ter_climate_scaled(&job->f, py);
    float slow[TER_FIELD_CHANNELS];
    ter_climate_ground *out = c->ground + (size_t)y * (size_t)c->ground_at.width + (size_t)x;
    ter_coarse_land(job, px, py, out);
    ter_slow_fields(c, sx, sy, slow);
    const float latitude = ter_latitude(&job->f, sy, slow[0]);
    for (int season = 0; season < TER_SEASONS; season++) {
        const ter_zone zone = ter_zone_in(season, latitude);
        out->lift[season] = ter_zone_lift(zone);
        ter_zone_wind(zone, 1.1f * slow[2], 1.1f * slow[3], out->wind[season]);
    }
}

/* ---- paths ---- */

enum { TER_GROUND_NUMBERS = sizeof(ter_climate_ground) / sizeof(float) };

/** Interpolate linearly between the four knots around a place.
 *
 *  ground  values of knot (0, 0)
 *  x, y    the place, counted from that knot in spacings of the knots
 */
TER_FN void ter_climate_between(const ter_climate_ground *ground, int width, float x, float y, ter_climate_ground *out)
{
    const float west = floorf(x), north = floorf(y), a = x - west, b = y - north;
    const float *n = (const float *)(const void *)(ground + (int)north * width + (int)west);
    const float *s = (const float *)(const void *)(ground + ((int)north + 1) * width + (int)west);
    float *to = (float *)(void *)out;
    TER_UNROLL
    for (int k = 0; k < TER_GROUND_NUMBERS; k++) {
        const float upper = ter_fma(a, n[TER_GROUND_NUMBERS + k] - n[k], n[k]),
                    lower = ter_fma(a, s[TER_GROUND_NUMBERS + k] - s[k], s[k]);
        to[k] = ter_fma(b, lower - upper, upper);
    }
}

/** The air that reaches a knot in a season. */
typedef struct ter_air {
    float moisture; /* share of the water that the air can hold: 1 after a long way over the sea */
    float inland;   /* share of land on the path; the part nearest to the knot counts most */
    float rise;     /* m; height of the knot's ground above the ground two steps upwind */
} ter_air;

/** Changes on one step, if knots are 2^15 lattice steps apart. */
#define TER_OVER_SEA  0.065f           /* share of the missing moisture that the sea gives */
#define TER_OVER_LAND 0.03f            /* share by which the moisture approaches that of the land */
#define TER_RAIN_OUT  (1.0f / 5000.0f) /* 1/m; rain where the ground rises */
#define TER_INLAND    0.05f            /* weight of a step in ter_air.inland */

/** The share that remains after one step whose length has been doubled `doublings` times. kept: the share that remains
 * after a step of 2^15 lattice steps */
TER_FN float ter_kept(float kept, int doublings)
{
    for (int n = 0; n < doublings; n++)
        kept = kept * kept;
    return kept;
}

/** Trace the path upwind from a knot. ground: the coarse land at the knot */
TER_FN ter_air ter_follow_wind(const ter_climate_plan *c, int season, const ter_climate_ground *ground)
{
    const int doublings = c->shift - TER_CLIMATE_SHIFT, steps = ter_climate_steps(c->shift);
    const float by_sea = ter_kept(1.0f - TER_OVER_SEA, doublings), by_land = ter_kept(1.0f - TER_OVER_LAND, doublings),
                by_way = ter_kept(1.0f - TER_INLAND, doublings);
    ter_climate_ground at = *ground;
    ter_air air = {0.0f, 0.0f, 0.0f};
    float x = 0.0f, y = 0.0f, kept = 1.0f, near = 1.0f;
    for (int n = 0; n < steps; n++) {
        const float before = at.height;
        x -= at.wind[season][0];
        y -= at.wind[season][1];
        ter_climate_between(ground, c->ground_at.width, x, y, &at);
        kept = kept / (1.0f + ter_max(before - at.height, 0.0f) * TER_RAIN_OUT);
        const float sea = kept * at.sea * (1.0f - by_sea), land = kept * (1.0f - at.sea) * (1.0f - by_land);
        air.moisture += sea + land * (0.2f + 0.65f * at.lift[season]);
        kept = kept - sea - land;
        air.inland += near * (1.0f - by_way) * (1.0f - at.sea);
        near = near * by_way;
        if (n < 2)
            air.rise = ground->height - at.height;
    }
    air.moisture += kept * 0.4f;
    air.inland += near * 0.5f;
    return air;
}

/* ---- knots ---- */

#define TER_RAIN_MOST 2200.0f /* mm in half a year, of moist air at 27 deg C that rises everywhere */

/** How much water air can hold, relative to air of 27 deg C. temperature: deg C */
TER_FN float ter_air_holds(float temperature)
{
    const float t = ter_clamp((temperature + 45.0f) * (1.0f / 72.0f), 0.1f, 1.15f);
    return t * t;
}

/** Precipitation of a season, mm. temperature: mean of the season at the ground, deg C */
TER_FN float ter_season_rain(const ter_fluvial *f, const ter_air *air, float lift, float temperature)
{
    const float over = air->rise * (1.0f / 1000.0f);
    const float rising = lift + 0.8f * (ter_soft_part(over) - 0.05f);
    const float sinking = 1.0f + 1.3f * (ter_soft_part(-over) - 0.05f);
    return f->wetness * TER_RAIN_MOST * ter_air_holds(temperature) * air->moisture * ter_sqrt(air->moisture) * rising /
           sinking;
}

/** Make knot (x, y) of the climate. */
TER_PASS_FN void ter_make_climate_knot(const ter_fluvial_job *job, int n, int x, int y)
{
    (void)n;
    const ter_climate_plan *c = &job->climate;
    const int64_t i = c->knot_at.x + x, j = c->knot_at.y + y;
    const int64_t sx = ter_climate_scaled(&job->f, i * ((int64_t)1 << c->shift)),
                  sy = ter_climate_scaled(&job->f, j * ((int64_t)1 << c->shift));
    const ter_climate_ground *ground = c->ground + ter_window_index(c->ground_at, i, j);
    float slow[TER_FIELD_CHANNELS];
    ter_slow_fields(c, sx, sy, slow);
    const ter_zone zone = ter_zone_at(ter_latitude(&job->f, sy, slow[0]));
    const ter_air summer = ter_follow_wind(c, TER_SUMMER, ground), winter = ter_follow_wind(c, TER_WINTER, ground);
    const float inland = 0.4f * summer.inland + 0.6f * winter.inland;
    const float mean =
        ter_zone_temperature(zone) + inland * (2.5f - 7.0f * zone.polar) + 4.0f * slow[1] + job->f.warmth;
    const float range = 2.5f + 7.0f * zone.polar + inland * (3.0f + zone.polar * (70.0f - 32.0f * zone.polar));
    const float at_ground = mean - 0.003f * ground->height, half = 0.3f * range;
    float *out = c->knot + ((size_t)y * (size_t)c->knot_at.width + (size_t)x) * TER_CLIMATE_NUMBERS;
    out[TER_CLIMATE_TEMPERATURE] = mean;
    out[TER_CLIMATE_RANGE] = range;
    out[TER_CLIMATE_SUMMER] = ter_season_rain(&job->f, &summer, ground->lift[TER_SUMMER], at_ground + half);
    out[TER_CLIMATE_WINTER] = ter_season_rain(&job->f, &winter, ground->lift[TER_WINTER], at_ground - half);
    out[TER_CLIMATE_HEIGHT] = ground->height;
}

#endif
