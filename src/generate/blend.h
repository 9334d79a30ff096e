/* blend.h - how far one landscape has become another at a lattice point, and the height between them: the same bits on CPU and GPU.
 */
#ifndef TER_GENERATE_BLEND_H
#define TER_GENERATE_BLEND_H

#include "world/height.h"

/** Share 0..1 of the second landscape at a point dx, dz lattice steps from the blend's origin: a smooth step across the front. The
 * same for a point whatever tile or level it belongs to, so that edges stay closed. */
TER_FN float ter_blend_share(float dx, float dz, float along_x, float along_z, float begun)
{
    const float u = ter_saturate(ter_fma(dz, along_z, ter_fma(dx, along_x, begun)));
    return ter_fma(-2.0f, u, 3.0f) * (u * u);
}

/** Height between two; at shares 0 and 1 exactly theirs. */
TER_FN float ter_blend_height(float from, float to, float share)
{
    return share >= 1.0f ? to : ter_fma(share, to - from, from);
}

/** A tile to blend. */
typedef struct ter_blend_tile {
    int64_t dx, dz; /* north-west point from the blend's origin, lattice steps */
    int32_t shift;  /* points are 2^shift steps apart */
    uint32_t held;  /* slot of both landscapes' heights */
    uint32_t slot;  /* slot of the result */
} ter_blend_tile;

/** A blend of tiles as the backends see it: heights of `held` slots packed, width * height floats each. */
typedef struct ter_blend_work {
    const ter_blend_tile *tiles;
    size_t count;
    const float *from, *to;
    float *out;
    int width, height;
    size_t row_stride, slot_stride; /* of out */
    float along_x, along_z, begun;
} ter_blend_work;

#endif
