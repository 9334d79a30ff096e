/* earth_place.h - where the points of a world lie on the Earth, for programs of GIS. */
#ifndef TERRANE_PROGRAM_GUIDE_EARTH_PLACE_H
#define TERRANE_PROGRAM_GUIDE_EARTH_PLACE_H

#include "terrane/world.h"

/** Where the lattice lies on the Earth, if the user says so: the place of lattice point (0, 0). */
typedef struct earth_crs {
    int epsg;           /* number of a projected coordinate system; 0: none is given */
    double east, north; /* in units of the system */
    double metres;      /* of a unit */
} earth_crs;

/** The place of a point. */
typedef struct earth_place {
    double east, north; /* in units of the system */
    double metres;      /* of a unit */
    int epsg;           /* number of the coordinate system. 0: a local system in metres, east = x * spacing, north =
                           -z * spacing */
} earth_place;

/** Find the place of a point in the system that the user names, else in that of the world's guide, else in a local one.
 *
 *  x, z  lattice coordinates
 */
earth_place earth_place_of(const ter_params *world, const earth_crs *own, double x, double z);

#endif
