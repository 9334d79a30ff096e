/* The drainage network: a forest on a jittered quadtree, 64 km to 256 m. */
#ifndef FLUVIAL_NETWORK_H
#define FLUVIAL_NETWORK_H

#include "field.h"
#include <stddef.h>

enum { LAST = 8, CELL_SHIFT = 16, SINK = 8 }; /* last level; a last cell is 2^16 place units wide */

typedef struct {
    int64_t x, y;
    int w, h;
} window; /* cells */

typedef struct {
    float fx, fy;               /* place in the cell, multiples of 2^-16 */
    float z, area, floor, lake; /* ground, drainage area m2, half width of the floor m, lake level or NO_LAKE */
    int8_t to;                  /* 0..7 E SE S SW W NW N NE, SINK */
    uint8_t channel;
} node;

#define NO_LAKE (-1e9f)

/* One straight piece of a channel, metres relative to the north-west corner of its node's cell. */
typedef struct {
    float x, y, vx, vy, inv; /* start, extent, 1 / length^2 */
    float z, dz, s, ds, b, db;
    float before, after; /* rise per piece length beyond the start, beyond the end: no piece lies over the channel above it */
    float area, darea;
    float lake;
} piece;

enum { PIECES = 3 };

/* height of a valley side at distance d over the slope */
static const float SIDE0 = 0.65f, SIDE1 = 0.4f, LIFT = 0.02f, BED = 10.0f;
static inline float valley_side(float d, float floor)
{
    float far = maxf(d - 150.0f, 0); /* no channel reaches far under a higher one */
    return profile(d, floor + BED) * fmaf(SIDE1, minf(d * (1.0f / 256.0f), 1.0f), SIDE0) + LIFT * d + far * far * (1.0f / 96.0f);
}

typedef struct {
    uint64_t seed;
    window nodes_at, pieces_at;
    node *nodes;
    piece *pieces;   /* PIECES a cell of pieces_at */
    window knots_at; /* province knots, pitch 2048 m */
    float *knots;
    uint8_t *have;
    uint64_t made[LAST + 1]; /* nodes made per level, for the count of operations */
} network;

/* Everything the cells of `need` (last level, pieces) depend on. */
network *network_make(uint64_t seed, window need);
void network_free(network *n);
/* provinces between the knots */
void network_province(network *n, place x, place y, float *pv);

#endif
