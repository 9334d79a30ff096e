/* ends.h - finds the basins of a guide without an outlet, where water ends. */
#ifndef TERRANE_GUIDE_ENDS_H
#define TERRANE_GUIDE_ENDS_H

#include "library/guide/network.h"
#include "library/guide/pixel_flood.h"

/** Find the depressions of the pixels that are deep and large enough to have no outlet. Water ends at their lowest
 * pixels. The result depends on the pixels and on the width of the network's cells. It does not depend on where these
 * cells lie, or on the land around the guide, both of which change with the place of the guide. Errors TER_ENOMEM,
 * TER_ECANCELLED */
ter_status guide_find_pixel_ends(guide_making *m, guide_pixel_flood *f);

/** Let water end in the cells in which the pixels of guide_find_pixel_ends lie. guide_force_lines must have been
 * called. Errors TER_ENOMEM */
ter_status guide_take_ends(guide_network *n);

#endif
