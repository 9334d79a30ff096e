/* resolution.h - how large frames are drawn, as a share of their picture: it follows the time that they take. */
#ifndef TERRANE_PROGRAM_VIEWER_FLIGHT_RESOLUTION_H
#define TERRANE_PROGRAM_VIEWER_FLIGHT_RESOLUTION_H

#include <stdbool.h>

enum { RESOLUTION_WINDOW = 12 }; /* frames that one decision looks at */

typedef struct resolution {
    bool is_following;            /* else the share stays */
    double budget_ms;             /* that a frame may take */
    double fixed;                 /* the share, where it stays */
    int step;                     /* in the list of shares */
    double ms[RESOLUTION_WINDOW]; /* of the frames since the last decision */
    int n_frames;
    int calm, patience; /* decisions since the last step; and how many a step up waits for */
    bool has_risen;     /* the last step was one up */
} resolution;

/** A share that stays, in percent. */
resolution resolution_fixed(double percent);

/** A share that follows the time of frames, so that they take about budget_ms. It begins with the whole picture; where
 * the CPU draws near the end of the list, so that the first frames are not the slowest. */
resolution resolution_following(double budget_ms, bool is_software);

/** Width and height of a frame, of its picture's. */
double resolution_share(const resolution *r);

/** Note how long a frame took; true when the share has changed. */
bool resolution_note(resolution *r, double frame_ms);

/** A size in pixels scaled by the share, at least 1. */
int resolution_pixels(const resolution *r, int picture_pixels);

#endif
