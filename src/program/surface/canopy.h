/* canopy.h - estimates the height of trees far ahead of a flight, where the viewer has not placed them yet.
 *
 * The estimate uses the rules that place trees, for flat and sheltered ground. */
#ifndef TERRANE_PROGRAM_SURFACE_CANOPY_H
#define TERRANE_PROGRAM_SURFACE_CANOPY_H

#include "program/surface/look.h"

/** A position on the ground: metres from the world's origin, and height over the sea. */
typedef struct canopy_site {
    double x_m, z_m, over_sea_m;
} canopy_site;

/** Height of the tallest trees over the ground where woods are likely; else 0. */
double canopy_height_m(const look *look, const canopy_site *place);

#endif
