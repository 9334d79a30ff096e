/* test_lots.c - on the CPU, scattered points of fluvial worlds share enough of their ground and their networks. A lot
 * is a group of points that one thread makes one after the other. The points of a lot may share their broadest octave
 * of gullies and the ground below it, and several lots may share one network (library/fluvial/cpu/lots.h). */
#include "fluvial_under_test.h"

#include <math.h>
#include <stdbool.h>

#include "library/fluvial/cpu/block.h"
#include "library/fluvial/cpu/fluvial.h"
#include "library/fluvial/cpu/lots.h"
#include "library/fluvial/window_groups.h"
#include "library/generator/cpu/simd.h"
#include "library/world/world.h"

enum { POINTS = 1000, WINDOWS = 60 };

static ter_cpu_state state_of(int threads)
{
    ter_cpu_state cpu = {.kernels = ter_row_kernels_for(TER_SIMD_AUTO), .method = TER_METHOD_TILED};
    assert_non_null(cpu.kernels);
    assert_ok(ter_team_create(threads, &cpu.team));
    return cpu;
}

/** Make random points of a level of detail in a square at the first of `places`, `side` metres wide. */
static void scatter(const ter_world *world, int lod, int64_t side, size_t count, ter_tile *tiles)
{
    uint64_t random = 7 + (uint64_t)side;
    for (size_t n = 0; n < count; n++)
        tiles[n] = (ter_tile){ter_world_params(world)->levels - lod,
                              (places[0][0] + (int64_t)(test_random(&random) % (uint64_t)side)) >> lod,
                              (places[0][1] + (int64_t)(test_random(&random) % (uint64_t)side)) >> lod};
}

/** The number of lots, and the numbers of networks and points of the ground that they make. */
typedef struct lots_cost {
    size_t lots, networks;
    double ground;
} lots_cost;

static double ground_of(const ter_fluvial_job *job)
{
    double points = 0.0;
    for (int g = 0; g < job->n_grounds; g++)
        points += (double)ter_window_count(job->ground[g].points.at);
    return points;
}

/** Put points into lots. Check that each point lies in exactly one lot, and that the octave of gullies that the points
 * of a lot share covers what each of them needs. */
static lots_cost find_lots(const ter_cpu_state *cpu, const ter_world *world, const ter_tile *tiles, size_t count)
{
    static ter_lattice blocks[POINTS];
    bool is_there[POINTS] = {false};
    ter_fluvial_lots lots;
    lots_cost cost = {0, 0, 0.0};
    size_t n_blocks = 0;
    ter_window network = {0, 0, 0, 0};
    for (size_t n = 0; n < count; n++)
        blocks[n] =
            (ter_lattice){{tiles[n].i, tiles[n].j, 1, 1}, 1 << (ter_world_params(world)->levels - tiles[n].level)};
    assert_ok(ter_fluvial_lots_find(cpu, &world->fluvial, blocks, count, &lots));
    for (size_t k = 0; k < lots.n_lots; k++) {
        const ter_fluvial_lot *lot = &lots.lot[k];
        ter_fluvial_job octave, job;
        if (lot->points.width > 0) {
            ter_plan_shared_octave(&world->fluvial, lot->points, &octave);
            cost.ground += ground_of(&octave);
        }
        for (size_t b = lot->first; b < lot->first + lot->count; b++) {
            assert_false(is_there[lots.order[b]]);
            is_there[lots.order[b]] = true;
            n_blocks++;
            ter_plan_windows(&world->fluvial, blocks[lots.order[b]], &job);
            if (lot->points.width > 0) {
                assert_true(ter_may_share_octave(&job));
                assert_true(ter_window_contains(lot->points, job.octave[0].points.at));
                ter_share_octave(&octave, &job);
            }
            cost.ground += ground_of(&job);
        }
        cost.networks += lot->cells.width == 0 || memcmp(&lot->cells, &network, sizeof network) != 0;
        network = lot->cells;
    }
    assert_int_equal(n_blocks, count);
    cost.lots = lots.n_lots;
    ter_fluvial_lots_free(&lots);
    return cost;
}

/** Points of the levels whose samples are 1 m and 256 m apart. Points of the fine level that are scattered over 20 km
 * share ground and at most two networks. Over 200 km they share networks, and over 20000 km nearly nothing. Points of
 * the coarse level share networks, but no ground. */
static void test_lots(void **state)
{
    static ter_tile tiles[POINTS];
    (void)state;
    ter_cpu_state cpu = state_of(2);
    ter_world *world = fluvial_world(1);
    scatter(world, 0, 20000, POINTS, tiles);
    const lots_cost near = find_lots(&cpu, world, tiles, POINTS);
    assert_in_range(near.lots, 30, 200);
    assert_in_range(near.networks, 1, 2);
    scatter(world, 0, 200000, POINTS, tiles);
    const lots_cost far = find_lots(&cpu, world, tiles, POINTS);
    assert_in_range(far.networks, 3, 40);
    scatter(world, 0, 20000000, POINTS, tiles);
    const lots_cost apart = find_lots(&cpu, world, tiles, POINTS);
    assert_in_range(apart.networks, POINTS * 9 / 10, POINTS);
    assert_true(near.ground < 0.65 * apart.ground);
    assert_true(far.ground <= apart.ground * 1.001);
    assert_true(apart.ground < 1600.0 * POINTS); /* points of the ground 32 m and 128 m apart */
    scatter(world, 8, 200000, POINTS, tiles);
    const lots_cost coarse = find_lots(&cpu, world, tiles, POINTS);
    assert_int_equal(coarse.lots, POINTS);
    assert_in_range(coarse.networks, 3, 40);
    ter_world_destroy(world);
    ter_team_destroy(cpu.team);
}

/** Lots estimate which cells a network needs. Not many more cells are made, and they lie in few regions of the network.
 */
static void test_cells(void **state)
{
    enum { FEW = 200 };
    static ter_tile tiles[FEW];
    static float heights[FEW];
    const ter_tile_layout layout = {.width = 1, .height = 1, .row_stride = 1, .slot_stride = 1};
    const ter_layers out = {.at = {[TER_LAYER_HEIGHT] = heights}};
    (void)state;
    ter_world *world = fluvial_world(1);
    for (int threads = 1; threads <= 3; threads += 2) {
        ter_cpu_state cpu = state_of(threads);
        scatter(world, 0, 20000, FEW, tiles);
        assert_ok(ter_cpu_fluvial(&cpu, &world->fluvial, tiles, FEW, &layout, &out));
        const ter_fluvial_regions_made near = ter_fluvial_regions_count(cpu.fluvial[0].regions);
        assert_in_range(near.regions, 1, 4); /* the points lie in 40 x 40 cells; turning and warping adds some */
        assert_in_range(near.cells, 40 * 40, 12000);
        scatter(world, 8, 60000, FEW, tiles);
        assert_ok(ter_cpu_fluvial(&cpu, &world->fluvial, tiles, FEW, &layout, &out));
        const ter_fluvial_regions_made far = ter_fluvial_regions_count(cpu.fluvial[0].regions);
        assert_in_range(far.regions - near.regions, 1,
                        20); /* without lots each point would have nearly its own region */
        ter_cpu_fluvial_free(&cpu);
        ter_team_destroy(cpu.team);
    }
    ter_world_destroy(world);
}

/** Windows to group, the greatest area of a group, and the groups. */
typedef struct grouped {
    ter_window windows[WINDOWS];
    ter_window_group groups[WINDOWS];
    double most;
} grouped;

static ter_window window_of(const void *user, size_t n)
{
    return ((const grouped *)user)->windows[n];
}

/** Cost of a group: infinite if its area exceeds the limit, so that no larger group is formed. */
static double area_or_less(const void *user, ter_window around, size_t count)
{
    const double area = (double)around.width * around.height;
    return count > 1 && area > ((const grouped *)user)->most ? INFINITY : area + 100.0;
}

static void set_group(void *user, size_t n, const ter_window_group *group)
{
    ((grouped *)user)->groups[n] = *group;
}

static void test_groups(void **state)
{
    static grouped g = {.most = 1e9};
    size_t order[WINDOWS];
    (void)state;
    for (size_t n = 0; n < WINDOWS; n++) { /* three clusters, far from each other, by turns */
        g.windows[n] =
            (ter_window){(int64_t)(n % 3 * (n % 3 + 1) / 2) * (INT64_C(1) << 40) + (int64_t)(8 * (n / 3 % 5)),
                         (int64_t)(8 * (n / 15)), 10, 10};
        order[n] = n;
    }
    const ter_grouping grouping = {window_of, area_or_less, set_group, &g};
    assert_int_equal(ter_group_windows(&grouping, order, WINDOWS), 3);
    for (size_t n = 0; n < 3; n++) {
        assert_int_equal(g.groups[n].count, WINDOWS / 3);
        assert_int_equal(g.groups[n].at.width, 8 * 4 + 10);
        assert_int_equal(g.groups[n].at.height, 8 * 3 + 10);
    }
    g.most = 50.0; /* no two windows may be grouped, not even two at one place */
    g.windows[1] = g.windows[0];
    assert_int_equal(ter_group_windows(&grouping, order, WINDOWS), WINDOWS);
    assert_int_equal(ter_group_windows(&grouping, order, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lots), cmocka_unit_test(test_cells),
                                       cmocka_unit_test(test_groups)};
    backend_under_test = TER_BACKEND_CPU;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
