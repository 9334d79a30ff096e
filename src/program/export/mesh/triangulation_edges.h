/* triangulation_edges.h - chooses the samples of a grid's edge that become vertices. The choice depends only on the
 * heights of this edge. */
#ifndef TERRANE_PROGRAM_EXPORT_MESH_TRIANGULATION_EDGES_H
#define TERRANE_PROGRAM_EXPORT_MESH_TRIANGULATION_EDGES_H

#include "program/core/result.h"
#include "program/export/mesh/height_grid.h"

/** Choose samples between the two corners of an edge so that the distance of all samples from the line through the
 * chosen samples is at most max_error_m.
 *
 *  side    0 north, 1 east, 2 south, 3 west
 *  places  becomes the places of the chosen samples, row * width + column, clockwise round the grid; the caller
 *          frees it
 *  Errors  RESULT_FAILED no memory
 */
result triangulation_edge(const height_grid *grid, int side, double max_error_m, uint32_t **places, uint32_t *count);

#endif
