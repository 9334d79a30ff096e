/* results.h - writes the results of a flight at its end. */
#ifndef TERRANE_PROGRAM_VIEWER_FLIGHT_RESULTS_H
#define TERRANE_PROGRAM_VIEWER_FLIGHT_RESULTS_H

#include "program/viewer/flight/flight.h"

/** Print the command that exports the ground in view, and write the picture and the figures, if requested. Errors
 * RESULT_FAILED, RESULT_FILE, RESULT_INTERRUPTED */
result results_write(flight *flight);

#endif
