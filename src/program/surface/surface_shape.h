/* surface_shape.h - derives layers from the shape of the ground: slope, normal, curvature. */
#ifndef TERRANE_PROGRAM_SURFACE_SURFACE_SHAPE_H
#define TERRANE_PROGRAM_SURFACE_SURFACE_SHAPE_H

#include "program/surface/layer_window.h"

/** Derivatives of the height to the east and to the south at sample `column` of a window. Needs an apron of 1.
 *
 *  Source  the eight neighbours, weighted: Horn 1981, "Hill shading and the reflectance map"
 */
void surface_slopes(const layer_window *window, int64_t column, double *east, double *south);

/** Angle to the horizontal plane, degrees; by surface_slopes. */
void derive_slope(const layer_window *window, void *row);

/** Unit normal, by surface_slopes, as red, green and blue: -1..1 maps to 0 .. the greatest value of a channel. */
void derive_normal(const layer_window *window, void *row);

/** Minus the sum of the second derivatives to the east and to the south, 1/m.
 *
 *  Source  -2 (D + E) of the quadratic surface through a sample and its neighbours: Zevenbergen, Thorne 1987,
 *          "Quantitative analysis of land surface topography"; GIS programs multiply the result by 100
 */
void derive_curvature(const layer_window *window, void *row);

#endif
