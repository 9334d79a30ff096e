/* travel.h - moves the camera: along a path, or steered by a pilot over the ground. */
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
    path path;      /* the path to follow; without points the pilot steers */
    bool is_turned; /* the user has turned the camera since the last frame */
} travel;

/** A time step. */
typedef struct travel_step {
    double time_s;    /* time of the flight after the step */
    double elapsed_s; /* real time: the user can turn the camera while the flight is paused */
    double passed_s;  /* time of the flight: 0 while it is paused */
    bool is_paused;
    double spacing_m;
} travel_step;

/** Read the path or view and place the camera. travel_begin sets the altitude. Errors RESULT_USAGE, RESULT_FILE;
 * RESULT_FAILED out of memory */
result travel_place(travel *travel, const fly_request *request);

/** Probe the ground and set the camera's altitude over it. Errors those of terrain_probe_create */
result travel_begin(travel *travel, const fly_request *request, ter_backend backend, const landscape *land,
                    bool waits_for_answers);
void travel_end(travel *travel);

/** Go back to the start of the flight. */
void travel_reset(travel *travel);

/** Turn the camera, and change the pilot's speed and autopilot, as the user's input requires. Then travel_move moves
 * the camera, along the path or as the pilot wants. */
void travel_steer(travel *travel, const surface_input *input, double elapsed_s);
void travel_move(travel *travel, const surface_input *input, const travel_step *step);

/** Update the probe at the new position, and lift the camera if an answer shows that it is too low.
 *
 *  lod, coarser  level of detail drawn under the camera, and the weight 0..1 of the next coarser level in this ground
 */
result travel_watch_ground(travel *travel, const travel_step *step, int lod, float coarser, uint64_t frame);

/** Whether the path has ended at a time of the flight; false without a path. */
bool travel_is_over(const travel *travel, double time_s);

/** Length of the path in seconds; 0 without a path. */
double travel_path_s(const travel *travel);

/** Height of the camera over the ground or sea under it, metres. */
double travel_height_m(const travel *travel);

#endif
