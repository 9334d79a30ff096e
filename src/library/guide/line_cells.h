/* line_cells.h - finds the cells of the network through which the lines of a guide's rivers lead. */
#ifndef TERRANE_GUIDE_LINE_CELLS_H
#define TERRANE_GUIDE_LINE_CELLS_H

#include "library/guide/pixel_flood.h"

/** Set `line_cells` of a guide's cells. The raster and the window of the cells must have been made.
 *
 *  pixels  flooded pixels; the lines of their rivers are added after the guide's `rivers`. NULL: only the guide's
 *          `rivers` are added
 *  Errors  TER_ENOMEM, TER_ECANCELLED
 */
ter_status guide_find_line_cells(guide_making *m, const guide_pixel_flood *pixels);

#endif
