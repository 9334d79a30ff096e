/* panorama.h - draws what a camera sees all around as a small picture of kinds of land and distances. */
#ifndef TERRANE_PROGRAM_SCOUT_PANORAMA_H
#define TERRANE_PROGRAM_SCOUT_PANORAMA_H

#include "program/scout/land.h"

enum {
    PANORAMA_COLUMNS = 64, /* directions, clockwise from north */
    PANORAMA_ROWS = 56,    /* equal steps of the tangent of the elevation, from PANORAMA_LOW upwards */
    PANORAMA_SKY = LAND_KINDS
};
static const double PANORAMA_LOW = -0.8, PANORAMA_ROW = 0.025; /* lowest tangent; step per row */

typedef struct panorama {
    uint8_t kinds[PANORAMA_COLUMNS][PANORAMA_ROWS];     /* land_kind, or PANORAMA_SKY */
    uint8_t distances[PANORAMA_COLUMNS][PANORAMA_ROWS]; /* distance bands, see panorama_bands */
    double skyline[PANORAMA_COLUMNS];                   /* highest tangent of land more than 2 km away */
} panorama;

/** Ends of the distance bands, metres. The last band has no end. */
enum { PANORAMA_BANDS = 5 };
extern const double panorama_bands[PANORAMA_BANDS - 1];

/** A camera: x and z in lattice coordinates, altitude over the datum. */
typedef struct panorama_camera {
    double x, z, altitude_m;
} panorama_camera;

/** Draw a panorama. Uses the fine land `near` as far as it reaches, then the coarse land `far`. */
void panorama_make(const land *near, const land *far, const panorama_camera *camera, panorama *out);

/** Direction of a column: unit vector (east, south). */
void panorama_direction(int column, double to[2]);

#endif
