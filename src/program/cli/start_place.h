/* start_place.h - the place where commands begin if the user gives none. */
#ifndef TERRANE_PROGRAM_CLI_START_PLACE_H
#define TERRANE_PROGRAM_CLI_START_PLACE_H

/** Lattice coordinates of a place on the side of a valley of the default world, 1204 m high. A river lies 360 m to the
 * west, a lake 2.7 km to the west, and mountains of 2400 m within 6 km. The coordinates are multiples of 1024, so that
 * coarser levels of detail have a sample at this place too. The seeds of the fluvial worlds that come with Terrane were
 * chosen for their land at this place. */
enum { START_X = -1078272, START_Z = 1921024 };

/** The view at this place: altitude over the ground, heading, pitch, and solar time in hours. */
static const double START_ALTITUDE_M = 400.0, START_HEADING_DEG = 30.0, START_PITCH_DEG = -8.0, START_TIME_H = 9.5;

/** The view with which a flight over the default world begins, in the form of --view, and its solar time in hours. It
 * shows a snowy mountain, a lake and a river that flows into it. */
#define START_VIEW "-1019092,1836332,1864,180,-8"
static const double START_VIEW_TIME_H = 15.5;

#endif
