/* point.h - one sample of a fluvial world, made by the definition. */
#ifndef TERRANE_FLUVIAL_POINT_H
#define TERRANE_FLUVIAL_POINT_H

#include "library/fluvial/province.h"

/** Make all layers of one sample: every step from the root of the network down, for every element that the sample
 * depends on.
 *
 *  lod      level of detail, -TER_FINE_LODS..TER_LEVELS_MAX
 *  x, y     the sample, in steps of the level of detail
 *  out      TER_LAND_LAYERS numbers
 *  Returns  0 if there is not enough memory
 */
int ter_fluvial_point(const ter_fluvial *f, int lod, int64_t x, int64_t y, float *out);

#endif
