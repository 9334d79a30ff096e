/* line_cells.h - the cells of the network through which the lines of a guide's rivers lead. */
#ifndef TERRANE_GUIDE_LINE_CELLS_H
#define TERRANE_GUIDE_LINE_CELLS_H

#include "library/guide/making.h"

/** Set `line_cells` of a guide's cells. The raster and the window of the cells have been made.
 *
 *  Errors  TER_ENOMEM, TER_ECANCELLED
 */
ter_status guide_find_line_cells(guide_making *m);

#endif
