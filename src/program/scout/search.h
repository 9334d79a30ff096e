/* search.h - what a search for places is asked for, and what it finds. */
#ifndef TERRANE_PROGRAM_SCOUT_SEARCH_H
#define TERRANE_PROGRAM_SCOUT_SEARCH_H

#include <stdint.h>

#include "program/core/result.h"
#include "program/surface/look.h"
#include "terrane/terrane.h"

/** What is searched, and how it speaks to who asked. */
typedef struct scout_search {
    ter_generator *generator;
    const ter_world *world;
    const look *look;
    int64_t at[2]; /* lattice coordinates of the middle */
    double radius_m;
    int count;    /* 1..SCOUT_COUNT_MAX */
    float sun[3]; /* direction, east, up, south */
    void (*show_progress)(const char *of, double share);
    int (*is_interrupted)(void);
} scout_search;

/** A view and what was measured in it; shares are of the picture. */
typedef struct scout_place {
    int64_t x, z; /* lattice coordinates */
    double altitude_m, heading_deg, pitch_deg;
    double score;
    double relief_m; /* highest less lowest ground within 8 km */
    double sky, sea, lake, river, snow;
    double mountain_deg; /* how high land stands over the horizon, mean of the highest quarter of the picture's width */
    int n_kinds, n_distances; /* of ground and water; bands of distance; that take part of the picture */
} scout_place;

#endif
