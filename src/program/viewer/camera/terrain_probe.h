/* terrain_probe.h - keeps the heights of the ground under the camera and ahead of it. It sends queries to probes of the
 * library and reads their answers a few frames later. */
#ifndef TERRANE_PROGRAM_VIEWER_CAMERA_TERRAIN_PROBE_H
#define TERRANE_PROGRAM_VIEWER_CAMERA_TERRAIN_PROBE_H

#include <stdbool.h>

#include "program/core/result.h"
#include "program/render/forest.h"
#include "program/viewer/camera/landscape.h"
#include "program/viewer/camera/probe_thread.h"

enum {
    PROBE_POINTS = TER_PROBE_POINTS_MAX,
    PROBE_NEAR_POINTS = 40, /* spread evenly over the way of the next few frames; the other points reach far ahead */
    PROBE_HISTORY = 64
};

/** The newest query of a probe. */
typedef struct probe_ticket {
    bool is_pending;
    uint64_t frame;
} probe_ticket;

typedef struct terrain_probe {
    ter_generator *generator; /* only for the probes: the flight's generator may be making tiles on another thread */
    probe_thread *thread;     /* while this thread is busy, no other thread may use the probes and the generator */
    ter_probe *current;       /* heights of the present land */
    ter_probe *future;        /* heights that a morph will have made some frames later, before the next answer comes */
    const landscape *land;
    double altitudes_m[PROBE_HISTORY]; /* altitudes of the camera, by frame */
    double near_s;                     /* time that the near points cover */
    float ahead_m[PROBE_POINTS];       /* newest answer of `current`: ground or sea, metres. Point n is the position of
                                          the camera terrain_probe_time(n) seconds after the query. */
    float future_m[PROBE_POINTS];      /* newest answer of `future` during a morph, else -INFINITY */
    bool has_trees;                    /* trees are drawn, so they are obstacles */
    float tops_m[PROBE_POINTS];        /* highest tree top at each point, metres; -INFINITY without trees */
    const ter_world *next_world;       /* target of the morph that `future` answers for */
    uint64_t next_world_since;         /* first frame of this morph */
    bool waits_for_answers;
    probe_ticket asked, asked_future; /* newest query of each probe */
    uint64_t next_frame;              /* frame of the next query */
    uint64_t n_queries;               /* number of queries to `current` so far */
    uint64_t n_future;                /* number of queries to `future` in this morph */
    bool is_future_due;               /* the next frame sends a query to `future` */
    int n_busy_frames;                /* frames for which the current query has been pending */
    int future_frames; /* frames for which future_m is still used after a morph, because the answers of `current` lag */
    int latency_frames, latency_max; /* frames from a query to its answer: for the newest answer; greatest so far */
    double min_clearance_m;          /* least height of the camera over the ground under it so far */
} terrain_probe;

/** Time from now at which the camera reaches point n, seconds; 0 for n = 0. */
double terrain_probe_time(const terrain_probe *probe, int n);

/** Create a probe. All points start with the height under the camera, which is computed in this call.
 *
 *  waits_for_answers  updates wait for the answers of their queries, so that a flight does not depend on speed
 *  Errors             those of generators, worlds and probes; RESULT_FAILED no memory
 */
result terrain_probe_create(ter_backend backend, const landscape *land, const camera *camera, bool waits_for_answers,
                            terrain_probe *out);
void terrain_probe_destroy(terrain_probe *probe);

/** The moment of a query. */
typedef struct probe_moment {
    const camera *camera;
    int lod;          /* level of detail drawn under the camera */
    float coarser;    /* weight 0..1 of the next coarser level in the drawn ground */
    double elapsed_s; /* duration of a frame */
    uint64_t frame;
} probe_moment;

/** Read the newest answers and send the next query, about the ground under the camera and along its course. The query
 * runs in parallel to the frame, unless updates wait for answers. While the last query is pending, two updates change
 * nothing; the third one waits for the query. Errors those of the queries; RESULT_FAILED an answer does not come within
 * a minute */
result terrain_probe_update(terrain_probe *probe, const probe_moment *moment);

/** Wait until no query is pending. Call this before a world of the landscape is destroyed. Errors those of the queries
 */
result terrain_probe_wait(terrain_probe *probe);

/** Add trees as obstacles: those of `trees` that the camera may soon come near, and estimated trees far ahead. */
void terrain_probe_add_trees(terrain_probe *probe, const camera *camera, const nearby_trees *trees);

/** Record the camera's altitude in a frame. Call this after the camera was lifted, because the query has recorded the
 * lower altitude. */
void terrain_probe_note_altitude(terrain_probe *probe, const camera *camera, uint64_t frame);

/** Highest ground from now until `seconds` ahead, metres. */
double terrain_probe_highest(const terrain_probe *probe, double seconds);

/** Highest ground from now until `seconds` ahead, metres. During a morph this includes the ground that the morph will
 * have made by then. */
double terrain_probe_highest_in_morph(const terrain_probe *probe, double seconds);

/** Highest ground or tree top from now until `seconds` ahead, metres; during a morph as in
 * terrain_probe_highest_in_morph. */
double terrain_probe_obstacle(const terrain_probe *probe, double seconds);

/** Estimate of how far the drawn ground between two near points rises above both points, metres: half the largest
 * difference between neighbouring points, plus the height of the drawn level over the finest level, if positive. */
double terrain_probe_roughness(const terrain_probe *probe);

#endif
