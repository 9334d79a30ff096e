/* land.h - a square of land in host memory: heights, and levels of the water over them. */
#ifndef TERRANE_PROGRAM_SCOUT_LAND_H
#define TERRANE_PROGRAM_SCOUT_LAND_H

#include "program/core/work_pieces.h"
#include "program/scout/search.h"

/** What is seen of a place. */
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

/** Points (i + column, j + row), `side` in each direction, `step` lattice steps apart: those of a level, or, farther
 * apart than the points of level 0, some of these. */
typedef struct land {
    int level, side;
    int64_t stride; /* points of the level from point to point */
    int64_t i, j;
    double step; /* lattice steps from point to point */
    double step_m;
    double sea_m;
    float *ground;  /* m */
    float *surface; /* m: of the water where there is some */
    uint8_t *kinds; /* land_kind */
    float low_m, high_m;
} land;

enum { LAND_PART = 1 << 18 }; /* points that are made at once, at most */

/** What a land is made for. */
typedef struct land_request {
    double at[2];     /* its middle, lattice coordinates */
    double reach_m;   /* about so far to each side; cut where the world ends */
    double step_m;    /* from point to point, about: 2^n lattice steps */
    const look *look; /* what grows there is told by the ground's description; NULL: by height alone */
    pieces *pieces;   /* of at most LAND_PART points: what it has learned of the speed stays from land to land */
    const char *label;
    double from, to; /* of the search's progress that it takes */
} land_request;

/** Make a square of land. Errors OUTCOME_FAILED; OUTCOME_INTERRUPTED */
outcome land_make(const scout_search *search, const land_request *request, land *out);
void land_free(land *land);

/** Index of the point nearest to a place, lattice coordinates; -1 outside. */
int64_t land_index(const land *land, double x, double z);

#endif
