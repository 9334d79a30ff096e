/* flight.h - the state of a flight. Each member is changed by the module that defines its type. */
#ifndef TERRANE_PROGRAM_VIEWER_FLIGHT_FLIGHT_H
#define TERRANE_PROGRAM_VIEWER_FLIGHT_FLIGHT_H

#include "program/render/renderer.h"
#include "program/viewer/camera/travel.h"
#include "program/viewer/flight/budget.h"
#include "program/viewer/flight/climate_map.h"
#include "program/viewer/flight/crater_rays.h"
#include "program/viewer/flight/view_builder.h"
#include "program/viewer/record/flight_statistics.h"
#include "program/viewer/record/outputs.h"
#include "program/viewer/record/recorder.h"
#include "program/viewer/record/recording.h"
#include "program/viewer/window/shader_bar.h"

/** Times of a flight. */
typedef struct flight_clock {
    double opened_s;  /* when the flight was opened, by clock_now_s */
    double time_s;    /* time flown, without pauses */
    double journey_s; /* time until the next morph of a journey (option --journey) */
    bool is_paused;
} flight_clock;

/** Facts of the last frame. */
typedef struct flight_frame {
    int width, height;  /* pixels; 0: none was drawn */
    quadtree_view tree; /* view whose tiles the last frame drew */
    double seconds;     /* duration of the last frame: time from its begin to the begin of the next frame */
} flight_frame;

typedef struct flight {
    const fly_request *request;
    const fly_events *events;
    ter_generator *generator;
    uint64_t seed;          /* seed of the first world */
    const char *screenshot; /* file of the picture at the end of the flight; NULL: none is written */
    bool is_one_picture;    /* a flight with default frames and without a display becomes one picture of high quality */
    outputs outputs;

    surface *surface;
    renderer *renderer;
    budget budget;
    resolution resolution;
    terrain terrain;
    travel travel;
    sunlight sunlight;
    climate_map climate;
    crater_rays craters;
    layers layers;
    view_builder view_builder;
    flight_clock clock;
    flight_frame frame;
    shade_progress shaders; /* progress of the shaders before the last frame */
    shader_bar shader_bar;
    recorder *recorder;
    recording recording;
    flight_statistics statistics;
    int n_pictures; /* number in the name of the last picture that the screenshot key has made */
    bool is_help, is_over;
} flight;

/** Open all parts of a flight. Takes ownership of the world. Call flight_close in any case, also after an error.
 *  Errors RESULT_USAGE, RESULT_FILE, RESULT_MISSING, RESULT_FAILED, RESULT_INTERRUPTED */
result flight_open(flight *flight, const fly_request *request, const fly_events *events, ter_world *world,
                   ter_generator *generator);
void flight_close(flight *flight);

/** Whether the flight has no window that shows its progress. */
bool flight_is_unseen(const flight *flight);

/** Whether trees are drawn if the land has some. */
bool flight_has_trees(const flight *flight);

/** Mark the ground in the last frame, and print the command that exports it. Errors RESULT_FAILED no ground in view;
 * those of fly_events.print */
result flight_mark_ground(flight *flight);

#endif
