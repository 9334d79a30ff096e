/* triangulation.h - few triangles for a grid of heights: no sample is farther from its triangle, vertically, than an
 * error.
 *
 * Which samples of the grid's four edges become vertices follows from the heights of that edge alone, so grids that
 * share an edge meet there without a gap, whoever makes them and whenever.
 */
#ifndef TERRANE_PROGRAM_EXPORT_MESH_TRIANGULATION_H
#define TERRANE_PROGRAM_EXPORT_MESH_TRIANGULATION_H

#include "program/core/events.h"
#include "program/core/result.h"
#include "program/export/mesh/height_grid.h"

/** Vertices and triangles. The vertices of the grid's edges are the first ones. */
typedef struct triangulation {
    uint32_t *places; /* of each vertex: row * width + column */
    uint32_t n_vertices;
    uint32_t *corners; /* three vertices a triangle, counter-clockwise with the north at the top */
    uint32_t n_triangles;
    uint32_t *border; /* the vertices of the edges, clockwise from the north-west corner */
    uint32_t n_border;
    uint32_t sides[5]; /* where the northern, eastern, southern and western side begin in it; n_border */
} triangulation;

/** Triangulate a grid; free the result in any case. The same grid gives the same triangles.
 *
 *  max_error_m  >= 0
 *  pulse        asked now and then; or NULL
 *  Errors       OUTCOME_FAILED no memory; OUTCOME_INTERRUPTED
 *  Source       inside: greedy insertion into a Delaunay triangulation, Garland, Heckbert 1995, "Fast polygonal
 * approximation of terrains and height fields", algorithm III; edges: Douglas, Peucker 1973, "Algorithms for the
 * reduction of the number of points required to represent a digitized line or its caricature"
 */
outcome triangulation_make(const height_grid *grid, double max_error_m, const export_pulse *pulse, triangulation *out);

void triangulation_free(triangulation *triangulation);

#endif
