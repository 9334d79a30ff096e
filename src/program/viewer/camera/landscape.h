/* landscape.h - the land that is flown over: one world with its look, or one on its way to the next. */
#ifndef TERRANE_PROGRAM_VIEWER_CAMERA_LANDSCAPE_H
#define TERRANE_PROGRAM_VIEWER_CAMERA_LANDSCAPE_H

#include <stdbool.h>

#include "program/core/result.h"
#include "program/surface/look.h"
#include "program/viewer/camera/camera.h"

typedef struct landscape {
    ter_world *world, *next; /* next: NULL when nothing changes */
    look look, next_look;
    ter_blend blend;
    bool is_front;
    bool is_returning;         /* the morph goes back to the world that it came from */
    double elapsed_s, seconds; /* of the morph */
    double course[2];          /* of the front: east, south, unit */
    double far_m;              /* as far as the land is seen */
} landscape;

/** Begin in a world; takes it over. */
void landscape_create(landscape *land, ter_world *world, const look *look);
void landscape_destroy(landscape *land);

/** Whether it can become the world of some parameters. Errors  RESULT_USAGE another spacing */
result landscape_admits(const landscape *land, const ter_params *params);

/** Start to become the world of some parameters and a look, within `seconds`, everywhere at once or as a front along
 * the camera's heading. Errors  RESULT_USAGE the parameters, or another spacing */
result landscape_morph(landscape *land, const ter_params *params, const look *look, double seconds, bool is_front,
                       const camera *camera);

/** Let a morph go back to the world that it came from, as fast as it came; again: on to the next one. */
void landscape_turn_back(landscape *land);

/** Let time pass; far_m is as far as the land is seen. True when the morph has come to one of its ends: `next` can take
 * over, or, where it returns, be given up. */
bool landscape_advance(landscape *land, double elapsed_s, double far_m);

/** Whether a morph comes to its end within some seconds. */
bool landscape_ends_within(const landscape *land, double seconds);

/** Whether a morph has come to one of its ends, although nothing has followed from it yet. */
bool landscape_is_over(const landscape *land);

/** The blend some seconds from now. */
ter_blend landscape_blend_in(const landscape *land, double seconds);

/** End a morph in the world that it came from. */
void landscape_stay(landscape *land);

/** The next world takes over. */
void landscape_arrive(landscape *land);

/** Share 0..1 of the next world at the camera. */
double landscape_share(const landscape *land, const camera *camera);

/** Whether there are rivers and lakes: in the world, or in the next one. */
bool landscape_drains(const landscape *land);

/** Sea level and look at a share. */
double landscape_sea_m(const landscape *land, double share);
void landscape_look(const landscape *land, double share, look *out);

/** Bounds of any height of both worlds. */
void landscape_bounds(const landscape *land, double *low_m, double *high_m);

#endif
