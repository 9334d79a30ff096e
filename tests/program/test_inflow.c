/* test_inflow.c - rivers bring their areas into a rectangle once, also where some edges of one river enter the same
 * cell; an interrupted search ends, and a failed one says why. */
#include "program_under_test.h"

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

/** In these cells edges enter that are parts of one river, and no next neighbours along it: others lie between them.
 */
static void test_areas_once(void **state)
{
    static const struct {
        ter_rect rect;
        int cell;
        int64_t column, row; /* of the edge that has the area of all */
    } cases[] = {{{10, -1046, 1884, 13, 13}, 23, -3407, 2738}};
    float least_m2[SIDE_MAX * SIDE_MAX];
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        const river_net_options options = {.min_area_m2 = TER_EDGE_AREA_MIN * square_m2};
        assert_done(find(&cases[n].rect, options, least_m2));
        const float expected = (float)area_at(cases[n].column, cases[n].row);
        if (least_m2[cases[n].cell] != expected)
            fail_msg("case %zu: %.0f m2 enter, expected %.0f", n, (double)least_m2[cases[n].cell], (double)expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_areas_once)};
    return cmocka_run_group_tests(tests, make_world, free_world);
}
