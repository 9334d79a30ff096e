/* flood.h - makes the heights of a guide's network fall along every way to an outlet: floods it from its outlets,
 * breaches barriers, and makes lakes.
 *
 * Source: Barnes, Lehman, Mulla 2014, "Priority-flood: an optimal depression-filling and watershed-labeling algorithm
 * for digital elevation models"; breaching along the flood: Soille, Vogt, Colombo 2003.
 */
#ifndef TERRANE_GUIDE_FLOOD_H
#define TERRANE_GUIDE_FLOOD_H

#include "library/guide/network.h"

/** Flood the guide from its outlets and its sea. Sets `parent` and the lakes, and lowers or raises `z` so that each
 * cell lies higher than its parent. Errors TER_ENOMEM */
ter_status guide_flood(guide_network *n);

#endif
