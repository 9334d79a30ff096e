/* place.h - height at a fractional place, the same formula on CPU and GPU: bilinear between the points of one level. */
#ifndef TER_GENERATE_PLACE_H
#define TER_GENERATE_PLACE_H

#include "world/height.h"

/** A place as a level's lattice cell and the fractions within it. */
typedef struct ter_place {
    int level;
    int64_t i, j;
    float fraction_i, fraction_j; /* 0..1 */
} ter_place;

/** Split lattice coordinates; double precision, on the CPU. */
static inline ter_place ter_place_of(const ter_probe_point *point, int levels)
{
    const double scale = 1.0 / (double)(INT64_C(1) << (levels - point->level));
    const double x = point->x * scale, z = point->z * scale;
    ter_place place = {.level = point->level, .i = (int64_t)floor(x), .j = (int64_t)floor(z)};
    place.fraction_i = (float)(x - (double)place.i);
    place.fraction_j = (float)(z - (double)place.j);
    return place;
}

/** Corner n (0..3: north-west, north-east, south-west, south-east) of a place's cell. */
TER_FN float ter_place_corner(const ter_field *f, const ter_place *p, int n)
{
    return ter_height_at(f, p->level, p->i + (n & 1), p->j + (n >> 1));
}

/** Bilinear height from the four corners. */
TER_FN float ter_place_height(const ter_place *p, float nw, float ne, float sw, float se)
{
    const float north = ter_fma(p->fraction_i, ne - nw, nw);
    const float south = ter_fma(p->fraction_i, se - sw, sw);
    return ter_fma(p->fraction_j, south - north, north);
}

#endif
