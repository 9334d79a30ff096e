/* travel.h - where the camera is and where it goes: along a path, or as a pilot steers it over the ground. */
#ifndef TERRANE_PROGRAM_VIEWER_CAMERA_TRAVEL_H
#define TERRANE_PROGRAM_VIEWER_CAMERA_TRAVEL_H

#include "program/viewer/camera/path.h"
#include "program/viewer/camera/pilot.h"
#include "program/viewer/request.h"

typedef struct travel {
    camera camera, start;
    double start_speed; /* m/s */
    pilot pilot;
    terrain_probe probe;
    path path;      /* flown along; of no points: the pilot steers */
    bool is_turned; /* by hand, since the last frame */
} travel;

/** A step in time. */
typedef struct travel_step {
    double time_s;    /* of the flight, after the step */
    double elapsed_s; /* on the user's clock: hands stay on the controls while the flight is paused */
    double passed_s;  /* of the flight: 0 while it is paused */
    bool is_paused;
    double spacing_m;
} travel_step;

/** Read path or view, and place the camera; the altitude follows with travel_begin. Errors RESULT_USAGE, RESULT_FILE
 */
result travel_place(travel *travel, const fly_request *request);

/** Ask for the ground, and begin over it. Errors RESULT_FAILED */
result travel_begin(travel *travel, const fly_request *request, ter_backend backend, const landscape *land,
                    bool waits_for_answers);
void travel_end(travel *travel);

/** Go back to where the flight began. */
void travel_reset(travel *travel);

/** Take the user's input, and move. */
void travel_steer(travel *travel, const surface_input *input, double elapsed_s);
void travel_move(travel *travel, const surface_input *input, const travel_step *step);

/** Ask for the ground at the new place, as it is drawn in a frame there: at a level of detail, and the share of the
 * next coarser one; lift the camera when an answer is there already. */
result travel_watch_ground(travel *travel, const travel_step *step, int lod, float coarser, uint64_t frame);

/** Whether the path has come to its end. */
bool travel_is_over(const travel *travel, double time_s);

/** How long the path takes, seconds; 0 without one. */
double travel_path_s(const travel *travel);

/** Height of the camera over the highest ground under it. */
double travel_height_m(const travel *travel);

#endif
