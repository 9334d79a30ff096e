/* resolution.h - adapts the size of frames, as a share of the picture's size, to the time that frames take. */
#ifndef TERRANE_PROGRAM_VIEWER_FLIGHT_RESOLUTION_H
#define TERRANE_PROGRAM_VIEWER_FLIGHT_RESOLUTION_H

#include <stdbool.h>

enum { RESOLUTION_WINDOW = 12 }; /* frames from one decision to the next */

typedef struct resolution {
    bool is_following;            /* the share follows the time of frames; false: it is fixed */
    double budget_ms;             /* greatest time that a frame may take */
    double fixed;                 /* the fixed share */
    int step;                     /* index in the list of shares */
    double ms[RESOLUTION_WINDOW]; /* times of the frames since the last decision */
    int n_frames;
    int calm, patience; /* decisions since the last step; least number of decisions before a step up */
    bool has_risen;     /* the last step was a step up */
} resolution;

/** Make a resolution with a fixed share, in percent. */
resolution resolution_fixed(double percent);

/** Make a resolution whose share follows the time of frames, so that frames take at most about budget_ms. The first
 * share is 1. If the CPU draws, the first share is small, so that the first frames are not the slowest. */
resolution resolution_following(double budget_ms, bool is_software);

/** Width and height of a frame as a share of the picture's width and height. */
double resolution_share(const resolution *r);

/** Record the time of a frame. Returns true if the share has changed. */
bool resolution_note(resolution *r, double frame_ms);

/** A size in pixels scaled by the share, at least 1. */
int resolution_pixels(const resolution *r, int picture_pixels);

#endif
