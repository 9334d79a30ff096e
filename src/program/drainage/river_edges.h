/* river_edges.h - the edges of the drainage network around a rectangle, made in chunks on all processors. */
#ifndef TERRANE_PROGRAM_DRAINAGE_RIVER_EDGES_H
#define TERRANE_PROGRAM_DRAINAGE_RIVER_EDGES_H

#include <stddef.h>

#include "program/core/events.h"
#include "program/core/result.h"
#include "terrane/reaches.h"

/** Edges of a square of cells. */
typedef struct river_chunk {
    int64_t column, row; /* of the square, in squares */
    ter_river_edges *edges;
} river_chunk;

/** Edges of a world that drain at least some area. Set `world` and `min_area_m2`, and the other members to 0. */
typedef struct river_edges {
    const ter_world *world;
    double min_area_m2; /* as in ter_river_edges_options */
    river_chunk *chunks;
    size_t count, room;
} river_edges;

/** Add the edges, with points, that can lie in a rectangle of any level. Chunks that exist already are not made again.
 * Errors RESULT_FAILED no memory; RESULT_INTERRUPTED; those of the library */
result river_edges_add(river_edges *edges, const ter_rect *rect, const work_progress *progress);

void river_edges_free(river_edges *edges);

#endif
