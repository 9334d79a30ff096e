/* forecast.c - measures the rate of work for 1.5 seconds, after a warm-up of one second. */
#include "program/cli/forecast.h"

#include <stdbool.h>
#include <stdio.h>

#include "program/cli/notes.h"
#include "program/cli/progress_bar.h"
#include "program/core/clock.h"
#include "program/core/duration.h"

static const double WARM_UP_S = 1.0, MEASURED_S = 1.5;
static const double SHORT_S = 5.0; /* a shorter remaining time is not announced */

static struct {
    double share;          /* share that was done at the last call */
    double begun_s;        /* when the work began */
    double measured_s;     /* when the measurement began; 0: not yet */
    double measured_share; /* share that was done when the measurement began */
    bool is_begun, is_announced;
} work;

static void announce(const char *label, double left_s)
{
    char text[DURATION_TEXT];
    duration_describe(left_s, text);
    progress_bar_end();
    note("%s: about %s more", label, text);
}

void forecast_follow(const char *label, double share)
{
    const double now_s = clock_now_s();
    if (!work.is_begun || share < work.share) {
        work.is_begun = true;
        work.is_announced = false;
        work.begun_s = now_s;
        work.measured_s = 0.0;
    }
    work.share = share;
    if (work.is_announced || now_s < work.begun_s + WARM_UP_S)
        return;
    if (work.measured_s == 0.0) {
        work.measured_s = now_s;
        work.measured_share = share;
    }
    if (now_s < work.measured_s + MEASURED_S || share <= work.measured_share)
        return;
    work.is_announced = true;
    const double left_s = (1.0 - share) * (now_s - work.measured_s) / (share - work.measured_share);
    if (left_s > SHORT_S)
        announce(label, left_s);
}
