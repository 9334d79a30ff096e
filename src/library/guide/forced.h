/* forced.h - directions, places and areas that the lines of rivers force upon a guide's network. */
#ifndef TERRANE_GUIDE_FORCED_H
#define TERRANE_GUIDE_FORCED_H

#include "library/guide/network.h"

/** Set the directions of cells on lines, and put their nodes onto the lines. No two of these edges cross, and they make
 * no circle. The network has its first heights. Errors TER_ENOMEM */
ter_status guide_force_lines(guide_network *n);

/** Store the rivers of the guide's pixels as the network's rivers follow them. bends: one a cell */
void guide_store_bends(const guide_network *n, ter_guide_bend *bends);

/** Give up the direction of a cell on a line. */
void guide_release_cell(guide_network *n, size_t k);

/** Area of a cell with what lines say. area: the sum of what drains to it, cells of level 8 */
int64_t guide_area_on_line(const guide_network *n, size_t k, int64_t area);

/** Add the number of cells on lines and the deepest cut to the report. The network has its final heights. */
void guide_report_lines(const guide_network *n, ter_guide_report *report);

#endif
