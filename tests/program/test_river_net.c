/* test_river_net.c - a network that drops tiles has the same rivers as one that keeps all: each edge of a window has
 * the same order, mouth and points, in any order of questions. */
#include "program_under_test.h"

#include "program/features/reach.h"

enum { COLUMN = -2112, ROW = 3752, COLUMNS = 4 * NET_TILE, ROWS = 4, STEP = 3 };

static river_net *net_of(const ter_world *world, int most_tiles)
{
    const river_net_options options = {
        .world = world, .min_area_m2 = 4e6, .most_tiles = most_tiles, .events = {NULL, NULL, NULL}, .path = ""};
    river_net *net = river_net_create(&options);
    assert_non_null(net);
    return net;
}

static int64_t mouth_of(river_net *net, const ter_river_edge *last)
{
    assert_int_equal(river_net_state(net)->kind, RESULT_DONE);
    return last->id;
}

/** Compare the answers about the edge of a cell. Returns whether one begins there. */
static bool compare(river_net *kept, river_net *dropped, int64_t column, int64_t row)
{
    ter_river_edge a, b, below_a, below_b;
    const bool is_found = river_net_find(kept, column, row, &a);
    assert_int_equal(river_net_find(dropped, column, row, &b), is_found);
    if (!is_found)
        return false;
    assert_int_equal(b.id, a.id);
    assert_int_equal(river_net_order(dropped, &b), river_net_order(kept, &a));
    assert_int_equal(river_net_mouth(dropped, &b, mouth_of), river_net_mouth(kept, &a, mouth_of));
    const bool goes_on = river_net_below(kept, &a, &below_a);
    assert_int_equal(river_net_below(dropped, &b, &below_b), goes_on);
    if (goes_on)
        assert_int_equal(below_b.id, below_a.id);
    assert_int_equal(river_net_state(dropped)->kind, RESULT_DONE);
    return true;
}

static void test_dropped(void **state)
{
    (void)state;
    ter_params params;
    ter_world *world;
    ter_params_default(&params);
    assert_int_equal(ter_world_create(&params, &world), TER_OK);
    river_net *kept = net_of(world, 0), *dropped = net_of(world, 4);
    int found = 0;
    for (int step = 0; step < STEP; step++) /* each pass crosses all tiles, so that they are dropped and made again */
        for (int column = step; column < COLUMNS; column += STEP)
            for (int row = 0; row < ROWS; row++)
                found += compare(kept, dropped, COLUMN + column, ROW + row);
    assert_in_range(found, 50, COLUMNS * ROWS);
    river_net_destroy(kept);
    river_net_destroy(dropped);
    ter_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_dropped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
