/* land.h - a square of land in host memory: heights, and levels of the water over them. */
#ifndef TERRANE_SCOUT_LAND_H
#define TERRANE_SCOUT_LAND_H

#include "scout/search.h"

/** What is seen of a place. */
typedef enum land_kind { LAND_PLANTS, LAND_ROCK, LAND_SOIL, LAND_SNOW, LAND_RIVER, LAND_LAKE, LAND_SEA, LAND_KINDS } land_kind;

/** Points (i + column, j + row) of a level, `side` in each direction. */
typedef struct land {
    int level, side;
    int64_t i, j;
    double step; /* lattice steps from point to point */
    double step_m;
    double sea_m;
    float *ground;  /* m */
    float *surface; /* m: of the water where there is some */
    uint8_t *kinds; /* land_kind */
    float low_m, high_m;
} land;

/** Level whose points lie about step_m apart, not coarser than the world's coarsest. */
int land_level(const ter_world *world, double step_m);

/** Make the square of about 2 * reach_m around a place, lattice coordinates; cut where the world ends. `look`: what grows there is
 * told by the ground's description, else by height alone. Errors OUTCOME_FAILED; OUTCOME_INTERRUPTED */
outcome land_make(const scout_search *search, const double at[2], int level, double reach_m, const look *look, land *out);
void land_free(land *land);

/** Index of the point nearest to a place, lattice coordinates; -1 outside. */
int64_t land_index(const land *land, double x, double z);

#endif
