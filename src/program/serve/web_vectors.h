/* web_vectors.h - rivers and lakes of a web map as vector tiles, in the folder `vectors` of a site. */
#ifndef TERRANE_PROGRAM_SERVE_WEB_VECTORS_H
#define TERRANE_PROGRAM_SERVE_WEB_VECTORS_H

#include "program/features/features.h"
#include "program/serve/web_site.h"

/** Vectors of a site. */
typedef struct web_vectors {
    features_job job; /* members world, generator, has, min_area_km2 and those of cancelling are given */
    vector_tiles tiles;
    char path[1024];
} web_vectors;

/** Set the place, the level of detail and the tiles of a job from its site, and the least area of rivers if it is 0:
 * that of a thousand samples, or that from which beds hold water if it is larger. Then check the job. `vectors` must
 * not move. Errors as vector_tiles_check and features_check_place */
result web_vectors_begin(const web_site *site, web_vectors *vectors);

/** Write the tiles. The folder appears when it is complete. With --resume an existing one is kept. Errors as
 * features_export */
result web_vectors_write(const web_site *site, web_vectors *vectors, const work_events *events);

#endif
