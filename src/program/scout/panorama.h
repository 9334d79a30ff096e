/* panorama.h - what a camera sees all around, as a small picture. */
#ifndef TERRANE_PROGRAM_SCOUT_PANORAMA_H
#define TERRANE_PROGRAM_SCOUT_PANORAMA_H

#include "program/scout/land.h"

enum {
    PANORAMA_COLUMNS = 64, /* directions, from north over east */
    PANORAMA_ROWS = 56,    /* evenly in the tangent of the angle over the horizontal, from PANORAMA_LOW on */
    PANORAMA_SKY = LAND_KINDS
};
static const double PANORAMA_LOW = -0.8, PANORAMA_ROW = 0.025;

typedef struct panorama {
    uint8_t kinds[PANORAMA_COLUMNS][PANORAMA_ROWS];     /* land_kind, or PANORAMA_SKY */
    uint8_t distances[PANORAMA_COLUMNS][PANORAMA_ROWS]; /* bands, see panorama_bands */
    double skyline[PANORAMA_COLUMNS];                   /* tangent of the highest land more than 2 km away */
} panorama;

/** Distances, metres, where bands end; the last one has no end. */
enum { PANORAMA_BANDS = 5 };
extern const double panorama_bands[PANORAMA_BANDS - 1];

/** A camera: lattice coordinates, altitude over the datum. */
typedef struct panorama_camera {
    double x, z, altitude_m;
} panorama_camera;

/** Look around: over `near` as far as it reaches, then over `far`. */
void panorama_make(const land *near, const land *far, const panorama_camera *camera, panorama *out);

/** Unit vector of a column: east, south. */
void panorama_direction(int column, double to[2]);

#endif
