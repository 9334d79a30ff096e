/* least_river.h - checks the area from which a user wants rivers. */
#ifndef TERRANE_PROGRAM_CORE_LEAST_RIVER_H
#define TERRANE_PROGRAM_CORE_LEAST_RIVER_H

#include "program/core/result.h"

/** Check that rivers of a least area have beds.
 *
 *  area_km2  0: the usual area, which is always right
 *  name      what the user calls the area, for the sentence
 *  Errors    RESULT_USAGE
 */
result least_river_check(const ter_params *params, double area_km2, const char *name);

#endif
