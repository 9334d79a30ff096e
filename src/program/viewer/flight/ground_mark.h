/* ground_mark.h - finds the ground in view as a rectangle of samples, and makes the command that exports it. */
#ifndef TERRANE_PROGRAM_VIEWER_FLIGHT_GROUND_MARK_H
#define TERRANE_PROGRAM_VIEWER_FLIGHT_GROUND_MARK_H

#include "program/render/renderer.h"
#include "program/viewer/camera/camera.h"

enum { GROUND_MARK_SIDE_MAX = 4096 }; /* greatest side, samples; a larger rectangle gets a coarser lod */

typedef struct ground_mark {
    int64_t x, z;          /* lattice coordinates of the north-west sample */
    int64_t width, height; /* samples; 0: nothing is marked */
    int lod;
} ground_mark;

/** Find the rectangle around the ground in the last frame. The farthest tenth of the pixels that show ground is left
 * out, because it may reach to the horizon. Errors RESULT_FAILED no ground in view, or out of memory */
result ground_mark_find(renderer *renderer, const camera *camera, const ter_params *params, ground_mark *out);

/** Edges of the rectangle: west, north, east, south, metres from the camera. */
void ground_mark_place(const ground_mark *mark, const camera *camera, double spacing_m, double edges_m[4]);

/** Make the command, with the options whose values differ from those of the default world. */
void ground_mark_command(const ground_mark *mark, const ter_params *params, char *text, size_t size);

#endif
