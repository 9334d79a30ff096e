/* results.h - what a flight leaves behind when it has ended well. */
#ifndef TERRANE_PROGRAM_VIEWER_FLIGHT_RESULTS_H
#define TERRANE_PROGRAM_VIEWER_FLIGHT_RESULTS_H

#include "program/viewer/flight/flight.h"

/** Print the command for the ground in view, write picture and figures, as far as they were asked for. */
result results_write(flight *flight);

#endif
