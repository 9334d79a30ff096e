/* crater_rays.h - chooses the young craters whose bright rays the shaders draw, and the heights of a world's lava. */
#ifndef TERRANE_PROGRAM_VIEWER_FLIGHT_CRATER_RAYS_H
#define TERRANE_PROGRAM_VIEWER_FLIGHT_CRATER_RAYS_H

#include "program/core/result.h"
#include "program/render/view.h"
#include "program/viewer/camera/camera.h"

/** The rays around a camera. */
typedef struct crater_rays {
    const ter_world *made_of;                     /* NULL: not chosen yet */
    double made_x, made_z, made_height, made_far; /* camera of the choice, lattice steps and metres */
    ter_crater_place chosen[CRATER_RAYS_MAX];
    float bright[CRATER_RAYS_MAX]; /* 0..1 */
    render_craters shown;          /* the chosen craters relative to the camera */
} crater_rays;

/** Begin without a choice. */
void crater_rays_begin(crater_rays *rays);

/** Choose craters, unless the camera has hardly moved since the last choice, and place them relative to the camera. The
 * least of the chosen craters are faint, so that rays do not appear at once. A world without craters has no rays.
 *
 *  height_m  of the camera over the ground
 *  far_m     distance to which the land is visible
 *  Errors    RESULT_FAILED
 */
result crater_rays_update(crater_rays *rays, const ter_world *world, const camera *camera, double height_m,
                          double far_m);

#endif
