/* sunlight.h - time of day, running or fixed, and the directions of sun and moon. */
#ifndef TERRANE_PROGRAM_VIEWER_CAMERA_SUNLIGHT_H
#define TERRANE_PROGRAM_VIEWER_CAMERA_SUNLIGHT_H

#include <stdbool.h>

typedef struct sunlight {
    double time_h;         /* solar time; NaN: the sun is fixed at sun_deg */
    double sun_deg[2];     /* azimuth, elevation */
    bool is_running;       /* time passes, half an hour per second */
    float sun[3], moon[3]; /* directions: east, up, south */
} sunlight;

/** Begin at a time, or with a fixed sun if time_h is NaN. */
sunlight sunlight_begin(double time_h, const double sun_deg[2]);

/** Start or stop the time. If the sun was fixed, the time starts at noon. */
void sunlight_toggle(sunlight *sunlight);

/** Advance the time of day, if it is running, by elapsed_s seconds. They also pass while the flight is paused. */
void sunlight_advance(sunlight *sunlight, double elapsed_s);

#endif
