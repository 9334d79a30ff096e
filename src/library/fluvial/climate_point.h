/* climate_point.h - computes numbers that a world's climate needs, and the climate of one sample directly by the
 * definition. */
#ifndef TERRANE_FLUVIAL_CLIMATE_POINT_H
#define TERRANE_FLUVIAL_CLIMATE_POINT_H

#include "library/fluvial/province.h"

/** ter_fluvial.belts of a world. belts: km from an equator to a pole */
int32_t ter_climate_belts(double belts);

/** ter_fluvial.home_bend of a world. `belts` and `round_key` of `f` must be set. */
float ter_climate_home_bend(const ter_fluvial *f);

/** Make the layers of the climate at one sample, from all knots that the sample depends on.
 *
 *  lod      level of detail, -TER_FINE_LODS..TER_LEVELS_MAX
 *  x, y     the sample, in steps of the level of detail
 *  height   m; of the sample
 *  out      one number for each layer from TER_LAYER_TEMPERATURE on
 *  Returns  0 if there is not enough memory
 */
int ter_climate_point(const ter_fluvial *f, int lod, int64_t x, int64_t y, float height, float *out);

#endif
