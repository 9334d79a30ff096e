/* test_from_space.c - a planet seen from space: the first frame requests few tiles, the bounds of curved land are never
 * too small, and the horizon is that of a sphere. */
#include "quadtree_under_test.h"

#include <math.h>

static const double RADIUS_M = 6.371e6;

/** A view of 55 degrees, 640 x 360 pixels, that looks down by an angle. */
static quadtree_view view_from(double height_m, double down_deg)
{
    quadtree_view view = view_at(-1078272, 1921024, height_m);
    const double down = down_deg * 3.14159265358979 / 180.0, tall = tan(27.5 * 3.14159265358979 / 180.0),
                 wide = tall * 640.0 / 360.0;
    const double up[3] = {0.0, cos(down), -sin(down)}, forward[3] = {0.0, -sin(down), -cos(down)};
    const double right[3] = {1.0, 0.0, 0.0};
    for (int n = 0; n < 3; n++) {
        view.planes[0][n] = right[n] + wide * forward[n];
        view.planes[1][n] = -right[n] + wide * forward[n];
        view.planes[2][n] = up[n] + tall * forward[n];
        view.planes[3][n] = -up[n] + tall * forward[n];
        view.planes[4][n] = forward[n];
    }
    for (int n = 0; n < 5; n++)
        view.planes[n][3] = 0.0;
    view.altitude = height_m;
    view.planet_radius = RADIUS_M;
    view.low = -6000.0 - height_m;
    view.high = 6000.0 - height_m;
    view.far_distance = hypot(bounds_horizon(RADIUS_M, height_m) + bounds_horizon(RADIUS_M, 4000.0), height_m);
    return view;
}

/** Load the visible tiles of a view. Returns their number. */
static size_t count_tiles(double height_m, double down_deg)
{
    static quadtree tree;
    tile_pool *pool = tile_pool_create(3072);
    const quadtree_view view = view_from(height_m, down_deg);
    ter_params params;
    size_t count = 0;
    ter_params_default(&params);
    quadtree_init(&tree, pool, &params, 2.7, 8, 0);
    for (quadtree_update(&tree, &view, 1e9); tree.n_late > 0; quadtree_update(&tree, &view, 1e9))
        for (size_t k = 0; k < tree.n_requests && tree.requests[k].is_seen; k++, count++) {
            uint32_t slot;
            assert_true(tile_pool_reserve(pool, tree.requests[k].key, tree.frame, &slot));
            tile_pool_complete(pool, slot);
        }
    assert_true(tree.n_tiles > 0);
    tile_pool_destroy(pool);
    return count;
}

static void test_first_frame(void **state)
{
    (void)state;
    assert_in_range(count_tiles(1.0e5, 50.0), 10, 39);
    assert_in_range(count_tiles(1.0e6, 50.0), 10, 36);
    assert_in_range(count_tiles(1.0e7, 50.0), 1, 10);
    assert_in_range(count_tiles(2.0e7, 89.0), 1, 12);
}

/** Earth's horizon lies 3,357 km along the ground from the foot of a camera 1,000 km high, and 8,450 km from 20,000. */
static void test_horizon(void **state)
{
    (void)state;
    assert_true(fabs(bounds_horizon(RADIUS_M, 1.0e6) - RADIUS_M * acos(6371.0 / 7371.0)) < 1.0);
    assert_true(fabs(bounds_horizon(RADIUS_M, 2.0e7) - RADIUS_M * acos(6371.0 / 26371.0)) < 1.0);
    assert_true(fabs(bounds_horizon(RADIUS_M, 2.0) - sqrt(2.0 * RADIUS_M * 2.0)) < 0.01);
}

/** If a point of a rectangle, placed as in terrain_vertices.comp, is in the frustum, the bounds of the rectangle are in
 * the frustum, too. */
static void test_bounds(void **state)
{
    (void)state;
    uint64_t random = 5;
    size_t n_seen = 0, n_hidden = 0;
    for (int n = 0; n < 20000; n++) {
        const double height_m = pow(10.0, 3.0 + (double)(test_random(&random) % 4000) / 1000.0);
        const quadtree_view view = view_from(height_m, (double)(test_random(&random) % 89));
        const double side = 3.0e6 * pow(2.0, -(double)(test_random(&random) % 12));
        const double west = (double)(test_random(&random) % 12000000) - 6.0e6,
                     north = (double)(test_random(&random) % 12000000) - 6.0e6;
        const box b = {west, west + side, north, north + side};
        const span heights = {-100.0 - height_m, 3000.0 - height_m};
        const double x = west + side * (double)(test_random(&random) % 1001) / 1000.0,
                     z = north + side * (double)(test_random(&random) % 1001) / 1000.0;
        const double angle = hypot(x, z) / RADIUS_M, share = sin(angle) / angle;
        const double at[3] = {x * share, heights.low - RADIUS_M * (1.0 - cos(angle)), z * share};
        bool is_in_frustum = true;
        for (int p = 0; p < 5; p++)
            is_in_frustum &= view.planes[p][0] * at[0] + view.planes[p][1] * at[1] + view.planes[p][2] * at[2] >= 0.0;
        const bool is_kept = bounds_are_in_frustum(&b, &view, &heights);
        assert_true(is_kept || !is_in_frustum);
        n_seen += is_in_frustum;
        n_hidden += !is_kept;
    }
    assert_true(n_seen > 1000 && n_hidden > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_first_frame), cmocka_unit_test(test_horizon),
                                       cmocka_unit_test(test_bounds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
