/* spline_curve.h - tangents of a line, so that a cubic curve through its points turns smoothly and never rises where
 * the points fall. */
#ifndef TERRANE_PROGRAM_FEATURES_SPLINE_CURVE_H
#define TERRANE_PROGRAM_FEATURES_SPLINE_CURVE_H

#include <stddef.h>

/** Find the tangents at the points of a line: the changes of x, y and altitude over a step from one point to the next.
 *
 *  points    3 numbers each: x, y, altitude
 *  tangents  as many numbers
 *  Source    x and y, half of the way from the point before to the point after: Catmull and Rom 1974; altitudes:
 *            Fritsch and Carlson 1980, "Monotone piecewise cubic interpolation"
 */
void spline_tangents(const double *points, size_t count, double *tangents);

#endif
