/* test_quadtree.c - the tiles of a view cover the land exactly once, neighbours differ by one level at most and meet where the
 * finer one has finished morphing and the coarser one has not begun; requests come in order and once each; what cannot be seen is
 * left out, and nothing else is; the pool evicts the least recently used. */
#include "program_under_test.h"

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

/** A tree over the default world with everything loaded that the view needs. */
static void begin_tree(quadtree *tree, tile_pool *pool, const quadtree_view *view, int n_parts)
{
    uint64_t random = 12;
    ter_params params;
    ter_params_default(&params);
    quadtree_init(tree, pool, &params, 5.2, n_parts);
    load(tree, view, 60, 1.0, &random);
    assert_int_equal(tree->n_requests, 0);
    assert_int_equal(tree->n_late, 0);
}

static bool is_same_key(const tile_key *a, const tile_key *b)
{
    return a->lod == b->lod && a->i == b->i && a->j == b->j;
}

/** Whether a request may stand behind another one. */
static bool is_in_order(const quadtree_request *before, const quadtree_request *r)
{
    if (before->is_seen != r->is_seen)
        return before->is_seen;
    if (!r->is_seen && before->due != r->due)
        return before->due < r->due;
    return before->key.lod != r->key.lod ? before->key.lod > r->key.lod : before->distance <= r->distance;
}

/** Of what is seen coarse tiles are asked for first, then near ones, then what is due first; none twice, and none that is there. */
static void test_requests(void **state)
{
    (void)state;
    static quadtree tree;
    tile_pool *pool = tile_pool_create(3072);
    quadtree_view view = view_at(1000, 2000, 50);
    begin_tree(&tree, pool, &view, 0);
    view.cell_x += 40000;
    for (int n = 0; n < 3; n++) { /* nothing comes: the same is asked for again */
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
    quadtree_update(&tree, &view, 1e9); /* what is on its way is not asked for again */
    for (size_t k = 0; k < tree.n_requests; k++)
        assert_false(is_same_key(&tree.requests[k].key, &first));
    tile_pool_destroy(pool);
}

/** What lies behind the camera is asked for after what is seen, and as if it were further away. */
static void test_behind(void **state)
{
    (void)state;
    static quadtree tree;
    tile_pool *pool = tile_pool_create(3072);
    quadtree_view view = view_at(1000, 2000, 50);
    size_t n_behind = 0;
    begin_tree(&tree, pool, &view, 0);
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

/** Load all that is asked for, and tell bounds if they are known; returns how many tiles were late. */
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

/** A morph begins in a fast flight: bounds are forgotten, so that all land behind the horizon seems to be in view; none of it is
 * late. */
static void test_forgotten_bounds(void **state)
{
    (void)state;
    static quadtree tree;
    tile_pool *pool = tile_pool_create(7000);
    ter_params params;
    ter_params_default(&params);
    quadtree_init(&tree, pool, &params, 4.8, 0);
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
        n_late += frame < 30 ? 0 : late; /* at first everything is */
    }
    assert_int_equal(n_late, 0);
    tile_pool_destroy(pool);
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

/** Where the camera will soon be its tiles are asked for before it is there, and for those alone: nothing is late then. */
static void test_ahead(void **state)
{
    (void)state;
    static quadtree tree;
    tile_pool *pool = tile_pool_create(3072);
    quadtree_view view = view_at(5000, 5000, 300);
    uint64_t random = 17;
    begin_tree(&tree, pool, &view, 0);
    const int64_t way =
        (int64_t)(4.0 * quadtree_tile_width(&tree, 0) / tree.spacing); /* more than tiles are kept beyond their range */
    quadtree_update(&tree, &view, 0.1);
    assert_int_equal(tree.n_requests, 0);
    view.ahead_x = (double)way;
    quadtree_update(&tree, &view, 0.1);
    assert_true(tree.n_requests > 0 && tree.n_late == 0);
    size_t n_soon = 0;
    for (size_t n = 0; n < tree.n_requests; n++) {
        assert_false(tree.requests[n].is_seen);
        assert_int_equal(tree.requests[n].is_soon, tree.requests[n].due < 2.0 * (double)way * tree.spacing);
        n_soon += tree.requests[n].is_soon;
    }
    assert_true(n_soon > 0);
    quadtree_view nearer = view;
    nearer.cell_x += (int64_t)(0.99 * tree.requests[0].due / tree.spacing);
    assert_true(nearer.cell_x > view.cell_x);
    quadtree_update(&tree, &nearer, 0.1); /* nothing has come, but nothing was due */
    assert_int_equal(tree.n_late, 0);
    nearer.cell_x = view.cell_x + way;
    quadtree_update(&tree, &nearer, 0.1);
    assert_true(tree.n_late > 0);
    load(&tree, &view, 30, 1.0, &random);
    view.ahead_x = 0.0;
    view.cell_x += way;
    quadtree_update(&tree, &view, 0.1);
    assert_int_equal(tree.n_late, 0);
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

static void forget(void *user, uint32_t slot)
{
    (void)user;
    (void)slot;
}

/** Land that the horizon hides is due when the camera has gone as far as it lies beyond it, at the earliest; tiles that would be
 * roots if the land in sight were wider are due when it is. */
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
    begin_tree(&tree, pool, &view, 0);
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
    begin_tree(&tree, pool, &view, 0);
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
        cmocka_unit_test(test_pool),         cmocka_unit_test(test_complete),
        cmocka_unit_test(test_late_tiles),   cmocka_unit_test(test_forgotten_bounds),
        cmocka_unit_test(test_roots),        cmocka_unit_test(test_requests),
        cmocka_unit_test(test_behind),       cmocka_unit_test(test_parts),
        cmocka_unit_test(test_frustum),      cmocka_unit_test(test_ahead),
        cmocka_unit_test(test_horizon),      cmocka_unit_test(test_hidden),
        cmocka_unit_test(test_end_of_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
