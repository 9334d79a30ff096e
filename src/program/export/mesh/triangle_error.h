/* triangle_error.h - how far a grid's samples are from a triangle. */
#ifndef TERRANE_PROGRAM_EXPORT_MESH_TRIANGLE_ERROR_H
#define TERRANE_PROGRAM_EXPORT_MESH_TRIANGLE_ERROR_H

#include "program/export/mesh/height_grid.h"
#include "program/export/mesh/triangle_geometry.h"

/** The sample within a triangle that is farthest from its plane, vertically. The grid's edges have their own rule and
 * do not count.
 *
 *  corners  samples of the grid, counter-clockwise, or on one line
 *  place    receives row * width + column of that sample; unchanged where every sample lies in the plane
 *  Returns  how far it is, m; 0 for none
 */
double triangle_farthest(const height_grid *grid, const grid_point corners[3], uint32_t *place);

#endif
