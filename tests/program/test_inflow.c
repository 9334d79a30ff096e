/* test_inflow.c - rivers bring their areas into a rectangle once, also where some edges of one river enter the same
 * cell; an interrupted search ends, and a failed one says why. */
#include "program_under_test.h"

#include <limits.h>
#include <math.h>
#include <stdatomic.h>

#include "program/drainage/inflow.h"

enum { SIDE_MAX = 16 };

static ter_world *world;
static double square_m2; /* of a lattice cell */

static int make_world(void **state)
{
    ter_params params;
    (void)state;
    ter_params_default(&params);
    square_m2 = params.spacing * params.spacing;
    return ter_world_create(&params, &world) == TER_OK ? 0 : -1;
}

static int free_world(void **state)
{
    (void)state;
    ter_world_destroy(world);
    return 0;
}

/** Find the inflow of a rectangle whose surface is level. */
static result find(const ter_rect *rect, river_net_options options, float *least_m2)
{
    static const float level[SIDE_MAX * SIDE_MAX];
    const routing_grid grid = {.height = level,
                               .rows = (int)rect->height,
                               .columns = (int)rect->width,
                               .sea_m = -1.0f,
                               .step_m = ldexpf(1.0f, ter_world_params(world)->levels - rect->level),
                               .has_ring = true};
    options.world = world;
    memset(least_m2, 0, SIDE_MAX * SIDE_MAX * sizeof *least_m2);
    river_net *net = river_net_create(&options);
    assert_non_null(net);
    const result res = inflow_find(world, net, rect, &grid, least_m2);
    river_net_destroy(net);
    return res;
}

/** The area of the edge that begins in a cell of the network. */
static double area_at(int64_t column, int64_t row)
{
    const ter_river_edges_options options = {TER_SIZED(ter_river_edges_options), .cells = {column, row, 1, 1}};
    ter_river_edges *edges = NULL;
    size_t count;
    assert_ok(ter_river_edges_create(world, &options, &edges));
    const ter_river_edge *edge = ter_river_edges_list(edges, &count);
    assert_int_equal(count, 1);
    const double area = edge->area_m2;
    ter_river_edges_destroy(edges);
    return area;
}

/** Into these cells more than one edge of a river comes, and the edges are not next to each other along the river. */
static void test_areas_once(void **state)
{
    static const struct {
        ter_rect rect;
        int cell, n_rivers;
        int64_t last[2][2]; /* column and row of the last edge of each river that comes in */
    } cases[] = {{{10, -1047, 1895, 13, 13}, 14, 1, {{-3451, 2793}}},
                 {{9, -534, 948, 11, 11}, 12, 2, {{-3468, 2700}, {-3464, 2701}}}};
    float least_m2[SIDE_MAX * SIDE_MAX];
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        const river_net_options options = {.min_area_m2 = TER_EDGE_AREA_MIN * square_m2};
        double expected = 0.0;
        assert_done(find(&cases[n].rect, options, least_m2));
        for (int k = 0; k < cases[n].n_rivers; k++)
            expected += area_at(cases[n].last[k][0], cases[n].last[k][1]);
        if (least_m2[cases[n].cell] != (float)expected)
            fail_msg("case %zu: %.0f m2 enter, expected %.0f", n, (double)least_m2[cases[n].cell], expected);
    }
}

/** How often a search has asked whether it is cancelled, and after how many times it is. */
typedef struct cancelling {
    atomic_int asked;
    int after;
} cancelling;

static int cancel(void *user)
{
    cancelling *c = user;
    return atomic_fetch_add(&c->asked, 1) >= c->after;
}

/** A search that is cancelled ends long before it is complete. */
static void test_interrupted(void **state)
{
    const ter_rect rect = {10, -1047, 1895, 13, 13};
    float least_m2[SIDE_MAX * SIDE_MAX];
    cancelling never = {.after = INT_MAX}, soon = {.after = 1};
    (void)state;
    river_net_options options = {
        .min_area_m2 = TER_EDGE_AREA_MIN * square_m2, .is_cancelled = cancel, .cancel_user = &never};
    assert_done(find(&rect, options, least_m2));
    options.cancel_user = &soon;
    assert_result(find(&rect, options, least_m2), RESULT_INTERRUPTED, "interrupted");
    assert_in_range(atomic_load(&soon.asked), 2, atomic_load(&never.asked) / 4);
}

static void test_detail(void **state)
{
    const ter_rect rect = {10, -1047, 1895, 13, 13};
    float least_m2[SIDE_MAX * SIDE_MAX];
    (void)state;
    const river_net_options options = {.min_area_m2 = 1.0};
    assert_result(find(&rect, options, least_m2), RESULT_USAGE, "rivers: min_area_m2 is 1, expected at least 524288");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_areas_once), cmocka_unit_test(test_interrupted),
                                       cmocka_unit_test(test_detail)};
    return cmocka_run_group_tests(tests, make_world, free_world);
}
