/* loading.h - the land of a flight's first view: a window shows it while it comes. */
#ifndef TERRANE_PROGRAM_VIEWER_FLIGHT_LOADING_H
#define TERRANE_PROGRAM_VIEWER_FLIGHT_LOADING_H

#include "program/viewer/flight/flight.h"

/** Bring in the land of the first view. A window without a GPU shows it while it comes, and what is still missing;
 * other flights wait for it. Ends early when the window is closed. Errors RESULT_INTERRUPTED, RESULT_FAILED */
result loading_land(flight *flight, int width, int height);

#endif
