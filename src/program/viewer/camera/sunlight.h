/* sunlight.h - the time of the day, which runs or stands still, and the light of it. */
#ifndef TERRANE_PROGRAM_VIEWER_CAMERA_SUNLIGHT_H
#define TERRANE_PROGRAM_VIEWER_CAMERA_SUNLIGHT_H

#include <stdbool.h>

typedef struct sunlight {
    double time_h;         /* solar time; not a number: the sun stands at a place of its own */
    double sun_deg[2];     /* that place: azimuth, elevation */
    bool is_running;       /* time passes, half an hour a second */
    float sun[3], moon[3]; /* directions: east, up, south */
} sunlight;

/** Begin at a time, or with the sun at a place. */
sunlight sunlight_begin(double time_h, const double sun_deg[2]);

/** Let time run from now on, from noon where the sun stood at a place of its own; or stop it. */
void sunlight_toggle(sunlight *sunlight);

/** Let seconds of the flight pass. */
void sunlight_advance(sunlight *sunlight, double elapsed_s);

#endif
