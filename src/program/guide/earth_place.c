/* earth_place.c - computes places on the Earth from lattice coordinates. */
#include "program/guide/earth_place.h"

#include <math.h>

#include "program/guide/guide_request.h"

earth_place earth_place_of(const ter_params *world, const earth_crs *own, double x, double z)
{
    const double spacing = world->spacing, east_m = x * spacing, south_m = z * spacing;
    const guide_crs *crs = world->guide ? guide_crs_of(world->guide) : NULL;
    if (own->epsg > 0)
        return (earth_place){own->east + east_m / own->metres, own->north - south_m / own->metres, own->metres,
                             own->epsg};
    if (!crs)
        return (earth_place){east_m, -south_m, 1.0, 0};
    const ter_guide_options *o = ter_guide_options_used(world->guide);
    const double guide_x = rint(o->x / spacing) * spacing, guide_z = rint(o->z / spacing) * spacing;
    return (earth_place){crs->east + (east_m - guide_x) / crs->metres, crs->north - (south_m - guide_z) / crs->metres,
                         crs->metres, crs->epsg};
}
