/* climate_map.h - the climate of the land around a camera, for the colours of ground and plants. */
#ifndef TERRANE_PROGRAM_VIEWER_FLIGHT_CLIMATE_MAP_H
#define TERRANE_PROGRAM_VIEWER_FLIGHT_CLIMATE_MAP_H

#include "program/render/view.h"
#include "program/viewer/camera/landscape.h"

/** The climate of a world at the points of a level of detail around a camera. */
typedef struct climate_points {
    const ter_world *made_of; /* NULL: not made yet */
    int lod;
    int64_t first[2];                                 /* north-west point, in steps of the lod */
    float at[CLIMATE_MAP_SIDE * CLIMATE_MAP_SIDE][4]; /* as in render_climate */
} climate_points;

typedef struct climate_map {
    ter_generator *generator; /* own: the flight's generator may be making tiles on another thread */
    double season;            /* 0 and 1: midwinter; 0.5: midsummer */
    /* of the world and of the target of its morph: points of a level of detail, and of the next coarser one */
    climate_points points[2][2];
    render_climate mixed; /* as it is shown */
} climate_map;

/** Create a map without points. Errors those of generators */
result climate_map_create(climate_map *map, double season);
void climate_map_destroy(climate_map *map);

/** Make the points around a camera, unless they are made already, and mix the climates of both worlds of a morph. The
 * points reach as far as the land is visible. As this distance grows, the climate changes evenly to that of the next
 * coarser points.
 *
 *  far_m   distance to which the land is visible
 *  Errors  RESULT_FAILED
 */
result climate_map_update(climate_map *map, const landscape *land, const camera *camera, double far_m);

#endif
