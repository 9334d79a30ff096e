/* resolution.c - the list of shares, and the rules for a step from one share to the next. A share is the size of a
 * frame divided by the size of its picture.
 *
 * The time of a frame is a constant plus a part proportional to its pixels. With a share q times as large, a frame
 * takes between 1 and q^2 times as long. A step up is made only if q^2 times the present time fits the budget. Then no
 * step back is needed, unless the view becomes more expensive. After such a step back, the next step up waits twice as
 * many decisions, at most PATIENCE_MAX.
 */
#include "program/viewer/flight/resolution.h"

#include <math.h>
#include <stdlib.h>

static const double shares[] = {1.0, 0.85, 0.7, 0.6, 0.5, 0.42, 0.35, 0.3, 0.25, 0.21};
enum { SHARES = sizeof shares / sizeof shares[0], FIRST_OF_SOFTWARE = 7, PATIENCE_MIN = 2, PATIENCE_MAX = 64 };
static const double TOO_LONG = 1.1, SHORT_ENOUGH = 0.9; /* shares of the budget */
/* The two shortest and the two longest of RESOLUTION_WINDOW frames are ignored, because they may wait for other work.
 */
enum { EXTREMES = 2 };

resolution resolution_fixed(double percent)
{
    return (resolution){.fixed = percent / 100.0};
}

resolution resolution_following(double budget_ms, bool is_software)
{
    return (resolution){.is_following = true,
                        .budget_ms = budget_ms,
                        .step = is_software ? FIRST_OF_SOFTWARE : 0,
                        .patience = PATIENCE_MIN};
}

double resolution_share(const resolution *r)
{
    return r->is_following ? shares[r->step] : r->fixed;
}

/** The largest share below the present one that fits the budget if all of a frame's time is proportional to its pixels.
 */
static int step_down(const resolution *r, double mean_ms)
{
    int step = r->step + 1;
    while (step < SHARES - 1 && mean_ms * pow(shares[step] / shares[r->step], 2.0) > r->budget_ms)
        step++;
    return step;
}

static bool can_rise(const resolution *r, double mean_ms)
{
    return r->step > 0 && mean_ms * pow(shares[r->step - 1] / shares[r->step], 2.0) < SHORT_ENOUGH * r->budget_ms;
}

/** Make a step if frames of mean_ms require or allow one. Returns whether a step was made. */
static bool decide(resolution *r, double mean_ms)
{
    r->calm++;
    if (mean_ms > TOO_LONG * r->budget_ms && r->step < SHARES - 1) {
        if (r->has_risen)
            r->patience = r->patience * 2 < PATIENCE_MAX ? r->patience * 2 : PATIENCE_MAX;
        r->step = step_down(r, mean_ms);
        r->has_risen = false;
        r->calm = 0;
        return true;
    }
    if (can_rise(r, mean_ms) && r->calm >= r->patience) {
        r->step--;
        r->has_risen = true;
        r->calm = 0;
        return true;
    }
    return false;
}

static int compare_times(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/** Mean of the times of RESOLUTION_WINDOW frames without the extremes. Sorts the times. */
static double mean_of(double ms[RESOLUTION_WINDOW])
{
    double sum = 0.0;
    qsort(ms, RESOLUTION_WINDOW, sizeof *ms, compare_times);
    for (int n = EXTREMES; n < RESOLUTION_WINDOW - EXTREMES; n++)
        sum += ms[n];
    return sum / (RESOLUTION_WINDOW - 2 * EXTREMES);
}

bool resolution_note(resolution *r, double frame_ms)
{
    if (!r->is_following || !(frame_ms > 0.0))
        return false;
    r->ms[r->n_frames++] = frame_ms;
    if (r->n_frames < RESOLUTION_WINDOW)
        return false;
    r->n_frames = 0;
    return decide(r, mean_of(r->ms));
}

int resolution_pixels(const resolution *r, int picture_pixels)
{
    return (int)fmax(1.0, floor(picture_pixels * resolution_share(r) + 0.5));
}
