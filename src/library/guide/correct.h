/* correct.h - compares the land that grows on a guide's nodes with the guide, and corrects the nodes' heights. */
#ifndef TERRANE_GUIDE_CORRECT_H
#define TERRANE_GUIDE_CORRECT_H

#include "library/guide/network.h"

/** Store the nodes of a network in the tables: their heights, directions and lakes. */
void guide_store_nodes(const guide_network *n);

/** Set the half widths of the valley floors of all stored nodes. Their areas must have been stored. Errors TER_ENOMEM,
 * TER_ECANCELLED */
ter_status guide_make_floors(guide_network *n);

/** Predict the mean height of the land of each cell from the stored nodes, and change `correct` so that this mean comes
 * nearer to the mean height of the guide.
 *
 *  finer   number of finer levels of the network that are made for the prediction
 *  Errors  TER_ENOMEM, TER_ECANCELLED
 */
ter_status guide_correct(guide_network *n, int finer);

#endif
