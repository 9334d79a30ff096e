/* climate.h - computes the climate of a sample: interpolates between the knots of the climate, and corrects the result
 * for the height of the sample.
 *
 * The interpolation is a spline over 4 x 4 knots. The knots of each column are added first, so that samples of one row
 * share these sums.
 */
#ifndef TERRANE_FLUVIAL_CLIMATE_H
#define TERRANE_FLUVIAL_CLIMATE_H

#include "library/fluvial/climate_knot.h"

enum { TER_COVER_LOD_MAX = 15 }; /* at coarser levels of detail the climate does not change the land */

#define TER_LAPSE 0.0065f /* K per metre; how fast temperature falls with height */

/** Weighted sum of four knots of one column.
 *
 *  knot    the northernmost of them
 *  width   knots in a row
 *  weight  weights of the rows, from ter_spline_weights
 */
TER_FN void ter_climate_column(const float *knot, int width, const float weight[4], float sum[TER_CLIMATE_NUMBERS])
{
    for (int k = 0; k < TER_CLIMATE_NUMBERS; k++)
        sum[k] = 0.0f;
    for (int row = 0; row < 4; row++)
        for (int k = 0; k < TER_CLIMATE_NUMBERS; k++)
            sum[k] = ter_fma(weight[row], knot[row * width * TER_CLIMATE_NUMBERS + k], sum[k]);
}

/** Precipitation at the height of a sample: land above the mean of the land around gets more, land below it gets less.
 * over: m; height of the sample above that mean */
TER_FN float ter_local_rain(float rain, float over)
{
    return rain * (1.0f + 0.5f * (over / (fabsf(over) + 900.0f)));
}

/** The climate at the height of a sample. */
typedef struct ter_local_climate {
    float mean;   /* deg C; mean temperature of the year */
    float rain;   /* mm a year; precipitation */
    float season; /* when it falls, as TER_LAYER_PRECIPITATION_SEASON */
} ter_local_climate;

/** The climate at a height. c: the climate at the place of a sample; over: m above the sea */
TER_FN ter_local_climate ter_climate_over(const float c[TER_CLIMATE_NUMBERS], float over)
{
    const float both = c[TER_CLIMATE_SUMMER] + c[TER_CLIMATE_WINTER];
    ter_local_climate l;
    l.mean = ter_fma(over, -TER_LAPSE, c[TER_CLIMATE_TEMPERATURE]);
    l.season = (c[TER_CLIMATE_SUMMER] - c[TER_CLIMATE_WINTER]) / ter_max(both, 1.0f);
    l.rain = ter_local_rain(both, over - c[TER_CLIMATE_HEIGHT]);
    return l;
}

/** Share of the year in which snow lies on the ground.
 *
 *  mean, range   mean temperature of the year, deg C; difference between its warmest and its coldest month, K
 *  rain, season  precipitation, mm a year; when it falls, as TER_LAYER_PRECIPITATION_SEASON
 */
TER_FN float ter_snow_share(float mean, float range, float rain, float season)
{
    const float x = ter_clamp((1.0f - mean) / (0.5f * range + 2.0f), -1.0f, 1.0f);
    const float cold = 0.5f + x * (0.32f + 0.18f * x * x); /* approximate share of the year below 1 deg C */
    const float winter = rain * (1.0f - 0.6f * season * (1.0f - cold)); /* mm that fall as snow if it is cold */
    return cold * (winter / (winter + 60.0f * (1.0f - cold) + 1.0f));
}

/** Number of the biome. Whittaker's biomes, with the limits of dryness, trees and frost of Koeppen's climates. A later
 * line replaces the result of earlier lines. There are no branches, so the compiler makes vector code for many samples.
 *
 *  mean, range, rain, season  as for ter_snow_share
 */
TER_FN int ter_biome_of(float mean, float range, float rain, float season)
{
    const float warmest = mean + 0.5f * range, coldest = mean - 0.5f * range;
    const float arid = 20.0f * mean + 140.0f * (1.0f + season);
    const float sure = rain * (1.0f - 0.5f * fabsf(season)); /* mm a year, less if most of it falls in one season */
    const int is_warm = mean >= 18.0f;
    int biome =
        rain > 1500.0f && mean < 16.0f && range < 20.0f ? TER_BIOME_TEMPERATE_RAIN_FOREST : TER_BIOME_TEMPERATE_FOREST;
    biome = season < -0.3f && coldest > -3.0f && rain < 1000.0f ? TER_BIOME_WOODLAND : biome;
    biome = mean < 3.0f ? TER_BIOME_TAIGA : biome;
    biome = coldest > 15.0f ? (sure > 1400.0f ? TER_BIOME_RAIN_FOREST : TER_BIOME_SAVANNA) : biome;
    biome = rain < arid ? (is_warm ? TER_BIOME_THORN_SCRUB : TER_BIOME_STEPPE) : biome;
    biome = rain < 0.5f * arid ? (is_warm ? TER_BIOME_HOT_DESERT : TER_BIOME_COLD_DESERT) : biome;
    biome = warmest < 10.0f ? TER_BIOME_TUNDRA : biome;
    return warmest < 0.0f ? TER_BIOME_ICE : biome;
}

/** Layers of the climate, in the order of ter_layer. */
enum { TER_CLIMATE_LAYERS = TER_LAYER_COUNT - TER_LAND_LAYERS };

/** Values of the climate's layers at a sample.
 *
 *  c       the climate at the place of the sample
 *  height  m; height of the sample
 *  out     one number for each layer
 */
TER_FN void ter_climate_of_sample(const ter_fluvial *f, const float c[TER_CLIMATE_NUMBERS], float height,
                                  float out[TER_CLIMATE_LAYERS])
{
    const ter_local_climate l = ter_climate_over(c, ter_max(height - f->sea, 0.0f));
    const float range = c[TER_CLIMATE_RANGE];
    out[TER_LAYER_TEMPERATURE - TER_LAND_LAYERS] = l.mean;
    out[TER_LAYER_TEMPERATURE_RANGE - TER_LAND_LAYERS] = range;
    out[TER_LAYER_PRECIPITATION - TER_LAND_LAYERS] = l.rain;
    out[TER_LAYER_PRECIPITATION_SEASON - TER_LAND_LAYERS] = l.season;
    out[TER_LAYER_BIOME - TER_LAND_LAYERS] =
        (float)(height < f->sea ? (int)TER_BIOME_SEA : ter_biome_of(l.mean, range, l.rain, l.season));
    out[TER_LAYER_SNOW - TER_LAND_LAYERS] = ter_snow_share(l.mean, range, l.rain, l.season);
}

/** Place of a sample between the knots of the climate, in one direction. */
typedef struct ter_climate_place {
    int64_t knot; /* the knot before it */
    float a;      /* share of the way to the next knot */
} ter_climate_place;

/** The place of a sample. x: in steps of the level of detail; shift: at least lod; knots are 2^shift lattice steps
 * apart */
TER_FN ter_climate_place ter_climate_place_of(int64_t x, int lod, int shift)
{
    const int finer = shift - lod;
    ter_climate_place p;
    p.knot = x >> finer;
    p.a = (float)(int)(x & (((int64_t)1 << finer) - 1)) * (1.0f / (float)(1 << finer));
    return p;
}

/** Number k of the guide's climate at a place between four points of its table, by bilinear interpolation. north: the
 * north-west point; width: points in a row of the table; a, b: 0..1, shares of the way to the east and to the south */
TER_FN float ter_weather_between(const ter_guide_weather *north, int width, int k, float a, float b)
{
    enum { STEP = sizeof(ter_guide_weather) / sizeof(float) };
    const float *n = (const float *)(const void *)north + k, *s = (const float *)(const void *)(north + width) + k;
    const float upper = ter_fma(a, n[STEP] - n[0], n[0]), lower = ter_fma(a, s[STEP] - s[0], s[0]);
    return ter_fma(b, lower - upper, upper);
}

/** The place of sample x between points that are 2^shift lattice steps apart, in one direction. If samples are farther
 * apart than these points, every sample lies on a point. */
TER_FN ter_climate_place ter_weather_place(int64_t x, int lod, int shift)
{
    const ter_climate_place on_point = {x * ((int64_t)1 << (lod > shift ? lod - shift : 0)), 0.0f};
    return lod > shift ? on_point : ter_climate_place_of(x, lod, shift);
}

/** Mix the climate of the guide into that of sample (x, y). c: the climate at the level of the sea, updated. The height
 * of the sample is taken into account later, as in a world without a guide. */
TER_FN void ter_guide_climate(const ter_guide_tables *g, int lod, int64_t x, int64_t y, float c[TER_CLIMATE_NUMBERS])
{
    const ter_guide_points *p = &g->climate;
    const ter_climate_place px = ter_weather_place(x, lod, p->shift), py = ter_weather_place(y, lod, p->shift);
    if (!ter_window_has(p->at, px.knot, py.knot) || !ter_window_has(p->at, px.knot + 1, py.knot + 1))
        return;
    const ter_guide_weather *north = (const ter_guide_weather *)(const void *)((const char *)g + p->first) +
                                     ter_window_index(p->at, px.knot, py.knot);
    ter_guide_weather w = {0.0f, 0.0f, 0.0f, 0.0f};
    TER_UNROLL
    for (int k = 0; k < (int)(sizeof w / sizeof(float)); k++)
        ((float *)(void *)&w)[k] = ter_weather_between(north, p->at.width, k, px.a, py.a);
    if (g->rasters & TER_GUIDE_HAS(TER_GUIDE_TEMPERATURE))
        c[TER_CLIMATE_TEMPERATURE] += w.share * (w.temperature - c[TER_CLIMATE_TEMPERATURE]);
    if (!(g->rasters & TER_GUIDE_HAS(TER_GUIDE_PRECIPITATION)))
        return;
    const float both = c[TER_CLIMATE_SUMMER] + c[TER_CLIMATE_WINTER];
    const float summer = both > 1.0f ? c[TER_CLIMATE_SUMMER] / both : 0.5f;
    c[TER_CLIMATE_SUMMER] += w.share * (w.precipitation * summer - c[TER_CLIMATE_SUMMER]);
    c[TER_CLIMATE_WINTER] += w.share * (w.precipitation * (1.0f - summer) - c[TER_CLIMATE_WINTER]);
    c[TER_CLIMATE_HEIGHT] += w.share * (w.height - c[TER_CLIMATE_HEIGHT]);
}

/** The climate at sample (x, y) of a level of detail, before ter_guide_climate mixes in that of a guide. */
TER_FN void ter_climate_at(const ter_climate_plan *c, int lod, int64_t x, int64_t y, float out[TER_CLIMATE_NUMBERS])
{
    const ter_climate_place px = ter_climate_place_of(x, lod, c->shift), py = ter_climate_place_of(y, lod, c->shift);
    float wx[4], wy[4];
    ter_spline_weights(px.a, wx);
    ter_spline_weights(py.a, wy);
    const float *knot = c->knot + (size_t)ter_window_index(c->knot_at, px.knot - 1, py.knot - 1) * TER_CLIMATE_NUMBERS;
    for (int k = 0; k < TER_CLIMATE_NUMBERS; k++)
        out[k] = 0.0f;
    for (int column = 0; column < 4; column++) {
        float sum[TER_CLIMATE_NUMBERS];
        ter_climate_column(knot + column * TER_CLIMATE_NUMBERS, c->knot_at.width, wy, sum);
        for (int k = 0; k < TER_CLIMATE_NUMBERS; k++)
            out[k] = ter_fma(wx[column], sum[k], out[k]);
    }
}

/** The climate at (x, y), lattice steps, that changes the land: with that of the guide, if the world has one. */
TER_FN void ter_land_climate(const ter_fluvial_job *job, int64_t x, int64_t y, float c[TER_CLIMATE_NUMBERS])
{
    ter_climate_at(&job->climate, 0, x, y, c);
    if (job->f.guide_climate)
        ter_guide_climate(job->f.guide, 0, x, y, c);
}

#endif
