/* camera.h - position and movement of the camera. A position is a lattice cell and an offset in it, so precision is the
 * same at any distance from the origin. */
#ifndef TERRANE_PROGRAM_VIEWER_CAMERA_CAMERA_H
#define TERRANE_PROGRAM_VIEWER_CAMERA_CAMERA_H

#include <stdint.h>

#include "terrane/terrane.h"

/** Largest lattice coordinate of a camera. There even the widest tiles around the camera, which reach beyond the
 * horizon, lie in the world. */
#define CAMERA_COORDINATE_MAX (TER_COORDINATE_MAX - (INT64_C(1) << 31))

/* Limits of all views, whether by options, by a line that the key C copies, or by the points of a path. */
#define CAMERA_ALTITUDE_MAX_M 1e8
#define CAMERA_PITCH_MAX_DEG  90.0

typedef struct camera {
    int64_t cell_x, cell_z;    /* lattice cell */
    double offset_x, offset_z; /* within the cell, lattice steps, 0..1 */
    double altitude_m;         /* altitude over the datum */
    double heading_deg;        /* 0 north, 90 east */
    double pitch_deg;          /* -90..90, up is positive */
    double velocity[3];        /* m/s: east, up, south */
} camera;

/** Place the camera at lattice coordinates. */
void camera_place(camera *camera, int64_t x, int64_t z);

/** Move by metres east, up and south. The camera stops at the end of the world. */
void camera_move(camera *camera, const double metres[3], double spacing_m);

/** Lattice coordinates as doubles. */
double camera_x(const camera *camera);
double camera_z(const camera *camera);

/** Axes of the view: unit vectors with components east, up, south. */
void camera_axes(const camera *camera, float right[3], float up[3], float forward[3]);

/** Set the east and south components of a velocity for level flight along the heading, m/s. */
void camera_course(const camera *camera, double speed, double velocity[3]);

/** Turn by degrees; pitch stays within -90..90. */
void camera_turn(camera *camera, double heading_deg, double pitch_deg);

#endif
