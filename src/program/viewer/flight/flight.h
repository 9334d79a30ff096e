/* flight.h - a flight: the parts that make one, each worked on by the module that it comes from. */
#ifndef TERRANE_PROGRAM_VIEWER_FLIGHT_FLIGHT_H
#define TERRANE_PROGRAM_VIEWER_FLIGHT_FLIGHT_H

#include "program/render/renderer.h"
#include "program/viewer/camera/travel.h"
#include "program/viewer/flight/budget.h"
#include "program/viewer/flight/view_builder.h"
#include "program/viewer/record/flight_statistics.h"
#include "program/viewer/record/outputs.h"
#include "program/viewer/record/recorder.h"
#include "program/viewer/record/recording.h"

/** Time of a flight. */
typedef struct flight_clock {
    double opened_s;  /* when the flight was opened, by clock_now_s */
    double time_s;    /* since the beginning, without pauses */
    double journey_s; /* until the next morph of a journey */
    bool is_paused;
} flight_clock;

/** What the last frame was. */
typedef struct flight_frame {
    int width, height; /* pixels; 0: none was drawn */
    double seconds;    /* how long the frame before it took */
} flight_frame;

typedef struct flight {
    const fly_request *request;
    const fly_events *events;
    ter_generator *generator;
    uint64_t seed;          /* of the world at the beginning */
    const char *screenshot; /* or NULL */
    bool is_one_picture; /* there is no display, and nothing but to fly was asked for: a picture that took its time */
    outputs outputs;

    surface *surface;
    renderer *renderer;
    budget budget;
    resolution resolution;
    terrain terrain;
    travel travel;
    sunlight sunlight;
    layers layers;
    view_builder view_builder;
    flight_clock clock;
    flight_frame frame;
    shade_progress shaders; /* before the last frame */
    recorder *recorder;
    recording recording;
    flight_statistics statistics;
    int n_pictures; /* written by the key for them */
    bool is_help, is_over;
} flight;

/** Open everything that a flight needs; what has been opened stays so on error, for flight_close. Takes the world over.
 *  Errors RESULT_USAGE, RESULT_FILE, RESULT_MISSING, RESULT_FAILED, RESULT_INTERRUPTED */
result flight_open(flight *flight, const fly_request *request, const fly_events *events, ter_world *world,
                   ter_generator *generator);
void flight_close(flight *flight);

/** Whether the flight has no window, so that nobody sees how far it is. */
bool flight_is_unseen(const flight *flight);

/** Whether trees are drawn, where the land has some. */
bool flight_has_trees(const flight *flight);

/** Mark the ground that the last frame shows, and print the command that exports it. Errors RESULT_FAILED none in view
 */
result flight_mark_ground(flight *flight);

#endif
