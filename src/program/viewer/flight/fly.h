/* fly.h - a flight from beginning to end. */
#ifndef TERRANE_PROGRAM_VIEWER_FLIGHT_FLY_H
#define TERRANE_PROGRAM_VIEWER_FLIGHT_FLY_H

#include "program/viewer/request.h"

/** Fly over a world, which it takes over. Errors  OUTCOME_USAGE; OUTCOME_MISSING no OpenGL 4.5; OUTCOME_FILE;
 * OUTCOME_FAILED; OUTCOME_INTERRUPTED */
outcome fly_run(const fly_request *request, const fly_events *events, ter_world *world, ter_generator *generator);

#endif
