/* landscape.h - the land of a flight: one world with its look, or a morph from it to a second world. */
#ifndef TERRANE_PROGRAM_VIEWER_CAMERA_LANDSCAPE_H
#define TERRANE_PROGRAM_VIEWER_CAMERA_LANDSCAPE_H

#include <stdbool.h>

#include "program/core/result.h"
#include "program/surface/look.h"
#include "program/viewer/camera/camera.h"

typedef struct landscape {
    ter_world *world, *next; /* next: target of the morph; NULL without a morph */
    look look, next_look;
    ter_blend blend;
    bool is_front;             /* the morph sweeps over the land as a front; false: it changes all land at once */
    bool is_returning;         /* the morph goes back to the world that it started from */
    double elapsed_s, seconds; /* elapsed time and length of the morph */
    double course[2];          /* direction of the front: east, south; a unit vector */
    double far_m;              /* distance to which the land is visible */
} landscape;

/** Begin with a world. The landscape takes ownership of it. */
void landscape_create(landscape *land, ter_world *world, const look *look);
void landscape_destroy(landscape *land);

/** Check whether a morph to a world of these parameters is possible. Errors RESULT_USAGE the spacing differs */
result landscape_admits(const landscape *land, const ter_params *params);

/** Start a morph to a world and a look. It takes `seconds` and happens everywhere at once, or as a front along the
 * camera's heading. Errors RESULT_USAGE wrong parameters, or the spacing differs */
result landscape_morph(landscape *land, const ter_params *params, const look *look, double seconds, bool is_front,
                       const camera *camera);

/** Reverse a morph: it goes back to the world that it started from, at the same speed. A second call reverses it again.
 */
void landscape_turn_back(landscape *land);

/** Advance a morph in time. far_m is the distance to which the land is visible. Returns true when the morph has reached
 * an end. The caller then calls landscape_arrive, or landscape_stay for a morph that returned. */
bool landscape_advance(landscape *land, double elapsed_s, double far_m);

/** Whether a morph reaches an end within some seconds. */
bool landscape_ends_within(const landscape *land, double seconds);

/** Whether a morph has reached an end and neither landscape_arrive nor landscape_stay was called yet. */
bool landscape_is_over(const landscape *land);

/** The blend of both worlds some seconds from now. */
ter_blend landscape_blend_in(const landscape *land, double seconds);

/** End a morph with the world that it started from. */
void landscape_stay(landscape *land);

/** End a morph with its target: `next` becomes `world`. */
void landscape_arrive(landscape *land);

/** Share 0..1 of the next world at the camera. */
double landscape_share(const landscape *land, const camera *camera);

/** Whether the world, or the target of its morph, has rivers and lakes. */
bool landscape_drains(const landscape *land);

/** Sea level and look for a share of the next world. */
double landscape_sea_m(const landscape *land, double share);
void landscape_look(const landscape *land, double share, look *out);

/** Bounds of all heights of both worlds. */
void landscape_bounds(const landscape *land, double *low_m, double *high_m);

#endif
