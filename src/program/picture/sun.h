/* sun.h - where sun and moon stand. */
#ifndef TERRANE_PROGRAM_PICTURE_SUN_H
#define TERRANE_PROGRAM_PICTURE_SUN_H

/** Directions (east, up, south) of the sun at a solar time, hours 0..24, on a spring day at 45 degrees north, and of a
 * full moon.
 */
void sun_at_time(double hours, float sun[3], float moon[3]);

/** Direction of the sun from azimuth (0 north, 90 east) and elevation, degrees; the moon stands opposite, but up. */
void sun_at_place(double azimuth_deg, double elevation_deg, float sun[3], float moon[3]);

#endif
