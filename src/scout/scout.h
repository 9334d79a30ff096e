/* scout.h - finds places worth flying to, by measure: what of mountains, rivers, lakes and sea a camera there has in view.
 *
 * First the land around is surveyed coarsely, and the most varied parts of it are chosen. In each, cameras over its shoulders look
 * all around; of each direction a small picture is made, of what is seen how far away, and the best one is kept. The same world has
 * the same places on every backend. */
#ifndef TERRANE_SCOUT_SCOUT_H
#define TERRANE_SCOUT_SCOUT_H

#include "picture/look.h"
#include "program/outcome.h"
#include "terrane.h"

enum { SCOUT_COUNT_MAX = 64 };

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
    double mountain_deg;      /* how high land stands over the horizon, mean of the highest quarter of the picture's width */
    int n_kinds, n_distances; /* of ground and water; bands of distance; that take part of the picture */
} scout_place;

/** Find up to search->count places, best first. *count: how many there are. Errors OUTCOME_FAILED; OUTCOME_INTERRUPTED */
outcome scout_find(const scout_search *search, scout_place *places, int *count);

#endif
