/* ground.h - what the flight knows of the ground under it and ahead: questions to the probe, answered a few frames later. */
#ifndef TERRANE_FLY_GROUND_H
#define TERRANE_FLY_GROUND_H

#include <stdbool.h>

#include "fly/camera.h"
#include "outcome.h"

enum { GROUND_AHEAD = 24, GROUND_HISTORY = 64 };

typedef struct ground {
    ter_probe *probe;
    const ter_world *world;
    double asked_altitude_m[GROUND_HISTORY]; /* of the camera, by frame */
    float ahead_m[GROUND_AHEAD]; /* newest answer: ground or sea, metres, at times ground_time(n) from when it was asked */
    uint64_t answered;           /* frame of the newest answer */
    int latency_frames, latency_max;
    double min_clearance_m;
} ground;

/** Time ahead of point n, seconds; 0 for n = 0. */
double ground_time(int n);

/** Start with the ground under a camera at rest, computed at once. */
outcome ground_create(ter_generator *generator, const ter_world *world, const camera *camera, ground *out);
void ground_destroy(ground *ground);

/** Ask for the ground under the camera and along its way, and take the newest answer. `lod` is what is drawn under the camera. */
outcome ground_update(ground *ground, const camera *camera, int lod, uint64_t frame);

/** Highest ground from now until `seconds` ahead, metres. */
double ground_highest(const ground *ground, double seconds);

#endif
