/* test_quadtree.c - the tiles of a view cover the land exactly once, neighbours differ by one level at most and meet where the
 * finer one has finished morphing and the coarser one has not begun; what cannot be seen is left out, and nothing else is; the pool
 * evicts the least recently used. */
#include "quadtree_under_test.h"

#include <math.h>

/** Steps of a tile or part of one. */
static double steps_of(const quadtree_tile *tile)
{
    return (double)((int64_t)TILE_QUADS << tile->lod) / (double)(1 << tile->part);
}

static const quadtree_tile *tile_over(const quadtree *tree, double x, double z, int *count)
{
    const quadtree_tile *found = NULL;
    *count = 0;
    for (size_t n = 0; n < tree->n_tiles; n++) {
        const double width = steps_of(&tree->tiles[n]);
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

/** Parts of near tiles cover what whole tiles would, and say where in their tile they lie. */
static void test_parts(void **state)
{
    (void)state;
    static quadtree tree;
    tile_pool *pool = tile_pool_create(3072);
    const quadtree_view view = view_at(-1000, 2000, 2);
    uint64_t random = 14;
    double area[QUADTREE_PARTS_MAX + 1][QUADTREE_PARTS_MAX + 1] = {{0}};
    for (int n_parts = 0; n_parts <= QUADTREE_PARTS_MAX; n_parts++) {
        begin_tree(&tree, pool, &view, n_parts);
        check_cover(&tree, &view, &random);
        for (size_t n = 0; n < tree.n_tiles; n++) {
            const quadtree_tile *tile = &tree.tiles[n];
            const double steps = steps_of(tile);
            assert_true(tile->part <= n_parts && (tile->part == 0 || tile->lod == 0));
            assert_true(tile->column < 1 << tile->part && tile->row < 1 << tile->part);
            if (tile->lod == 0) {
                area[n_parts][tile->part] += steps * steps;
                assert_int_equal((tile->x + view.cell_x - tile->column * (int64_t)steps) % TILE_QUADS, 0);
                assert_int_equal((tile->z + view.cell_z - tile->row * (int64_t)steps) % TILE_QUADS, 0);
            }
        }
        double sum = 0.0;
        for (int part = 0; part <= n_parts; part++)
            sum += area[n_parts][part];
        assert_true(sum == area[0][0]);
        assert_true(area[n_parts][n_parts] > 0.0);
    }
    tile_pool_destroy(pool);
}

static bool has_tile(const quadtree *tree, const quadtree_tile *tile)
{
    for (size_t n = 0; n < tree->n_tiles; n++)
        if (memcmp(&tree->tiles[n], tile, sizeof *tile) == 0)
            return true;
    return false;
}

/** A view to the far land that nobody draws coarsely asks for no tile of the coarsest levels; a wide one does. */
static void test_roots(void **state)
{
    (void)state;
    static quadtree tree;
    tile_pool *pool = tile_pool_create(7000);
    for (int is_high = 0; is_high < 2; is_high++) {
        const quadtree_view view = view_at(1000, 2000, is_high ? 150000 : 300);
        begin_tree(&tree, pool, &view, 0);
        int coarsest = 0;
        for (size_t n = 0; n < tree.n_tiles; n++)
            coarsest = tree.tiles[n].lod > coarsest ? tree.tiles[n].lod : coarsest;
        int there = 0;
        for (int lod = 0; lod <= tree.top; lod++)
            for (int n = 0; n < QUADTREE_PAGES * QUADTREE_PAGES; n++)
                there = tree.pages[lod][n] >= 0 ? lod : there;
        assert_true(there <= coarsest + 1);
        assert_true(is_high ? coarsest > 10 : coarsest < 10);
    }
    tile_pool_destroy(pool);
}

/** Of a view to the east the tiles behind are left out, and of the tiles ahead none. */
static void test_frustum(void **state)
{
    (void)state;
    static quadtree all, east;
    tile_pool *pool = tile_pool_create(3072);
    quadtree_view view = view_at(5000, 5000, 300);
    begin_tree(&all, pool, &view, 2);
    view.planes[0][0] = 1.0; /* east of the camera */
    view.planes[0][3] = 0.0;
    begin_tree(&east, pool, &view, 2);
    assert_true(east.n_tiles < all.n_tiles);
    for (size_t n = 0; n < east.n_tiles; n++)
        assert_true(has_tile(&all, &east.tiles[n]));
    for (size_t n = 0; n < all.n_tiles; n++)
        assert_int_equal(has_tile(&east, &all.tiles[n]), all.tiles[n].x + steps_of(&all.tiles[n]) >= view.offset_x);
    tile_pool_destroy(pool);
}

/** Land under the horizon of an opaque sphere is left out, land that rises over it is not. */
static void test_horizon(void **state)
{
    (void)state;
    static quadtree tree;
    tile_pool *pool = tile_pool_create(3072);
    quadtree_view view = view_at(5000, 5000, 100);
    view.altitude = 100;
    view.planet_radius = 6.371e6;
    view.occluder = 0;
    view.low = -5100;
    view.high = -100; /* nothing rises over the sphere: the horizon is sqrt(2 * 6371 km * 100 m) = 35.7 km away */
    begin_tree(&tree, pool, &view, 0);
    double farthest = 0.0;
    for (size_t n = 0; n < tree.n_tiles; n++) {
        const quadtree_tile *tile = &tree.tiles[n];
        const double dx = fmax(fmax(tile->x, -(tile->x + steps_of(tile))), 0.0);
        const double dz = fmax(fmax(tile->z, -(tile->z + steps_of(tile))), 0.0);
        farthest = fmax(farthest, sqrt(dx * dx + dz * dz));
    }
    assert_true(farthest < 35.8e3 && farthest > 20e3);
    const size_t n_low = tree.n_tiles;
    view.high = 2900;
    begin_tree(&tree, pool, &view, 0);
    assert_true(tree.n_tiles > n_low);
    tile_pool_destroy(pool);
}

/** At the end of the world there are tiles up to it, none beyond, and no request that could never come. */
static void test_end_of_world(void **state)
{
    (void)state;
    static quadtree tree;
    tile_pool *pool = tile_pool_create(3072);
    const quadtree_view view = view_at(TER_COORDINATE_MAX - 1000, -TER_COORDINATE_MAX + 1000, 50);
    ter_params params;
    uint64_t random = 13;
    ter_params_default(&params);
    quadtree_init(&tree, pool, &params, 5.2, 0);
    quadtree_update(&tree, &view, 1e9);
    while (tree.n_requests > 0) {
        for (size_t n = 0; n < tree.n_requests; n++) {
            const tile_key *key = &tree.requests[n].key;
            const int64_t end = TER_COORDINATE_MAX >> key->lod, first_i = key->i * TILE_QUADS, first_j = key->j * TILE_QUADS;
            assert_true(first_i - TILE_APRON >= -end && first_i - TILE_APRON + TILE_SAMPLES - 1 <= end);
            assert_true(first_j - TILE_APRON >= -end && first_j - TILE_APRON + TILE_SAMPLES - 1 <= end);
        }
        load(&tree, &view, 1, 1.0, &random);
    }
    for (size_t n = 0; n < tree.n_tiles; n++) {
        assert_true(view.cell_x + tree.tiles[n].x + (int64_t)steps_of(&tree.tiles[n]) <= TER_COORDINATE_MAX);
        assert_true(view.cell_z + tree.tiles[n].z >= -TER_COORDINATE_MAX);
    }
    tile_pool_destroy(pool);
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pool),    cmocka_unit_test(test_complete),     cmocka_unit_test(test_late_tiles),
        cmocka_unit_test(test_roots),   cmocka_unit_test(test_parts),        cmocka_unit_test(test_frustum),
        cmocka_unit_test(test_horizon), cmocka_unit_test(test_end_of_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
