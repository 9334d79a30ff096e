/* triangle_error.h - measures how far the samples of a grid are from a triangle. */
#ifndef TERRANE_PROGRAM_EXPORT_MESH_TRIANGLE_ERROR_H
#define TERRANE_PROGRAM_EXPORT_MESH_TRIANGLE_ERROR_H

#include "program/export/mesh/height_grid.h"
#include "program/export/mesh/triangle_geometry.h"

/** Find the sample in a triangle with the largest vertical distance from the triangle's plane. Samples on the grid's
 * four edges are left out; triangulation_edges.h chooses vertices there.
 *
 *  corners  samples of the grid, counter-clockwise; they may lie on one line
 *  place    becomes row * width + column of the sample; unchanged if all samples lie in the plane
 *  Returns  the distance, metres; 0 if all samples lie in the plane
 */
double triangle_farthest(const height_grid *grid, const grid_point corners[3], uint32_t *place);

#endif
