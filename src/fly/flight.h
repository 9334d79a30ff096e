/* flight.h - the state of a flight, shared by the sources that make one: fly.c, frame.c, controls.c, instruments.c. */
#ifndef TERRANE_FLY_FLIGHT_H
#define TERRANE_FLY_FLIGHT_H

#include "fly/fly.h"
#include "fly/ground_mark.h"
#include "fly/path.h"
#include "fly/pilot.h"
#include "fly/recorder.h"
#include "fly/statistics.h"
#include "fly/tile_source.h"

typedef struct flight {
    const fly_request *request;
    void (*say)(const char *);
    int (*is_interrupted)(void);
    ter_generator *generator;
    landscape land;
    uint64_t seed; /* of the world at the beginning */
    surface *surface;
    renderer *renderer;
    tile_pool *pool;
    uint64_t n_slots; /* of the pool */
    tile_source *source;
    recorder *recorder;
    quadtree tree;
    ground ground;
    camera camera, start;
    pilot pilot;
    path path, recorded; /* flown along, and written by the user */
    double time_s, lod_height_m;
    double time_h; /* of the day, or not a number */
    bool is_time_running, is_recording;
    double journey_s; /* until the next morph */
    float sun[3], moon[3];
    double low_m, high_m; /* heights lie between */
    int width, height;    /* of the last frame, pixels */
    bool is_paused, is_help, is_over;
    unsigned layers;
    int layer_set; /* of those that L goes through */
    int quality, debug, n_pictures, n_paths;
    const char *screenshot;
    ground_mark mark;     /* or one of no samples */
    double mark_s;        /* how long it still shows */
    double generation_ms; /* of the last frame */
    flight_statistics statistics;
} flight;

/** Whether frames wait for their tiles, so that pictures do not depend on speed. */
bool flight_is_patient(const flight *f);

/** frame.c: the first frame waits until the land is complete, so that a flight does not begin with it unfolding. */
outcome frame_load_land(flight *f, int width, int height, int (*is_interrupted)(void));

/** Stream tiles and draw; frame_s is how long the last frame took. */
outcome frame_draw(flight *f, int width, int height, double elapsed_s, double frame_s);

/** Draw a picture of any size, in parts where it is larger than a framebuffer should be, and write it. */
outcome frame_write_large(flight *f, const char *file, int width, int height, int (*is_interrupted)(void));

/** The level of detail under the camera, and the share of the next coarser one. */
int frame_lod_below(const flight *f, float *coarser);

/** How far the land is seen, metres. */
double frame_far_m(const flight *f);

/** controls.c: what the keys of a frame ask for, besides moving. */
void controls_handle(flight *f, const surface_input *input);

/** Write a path that is still being recorded. */
void controls_finish(flight *f);

/** Begin a morph into the next seed. */
outcome controls_morph_on(flight *f, double seconds, bool is_front);

/** Begin a morph, and tell the tiles. */
outcome flight_morph(flight *f, const ter_params *params, const look *look, double seconds, bool is_front);

/** Mark the ground that the last frame shows, and print the command that exports it on stdout. Errors OUTCOME_FAILED none in view
 */
outcome flight_mark_ground(flight *f);

/** Write the last frame. */
outcome flight_write_picture(flight *f, const char *file);

/** instruments.c: text over the frame. */
void instruments_draw(flight *f, double frame_s);

#endif
