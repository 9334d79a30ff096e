/* climate_map.h - the climate of the land around a camera, for the colours of ground and plants. */
#ifndef TERRANE_PROGRAM_VIEWER_FLIGHT_CLIMATE_MAP_H
#define TERRANE_PROGRAM_VIEWER_FLIGHT_CLIMATE_MAP_H

#include "program/render/view.h"
#include "program/viewer/camera/landscape.h"

typedef struct climate_map {
    ter_generator *generator; /* own: the flight's generator may be making tiles on another thread */
    double season;            /* 0 and 1: midwinter; 0.5: midsummer */
    const ter_world *made_of[2];
    int lod;                         /* of the points */
    int64_t first[2];                /* north-west point, in steps of the lod */
    render_climate worlds[2], mixed; /* of the world and of the target of its morph; as it is shown */
} climate_map;

/** Create a map without points. Errors those of generators */
result climate_map_create(climate_map *map, double season);
void climate_map_destroy(climate_map *map);

/** Make the points around a camera, unless they are made already, and mix the climates of both worlds of a morph.
 *
 *  far_m   distance to which the land is visible
 *  Errors  RESULT_FAILED
 */
result climate_map_update(climate_map *map, const landscape *land, const camera *camera, double far_m);

#endif
