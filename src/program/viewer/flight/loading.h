/* loading.h - loads the land of a flight's first view; a window shows the progress. */
#ifndef TERRANE_PROGRAM_VIEWER_FLIGHT_LOADING_H
#define TERRANE_PROGRAM_VIEWER_FLIGHT_LOADING_H

#include "program/viewer/flight/flight.h"

/** Load the land of the first view. If the CPU makes the tiles, a window shows the loaded land and the number of
 * missing tiles and shaders; other flights only wait. Returns early if the window is closed. Errors RESULT_INTERRUPTED,
 * RESULT_FAILED */
result loading_land(flight *flight, int width, int height);

#endif
