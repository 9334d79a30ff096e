/* region_chains.h - the borders of regions as chains of corners that grow from row to row of samples until they are
 * closed. A chain has its region to the right of its direction, so outer rings run clockwise and holes the other way.
 *
 * At a corner meet four samples: a b above it, and c d below it. Regions touch at their sides only: where a and d are
 * equal, and b and c are not, the chain of a turns back, and so does the chain of d. */
#ifndef TERRANE_PROGRAM_FEATURES_REGION_CHAINS_H
#define TERRANE_PROGRAM_FEATURES_REGION_CHAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { REGION_NONE = -1 }; /* no node, chain or region */

/** A corner of a border: it lies half a sample north-west of sample (x, y). */
typedef struct region_node {
    int32_t x, y;
    int32_t next;  /* node */
    bool is_pinch; /* the region has the opposite sample, too, so that its border may pass here twice */
} region_node;

/** A chain, by its nodes. Its head and its tail are open; they lie in slots. */
typedef struct region_chain {
    int32_t first, last;  /* nodes */
    int32_t *head, *tail; /* the slots, which contain the number of the chain */
    int32_t next;         /* chain of the same region, when it is closed; or the next free chain */
    size_t count;         /* nodes */
} region_chain;

/** All chains. */
typedef struct region_chains {
    region_node *nodes;
    size_t n_nodes, nodes_room;
    region_chain *chains;
    size_t n_chains, chains_room;
    int32_t free_node, free_chain;
    int32_t *right, *left; /* slots between two columns: tails that lead down the right side of a sample, heads that
                              grow down the left side of a sample */
    int32_t above;         /* slot east of the corner: a head that grows along the lower side of b */
    int32_t below;         /* slot east of the corner: a tail that leads along the upper side of d */
    bool has_failed;       /* there was no memory */
} region_chains;

/** Begin. width: samples of a row. Free the chains in any case. Returns false when there is no memory. */
bool region_chains_begin(region_chains *chains, int width);

void region_chains_free(region_chains *chains);

/** Go on to the next corner of a row, eastwards.
 *
 *  numbers  of the regions of a, b, c, d, which are not all equal; 0: no region
 *  closed   receives the chain of a, and that of b, if the corner closes it; otherwise REGION_NONE
 */
void region_chains_corner(region_chains *chains, int32_t x, int32_t y, const int32_t numbers[4], int32_t closed[2]);

/** Free a closed chain. */
void region_chains_drop(region_chains *chains, int32_t chain);

#endif
