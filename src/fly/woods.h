/* woods.h - the trees that a flight has to clear: candidates of the same grid, with the same random numbers, as the trees that
 * shaders/scatter.comp places. Whether one stands is judged as if the land were flat and wet: there may be fewer, never more. */
#ifndef TERRANE_FLY_WOODS_H
#define TERRANE_FLY_WOODS_H

#include <stdbool.h>

#include "picture/look.h"

/** A place on the ground: metres from the world's origin, and over the sea. */
typedef struct woods_place {
    double x_m, z_m, over_sea_m;
} woods_place;

/** Height over the ground of the highest tree whose crown may come within margin_m of a place; 0: none. */
double woods_tree_m(const look *look, bool has_rivers, const woods_place *place, double margin_m);

/** Height over the ground to fly at over a place far ahead: of high trees where there are woods; 0 where there are none. */
double woods_canopy_m(const look *look, bool has_rivers, const woods_place *place);

#endif
