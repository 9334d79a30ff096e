/* triangulation.h - approximates a grid of heights by few triangles: the vertical distance of each sample from its
 * triangle is at most a given error.
 *
 * The vertices on each of the grid's four edges depend only on the heights of that edge. Two grids that share an edge
 * therefore meet without a gap, although they are triangulated separately.
 */
#ifndef TERRANE_PROGRAM_EXPORT_MESH_TRIANGULATION_H
#define TERRANE_PROGRAM_EXPORT_MESH_TRIANGULATION_H

#include "program/core/events.h"
#include "program/core/result.h"
#include "program/export/mesh/height_grid.h"

/** Vertices and triangles. Vertices on the grid's edges come first. */
typedef struct triangulation {
    uint32_t *places; /* row * width + column of each vertex */
    uint32_t n_vertices;
    uint32_t *corners; /* three vertices of each triangle, counter-clockwise with the north at the top */
    uint32_t n_triangles;
    uint32_t *border; /* the vertices on the grid's edges, clockwise from the north-west corner */
    uint32_t n_border;
    uint32_t sides[5]; /* indices in `border` at which the northern, eastern, southern and western side begin; then
                          n_border */
} triangulation;

/** Triangulate a grid. Free the result in any case. The result is deterministic.
 *
 *  max_error_m  largest vertical distance, metres, >= 0
 *  progress     called every few tenths of a second; may be NULL
 *  Errors       RESULT_FAILED no memory; RESULT_INTERRUPTED
 *  Source       inside: greedy insertion into a Delaunay triangulation, algorithm III of Garland, Heckbert 1995,
 *               "Fast polygonal approximation of terrains and height fields"; edges: Douglas, Peucker 1973,
 *               "Algorithms for the reduction of the number of points required to represent a digitized line or its
 *               caricature"
 */
result triangulation_make(const height_grid *grid, double max_error_m, const work_progress *progress,
                          triangulation *out);

void triangulation_free(triangulation *triangulation);

#endif
