/* triangulation_edges.h - which samples of a grid's edge become vertices: a rule of that edge's heights alone. */
#ifndef TERRANE_PROGRAM_EXPORT_MESH_TRIANGULATION_EDGES_H
#define TERRANE_PROGRAM_EXPORT_MESH_TRIANGULATION_EDGES_H

#include "program/core/result.h"
#include "program/export/mesh/height_grid.h"

/** The samples between the two corners of an edge that become vertices, so that no sample is farther from the line
 * through them.
 *
 *  side    0 north, 1 east, 2 south, 3 west
 *  places  receives them, clockwise round the grid, row * width + column each; the caller frees it
 *  Errors  OUTCOME_FAILED no memory
 */
outcome triangulation_edge(const height_grid *grid, int side, double max_error_m, uint32_t **places, uint32_t *count);

#endif
