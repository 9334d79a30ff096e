/* sunlight.c - advances the time of day. */
#include "program/viewer/camera/sunlight.h"

#include <math.h>

#include "program/picture/sun.h"

static const double HOURS_A_SECOND = 0.5, NOON_H = 12.0;

sunlight sunlight_begin(double time_h, const double sun_deg[2])
{
    sunlight d = {.time_h = time_h, .sun_deg = {sun_deg[0], sun_deg[1]}};
    sunlight_advance(&d, 0.0);
    return d;
}

void sunlight_toggle(sunlight *d)
{
    d->is_running = !d->is_running;
    d->time_h = isnan(d->time_h) ? NOON_H : d->time_h;
}

void sunlight_advance(sunlight *d, double elapsed_s)
{
    if (isnan(d->time_h)) {
        sun_at_place(d->sun_deg[0], d->sun_deg[1], d->sun, d->moon);
        return;
    }
    if (d->is_running)
        d->time_h = fmod(d->time_h + elapsed_s * HOURS_A_SECOND, 24.0);
    sun_at_time(d->time_h, d->sun, d->moon);
}
