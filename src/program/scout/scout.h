/* scout.h - finds places worth flying to, by measure: what of mountains, rivers, lakes and sea a camera there has in
 * view.
 *
 * First the land around is surveyed coarsely, and the most varied parts of it are chosen. In each, cameras over its
 * shoulders look all around; of each direction a small picture is made, of what is seen how far away, and the best one
 * is kept. The same world has the same places on every backend. */
#ifndef TERRANE_PROGRAM_SCOUT_SCOUT_H
#define TERRANE_PROGRAM_SCOUT_SCOUT_H

#include "program/scout/search.h"

enum { SCOUT_COUNT_MAX = 64 };

/** Find up to search->count places, best first. *count: how many there are. Errors OUTCOME_FAILED; OUTCOME_INTERRUPTED
 */
outcome scout_find(const scout_search *search, scout_place *places, int *count);

#endif
