/* path.h - places over time: written by hand or recorded, flown along smoothly. */
#ifndef TERRANE_PROGRAM_VIEWER_CAMERA_PATH_H
#define TERRANE_PROGRAM_VIEWER_CAMERA_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "program/core/result.h"
#include "program/viewer/camera/camera.h"

/** A camera's place as a line says it. */
typedef struct path_point {
    double time_s;
    double x, z;                   /* lattice coordinates */
    double altitude_m;             /* over the datum */
    double heading_deg, pitch_deg; /* headings of a path go on beyond 360, so that turns are short */
} path_point;

typedef struct path {
    path_point *points;
    size_t count, capacity;
} path;

/** Read a file of lines "TIME X Z ALTITUDE HEADING PITCH" (seconds, lattice steps, metres over the datum, degrees); '#'
 * begins a comment. Errors  RESULT_USAGE with file and line */
result path_read(const char *file, path *out);
void path_free(path *path);

/** Append a point; false when out of memory. */
bool path_add(path *path, const path_point *point);

/** Write a file that path_read takes. Errors RESULT_FILE */
result path_write(const path *path, const char *file);

/** Place at a time: cubic Hermite with slopes from both neighbours (Catmull and Rom 1974, for uneven times); its ends
 * before and after. */
void path_at(const path *path, double time_s, path_point *out);

/** A camera's place as a point, and the other way. */
void path_point_of(const camera *camera, double time_s, path_point *out);
void path_point_place(const path_point *point, camera *camera);

/** "X,Z,ALTITUDE,HEADING,PITCH" as --view takes it. */
void path_describe_view(const camera *camera, char *text, size_t size);

/** Read such a view; what stands behind # is passed over, as terrane scout prints it. Errors RESULT_USAGE */
result path_parse_view(const char *text, path_point *out);

#endif
