/* weather.h - computes the guide's temperature and precipitation at points of the world. */
#ifndef TERRANE_GUIDE_WEATHER_H
#define TERRANE_GUIDE_WEATHER_H

#include "library/guide/making.h"

/** Choose the points at which the guide's climate is computed, up to the end of its rim. The window has width 0 if the
 * guide has neither temperature nor precipitation. `first` is not set. */
ter_guide_points guide_weather_points(const guide_making *m);

/** Set the climate of these points. out: one for each point */
void guide_make_weather(const guide_making *m, const ter_guide_points *points, ter_guide_weather *out);

#endif
