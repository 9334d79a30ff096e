/* fine.h - samples of levels of detail below 0, which lie 50 to 6.25 cm apart.
 *
 * They are made from points 1 m apart, to which all rules for such points have been applied. Each level of detail takes
 * the points of the level before it, and puts new points between them: predicted by the four-point rule, and displaced
 * by random numbers whose reach follows the microrelief. Ripples of sand are added to the samples, not to the points
 * from which the next level of detail is made. The other layers are interpolated between the points 1 m
 * apart.
 */
#ifndef TERRANE_FLUVIAL_FINE_H
#define TERRANE_FLUVIAL_FINE_H

#include "library/fluvial/microrelief.h"
#include "library/fluvial/ripple.h"

/** Windows that samples of a level of detail below 0 depend on. */
typedef struct ter_fine_plan {
    int depth;                        /* 1 .. TER_FINE_LODS: the level of detail is -depth */
    ter_window at[TER_FINE_LODS + 1]; /* at[0]: points 1 m apart; at[n]: points of level of detail -n */
    ter_window micro;                 /* points TER_MATERIAL_STEP apart whose microrelief is needed */
    ter_window land;                  /* points TER_MATERIAL_STEP apart whose layers this microrelief needs */
} ter_fine_plan;

/** Plan the windows of samples. */
TER_FN ter_fine_plan ter_plan_fine(int depth, ter_window samples)
{
    enum { SHIFT = TER_MATERIAL_LOD };
    ter_fine_plan p;
    p.depth = depth;
    p.at[depth] = samples;
    for (int n = depth; n > 0; n--) {
        const ter_lattice points = {p.at[n], 1}; /* the window of the parents does not depend on the spacing */
        p.at[n - 1] = ter_lattice_parents(points).at;
    }
    const ter_window base = p.at[0];
    p.micro = ter_window_between(base.x >> SHIFT, base.y >> SHIFT, ((base.x + base.width - 1) >> SHIFT) + 1,
                                 ((base.y + base.height - 1) >> SHIFT) + 1);
    p.land = ter_window_grown(p.micro, 1);
    return p;
}

/** The points from which samples of a level of detail are made: the samples themselves, or points 1 m apart. */
TER_FN ter_lattice ter_sample_points(int lod, ter_window samples)
{
    const ter_lattice points = {lod < 0 ? ter_plan_fine(-lod, samples).at[0] : samples, lod < 0 ? 1 : 1 << lod};
    return points;
}

/** Whether only heights are requested. */
TER_FN int ter_is_height_alone(const ter_fluvial_output *out)
{
    for (int layer = 0; layer < TER_LAND_LAYERS; layer++)
        if (out->layer[layer] && layer != TER_LAYER_HEIGHT)
            return 0;
    return 1;
}

/** Layers of points of TER_MATERIAL_STEP that the microrelief needs. */
TER_FN int ter_micro_needs(const ter_fluvial *f, int layer)
{
    if (layer == TER_LAYER_GLACIER)
        return f->glaciers > 0.0f;
    if (layer == TER_LAYER_SAND)
        return f->sand > 0.0f;
    if (layer == TER_LAYER_WATER)
        return f->drought > 0.0f;
    return layer == TER_LAYER_HEIGHT || layer == TER_LAYER_FLOW || layer == TER_LAYER_SHORE ||
           layer == TER_LAYER_DRYNESS;
}

/** Layers of points 1 m apart that are needed for the layers that `out` has. Land and top follow from the height. */
TER_FN int ter_base_needs(const ter_fluvial *f, const ter_fluvial_output *out, int layer)
{
    if (f->drought > 0.0f && (layer == TER_LAYER_WATER || layer == TER_LAYER_FLOW))
        return 1;
    return layer == TER_LAYER_HEIGHT || (out->layer[layer] && layer != TER_LAYER_LAND && layer != TER_LAYER_TOP);
}

/** Number n of the microrelief of the square metre whose north-west corner is point (x, y): linear between the points
 * of TER_MATERIAL_STEP.
 *
 *  micro  microrelief of the points of window `at`
 */
TER_FN float ter_micro_value(ter_window at, const ter_microrelief *micro, int n, int64_t x, int64_t y)
{
    enum { SHIFT = TER_MATERIAL_LOD, COUNT = sizeof(ter_microrelief) / sizeof(float) };
    const float a = (float)(int)(x & (TER_MATERIAL_STEP - 1)) * (1.0f / TER_MATERIAL_STEP),
                b = (float)(int)(y & (TER_MATERIAL_STEP - 1)) * (1.0f / TER_MATERIAL_STEP);
    const float *nw = (const float *)(micro + ter_window_index(at, x >> SHIFT, y >> SHIFT)) + n;
    const float *sw = nw + (size_t)at.width * COUNT;
    const float north = ter_fma(a, nw[COUNT] - nw[0], nw[0]), south = ter_fma(a, sw[COUNT] - sw[0], sw[0]);
    return ter_fma(b, south - north, north);
}

/** All numbers of the microrelief of that square metre; see ter_micro_value. */
TER_FN ter_microrelief ter_micro_between(ter_window at, const ter_microrelief *micro, int64_t x, int64_t y)
{
    ter_microrelief m = {{0.0f, 0.0f, 0.0f, 0.0f}, 0.0f, 0.0f};
    float *out = (float *)&m;
    TER_UNROLL
    for (int n = 0; n < (int)(sizeof m / sizeof *out); n++)
        out[n] = ter_micro_value(at, micro, n, x, y);
    return m;
}

/** Displacement of a new point, as a share of its reach: a random number from a skewed distribution. from_middle: the
 * point's random byte minus 127.5 */
TER_FN float ter_skewed(float from_middle, float skew)
{
    const float t = from_middle * (1.0f / 127.5f);
    return ter_fma(skew, ter_fma(t, t, -1.0f / 3.0f), t);
}

/** The random byte of point (x, y) of level of detail -n. */
TER_FN float ter_fine_byte(const ter_fluvial *f, int n, int64_t x, int64_t y)
{
    return (float)ter_tagged_byte(f->round_key, TER_TAG_MICRO + n - 1, x, y);
}

/** Height of point (x, y) of level of detail -n.
 *
 *  at, coarse  heights of level of detail 1 - n
 *  m           microrelief of the square metre in which the point lies
 */
TER_FN float ter_fine_height(const ter_fluvial *f, int n, ter_window at, const float *coarse, int64_t x, int64_t y,
                             const ter_microrelief *m)
{
    const float height = ter_halved(at, coarse, 1, x, y);
    if (!(x & 1) && !(y & 1))
        return height;
    return ter_fma(ter_skewed(ter_fine_byte(f, n, x, y) - 127.5f, m->skew), m->reach[n - 1], height);
}

/** Height of sample (x, y) of level of detail -n with ripples of sand. height: m; without them; the other arguments are
 * those of ter_micro_value */
TER_FN float ter_rippled(const ter_fluvial *f, int n, ter_window at, const ter_microrelief *micro, int64_t x, int64_t y,
                         float height)
{
    const float crest = ter_micro_value(at, micro, TER_MICRO_RIPPLE, x >> n, y >> n);
    return crest > 0.0f ? ter_fma(crest, ter_ripple_at(f, n, x, y), height) : height;
}

/** A place in a square metre: indices of the corners, and the shares of the way from west to east and from north to
 * south. A corner whose weight is 0 has the index of the corner beside it. */
typedef struct ter_square {
    size_t corner[4]; /* north-west, north-east, south-west, south-east */
    float a, b;
} ter_square;

TER_FN ter_square ter_square_of(const ter_fine_plan *p, size_t stride, int64_t x, int64_t y)
{
    const int64_t mask = ((int64_t)1 << p->depth) - 1;
    const float scale = 1.0f / (float)(1 << p->depth);
    const ter_window at = p->at[0];
    ter_square s;
    s.a = (float)(int)(x & mask) * scale;
    s.b = (float)(int)(y & mask) * scale;
    const size_t right = s.a > 0.0f ? 1 : 0, down = s.b > 0.0f ? stride : 0;
    s.corner[0] = (size_t)((y >> p->depth) - at.y) * stride + (size_t)((x >> p->depth) - at.x);
    s.corner[1] = s.corner[0] + right;
    s.corner[2] = s.corner[0] + down;
    s.corner[3] = s.corner[2] + right;
    return s;
}

/** Interpolate linearly between the numbers of the four corners. */
TER_FN float ter_square_value(const ter_square *s, float nw, float ne, float sw, float se)
{
    const float north = ter_fma(s->a, ne - nw, nw), south = ter_fma(s->a, se - sw, sw);
    return ter_fma(s->b, south - north, north);
}

/** Level of the water at a place, or not a number where it is dry.
 *
 * A dry corner takes the level of a wet corner, if possible of one beside it. If every dry corner lies above the level
 * that it took, water fills the square up to the interpolated level. If a dry corner lies below, as beyond the bank of
 * a river, only places whose nearest corner is wet can be wet.
 *
 *  height, water  layers of the points 1 m apart
 *  ground         m; height of the place
 */
TER_FN float ter_fine_water(const ter_square *s, const float *height, const float *water, float ground)
{
    float level[4];
    int wet = 0;
    for (int n = 0; n < 4; n++) {
        level[n] = water[s->corner[n]];
        wet |= (level[n] > height[s->corner[n]]) << n;
    }
    if (wet == 0)
        return ter_not_a_number();
    float filled[4];
    int is_open = 0; /* whether a dry corner lies below the level beside it */
    for (int n = 0; n < 4; n++) {
        const int along = n ^ 1, across = n ^ 2,
                  from = wet >> n & 1        ? n
                         : wet >> along & 1  ? along
                         : wet >> across & 1 ? across
                                             : n ^ 3;
        filled[n] = level[from];
        is_open |= !(wet >> n & 1) && height[s->corner[n]] < filled[n];
    }
    const int nearest = (s->a > 0.5f) | (s->b > 0.5f) << 1;
    const float surface = ter_square_value(s, filled[0], filled[1], filled[2], filled[3]);
    return surface > ground && (!is_open || wet >> nearest & 1) ? surface : ter_not_a_number();
}

/** Store the layers of sample (x, y) of the plan, whose height is known.
 *
 *  base  layers of the points 1 m apart: those of ter_base_needs
 */
TER_FN void ter_finish_fine(const ter_fluvial *f, const ter_fine_plan *p, const ter_fluvial_output *base, int64_t x,
                            int64_t y, float height, const ter_fluvial_output *out)
{
    const ter_window at = p->at[p->depth];
    const ter_square s = ter_square_of(p, base->stride, x, y);
    const size_t k = (size_t)(y - at.y) * out->stride + (size_t)(x - at.x);
    for (int layer = 0; layer < TER_LAND_LAYERS; layer++) {
        const float *from = base->layer[layer];
        if (!out->layer[layer])
            continue;
        out->layer[layer][k] =
            layer == TER_LAYER_HEIGHT || layer == TER_LAYER_TOP ? height
            : layer == TER_LAYER_LAND                           ? (height < f->sea ? 0.0f : 1.0f)
            : layer == TER_LAYER_WATER
                ? ter_fine_water(&s, base->layer[TER_LAYER_HEIGHT], from, height)
                : ter_square_value(&s, from[s.corner[0]], from[s.corner[1]], from[s.corner[2]], from[s.corner[3]]);
    }
}

#endif
