/* search.h - the options and the results of a search for places. */
#ifndef TERRANE_PROGRAM_SCOUT_SEARCH_H
#define TERRANE_PROGRAM_SCOUT_SEARCH_H

#include <stdint.h>

#include "program/core/result.h"
#include "program/surface/look.h"
#include "terrane/terrane.h"

/** Options of a search. */
typedef struct scout_search {
    ter_generator *generator;
    const ter_world *world;
    const look *look;
    int64_t at[2]; /* centre, lattice coordinates */
    double radius_m;
    int count;    /* 1..SCOUT_COUNT_MAX */
    float sun[3]; /* direction: east, up, south */
    void (*show_progress)(const char *step, double share);
    int (*is_interrupted)(void);
} scout_search;

/** A view and its measurements. */
typedef struct scout_place {
    int64_t x, z; /* lattice coordinates */
    double altitude_m, heading_deg, pitch_deg;
    double score;
    double relief_m;                    /* difference between the highest and the lowest surface within 8 km */
    double sky, sea, lake, river, snow; /* shares of the picture, 0..1 */
    double mountain_deg;      /* elevation of the skyline, mean of the highest quarter of the picture's columns */
    int n_kinds, n_distances; /* kinds of ground and water, and distance bands, that the picture shows */
} scout_place;

#endif
