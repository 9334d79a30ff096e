/* instruments.h - draws text over the frame: position, speed and frame times, or the list of keys. */
#ifndef TERRANE_PROGRAM_VIEWER_FLIGHT_INSTRUMENTS_H
#define TERRANE_PROGRAM_VIEWER_FLIGHT_INSTRUMENTS_H

#include "program/viewer/flight/flight.h"

void instruments_draw(const flight *flight);

#endif
