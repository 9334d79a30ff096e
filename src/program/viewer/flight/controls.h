/* controls.h - keys that switch something. */
#ifndef TERRANE_PROGRAM_VIEWER_FLIGHT_CONTROLS_H
#define TERRANE_PROGRAM_VIEWER_FLIGHT_CONTROLS_H

#include "program/viewer/flight/flight.h"

/** Do what the keys of a frame ask for, besides moving. What cannot be done is said, and the flight goes on. */
void controls_handle(flight *flight, const surface_input *input);

#endif
