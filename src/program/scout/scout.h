/* scout.h - finds places worth flying to by measuring the mountains, rivers, lakes and sea in the view of a camera.
 *
 * A coarse survey of the land selects the most varied parts. In each part, cameras above ridges and the shoulders of
 * valleys draw small panoramas of kinds of land and distances. Each direction is scored, and the best views are kept. A
 * world has the same places on every backend. */
#ifndef TERRANE_PROGRAM_SCOUT_SCOUT_H
#define TERRANE_PROGRAM_SCOUT_SCOUT_H

#include "program/scout/search.h"

enum { SCOUT_COUNT_MAX = 64 };

/** Find up to search->count places, best first. *count receives their number. Errors RESULT_FAILED;
 * RESULT_INTERRUPTED */
result scout_find(const scout_search *search, scout_place *places, int *count);

#endif
