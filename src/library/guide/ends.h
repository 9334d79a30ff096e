/* ends.h - basins of a guide without an outlet. */
#ifndef TERRANE_GUIDE_ENDS_H
#define TERRANE_GUIDE_ENDS_H

#include "library/guide/network.h"
#include "library/guide/pixel_flood.h"

/** Let the depressions of the pixels that are deep enough have no outlet: water ends at their lowest pixels. The pixels
 * alone decide which depressions there are, and not the cells or the land around, which change with the place of the
 * guide. Errors TER_ENOMEM, TER_ECANCELLED */
ter_status guide_find_pixel_ends(guide_making *m, guide_pixel_flood *f);

/** Let water end in the cells of these pixels. Lines have been forced. Errors TER_ENOMEM */
ter_status guide_take_ends(guide_network *n);

#endif
