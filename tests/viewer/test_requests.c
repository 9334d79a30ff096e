/* test_requests.c - each tile is requested once, and in order: visible tiles first, then by due distance. The due
 * distance of a tile is the least distance that the camera travels before it needs the tile. It is right for tiles
 * behind and ahead of the camera and below the horizon, and fast flights have no late tiles. */
#include "quadtree_under_test.h"

#include <math.h>

static bool is_same_key(const tile_key *a, const tile_key *b)
{
    return a->lod == b->lod && a->i == b->i && a->j == b->j;
}

/** Whether a request may follow another one in the list. */
static bool is_in_order(const quadtree_request *before, const quadtree_request *r)
{
    if (before->is_seen != r->is_seen)
        return before->is_seen;
    if (!r->is_seen && before->due != r->due)
        return before->due < r->due;
    return before->key.lod != r->key.lod ? before->key.lod > r->key.lod : before->distance <= r->distance;
}

/** Visible tiles come first: coarse before fine, near before far. Hidden tiles follow by due distance. No tile is
 * requested twice, and no loaded tile is requested. */
static void test_requests(void **state)
{
    (void)state;
    static quadtree tree;
    tile_pool *pool = tile_pool_create(3072);
    quadtree_view view = view_at(1000, 2000, 50);
    begin_tree(&tree, pool, &view, 8);
    view.cell_x += 40000;
    for (int n = 0; n < 3; n++) { /* no tile is loaded, so the requests are repeated */
        quadtree_update(&tree, &view, 1e9);
        assert_true(tree.n_requests > 10);
        for (size_t k = 0; k < tree.n_requests; k++) {
            const quadtree_request *r = &tree.requests[k], *before = &tree.requests[k - (k > 0)];
            uint32_t slot;
            assert_true(k == 0 || is_in_order(before, r));
            assert_int_equal(tile_pool_use(pool, r->key, tree.frame, &slot), TILE_ABSENT);
            for (size_t other = 0; other < k; other++)
                assert_false(is_same_key(&tree.requests[other].key, &r->key));
        }
    }
    uint32_t slot;
    const tile_key first = tree.requests[0].key;
    assert_true(tile_pool_reserve(pool, first, tree.frame, &slot));
    quadtree_update(&tree, &view, 1e9); /* a pending tile is not requested again */
    for (size_t k = 0; k < tree.n_requests; k++)
        assert_false(is_same_key(&tree.requests[k].key, &first));
    tile_pool_destroy(pool);
}

/** Tiles behind the camera are requested after visible ones, as if they were farther away. */
static void test_behind(void **state)
{
    (void)state;
    static quadtree tree;
    tile_pool *pool = tile_pool_create(3072);
    quadtree_view view = view_at(1000, 2000, 50);
    size_t n_behind = 0;
    begin_tree(&tree, pool, &view, 8);
    view.planes[0][0] = 1.0; /* east of the camera */
    view.planes[0][3] = 0.0;
    view.cell_x += 40000;
    quadtree_update(&tree, &view, 1e9);
    assert_true(tree.n_late > 0 && tree.n_late < tree.n_requests);
    for (size_t n = 0; n < tree.n_requests; n++) {
        const quadtree_request *r = &tree.requests[n];
        assert_true(n == 0 || is_in_order(r - 1, r));
        assert_int_equal(r->is_seen, n < tree.n_late);
        const bool is_behind = (r->key.i + 1) * ((int64_t)TILE_QUADS << r->key.lod) < view.cell_x;
        assert_true(!is_behind || (!r->is_seen && r->due > 0.1 * r->distance));
        n_behind += is_behind && r->distance < view.far_distance;
    }
    assert_true(n_behind > 0);
    tile_pool_destroy(pool);
}

/** Update the tree, and load all requested tiles, with bounds of their heights if has_bounds. Returns how many tiles
 * were late. */
static size_t fly_on(quadtree *tree, const quadtree_view *view, bool has_bounds)
{
    quadtree_update(tree, view, 0.05);
    for (size_t k = 0; k < tree->n_requests && k < 256; k++) {
        uint32_t slot;
        assert_true(tile_pool_reserve(tree->pool, tree->requests[k].key, tree->frame, &slot));
        tile_pool_complete(tree->pool, slot);
        if (has_bounds)
            tile_pool_set_bounds(tree->pool, slot, -200.0f, 900.0f);
    }
    return tree->n_late;
}

/** A morph begins during a fast flight. The bounds of heights are dropped, so all land behind the horizon may be in
 * view, but none of its tiles is late. */
static void test_forgotten_bounds(void **state)
{
    (void)state;
    static quadtree tree;
    tile_pool *pool = tile_pool_create(7000);
    ter_params params;
    ter_params_default(&params);
    quadtree_init(&tree, pool, &params, 4.8, 8, 0);
    quadtree_view view = view_at(0, 0, 5000);
    view.planet_radius = 6371e3;
    view.altitude = 5300;
    view.low = -14000;
    view.high = 4000;
    view.far_distance = sqrt(2.0 * view.planet_radius * view.altitude) + sqrt(2.0 * view.planet_radius * 4000.0);
    view.planes[0][2] = -1.0; /* north of the camera, which flies there */
    view.planes[0][3] = 0.0;
    size_t n_late = 0;
    for (int frame = 0; frame < 800; frame++) {
        view.cell_z -= 1000;
        if (frame == 400)
            tile_pool_forget_bounds(pool);
        const size_t late = fly_on(&tree, &view, frame < 400);
        n_late += frame < 30 ? 0 : late; /* at first all tiles are late */
    }
    assert_int_equal(n_late, 0);
    tile_pool_destroy(pool);
}

/** A tile ahead is requested before the camera comes into its range, so that it is not late. Without motion nothing is
 * requested. */
static void test_ahead(void **state)
{
    (void)state;
    static quadtree tree;
    tile_pool *pool = tile_pool_create(3072);
    quadtree_view view = view_at(5000, 5000, 300);
    uint64_t random = 17;
    begin_tree(&tree, pool, &view, 8);
    /* Tiles are kept for some distance beyond their range. This distance is longer. */
    const int64_t ahead_steps = (int64_t)(4.0 * quadtree_tile_width(&tree, 0) / tree.spacing);
    quadtree_update(&tree, &view, 0.1);
    assert_int_equal(tree.n_requests, 0);
    view.ahead_x = (double)ahead_steps;
    quadtree_update(&tree, &view, 0.1);
    assert_true(tree.n_requests > 0 && tree.n_late == 0);
    size_t n_soon = 0;
    for (size_t n = 0; n < tree.n_requests; n++) {
        assert_false(tree.requests[n].is_seen);
        assert_int_equal(tree.requests[n].is_soon, tree.requests[n].due < 2.0 * (double)ahead_steps * tree.spacing);
        n_soon += tree.requests[n].is_soon;
    }
    assert_true(n_soon > 0);
    quadtree_view nearer = view;
    nearer.cell_x += (int64_t)(0.99 * tree.requests[0].due / tree.spacing);
    assert_true(nearer.cell_x > view.cell_x);
    quadtree_update(&tree, &nearer, 0.1); /* no tile has been loaded, but none is due yet */
    assert_int_equal(tree.n_late, 0);
    nearer.cell_x = view.cell_x + ahead_steps;
    quadtree_update(&tree, &nearer, 0.1);
    assert_true(tree.n_late > 0);
    load(&tree, &view, 30, 1.0, &random);
    view.ahead_x = 0.0;
    view.cell_x += ahead_steps;
    quadtree_update(&tree, &view, 0.1);
    assert_int_equal(tree.n_late, 0);
    tile_pool_destroy(pool);
}

static void forget(void *user, uint32_t slot)
{
    (void)user;
    (void)slot;
}

/** A tile behind the horizon is due, at the earliest, when the camera has moved by the tile's distance from the
 * horizon. Tiles that only a view with a longer far distance would need, as roots of the tree, are due when the far
 * distance has grown so much. */
static void test_hidden(void **state)
{
    (void)state;
    static quadtree tree;
    static const double HORIZON_M = 35.7e3;
    tile_pool *pool = tile_pool_create(3072);
    quadtree_view view = view_at(5000, 5000, 100);
    size_t n_hidden = 0, n_early = 0;
    view.altitude = 100;
    view.planet_radius = 6.371e6;
    view.low = -5100;
    view.high = -100;
    begin_tree(&tree, pool, &view, 8);
    view.cell_x += 120000;
    quadtree_update(&tree, &view, 1e9);
    for (size_t n = 0; n < tree.n_requests; n++) {
        const quadtree_request *r = &tree.requests[n];
        const double beyond = r->distance - HORIZON_M;
        assert_true(beyond < 100.0 || (!r->is_seen && r->due > beyond - 100.0));
        n_hidden += beyond > 100.0 && fabs(r->due - beyond) < 100.0;
    }
    assert_true(n_hidden > 3);
    view = view_at(5000, 5000, 100);
    view.far_distance = 0.9 * tree.detail * quadtree_tile_width(&tree, 6);
    begin_tree(&tree, pool, &view, 8);
    tile_pool_drop_unused(pool, UINT64_MAX, forget, NULL);
    quadtree_update(&tree, &view, 1e9);
    for (size_t n = 0; n < tree.n_requests; n++)
        if (tree.requests[n].key.lod == 7) {
            assert_false(tree.requests[n].is_seen);
            assert_true(tree.requests[n].due > view.far_distance / 9.0 - 1.0);
            n_early += tree.requests[n].due < view.far_distance / 9.0 + 1.0;
        }
    assert_true(n_early > 0);
    tile_pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_requests), cmocka_unit_test(test_behind), cmocka_unit_test(test_forgotten_bounds),
        cmocka_unit_test(test_ahead),    cmocka_unit_test(test_hidden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
