/* instruments.h - text over the frame: position, speed, frame times; or the keys. */
#ifndef TERRANE_FLY_INSTRUMENTS_H
#define TERRANE_FLY_INSTRUMENTS_H

#include "fly/flight.h"

void instruments_draw(const flight *flight);

#endif
