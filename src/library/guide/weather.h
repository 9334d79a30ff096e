/* weather.h - the guide's temperature and precipitation at points of the world. */
#ifndef TERRANE_GUIDE_WEATHER_H
#define TERRANE_GUIDE_WEATHER_H

#include "library/guide/making.h"

/** Points at which the guide's climate is known, as far as its rim; width 0 if it has neither temperature nor
 * precipitation. `first` is not set. */
ter_guide_points guide_weather_points(const guide_making *m);

/** Set the climate of these points. out: one a point */
void guide_make_weather(const guide_making *m, const ter_guide_points *points, ter_guide_weather *out);

#endif
