/* river_tree.h - the rivers of the network as cells of a grid: each cell of a river has the index of the cell that it
 * flows into. */
#ifndef TERRANE_PROGRAM_DRAINAGE_RIVER_TREE_H
#define TERRANE_PROGRAM_DRAINAGE_RIVER_TREE_H

#include "program/features/river_net.h"

/** What a cell is, if it is no cell of a river that flows into another one. */
typedef enum tree_cell {
    TREE_LAND = -1, /* no river */
    TREE_ROOT = -2, /* the last cell of a river, whose water flows on over land, into the sea or out of the grid */
    TREE_BASIN = -3 /* the last cell of a river that ends in a basin without an outlet */
} tree_cell;

/** A grid of samples: sides, and the lattice coordinates of the first one. */
typedef struct tree_grid {
    int rows, columns;
    double x, z, step;
} tree_grid;

/** Draw rivers into a grid. Where two rivers share a cell, the smaller one flows into the greater one.
 *
 *  net      the tiles of the grid's cells have been loaded
 *  next     for each cell, the cell that it flows into, a neighbour; or a tree_cell
 *  level_m  altitude of the water; set for cells of rivers
 *  Errors   RESULT_FAILED no memory
 */
result river_tree_draw(const river_net *net, const tree_grid *grid, int32_t *next, float *level_m);

#endif
