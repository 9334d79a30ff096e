/* forecast.c - the rate of a second and a half of work, after a second that it has to get going. */
#include "program/cli/forecast.h"

#include <stdbool.h>
#include <stdio.h>

#include "program/cli/notes.h"
#include "program/cli/progress_bar.h"
#include "program/core/clock.h"
#include "program/core/duration.h"

static const double WARM_S = 1.0, MEASURED_S = 1.5, WORTH_S = 5.0;

static struct {
    double share;      /* at the last call */
    double begun_s;    /* when the work began */
    double warm_s;     /* when its measured part began; 0: not yet */
    double warm_share; /* and what was done then */
    bool is_begun, is_said;
} work;

static void say(const char *label, double left_s)
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
        work.is_said = false;
        work.begun_s = now_s;
        work.warm_s = 0.0;
    }
    work.share = share;
    if (work.is_said || now_s < work.begun_s + WARM_S)
        return;
    if (work.warm_s == 0.0) {
        work.warm_s = now_s;
        work.warm_share = share;
    }
    if (now_s < work.warm_s + MEASURED_S || share <= work.warm_share)
        return;
    work.is_said = true;
    const double left_s = (1.0 - share) * (now_s - work.warm_s) / (share - work.warm_share);
    if (left_s > WORTH_S)
        say(label, left_s);
}
