/* sun.c - converts hour angle and declination to directions. Source: Meeus, Astronomical Algorithms, 1998, chapter 13.
 */
#include "program/picture/sun.h"

#include <math.h>

static const double RADIANS = 0.017453292519943295;
static const double LATITUDE_DEG = 45.0, SUN_DECLINATION_DEG = 12.0, MOON_DECLINATION_DEG = -6.0;

/** Direction of a celestial body. The hour angle is 0 when the body is in the south and grows with time. */
static void direction(double hour_angle_deg, double declination_deg, float out[3])
{
    const double h = hour_angle_deg * RADIANS, d = declination_deg * RADIANS, l = LATITUDE_DEG * RADIANS;
    out[0] = (float)(-cos(d) * sin(h));
    out[1] = (float)(sin(l) * sin(d) + cos(l) * cos(d) * cos(h));
    out[2] = (float)(sin(l) * cos(d) * cos(h) - cos(l) * sin(d));
}

void sun_at_time(double hours, float sun[3], float moon[3])
{
    direction((hours - 12.0) * 15.0, SUN_DECLINATION_DEG, sun);
    direction(hours * 15.0 + 20.0, MOON_DECLINATION_DEG, moon);
}

void sun_at_place(double azimuth_deg, double elevation_deg, float sun[3], float moon[3])
{
    const double a = azimuth_deg * RADIANS, e = elevation_deg * RADIANS;
    const double up = fmax(fabs(e), 25.0 * RADIANS);
    sun[0] = (float)(sin(a) * cos(e));
    sun[1] = (float)sin(e);
    sun[2] = (float)(-cos(a) * cos(e));
    moon[0] = (float)(-sin(a) * cos(up));
    moon[1] = (float)sin(up);
    moon[2] = (float)(cos(a) * cos(up));
}
