/* fly.h - runs a flight from beginning to end. */
#ifndef TERRANE_PROGRAM_VIEWER_FLIGHT_FLY_H
#define TERRANE_PROGRAM_VIEWER_FLIGHT_FLY_H

#include "program/viewer/request.h"

/** Fly over a world. Takes ownership of the world. Errors RESULT_USAGE; RESULT_MISSING no OpenGL 4.5; RESULT_FILE;
 * RESULT_FAILED; RESULT_INTERRUPTED */
result fly_run(const fly_request *request, const fly_events *events, ter_world *world, ter_generator *generator);

#endif
