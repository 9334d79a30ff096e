/* forced.h - sets directions, places and areas that the lines of rivers force upon a guide's network. */
#ifndef TERRANE_GUIDE_FORCED_H
#define TERRANE_GUIDE_FORCED_H

#include "library/guide/network.h"

/** Set the directions of cells on lines, and put their nodes onto the lines. No two of these edges cross, and they
 * form no loop. The first heights of the network must have been set. Errors TER_ENOMEM */
ter_status guide_force_lines(guide_network *n);

/** Store the lines of the rivers of the guide's pixels, which the network's rivers follow. bends: receives one for each
 * cell */
void guide_store_bends(const guide_network *n, ter_guide_bend *bends);

/** Remove the direction of a cell on a line. */
void guide_release_cell(guide_network *n, size_t k);

/** Drained area of a cell, which a line may set or limit from below, in cells of level 8. area: the sum of the areas
 * that drain to it */
int64_t guide_area_on_line(const guide_network *n, size_t k, int64_t area);

/** Add the number of cells on lines and the deepest cut to the report. The network has its final heights. */
void guide_report_lines(const guide_network *n, ter_guide_report *report);

#endif
