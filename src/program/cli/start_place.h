/* start_place.h - where commands begin unless they are told another place. */
#ifndef TERRANE_PROGRAM_CLI_START_PLACE_H
#define TERRANE_PROGRAM_CLI_START_PLACE_H

/** Lattice coordinates in a valley of the default world, 400 m high. A river and a lake lie 2 km to the north and the
 * north-east, and a range of 2500 m begins 10 km to the north. Both are multiples of 1024, so that they are samples of
 * the coarser levels of detail too. The seeds of the fluvial worlds that come with Terrane were chosen for the land
 * that they have here. */
enum { START_X = -1078272, START_Z = 1921024 };

/** What a flight looks at there: metres over the ground, degrees; and the solar time, hours. */
static const double START_ALTITUDE_M = 400.0, START_HEADING_DEG = 30.0, START_PITCH_DEG = -8.0, START_TIME_H = 9.5;

/** Where a flight over the default world begins unless it is told a place, as --view takes it: a snowy range, a river,
 * a lake and the coast behind them, half a kilometre from a place that terrane scout found; and its time, hours. */
#define START_VIEW "-1096500,1541000,1300,135,-8"
static const double START_VIEW_TIME_H = 15.5;

#endif
