/* land.h - makes a square of land in host memory: heights, water levels and the kind of each point. */
#ifndef TERRANE_PROGRAM_SCOUT_LAND_H
#define TERRANE_PROGRAM_SCOUT_LAND_H

#include <stdbool.h>

#include "program/core/work_pieces.h"
#include "program/scout/search.h"

/** Kind of a point of the land. */
typedef enum land_kind {
    LAND_PLANTS,
    LAND_ROCK,
    LAND_SOIL,
    LAND_SNOW,
    LAND_RIVER,
    LAND_LAKE,
    LAND_SEA,
    LAND_KINDS
} land_kind;

/** A square of side * side points (i + column, j + row), row-major, `step` lattice steps apart. The points belong to
 * a level. If `step` exceeds the distance between points of level 0, they are every stride-th point of level 0. */
typedef struct land {
    int level, side;
    int64_t stride; /* distance between points, in points of the level */
    int64_t i, j;   /* north-west point, in units of `step` from the world's origin */
    double step;    /* distance between points, lattice steps */
    double step_m;  /* the same in metres */
    double sea_m;
    float *ground;       /* height of the ground, m */
    float *surface;      /* height of the water where a point is wet, else of the ground, m */
    uint8_t *kinds;      /* land_kind */
    float *top, *share;  /* layers top (altitude of hilltops, m) and land (share of land); NULL without has_overview */
    float low_m, high_m; /* lowest and highest ground */
} land;

enum { LAND_PART = 1 << 18 }; /* greatest number of points made at once */

/** Options of land_make. */
typedef struct land_request {
    double at[2];      /* centre, lattice coordinates */
    double reach_m;    /* approximate distance from the centre to each side; the square is moved to stay in the world */
    double step_m;     /* approximate distance between points; rounded to 2^n lattice steps */
    const look *look;  /* for the rules by which plants, rock, soil and snow are told apart; NULL: only by height */
    bool has_overview; /* make `top` and `share`, if the world has them */
    work_pieces *pieces; /* chooses the sizes of parts, at most LAND_PART points, by the speed measured so far */
    const char *label;
    double from, to; /* range of the search's progress for this land, 0..1 */
} land_request;

/** Make a square of land; free it with land_free. Errors RESULT_FAILED; RESULT_INTERRUPTED */
result land_make(const scout_search *search, const land_request *request, land *out);
void land_free(land *land);

/** Index of the point nearest to (x, z), lattice coordinates; -1: outside the land. */
int64_t land_index(const land *land, double x, double z);

#endif
