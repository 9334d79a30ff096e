/* least_river.c - compares an area with that of the smallest channels with beds. */
#include "program/core/least_river.h"

#include "terrane/reaches.h"

result least_river_check(const ter_params *params, double area_km2, const char *name)
{
    const double least = TER_EDGE_AREA_MIN * params->spacing * params->spacing * 1e-6;
    if (area_km2 == 0.0 || area_km2 >= least)
        return result_done();
    return result_of(RESULT_USAGE, "%s is %g km2, expected at least %g: smaller channels have no bed", name, area_km2,
                     least);
}
