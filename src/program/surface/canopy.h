/* canopy.h - how high trees stand far ahead of a flight, before they are placed: by the rules that place them, as if
 * the land were flat. */
#ifndef TERRANE_PROGRAM_SURFACE_CANOPY_H
#define TERRANE_PROGRAM_SURFACE_CANOPY_H

#include "program/surface/look.h"

/** A place on the ground: metres from the world's origin, and over the sea. */
typedef struct woods_place {
    double x_m, z_m, over_sea_m;
} woods_place;

/** Height over the ground of the highest trees where there may be woods; 0 where there are none. */
double woods_canopy_m(const look *look, const woods_place *place);

#endif
