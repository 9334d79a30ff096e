/* quadtree_under_test.h - makes views, and quadtrees that have loaded the tiles they request. */
#ifndef QUADTREE_UNDER_TEST_H
#define QUADTREE_UNDER_TEST_H

#include "program_under_test.h"

#include "program/stream/quadtree.h"

static inline quadtree_view view_at(int64_t x, int64_t z, double height)
{
    quadtree_view v = {.cell_x = x,
                       .cell_z = z,
                       .offset_x = 0.3,
                       .offset_z = 0.7,
                       .height = height,
                       .far_distance = 200e3 + 10 * height,
                       .low = -5000,
                       .high = 5000};
    for (int n = 0; n < 5; n++)
        v.planes[n][3] = 1.0; /* everything is in view */
    return v;
}

/** Update a tree, and load a random share (0 to 1) of its requests. */
static inline void load_some(quadtree *tree, const quadtree_view *view, double share, double elapsed_s,
                             uint64_t *random)
{
    quadtree_update(tree, view, elapsed_s);
    for (size_t k = 0; k < tree->n_requests; k++) {
        uint32_t slot;
        if ((double)(test_random(random) % 1000) < share * 1000.0 &&
            tile_pool_reserve(tree->pool, tree->requests[k].key, tree->frame, &slot))
            tile_pool_complete(tree->pool, slot);
    }
}

/** Call load_some until the tree requests no tile, at most `rounds` times. Loaded tiles show all of their detail at
 * once. */
static inline void load(quadtree *tree, const quadtree_view *view, int rounds, double share, uint64_t *random)
{
    for (int n = 0; n < rounds; n++) {
        load_some(tree, view, share, 1e9, random);
        if (tree->n_requests == 0)
            break;
    }
    quadtree_update(tree, view, 1e9);
}

/** Begin a tree over the default world, and load visible tiles only, as at the beginning of a flight. */
static inline void begin_tree_of_seen(quadtree *tree, tile_pool *pool, const quadtree_view *view)
{
    ter_params params;
    ter_params_default(&params);
    quadtree_init(tree, pool, &params, 5.2, 8, 0);
    quadtree_update(tree, view, 1e9);
    while (tree->n_late > 0) {
        for (size_t k = 0; k < tree->n_requests && tree->requests[k].is_seen; k++) {
            uint32_t slot;
            assert_true(tile_pool_reserve(pool, tree->requests[k].key, tree->frame, &slot));
            tile_pool_complete(pool, slot);
        }
        quadtree_update(tree, view, 1e9);
    }
}

/** Begin a tree over the default world, and load all tiles that it requests. */
static inline void begin_tree(quadtree *tree, tile_pool *pool, const quadtree_view *view, int mesh_step)
{
    uint64_t random = 12;
    ter_params params;
    ter_params_default(&params);
    quadtree_init(tree, pool, &params, 5.2, mesh_step, 0);
    load(tree, view, 60, 1.0, &random);
    assert_int_equal(tree->n_requests, 0);
    assert_int_equal(tree->n_late, 0);
}

#endif
