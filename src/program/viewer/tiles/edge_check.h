/* edge_check.h - checks that samples which tiles of a frame share with neighbours and with coarser levels are equal,
 * bit for bit. */
#ifndef TERRANE_PROGRAM_VIEWER_TILES_EDGE_CHECK_H
#define TERRANE_PROGRAM_VIEWER_TILES_EDGE_CHECK_H

#include "program/render/tile_store.h"

typedef struct edge_count {
    uint64_t n_compared, n_different; /* samples */
} edge_count;

/** Read the drawn tiles back and compare their heights, and their water if has_water. Errors RESULT_FAILED out of
 * memory */
result edges_compare(const tile_store *store, const quadtree *tree, bool has_water, edge_count *out);

#endif
