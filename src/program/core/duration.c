/* duration.c - writes a duration in seconds, minutes, hours or days, so that it has few digits. */
#include "program/core/duration.h"

#include <stdio.h>

void duration_describe(double s, char text[DURATION_TEXT])
{
    static const double MINUTE = 60.0, HOUR = 3600.0, DAY = 86400.0;
    if (s < 99.5)
        snprintf(text, DURATION_TEXT, "%.*f s", s < 9.95, s);
    else if (s < 99.5 * MINUTE)
        snprintf(text, DURATION_TEXT, "%.0f min", s / MINUTE);
    else if (s < 2.0 * DAY)
        snprintf(text, DURATION_TEXT, "%.1f h", s / HOUR);
    else
        snprintf(text, DURATION_TEXT, "%.0f days", s / DAY);
}
