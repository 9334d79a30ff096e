/* pilot.h - steers the camera by hand or by an autopilot that follows the ground. Keeps the camera above the ground. */
#ifndef TERRANE_PROGRAM_VIEWER_CAMERA_PILOT_H
#define TERRANE_PROGRAM_VIEWER_CAMERA_PILOT_H

#include "program/viewer/camera/terrain_probe.h"
#include "program/viewer/window/screen.h"

static const double PILOT_SPEED_MIN = 1.0, PILOT_SPEED_MAX = 100000.0; /* m/s */

typedef struct pilot {
    bool is_autopilot;
    double speed;    /* wanted speed, m/s */
    double height_m; /* height over the ground that the autopilot keeps */
    double min_clearance_m;
} pilot;

/** Turn the camera and set speed and autopilot by keys, mouse, wheel and gamepad. */
void pilot_steer(pilot *pilot, camera *camera, const surface_input *input, double elapsed_s);

/** Move the camera for elapsed_s seconds. */
void pilot_move(const pilot *pilot, camera *camera, const terrain_probe *probe, const surface_input *input,
                double spacing_m, double elapsed_s);

/** Lift the camera if it is too near the ground. */
void pilot_clear_ground(const pilot *pilot, camera *camera, const terrain_probe *probe, double elapsed_s);

#endif
