/* path.h - a path of the camera: positions over time, written by hand or recorded, with smooth interpolation. */
#ifndef TERRANE_PROGRAM_VIEWER_CAMERA_PATH_H
#define TERRANE_PROGRAM_VIEWER_CAMERA_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "program/core/result.h"
#include "program/viewer/camera/camera.h"

/** A position and direction of the camera, as in a line of a path file. */
typedef struct path_point {
    double time_s;
    double x, z;                   /* lattice coordinates */
    double altitude_m;             /* altitude over the datum */
    double heading_deg, pitch_deg; /* headings of a path may exceed 360, so that each turn takes the shorter way */
} path_point;

typedef struct path {
    path_point *points;
    size_t count, room;
} path;

/** Read a file of lines "TIME X Z ALTITUDE HEADING PITCH" (seconds, lattice steps, metres over the datum, degrees). '#'
 * begins a comment. Errors RESULT_USAGE with file and line; RESULT_FILE the file cannot be read further; RESULT_FAILED
 * out of memory */
result path_read(const char *file, path *out);
void path_free(path *path);

/** Append a point. Returns false when out of memory. */
bool path_add(path *path, const path_point *point);

/** Write a file for path_read. Errors RESULT_FILE */
result path_write(const path *path, const char *file);

/** Interpolate the point at a time: cubic Hermite with slopes from both neighbours (Catmull and Rom 1974, for uneven
 * times). A time before the first point gives the first point, a time after the last point the last one. */
void path_at(const path *path, double time_s, path_point *out);

/** Make a point from a camera, and place a camera at a point. */
void path_point_of(const camera *camera, double time_s, path_point *out);
void path_point_place(const path_point *point, camera *camera);

/** Write the camera's view as "X,Z,ALTITUDE,HEADING,PITCH", the value of --view. */
void path_describe_view(const camera *camera, char *text, size_t size);

/** Parse the value of --view. Text after # is ignored; `terrane scout` prints such text. Errors RESULT_USAGE */
result path_parse_view(const char *text, path_point *out);

#endif
