/* plain.h - makes nodes of the guide's level as they are without the guide's nodes. In its rim, a guide blends into
 * them. */
#ifndef TERRANE_GUIDE_PLAIN_H
#define TERRANE_GUIDE_PLAIN_H

#include "library/guide/making.h"

/** Nodes that have been made, in tiles. */
typedef struct guide_plain guide_plain;

/** Create an object without nodes. The cells of m must have fields, and no nodes yet. Returns NULL when there is no
 * memory. */
guide_plain *guide_plain_create(const guide_making *m);

/** Free the nodes; NULL is allowed. */
void guide_plain_destroy(guide_plain *plain);

/** Make the nodes of all cells of a mask with all threads. Other cells are made when they are asked for.
 *
 *  mask     of the cells of m->at; not 0: the cell is wanted
 *  Errors   TER_ENOMEM, TER_ECANCELLED
 */
ter_status guide_plain_prepare(guide_plain *plain, const unsigned char *mask);

/** Node of a cell, valid as long as `plain`; NULL when there is no memory or the work was cancelled. */
const ter_node *guide_plain_node(guide_plain *plain, int64_t x, int64_t y);

#endif
