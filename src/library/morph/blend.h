/* blend.h - shares of two landscapes at a lattice point during a morph, and the blended height: the same bits on CPU
 * and GPU.
 */
#ifndef TERRANE_MORPH_BLEND_H
#define TERRANE_MORPH_BLEND_H

#include "library/core/layer_arrays.h"
#include "library/core/scalar.h"
#include "library/fractal/height.h"

/** Progress of a morph at a point dx, dz lattice steps from the blend's origin. A front moves over the land: 0 before
 * the front, where the first landscape is; 1 behind it, where the second is. If along_x and along_z are 0, there is no
 * front, and the progress is `begun` everywhere. Even with rounding the progress is monotonic in each direction, so its
 * least and greatest values over a rectangle are at corners. */
TER_FN float ter_blend_front(float dx, float dz, float along_x, float along_z, float begun)
{
    return ter_saturate(ter_fma(dz, along_z, ter_fma(dx, along_x, begun)));
}

/** Share 0..1 of the second landscape at a point, with the arguments of ter_blend_front: a smooth step across the
 * front. A point has the same share in all tiles and levels, so there are no gaps at edges of tiles. */
TER_FN float ter_blend_share(float dx, float dz, float along_x, float along_z, float begun)
{
    const float u = ter_blend_front(dx, dz, along_x, along_z, begun);
    return ter_fma(-2.0f, u, 3.0f) * (u * u);
}

/** Blend two heights. At shares 0 and 1 the result is exactly one of them. */
TER_FN float ter_blend_height(float from, float to, float share)
{
    return share >= 1.0f ? to : share <= 0.0f ? from : ter_fma(share, to - from, from);
}

/** Ground and water of a landscape at a point, and the level of its sea. */
typedef struct ter_wet_point {
    float ground, water; /* water: not a number where it is dry */
    float sea;
} ter_wet_point;

/** Depth of a river or lake; 0 where it is dry, and in the sea. */
TER_FN float ter_river_depth(ter_wet_point p)
{
    return p.water > p.ground && p.water > p.sea ? p.water - p.ground : 0.0f;
}

/** Blend the levels of rivers and lakes. The blended depth is added to the blended ground, so that no water appears at
 * a point that is dry in both landscapes. The sea has a single level and is not blended here. At shares 0 and 1 the
 * result is exactly the water of one landscape, its sea included. */
TER_FN float ter_blend_water(ter_wet_point from, ter_wet_point to, float share)
{
    const float before = ter_river_depth(from), after = ter_river_depth(to),
                depth = ter_fma(share, after - before, before);
    if (share <= 0.0f)
        return from.water;
    if (share >= 1.0f)
        return to.water;
    return depth > 0.0f ? ter_blend_height(from.ground, to.ground, share) + depth : ter_not_a_number();
}

/** Points of the finest level of detail in a lattice step. Places in a blend are counted in such parts of a step. */
enum { TER_BLEND_PARTS = 1 << TER_FINE_LODS };

/** Lattice steps in a number of parts. */
TER_FN float ter_blend_steps(int64_t parts)
{
    return (float)parts * (1.0f / TER_BLEND_PARTS);
}

/** A tile to blend. */
typedef struct ter_blend_tile {
    int64_t dx, dz; /* north-west point from the blend's origin, parts of a lattice step */
    int32_t shift;  /* points are 2^shift parts of a step apart */
    uint32_t held;  /* slot of both landscapes' heights */
    uint32_t slot;  /* slot of the result */
} ter_blend_tile;

/** A blend of tiles, in the form that backends take. Heights of the slots are packed, width * height floats each. */
typedef struct ter_blend_work {
    const ter_blend_tile *tiles;
    size_t count;
    const float *from, *to;
    const float *from_water, *to_water; /* NULL: that landscape is dry */
    float *out;
    float *out_water; /* NULL: only heights are blended */
    int width, height;
    size_t row_stride, slot_stride; /* of both outputs */
    float along_x, along_z, begun;
    float from_sea, to_sea;
} ter_blend_work;

/** Tiles to copy into a morph: each from its slot of `layout` to tile held[n] of an array without gaps. */
typedef struct ter_copy_work {
    const float *from;
    float *to;
    const ter_tile_layout *layout; /* of from */
    const uint32_t *held;
    size_t count;
} ter_copy_work;

#endif
