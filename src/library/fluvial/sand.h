/* sand.h - computes where sand lies, how much, and how high its dunes are over the ground.
 *
 *     points of the ground    climate, relief, slow fields, large rivers  ->  ter_sand
 *     points of 4 m           ter_sand between them, rows of crests       ->  height of the sand
 *     points of 2 and 1 m     ter_halved
 *
 * Sand lies on plains of deserts. It fills small valleys. Large rivers and lakes stay free of sand.
 */
#ifndef TERRANE_FLUVIAL_SAND_H
#define TERRANE_FLUVIAL_SAND_H

#include "library/fluvial/climate.h"
#include "library/fluvial/dune.h"
#include "library/fluvial/surface.h"

enum {
    TER_SAND_SHIFT = 17, /* octave 0 of the slow fields has knots 2^17 lattice steps apart */
    TER_SAND_STEP = 4,   /* lattice steps; between points this far apart heights of the sand are interpolated */
    TER_SAND_CELLS = 6   /* cells; large rivers and lakes farther away do not change the sand */
};

/** Set the wind of a world. from: the bearing from which it blows, degrees clockwise from north */
TER_FN void ter_sand_wind(float from, ter_fluvial *f)
{
    float cosine, sine;
    ter_turn(from * (1.0f / 360.0f), &cosine, &sine);
    f->wind_x = (int32_t)rintf(-64.0f * sine);
    f->wind_y = (int32_t)rintf(64.0f * cosine);
    f->wind_length = ter_length((float)f->wind_x, (float)f->wind_y) * (1.0f / TER_DUNE_UNITS);
}

/** Weights of the slow fields' octaves. */
enum { TER_SAND_BEND, TER_SAND_SUPPLY, TER_SAND_TURNING, TER_SAND_FIELDS };

TER_FN float ter_sand_weight(int field, int m)
{
    return field == TER_SAND_BEND     ? (m == 0   ? 0.0f
                                         : m == 1 ? 6000.0f
                                         : m == 2 ? 2500.0f
                                                  : 900.0f)
           : field == TER_SAND_SUPPLY ? (m == 0   ? 0.9f
                                         : m == 1 ? 0.7f
                                         : m == 2 ? 0.5f
                                                  : 0.35f)
                                      : (m == 0   ? 1.1f
                                         : m == 1 ? 0.7f
                                                  : 0.0f);
}

/** The slow fields at a place. */
typedef struct ter_sand_fields {
    float value[TER_SAND_FIELDS];
    float bend_x, bend_y; /* gradient of the bend */
} ter_sand_fields;

/** Derivatives of ter_spline_weights. */
TER_FN void ter_spline_slopes(float a, float w[4])
{
    const float t = 1.0f - a;
    w[0] = -0.5f * t * t;
    w[1] = a * (1.5f * a - 2.0f);
    w[2] = -t * (1.5f * t - 2.0f);
    w[3] = 0.5f * a * a;
}

/** Add octave m of the slow fields at (x, y), lattice steps. */
TER_FN void ter_sand_octave(const ter_sand_plan *s, int m, int64_t x, int64_t y, ter_sand_fields *out)
{
    const int shift = TER_SAND_SHIFT - m;
    const int64_t mask = ((int64_t)1 << shift) - 1;
    const float scale = 1.0f / (float)(1 << shift), a = (float)(int)(x & mask) * scale,
                b = (float)(int)(y & mask) * scale;
    float wx[4], wy[4], dx[4], dy[4], sum[TER_SAND_FIELDS] = {0.0f, 0.0f, 0.0f}, east = 0.0f, south = 0.0f;
    ter_spline_weights(a, wx);
    ter_spline_weights(b, wy);
    ter_spline_slopes(a, dx);
    ter_spline_slopes(b, dy);
    const float *knot =
        s->field[m] + (size_t)ter_window_index(s->field_at[m], (x >> shift) - 1, (y >> shift) - 1) * TER_FIELD_CHANNELS;
    for (int row = 0; row < 4; row++, knot += s->field_at[m].width * TER_FIELD_CHANNELS) {
        float along[TER_SAND_FIELDS] = {0.0f, 0.0f, 0.0f}, slope = 0.0f;
        for (int column = 0; column < 4; column++) {
            slope = ter_fma(dx[column], knot[column * TER_FIELD_CHANNELS], slope);
            for (int k = 0; k < TER_SAND_FIELDS; k++)
                along[k] = ter_fma(wx[column], knot[column * TER_FIELD_CHANNELS + k], along[k]);
        }
        east = ter_fma(wy[row], slope, east);
        south = ter_fma(dy[row], along[TER_SAND_BEND], south);
        for (int k = 0; k < TER_SAND_FIELDS; k++)
            sum[k] = ter_fma(wy[row], along[k], sum[k]);
    }
    for (int k = 0; k < TER_SAND_FIELDS; k++)
        out->value[k] = ter_fma(ter_sand_weight(k, m), sum[k], out->value[k]);
    out->bend_x = ter_fma(ter_sand_weight(TER_SAND_BEND, m) * scale, east, out->bend_x);
    out->bend_y = ter_fma(ter_sand_weight(TER_SAND_BEND, m) * scale, south, out->bend_y);
}

/** The first `count` octaves of the slow fields at (x, y), lattice steps. */
TER_FN ter_sand_fields ter_sand_fields_at(const ter_sand_plan *s, int count, int64_t x, int64_t y)
{
    ter_sand_fields f = {{0.0f, 0.0f, 0.0f}, 0.0f, 0.0f};
    for (int m = 0; m < count; m++)
        ter_sand_octave(s, m, x, y, &f);
    return f;
}

/** How dry the climate is at (x, y), lattice steps: 0 where plants hold the sand, 1 in a desert. over: m above the sea
 */
TER_FN float ter_sand_dryness(const ter_fluvial_job *job, int64_t x, int64_t y, float over)
{
    float c[TER_CLIMATE_NUMBERS];
    ter_land_climate(job, x, y, c);
    const ter_local_climate l = ter_climate_over(c, over);
    const float arid = 20.0f * l.mean + 140.0f * (1.0f + l.season);
    return ter_smooth_step((0.6f * arid - l.rain) * (1.0f / 160.0f));
}

/** Supply of sand at (x, y), without rivers and lakes.
 *
 *  field   the slow field of the supply there
 *  relief  TER_PROVINCE_RELIEF there
 *  height  m; of the ground
 */
TER_FN float ter_sand_supply(const ter_fluvial_job *job, int64_t x, int64_t y, float field, float relief, float height)
{
    const float over = height - job->f.sea;
    const float most = ter_clamp(1.6f * job->f.sand - 0.55f + field, 0.0f, 1.0f) *
                       (1.0f - ter_smooth_step((relief - 0.12f) * 2.5f)) *
                       ter_smooth_step((over - 4.0f) * (1.0f / 12.0f));
    return most > 0.0f ? most * ter_sand_dryness(job, x, y, over) : 0.0f;
}

/** Share of the sand that a piece of a valley leaves at a point. x, y: units from its start; height: m; of the ground
 */
TER_FN float ter_sand_beside(const ter_piece *p, float x, float y, float height)
{
    float along;
    const float square = ter_piece_distance(p, x, y, &along);
    const float widest = 480.0f + ter_max(p->floor, p->floor + p->dfloor) + 1.0f; /* no river has effect beyond */
    if (square > widest * widest && !TER_IS_LAKE(p->lake))
        return 1.0f;
    const float away = ter_sqrt(square);
    const float t = ter_min(ter_max(along, 0.0f), 1.0f), area = ter_fma(t, p->darea, p->area);
    const float side = ter_smooth_step((away - 40.0f - ter_fma(t, p->dfloor, p->floor)) * (1.0f / 440.0f));
    const float river = ter_smooth_step((area - 150.0f) * (1.0f / 450.0f)) * (1.0f - side);
    const float lake = TER_IS_LAKE(p->lake) ? (1.0f - ter_smooth_step((height - p->lake - 2.0f) * (1.0f / 6.0f))) *
                                                  (1.0f - ter_smooth_step((away - TER_CELL) * (2.0f / TER_CELL)))
                                            : 0.0f;
    return 1.0f - ter_max(river, lake);
}

/** Share of the sand that large rivers and lakes leave at a place of the network's plane. */
TER_FN float ter_sand_left(const ter_fluvial_job *job, int64_t px, int64_t py, float height)
{
    const float in_x = (float)(int)(px & 0xffff) * (1.0f / 256.0f), in_y = (float)(int)(py & 0xffff) * (1.0f / 256.0f);
    const int first = ter_window_index(job->piece_at, px >> TER_CELL_SHIFT, py >> TER_CELL_SHIFT);
    float left = 1.0f;
    for (int b = -TER_SAND_CELLS; b <= TER_SAND_CELLS; b++)
        for (int a = -TER_SAND_CELLS; a <= TER_SAND_CELLS; a++) {
            const int cell = first + b * job->piece_at.width + a;
            const ter_piece *p = job->piece + (size_t)cell * TER_PIECES;
            if (job->course[cell] == TER_COURSE_NONE)
                continue;
            for (int i = 0; i < TER_PIECES; i++, p++)
                if (p->area + p->darea > 150.0f || TER_IS_LAKE(p->lake))
                    left = ter_min(left, ter_sand_beside(p, in_x - (float)a * TER_CELL - p->x,
                                                         in_y - (float)b * TER_CELL - p->y, height));
        }
    return left;
}

/** Make knot (x, y) of octave m of the slow fields. */
TER_PASS_FN void ter_make_sand_knot(const ter_fluvial_job *job, int m, int x, int y)
{
    const ter_window at = job->sand.field_at[m];
    const ter_words words = ter_tagged_words(job->f.round_key, TER_TAG_SAND + m, at.x + x, at.y + y);
    float *out = job->sand.field[m] + ((size_t)y * (size_t)at.width + (size_t)x) * TER_FIELD_CHANNELS;
    for (int k = 0; k < TER_FIELD_CHANNELS; k++)
        out[k] = ter_symmetric(&words, k);
}

/** Make knot x of row y of a set of dunes. */
TER_PASS_FN void ter_make_dune_knot(const ter_fluvial_job *job, int set, int x, int y)
{
    const ter_dune_rows *rows = &job->sand.rows[set];
    const ter_words words = ter_tagged_words(job->f.round_key, TER_TAG_DUNE + set, rows->at.x + x, rows->at.y + y);
    float *out = rows->knot + ((size_t)y * (size_t)rows->at.width + (size_t)x) * 2;
    out[0] = ter_symmetric(&words, 0);
    out[1] = ter_symmetric(&words, 1);
}

/** The sand at a point of the ground.
 *
 *  x, y    lattice steps
 *  px, py  its place in the network's plane
 */
TER_FN ter_sand ter_sand_of(const ter_fluvial_job *job, const ter_ground *ground, int64_t x, int64_t y, int64_t px,
                            int64_t py)
{
    const ter_fluvial *f = &job->f;
    const ter_province_place place = ter_province_at(job->province_at, job->province, px, py);
    const ter_sand_fields fields = ter_sand_fields_at(&job->sand, TER_SAND_OCTAVES, x, y);
    const float supply = ter_sand_supply(job, x, y, fields.value[TER_SAND_SUPPLY],
                                         ter_province_value(&place, TER_PROVINCE_RELIEF), ground->height);
    const float deep = ter_max(16.0f - ter_max(ground->above, 0.0f), 0.0f); /* m; how far a valley may be filled */
    ter_sand s;
    s.shift = fields.value[TER_SAND_BEND];
    s.stretch = ter_length((float)f->wind_x * (1.0f / TER_DUNE_UNITS) + fields.bend_x,
                           (float)f->wind_y * (1.0f / TER_DUNE_UNITS) + fields.bend_y);
    s.supply = supply;
    s.left = supply > 0.0f ? ter_sand_left(job, px, py, ground->height) : 1.0f;
    s.sheet = 2.0f * ter_smooth_step(3.0f * s.supply) + s.supply * (deep * deep * (1.0f / 32.0f));
    s.turning = ter_clamp(0.45f + fields.value[TER_SAND_TURNING], 0.0f, 1.0f);
    return s;
}

/** Make the sand at point (x, y) of its lattice. */
TER_PASS_FN void ter_make_sand(const ter_fluvial_job *job, int n, int x, int y)
{
    (void)n;
    const ter_ground_plan *plan = ter_surface_ground(job);
    const ter_lattice *at = &job->sand.points;
    const int64_t i = at->at.x + x, j = at->at.y + y;
    const size_t k = (size_t)ter_window_index(plan->points.at, i, j);
    int64_t px, py;
    ter_ground_place(plan, i, j, k, &px, &py);
    job->sand.sand[(size_t)y * (size_t)at->at.width + (size_t)x] =
        ter_sand_of(job, plan->ground + k, i * at->step, j * at->step, px, py);
}

/** Place u of a point in the plane of dunes, in 1/64 m. x, y: lattice steps; shift: as in ter_sand */
TER_FN int64_t ter_dune_u(const ter_fluvial *f, int64_t x, int64_t y, float shift)
{
    return f->wind_x * x + f->wind_y * y + (int64_t)rintf(shift * (float)TER_DUNE_UNITS);
}

/** Place v of a point in the plane of dunes, in 1/64 m. x, y: lattice steps */
TER_FN int64_t ter_dune_v(const ter_fluvial *f, int64_t x, int64_t y)
{
    return f->wind_x * y - f->wind_y * x;
}

/** Make the height of the sand at point (x, y) of the first lattice of heights. */
TER_PASS_FN void ter_make_dunes(const ter_fluvial_job *job, int n, int x, int y)
{
    (void)n;
    enum { STEP = sizeof(ter_sand) / sizeof(float) };
    const ter_sand_plan *s = &job->sand;
    const ter_lattice *at = &s->at[0];
    const int64_t i = at->at.x + x, j = at->at.y + y;
    const ter_between t = ter_lattice_between(&s->points, i, j, at->step);
    const float *values = (const float *)s->sand;
    ter_sand sand;
    float height = 0.0f;
    sand.supply = ter_between_value(&t, values + 2, STEP);
    if (sand.supply > 0.0f) {
        sand.shift = ter_between_value(&t, values, STEP);
        sand.stretch = ter_between_value(&t, values + 1, STEP);
        sand.sheet = ter_between_value(&t, values + 3, STEP);
        sand.turning = ter_between_value(&t, values + 4, STEP);
        sand.left = ter_between_value(&t, values + 5, STEP);
        height = ter_sand_height(s->rows, &sand, ter_dune_u(&job->f, i * at->step, j * at->step, sand.shift),
                                 ter_dune_v(&job->f, i * at->step, j * at->step), job->f.wind_length);
    }
    s->height[0][(size_t)y * (size_t)at->at.width + (size_t)x] = height;
}

/** Make the height of the sand at point (x, y) of lattice n of heights from lattice n - 1. */
TER_PASS_FN void ter_halve_dunes(const ter_fluvial_job *job, int n, int x, int y)
{
    const ter_sand_plan *s = &job->sand;
    const ter_window at = s->at[n].at;
    s->height[n][(size_t)y * (size_t)at.width + (size_t)x] =
        ter_halved(s->at[n - 1].at, s->height[n - 1], 1, at.x + x, at.y + y);
}

/** Height of the sand at sample (x, y) of the job, metres. */
TER_FN float ter_sand_at(const ter_fluvial_job *job, int x, int y)
{
    const ter_sand_plan *s = &job->sand;
    const ter_lattice *last = &s->at[s->count - 1];
    const int64_t i = job->points.at.x + x, j = job->points.at.y + y;
    const float *height = s->height[s->count - 1];
    return last->step == job->points.step ? height[ter_window_index(last->at, i, j)]
                                          : ter_halved(last->at, height, 1, i, j);
}

/** Lay sand on a sample: update its layers. Water that lies no higher than the sand vanishes.
 *
 *  k      index of the sample in the layers
 *  thick  m; height of the sand over the ground; rounding errors below 0 count as 0
 */
TER_FN void ter_lay_sand(const ter_fluvial_output *out, size_t k, float thick)
{
    const float sand = ter_max(thick, 0.0f);
    float *height = out->layer[TER_LAYER_HEIGHT], *water = out->layer[TER_LAYER_WATER],
          *top = out->layer[TER_LAYER_TOP];
    if (height)
        height[k] += sand;
    if (top)
        top[k] += sand;
    if (out->layer[TER_LAYER_SAND])
        out->layer[TER_LAYER_SAND][k] = sand;
    if (water && !(water[k] > height[k]))
        water[k] = ter_not_a_number();
}

/** Lay sand on the sample of an overview at (x, y), lattice steps. Its height is the mean over the surroundings. */
TER_FN void ter_lay_mean_sand(const ter_fluvial_job *job, int64_t x, int64_t y, float layer[TER_LAND_LAYERS])
{
    const int count = TER_SAND_SHIFT + 1 - job->overview.lod;
    const ter_sand_fields fields =
        ter_sand_fields_at(&job->sand, count < TER_SAND_OCTAVES ? count : (int)TER_SAND_OCTAVES, x, y);
    const float supply = ter_sand_supply(job, x, y, fields.value[TER_SAND_SUPPLY],
                                         layer[TER_LAYER_RELIEF] * job->f.spacing, layer[TER_LAYER_HEIGHT]);
    const float mean = supply * (7.0f + supply * 35.0f);
    if (layer[TER_LAYER_WATER] > layer[TER_LAYER_HEIGHT])
        return;
    layer[TER_LAYER_HEIGHT] += mean;
    layer[TER_LAYER_TOP] += mean;
    layer[TER_LAYER_SAND] = mean;
}

#endif
