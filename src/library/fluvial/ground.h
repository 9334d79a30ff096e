/* ground.h - the ground without gullies: the lowest of the sides of all channels, its crests rounded, its lakes dammed.
 *
 *        \   v of a  /  \          /       v: height of a channel's side
 *         \         /    \  v of b/        the ground is the least v; where two are close, a mean of both
 *     ~~~~~\-------/~~~~~~\      /         a lake stands where its own channel's v lies below its level;
 *           \_____/        \____/          where its shore would lie too low, the ground is raised to the level
 *              a              b
 */
#ifndef TERRANE_FLUVIAL_GROUND_H
#define TERRANE_FLUVIAL_GROUND_H

#include "library/fluvial/channel.h"
#include "library/fluvial/lattice.h"

#define TER_SIDE_NEAR 2.0f /* cells from the channel; beyond this distance a side is raised */
#define TER_SIDE_FAR  2.8f /* cells from the channel; beyond this distance there is no side */
#define TER_NO_SIDE   1e30f

#define TER_SHORE_WIDTH 80.0f /* units; width of the ring around a lake in which ter_ground.lake is set */
#define TER_DAM_FOOT    15.0f /* m; ter_shore_over at which a dam ends */

enum { TER_GROUND_CELLS = 6 }; /* a piece changes only points up to this many cells away from its node's cell */

/* ---- places ---- */

TER_FN int64_t ter_turned_x(int64_t x, int64_t y)
{
    return (59 * x - 25 * y) * 2;
}

TER_FN int64_t ter_turned_y(int64_t x, int64_t y)
{
    return (25 * x + 59 * y) * 2;
}

/** Number of floats in a knot of octave m of the warp: east and south; from octave TER_WARP_PATCHES on also patches,
 * and one float that is not used. */
TER_FN int ter_warp_channels(int m)
{
    return m < TER_WARP_PATCHES ? 2 : 4;
}

/** Place of a point of the world, from the warp there. */
TER_FN int64_t ter_place_x(int64_t x, int64_t y, const float *warp)
{
    return ter_turned_x(x, y) + (int64_t)rintf(warp[0] * 128.0f);
}

TER_FN int64_t ter_place_y(int64_t x, int64_t y, const float *warp)
{
    return ter_turned_y(x, y) + (int64_t)rintf(warp[1] * 128.0f);
}

/** Knot (x, y) of the warp's octave m. */
TER_PASS_FN void ter_make_warp_knot(const ter_fluvial_job *job, int m, int x, int y)
{
    const ter_window at = job->warp_at[m];
    const ter_words words = ter_tagged_words(job->f.round_key, TER_TAG_WARP + m, at.x + x, at.y + y);
    const int channels = ter_warp_channels(m);
    float *out = job->warp[m] + ((size_t)y * (size_t)at.width + (size_t)x) * (size_t)channels;
    for (int c = 0; c < channels; c++)
        out[c] = ter_symmetric(&words, c);
}

#define TER_WARP_MEAN  0.5f  /* of the random value for patches */
#define TER_WARP_PATCH 0.42f /* the greatest change of that value by one octave */

/** Factor of octave m of the warp, metres: how far it shifts points. */
TER_FN float ter_warp_reach(int m)
{
    return (m < 5 ? 0.15f : m < 9 ? 0.14f : 0.1f) * (float)(131072 >> m);
}

/** The first `count` octaves of the warp at a point of the world: TER_SHIFTS numbers. */
TER_FN void ter_warp_octaves(const ter_fluvial_job *job, int count, int64_t x, int64_t y, float out[TER_SHIFTS])
{
    out[0] = out[1] = 0.0f;
    out[2] = TER_WARP_MEAN;
    for (int m = 0; m < count; m++) {
        const float reach = ter_warp_reach(m);
        float s[4];
        ter_spline(job->warp_at[m], job->warp[m], TER_WARP_SHIFT - m, ter_warp_channels(m), x, y, s);
        out[0] = ter_fma(reach, s[0], out[0]);
        out[1] = ter_fma(reach, s[1], out[1]);
        if (m >= TER_WARP_PATCHES)
            out[2] = ter_fma(TER_WARP_PATCH, s[2], out[2]);
    }
}

/** The warp at a point of the world: TER_SHIFTS numbers. */
TER_FN void ter_warp_at(const ter_fluvial_job *job, int64_t x, int64_t y, float out[TER_SHIFTS])
{
    ter_warp_octaves(job, TER_WARP_OCTAVES, x, y, out);
}

/** The warp at point (x, y) of a ground's lattice. */
TER_PASS_FN void ter_make_warp(const ter_fluvial_job *job, int g, int x, int y)
{
    const ter_ground_plan *plan = &job->ground[g];
    const ter_lattice *at = &plan->points;
    ter_warp_at(job, (at->at.x + x) * at->step, (at->at.y + y) * at->step,
                plan->warp + ((size_t)y * (size_t)at->at.width + (size_t)x) * TER_SHIFTS);
}

/** Greatest random shift of a new point of lattice n > 0 of the samples' places, metres. */
TER_FN float ter_place_reach(int n)
{
    return n == 1 ? 2.4f : 0.6f;
}

TER_FN int ter_place_tag(int n, int c)
{
    return TER_TAG_PLACE + 2 * (n - 1) + c;
}

/** Random shift of point (x, y) of lattice n, metres; c: 0 east, 1 south. Points of the coarser lattice are not
 * shifted. The shift gives the banks of rivers their small bends. */
TER_FN float ter_place_shift(const ter_fluvial *f, int n, int c, int64_t x, int64_t y)
{
    if (!(x & 1) && !(y & 1))
        return 0.0f;
    const float byte = (float)ter_tagged_byte(f->round_key, ter_place_tag(n, c), x, y);
    return (byte - 127.5f) * (ter_place_reach(n) * (1.0f / 127.5f));
}

/** The warp at point (x, y) of lattice n > 0 of the samples' places, from the lattice before. */
TER_PASS_FN void ter_halve_places(const ter_fluvial_job *job, int n, int x, int y)
{
    const ter_place_plan *p = &job->places;
    const ter_window from = p->at[n - 1].at, to = p->at[n].at;
    const int step = n > 1 ? 2 : TER_SHIFTS;
    float *out = p->shift[n] + ((size_t)y * (size_t)to.width + (size_t)x) * 2;
    for (int c = 0; c < 2; c++)
        out[c] = ter_halved(from, p->shift[n - 1] + c, step, to.x + x, to.y + y) +
                 ter_place_shift(&job->f, n, c, to.x + x, to.y + y);
}

/* ---- sides of channels ---- */

/** The side of a piece at a point. */
typedef struct ter_side {
    float height; /* m, or TER_NO_SIDE */
    float z;      /* m; height of the channel at the place nearest to the point */
    float t;      /* share of the piece's length at which that place lies */
    float square; /* units2; squared distance to that place */
    float slope;  /* m per unit; of the side */
} ter_side;

/** Square of the distance from a point to a straight line, and the nearest place along the line.
 *
 *  along_x, along_y, inverse  of the line, as of a ter_piece
 *  x, y                       units from its start
 *  share                      receives that place, as a share of the line's length; not clamped
 */
TER_FN float ter_line_distance(float along_x, float along_y, float inverse, float x, float y, float *share)
{
    const float along = (x * along_x + y * along_y) * inverse, t = ter_min(ter_max(along, 0.0f), 1.0f);
    const float ax = ter_fma(-t, along_x, x), ay = ter_fma(-t, along_y, y);
    *share = along;
    return ter_fma(ax, ax, ay * ay);
}

TER_FN float ter_piece_distance(const ter_piece *p, float x, float y, float *share)
{
    return ter_line_distance(p->along_x, p->along_y, p->inverse, x, y, share);
}

/** The place on a piece that is nearest to a point, and the values of the side at that place. */
typedef struct ter_foot {
    float t, square, z, slope; /* as in ter_side */
    float floor, past; /* floor: units; half width of the valley's floor. past: m; rise beyond the piece's ends */
} ter_foot;

TER_FN ter_foot ter_foot_at(const ter_piece *p, float x, float y)
{
    ter_foot f;
    float along;
    f.square = ter_piece_distance(p, x, y, &along);
    f.t = ter_min(ter_max(along, 0.0f), 1.0f);
    f.past = along < 0.0f ? -along * p->before : (along - f.t) * p->after;
    f.z = ter_fma(f.t, p->dz, p->z);
    f.slope = ter_fma(f.t, p->dslope, p->slope);
    f.floor = ter_fma(f.t, p->dfloor, p->floor);
    return f;
}

/** Height of a side, metres. distance: units; from its channel; square: of the distance */
TER_FN float ter_side_height(const ter_foot *f, float distance, float square, float top, float above)
{
    const float up = f->slope * ter_valley_side(distance, f->floor);
    const float beyond = ter_max(0.0f, square * (1.0f / (TER_CELL * TER_CELL)) - TER_SIDE_NEAR * TER_SIDE_NEAR) *
                         (1.0f / (TER_SIDE_FAR * TER_SIDE_FAR - TER_SIDE_NEAR * TER_SIDE_NEAR));
    return f->z + ter_rise(f->z, up, top, above) + f->past + 8.0f * TER_CELL * beyond * beyond;
}

TER_FN ter_side ter_side_at(const ter_piece *p, float x, float y, float top, float above)
{
    const ter_foot f = ter_foot_at(p, x, y);
    ter_side s = {ter_side_height(&f, ter_sqrt(f.square), f.square, top, above), f.z, f.t, f.square, f.slope};
    if (s.square >= TER_SIDE_FAR * TER_SIDE_FAR * TER_CELL * TER_CELL)
        s.height = TER_NO_SIDE;
    return s;
}

/** How far a point lies outside of the ring around a piece's lake, in metres of the side's height; negative inside of
 * the ring and in the lake. The ring is TER_SHORE_WIDTH wide, however steep the side is: the point lies in the ring if
 * the side lies below the lake's level at the place TER_SHORE_WIDTH nearer to the channel. Along a steep channel this
 * would be wrong, and the slope of the side limits the ring.
 *
 *  height  of the side at the point
 *  x, y    units from the piece's start
 */
TER_FN float ter_shore_over(const ter_piece *p, float height, float slope, float x, float y, float top, float above)
{
    const ter_foot f = ter_foot_at(p, x, y);
    const float nearer = ter_max(ter_sqrt(f.square) - TER_SHORE_WIDTH, 0.0f);
    const float ring = ter_side_height(&f, nearer, nearer * nearer, top, above);
    return ter_min(ring, height - TER_SHORE_WIDTH * slope) - p->lake - 1.0f;
}

/** How far above the lowest side a crest is rounded, metres. */
TER_FN float ter_side_reach(const ter_side *s)
{
    return ter_min(0.36f * TER_CELL * s->slope, 0.7f * (s->height - s->z));
}

/** Sums at a point of the ground. The loop over the pieces runs twice: it finds the lowest side, then adds the others.
 */
typedef struct ter_ground_sum {
    float top, above;           /* plateau of the province: TER_PROVINCE_TOP, TER_PROVINCE_ABOVE */
    float low, z, square, area; /* of the lowest side */
    float level;                /* m; of the lake on the channel of the lowest side, or TER_NO_LAKE */
    float reach;                /* m; sides count up to this height above `low`; valid from ter_ground_between on */
    float drained;     /* m; height of the river in the valley, or TER_NO_SIDE; higher lakes do not fill the point */
    float sum, raised; /* of the rounded crest */
    float high;        /* m; height above the channel; valid from ter_ground_between on */
    float lake, inside,
        dam; /* m; level of the lake whose shore is near, level of the lake that fills the point, top of the dam */
} ter_ground_sum;

TER_FN void ter_ground_begin(const ter_province_place *place, ter_ground_sum *s)
{
    s->top = ter_province_value(place, TER_PROVINCE_TOP);
    s->above = ter_province_value(place, TER_PROVINCE_ABOVE);
    s->low = TER_NO_SIDE;
    s->z = s->square = s->area = s->level = 0.0f;
    s->reach = s->high = s->drained = TER_NO_SIDE;
    s->sum = s->raised = 0.0f;
    s->lake = s->inside = s->dam = TER_NO_LAKE;
}

/* Penalty of a side for every metre that it lies above the lowest side, in metres: of the reach, and of the height
 * above the channel. */
#define TER_BESIDE_REACH  2.0f
#define TER_BESIDE_HEIGHT 12.0f

/** First pass over the pieces. Reach and height above the channel are each the least value of all sides. A penalty on
 * higher sides makes both continuous where another side becomes the lowest. */
TER_FN void ter_ground_lowest(const ter_piece *p, const ter_side *side, ter_ground_sum *s)
{
    s->reach = ter_min(s->reach, ter_fma(TER_BESIDE_REACH, side->height, ter_side_reach(side)));
    s->high = ter_min(s->high, ter_fma(TER_BESIDE_HEIGHT, side->height, side->height - side->z));
    if (side->height < s->low) {
        s->low = side->height;
        s->z = side->z;
        s->square = side->square;
        s->area = ter_fma(side->t, p->darea, p->area);
        s->level = p->lake;
    }
}

TER_FN void ter_ground_between(ter_ground_sum *s)
{
    s->reach -= TER_BESIDE_REACH * s->low;
    s->high -= TER_BESIDE_HEIGHT * s->low;
    s->drained = s->area > TER_RIVER_AREA && !TER_IS_LAKE(s->level) ? s->z : TER_NO_SIDE;
    if (s->low < s->level &&
        s->drained >= s->level) /* the lake of the lowest side fills the point; ter_ground_add finds the same */
        s->lake = s->inside = s->level;
}

/** Whether the point lies in a lake whose level is `level` or higher. Then the shore and the dam of a lake with this
 * level change nothing at the point. */
TER_FN int ter_is_filled(const ter_ground_sum *s, float level)
{
    return s->lake >= level && s->inside >= level;
}

/** Second pass over the pieces: crests are rounded, lakes are filled and dammed. x, y: units from the piece's start */
TER_FN void ter_ground_add(const ter_piece *p, const ter_side *side, float x, float y, ter_ground_sum *s)
{
    const float over = side->height - s->low;
    const float reach = ter_min(s->reach, ter_side_reach(side));
    if (over < reach) {
        float q = 1.0f - over / reach;
        q *= q;
        s->sum += q;
        s->raised += q * over;
    }
    if (TER_IS_LAKE(p->lake)) {
        const float over_shore = ter_shore_over(p, side->height, side->slope, x, y, s->top, s->above);
        if (over_shore < 0.0f)
            s->lake = ter_max(s->lake, p->lake);
        if (side->height < p->lake && s->drained >= p->lake)
            s->inside = ter_max(s->inside, p->lake);
        else if (over_shore < TER_DAM_FOOT)
            s->dam = ter_max(s->dam, ter_min(p->lake, p->lake - 2.0f * over_shore));
    }
}

/** Limit the roughness on steep ground, because gullies and displacements grow with the slope, too: without the limit
 * they make needles there. strength: factor of the amplitude of gullies */
TER_FN float ter_limited_roughness(float rough, float strength)
{
    return ter_min(rough, 1.4f / ter_max(strength, 0.01f));
}

/** Roughness of the ground. It varies in patches, is low in valleys, and has a limit on steep ground.
 *
 *  patch     random value of the warp
 *  above     height above the channel, as a share of the height of a crest
 *  strength  factor of the amplitude of gullies
 */
TER_FN float ter_roughness(float patch, float above, float strength)
{
    const float u = ter_clamp(patch, 0.0f, 1.0f), square = u * u;
    const float rough = ter_fma(6.0f, square * square, 0.3f) * (0.3f + 0.7f * ter_smooth_step(above * (1.0f / 0.15f)));
    return ter_limited_roughness(rough, strength);
}

/** Compute the ground at a point from its sums. patch: third number of the warp at the point */
TER_FN void ter_ground_finish(const ter_fluvial *f, const ter_province_place *place, float patch,
                              const ter_ground_sum *s, ter_ground *out)
{
    const float crest = s->sum > 0.0f ? s->low + s->raised / s->sum : s->low;
    const float height = s->dam > s->inside ? ter_max(crest, s->dam) : crest;
    const float slope = ter_province_value(place, TER_PROVINCE_SLOPE) * (1.0f / TER_UNIT),
                ice = ter_province_value(place, TER_PROVINCE_ICE);
    const float flat_top = (1.0f - s->above) * (1.0f / 0.93f);
    out->height = height;
    out->lake = s->lake;
    out->above = ter_min(s->high + (height - s->low), height - s->lake);
    out->strength = ter_min(1.6f * slope, 1.2f) *
                    (1.0f - flat_top * ter_smooth_step((height - s->top + 40.0f) * (1.0f / 80.0f))) *
                    (0.1f + 0.9f * ter_smooth_step((height - f->sea + 30.0f) * (1.0f / 60.0f))) *
                    ter_smooth_step(slope * (1.0f / 0.06f));
    out->alpine = ter_province_value(place, TER_PROVINCE_ALPINE);
    out->reach = 1.0f / (2.0f * (1.0f + 1.5f * ice) * ter_max(out->strength, 0.01f));
    out->raise = 0.75f * (1.0f - 0.8f * flat_top);
    const float crest_above =
        0.8f * ter_max(slope, 0.005f) * (TER_CELL * TER_UNIT); /* m; height of a crest above its channel */
    out->fade = ter_clamp(2.0f * out->above / crest_above - 1.0f, -0.1f, 1.0f);
    out->distance = TER_UNIT * ter_sqrt(s->square);
    out->area = s->area * TER_AREA;
    out->rough = ter_roughness(patch, ter_max(out->above, 0.0f) / crest_above, out->strength);
}

/** Place of a point of a ground's lattice, index k. */
TER_FN void ter_ground_place(const ter_ground_plan *plan, int64_t x, int64_t y, size_t k, int64_t *place_x,
                             int64_t *place_y)
{
    const int64_t px = x * plan->points.step, py = y * plan->points.step;
    *place_x = ter_place_x(px, py, plan->warp + k * TER_SHIFTS);
    *place_y = ter_place_y(px, py, plan->warp + k * TER_SHIFTS);
}

/** Add the sides of all channels around a place to its sums, in the order of their nodes, row by row. */
TER_FN void ter_sum_sides(const ter_fluvial_job *job, int64_t px, int64_t py, ter_ground_sum *sum)
{
    const int64_t cell_x = px >> TER_CELL_SHIFT, cell_y = py >> TER_CELL_SHIFT;
    const float in_x = (float)(int)(px & 0xffff) * (1.0f / 256.0f), in_y = (float)(int)(py & 0xffff) * (1.0f / 256.0f);
    const int first = ter_window_index(job->piece_at, cell_x, cell_y);
    for (int pass = 0; pass < 2; pass++) {
        for (int b = -TER_GROUND_CELLS; b <= TER_GROUND_CELLS; b++)
            for (int a = -TER_GROUND_CELLS; a <= TER_GROUND_CELLS; a++) {
                const int cell = first + b * job->piece_at.width + a;
                for (int i = 0; job->course[cell] != TER_COURSE_NONE && i < TER_PIECES; i++) {
                    const ter_piece *p = job->piece + (size_t)cell * TER_PIECES + i;
                    const float x0 = in_x - (float)a * TER_CELL - p->x, y0 = in_y - (float)b * TER_CELL - p->y;
                    const ter_side side = ter_side_at(p, x0, y0, sum->top, sum->above);
                    if (side.height >= TER_NO_SIDE)
                        continue;
                    if (pass == 0)
                        ter_ground_lowest(p, &side, sum);
                    else
                        ter_ground_add(p, &side, x0, y0, sum);
                }
            }
        if (pass == 0)
            ter_ground_between(sum);
    }
}

/** Compute the ground at a point of the world. x, y: m; warp: the warp at this point */
TER_FN void ter_ground_of(const ter_fluvial_job *job, int64_t x, int64_t y, const float warp[TER_SHIFTS],
                          ter_ground *out)
{
    const int64_t px = ter_place_x(x, y, warp), py = ter_place_y(x, y, warp);
    const ter_province_place place = ter_province_at(job->province_at, job->province, px, py);
    ter_ground_sum sum;
    ter_ground_begin(&place, &sum);
    ter_sum_sides(job, px, py, &sum);
    ter_ground_finish(&job->f, &place, warp[2], &sum, out);
}

/** Ground at point (x, y) of a ground's lattice. */
TER_PASS_FN void ter_make_ground(const ter_fluvial_job *job, int g, int x, int y)
{
    const ter_ground_plan *plan = &job->ground[g];
    const ter_lattice *at = &plan->points;
    const size_t k = (size_t)y * (size_t)at->at.width + (size_t)x;
    ter_ground_of(job, (at->at.x + x) * at->step, (at->at.y + y) * at->step, plan->warp + k * TER_SHIFTS,
                  &plan->ground[k]);
}

#endif
