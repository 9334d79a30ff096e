/* terrain_probe.h - what the flight knows of the ground under it and ahead: questions to the probe, answered a few
 * frames later. */
#ifndef TERRANE_PROGRAM_VIEWER_CAMERA_TERRAIN_PROBE_H
#define TERRANE_PROGRAM_VIEWER_CAMERA_TERRAIN_PROBE_H

#include <stdbool.h>

#include "program/core/result.h"
#include "program/render/forest.h"
#include "program/viewer/camera/landscape.h"
#include "program/viewer/camera/probe_thread.h"

enum {
    GROUND_AHEAD = TER_PROBE_POINTS_MAX,
    GROUND_NEAR = 40, /* points evenly over the next few frames; the others reach far ahead */
    GROUND_HISTORY = 64
};

typedef struct ground_question {
    bool is_asked;
    uint64_t frame;
} ground_question;

typedef struct ground {
    ter_generator *generator; /* of its own: the flight's may be making tiles on another thread */
    asker *asker;             /* has the probes and their generator to itself until it has settled */
    ter_probe *probe, *later; /* `later` sees a morph a few frames ahead: the ground may rise before an answer comes */
    const landscape *land;
    double asked_altitude_m[GROUND_HISTORY]; /* of the camera, by frame */
    double near_s;                           /* time the near points cover */
    float ahead_m[GROUND_AHEAD]; /* newest answer: ground or sea, metres, at times ground_time(n) from when it was asked
                                  */
    float later_m[GROUND_AHEAD]; /* the same while the land morphs, else very low */
    bool has_trees;              /* trees are drawn, and count: */
    float tops_m[GROUND_AHEAD];  /* of the trees at each point, metres; very low where there are none */
    const ter_world *becoming;   /* the world of the morph that `later` was asked about, since this frame: */
    uint64_t becoming_since;
    bool is_patient;
    ground_question asked, asked_later; /* of each probe, the last one */
    uint64_t next_frame, n_questions;   /* of the next question; questions so far */
    int n_unsettled;                    /* frames since the last question that it is still being asked in */
    uint64_t n_later;                   /* those about what the land of this morph will have become */
    bool is_later_due;                  /* one of these is asked in the next frame */
    int later_frames; /* that later_m still counts after a morph: answers about the land as it was are on their way */
    int latency_frames, latency_max;
    double min_clearance_m;
} ground;

/** Time ahead of point n, seconds; 0 for n = 0. */
double ground_time(const ground *ground, int n);

/** Start with the ground under a camera at rest, computed at once. is_patient: questions wait for their answers, so
 * that a flight does not depend on speed */
result ground_create(ter_backend backend, const landscape *land, const camera *camera, bool is_patient, ground *out);
void ground_destroy(ground *ground);

/** When and whence the ground is asked for. */
typedef struct ground_moment {
    const camera *camera;
    int lod; /* drawn under the camera, with the share `coarser` of the next coarser one */
    float coarser;
    double elapsed_s; /* in a frame */
    uint64_t frame;
} ground_moment;

/** Take the newest answer, and ask for the ground under the camera and along its way, beside the frame unless the
 * flight is patient. While the question before is being asked nothing changes for two frames; the third waits for it.
 */
result ground_update(ground *ground, const ground_moment *moment);

/** Wait until the last question has been asked: before a world goes that it may be about. Errors those of the probe */
result ground_settle(ground *ground);

/** Trees that stand around a camera: those that it comes near count as ground, and so do woods far ahead. */
void ground_see_trees(ground *ground, const camera *camera, const forest_stand *stand);

/** The camera's altitude in a frame, when it was lifted after the question. */
void ground_note_altitude(ground *ground, const camera *camera, uint64_t frame);

/** Highest ground from now until `seconds` ahead, metres. */
double ground_highest(const ground *ground, double seconds);

/** The same, and what it will have become by then while the land morphs. */
double ground_highest_soon(const ground *ground, double seconds);

/** Highest ground or top of a tree from now until `seconds` ahead, and what the ground will have become by then,
 * metres. */
double ground_obstacle(const ground *ground, double seconds);

/** How much higher than both its neighbours the ground between two near points may be, metres: half their largest
 * difference, and what the level that is drawn adds. */
double ground_roughness(const ground *ground);

#endif
