/* test_quadtree.c - the tiles of a view cover the land exactly once, neighbours differ by one level at most and meet where the
 * finer one has finished morphing and the coarser one has not begun; the pool evicts the least recently used. */
#include "backend_under_test.h"

#include <math.h>

#include "stream/quadtree.h"

static quadtree_view view_at(int64_t x, int64_t z, double height)
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

/** Load what is asked for; share 0..1 of the requests a round, until `rounds` have passed or nothing is missing. */
static void load(quadtree *tree, const quadtree_view *view, int rounds, double share, uint64_t *random)
{
    for (int n = 0; n < rounds; n++) {
        quadtree_update(tree, view, 1e9);
        if (tree->n_requests == 0)
            break;
        for (size_t k = 0; k < tree->n_requests; k++) {
            uint32_t slot;
            if ((double)(test_random(random) % 1000) < share * 1000.0 &&
                tile_pool_reserve(tree->pool, tree->requests[k].key, tree->frame, &slot))
                tile_pool_complete(tree->pool, slot);
        }
    }
    quadtree_update(tree, view, 1e9);
}

static const quadtree_tile *tile_over(const quadtree *tree, double x, double z, int *count)
{
    const quadtree_tile *found = NULL;
    *count = 0;
    for (size_t n = 0; n < tree->n_tiles; n++) {
        const double width = (double)((int64_t)TILE_QUADS << tree->tiles[n].lod);
        const double dx = x - tree->tiles[n].x, dz = z - tree->tiles[n].z;
        if (dx >= 0 && dx < width && dz >= 0 && dz < width) {
            found = &tree->tiles[n];
            (*count)++;
        }
    }
    return found;
}

static void check_cover(const quadtree *tree, const quadtree_view *view, uint64_t *random)
{
    for (int n = 0; n < 2000; n++) {
        const double angle = (double)(test_random(random) % 100000) / 100000.0 * 6.283185;
        const double radius = view->far_distance * 0.9 * pow(2.0, -(double)(test_random(random) % 1500) / 100.0);
        int count;
        tile_over(tree, cos(angle) * radius, sin(angle) * radius, &count);
        assert_int_equal(count, 1);
    }
}

/** Along every tile's edges: the neighbour, and the morph state of both where they meet. */
static void check_edges(const quadtree *tree, const quadtree_view *view)
{
    for (size_t n = 0; n < tree->n_tiles; n++) {
        const quadtree_tile *tile = &tree->tiles[n];
        const double step = (double)((int64_t)1 << tile->lod), width = TILE_QUADS * step;
        for (int k = 0; k <= TILE_QUADS; k += 8) {
            const double x = tile->x + width + 0.5 * step, z = tile->z + k * step;
            int count;
            const quadtree_tile *east = tile_over(tree, x, z < tile->z + width ? z : z - 0.5 * step, &count);
            if (!east)
                continue;
            assert_true(abs(east->lod - tile->lod) <= 1);
            if (east->lod == tile->lod)
                continue;
            const int fine = east->lod < tile->lod ? east->lod : tile->lod;
            const double dx = tile->x + width - view->offset_x, dz = z - view->offset_z;
            const double distance = sqrt(dx * dx + dz * dz + view->height * view->height);
            assert_true(distance >= quadtree_morph_end(tree, fine));
            assert_true(distance <= quadtree_morph_start(tree, fine + 1));
        }
    }
}

static void check_views(double share, int rounds)
{
    uint64_t random = 11;
    static const double heights[] = {1, 50, 800, 20000, 200000};
    static quadtree tree;
    for (int far_away = 0; far_away < 2; far_away++)
        for (size_t h = 0; h < sizeof heights / sizeof heights[0]; h++) {
            tile_pool *pool = tile_pool_create(3072);
            ter_params params;
            ter_params_default(&params);
            quadtree_init(&tree, pool, &params, 5.2, 0);
            const int64_t x = far_away ? (INT64_C(1) << 40) + 12345 : -777, z = far_away ? -(INT64_C(1) << 41) : 901;
            const quadtree_view view = view_at(x, z, heights[h]);
            load(&tree, &view, 60, 1.0, &random); /* something to stand on */
            const quadtree_view moved = view_at(x + (int64_t)(heights[h] * 3) + 500, z - 700, heights[h] * 0.7);
            load(&tree, &moved, rounds, share, &random);
            if (share >= 1.0)
                assert_int_equal(tree.n_late, 0);
            check_cover(&tree, &moved, &random);
            check_edges(&tree, &moved);
            tile_pool_destroy(pool);
        }
}

static void test_complete(void **state)
{
    (void)state;
    check_views(1.0, 60);
}

/** Half of what is asked for never comes: coarser land, but closed. */
static void test_late_tiles(void **state)
{
    (void)state;
    check_views(0.5, 1);
}

static void test_pool(void **state)
{
    (void)state;
    enum { SLOTS = 8 };
    tile_pool *pool = tile_pool_create(SLOTS);
    uint32_t slot;
    for (int n = 0; n < SLOTS; n++) {
        assert_true(tile_pool_reserve(pool, (tile_key){3, n, -n}, 1, &slot));
        tile_pool_complete(pool, slot);
    }
    assert_int_equal(tile_pool_use(pool, (tile_key){3, 0, 0}, 2, &slot), TILE_READY);
    assert_true(tile_pool_reserve(pool, (tile_key){3, 100, 0}, 2, &slot));
    assert_int_equal(tile_pool_use(pool, (tile_key){3, 100, 0}, 2, &slot), TILE_PENDING);
    assert_int_equal(tile_pool_use(pool, (tile_key){3, 1, -1}, 2, &slot), TILE_ABSENT); /* the least recently used went */
    assert_int_equal(tile_pool_use(pool, (tile_key){3, 0, 0}, 2, &slot), TILE_READY);
    for (int n = 2; n < SLOTS; n++)
        assert_int_equal(tile_pool_use(pool, (tile_key){3, n, -n}, 2, &slot), TILE_READY);
    assert_false(tile_pool_reserve(pool, (tile_key){3, 200, 0}, 2, &slot)); /* all are in use in this frame */
    tile_pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pool), cmocka_unit_test(test_complete),
                                       cmocka_unit_test(test_late_tiles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
