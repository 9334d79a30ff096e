/* place.h - computes the height at a place between lattice points: bilinearly between the points of one level, with the
 * same formula on CPU and GPU. */
#ifndef TERRANE_PROBE_PLACE_H
#define TERRANE_PROBE_PLACE_H

#include "library/fractal/crater.h"
#include "library/morph/blend.h"

/** A place as a level's lattice cell and the fractions within it. */
typedef struct ter_cell {
    int level;
    int64_t i, j;
    float fraction_i, fraction_j; /* 0..1 */
} ter_cell;

/** A place, and the share of the next coarser level's surface there. */
typedef struct ter_place {
    ter_cell cell;
    float coarser;
} ter_place;

/** The transition of a morph, see ter_blend. Without a morph all members except levels are 0. */
typedef struct ter_place_blend {
    int64_t x, z;
    float along_x, along_z, begun;
    int level_shift; /* level of the second world minus the level of the first world with the same spacing */
    int levels;      /* of the first world */
} ter_place_blend;

/** Find the cell of a point's level that contains the point. Only for the CPU, because it needs double precision. */
static inline ter_cell ter_cell_of(const ter_probe_point *point, int levels)
{
    const double scale = ldexp(1.0, point->level - levels);
    const double x = point->x * scale, z = point->z * scale;
    ter_cell cell = {.level = point->level, .i = (int64_t)floor(x), .j = (int64_t)floor(z)};
    cell.fraction_i = (float)(x - (double)cell.i);
    cell.fraction_j = (float)(z - (double)cell.j);
    return cell;
}

static inline ter_place ter_place_of(const ter_probe_point *point, int levels)
{
    return (ter_place){.cell = ter_cell_of(point, levels), .coarser = point->coarser};
}

/** Cell of the next coarser level that a cell lies in. */
TER_FN ter_cell ter_cell_coarser(const ter_cell *c)
{
    ter_cell coarser;
    coarser.level = c->level - 1;
    coarser.i = c->i >> 1;
    coarser.j = c->j >> 1;
    coarser.fraction_i = 0.5f * (c->fraction_i + (float)(c->i & 1));
    coarser.fraction_j = 0.5f * (c->fraction_j + (float)(c->j & 1));
    return coarser;
}

/** Share of the second landscape at corner n (0..3: north-west, north-east, south-west, south-east) of a cell. */
TER_FN float ter_cell_share(const ter_place_blend *b, const ter_cell *c, int n)
{
    const int64_t step = (int64_t)1 << (b->levels + TER_FINE_LODS - c->level);
    const int64_t dx = (c->i + (n & 1)) * step - b->x * TER_BLEND_PARTS,
                  dz = (c->j + (n >> 1)) * step - b->z * TER_BLEND_PARTS;
    return ter_blend_share(ter_blend_steps(dx), ter_blend_steps(dz), b->along_x, b->along_z, b->begun);
}

/** Height at corner n of a cell of a world; `shift` is added to the level. */
TER_FN float ter_cell_corner(const ter_field *f, const ter_cell *c, int shift, int n)
{
    return ter_height_at(f, c->level + shift, c->i + (n & 1), c->j + (n >> 1));
}

/** Bilinear height from the four corners. */
TER_FN float ter_cell_height(const ter_cell *c, float nw, float ne, float sw, float se)
{
    const float north = ter_fma(c->fraction_i, ne - nw, nw);
    const float south = ter_fma(c->fraction_i, se - sw, sw);
    return ter_fma(c->fraction_j, south - north, north);
}

/** Height at a place that mixes two levels. fine, coarse: heights of the cell's level and of the next coarser level. */
TER_FN float ter_place_height(const ter_place *p, float fine, float coarse)
{
    return ter_fma(p->coarser, coarse - fine, fine);
}

#endif
