/* controls.h - keys that switch something. */
#ifndef TERRANE_FLY_CONTROLS_H
#define TERRANE_FLY_CONTROLS_H

#include "fly/flight.h"

/** Do what the keys of a frame ask for, besides moving. What cannot be done is said, and the flight goes on. */
void controls_handle(flight *flight, const surface_input *input);

#endif
