/* instruments.h - text over the frame: position, speed, frame times; or the keys. */
#ifndef TERRANE_PROGRAM_VIEWER_FLIGHT_INSTRUMENTS_H
#define TERRANE_PROGRAM_VIEWER_FLIGHT_INSTRUMENTS_H

#include "program/viewer/flight/flight.h"

void instruments_draw(const flight *flight);

#endif
