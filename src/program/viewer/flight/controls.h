/* controls.h - handles the keys of a flight other than those that move the camera. */
#ifndef TERRANE_PROGRAM_VIEWER_FLIGHT_CONTROLS_H
#define TERRANE_PROGRAM_VIEWER_FLIGHT_CONTROLS_H

#include "program/viewer/flight/flight.h"

/** Handle the keys that were pressed in a frame. Failures are reported to the user, and the flight goes on. */
void controls_handle(flight *flight, const surface_input *input);

#endif
