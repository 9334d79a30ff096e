/* scatter.h - sums points of the guide's surface in the cells of the drainage network. */
#ifndef TERRANE_GUIDE_SCATTER_H
#define TERRANE_GUIDE_SCATTER_H

#include "library/guide/making.h"

/** Make `at` and `sums` of the guide's cells. The raster must have been made.
 *
 *  Errors  TER_EINVAL there are too many cells; TER_ENOMEM; TER_ECANCELLED
 */
ter_status guide_scatter(guide_making *m);

#endif
