/* sun.h - computes the directions of sun and moon. */
#ifndef TERRANE_PROGRAM_PICTURE_SUN_H
#define TERRANE_PROGRAM_PICTURE_SUN_H

/** Directions (east, up, south) of the sun and of a full moon at a solar time, 0..24 hours, on a spring day at 45
 * degrees north. */
void sun_at_time(double hours, float sun[3], float moon[3]);

/** Direction of the sun from azimuth (0 north, 90 east) and elevation, degrees. The moon stands at the opposite
 * azimuth, at least 25 degrees above the horizon. */
void sun_at_place(double azimuth_deg, double elevation_deg, float sun[3], float moon[3]);

#endif
