/* results.h - what a flight leaves behind when it has ended well. */
#ifndef TERRANE_FLY_RESULTS_H
#define TERRANE_FLY_RESULTS_H

#include "fly/flight.h"

/** Print the command for the ground in view, write picture and figures, as far as they were asked for. */
outcome results_write(flight *flight);

#endif
