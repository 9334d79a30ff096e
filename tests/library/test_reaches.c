/* test_reaches.c - edges of the drainage network are the same from two windows, meet exactly, and never rise; their
 * areas add up, and their points lie in the water of the rivers and lakes that samples show. Each point of the land has
 * the same owner in all windows, and beds belong to their edges.
 *
 * Places are alps with lakes, hills, a coast, and land that is 2^45 m from both axes. */
#include "fluvial_under_test.h"

#include <math.h>

#include "library/world/world.h"
#include "terrane/reaches.h"

enum { CELLS = 40, SAMPLED = 60 };

static const int64_t used[][2] = {
    {-1280512, -155136}, {-1196032, -1551872}, {523264, -1312768}, {(INT64_C(1) << 45) + 300000, INT64_C(1) << 45}};
enum { USED = sizeof used / sizeof used[0] };

static ter_river_window window_at(const ter_world *world, const int64_t place[2])
{
    const ter_rect rect = rect_at(world, place, 0, 1, 1);
    ter_river_window w;
    assert_ok(ter_river_edges_window(world, &rect, &w));
    return (ter_river_window){w.column, w.row, CELLS, CELLS};
}

static ter_river_edges *edges_of(const ter_world *world, ter_river_window cells, double min_area_m2)
{
    const ter_river_edges_options options = {TER_SIZED(ter_river_edges_options), .cells = cells,
                                             .min_area_m2 = min_area_m2, .has_points = 1};
    ter_river_edges *edges = NULL;
    assert_ok(ter_river_edges_create(world, &options, &edges));
    return edges;
}

static const ter_river_edge *edge_named(const ter_river_edges *edges, int64_t id)
{
    size_t count;
    const ter_river_edge *e = ter_river_edges_list(edges, &count);
    for (size_t n = 0; n < count; n++)
        if (e[n].id == id)
            return &e[n];
    return NULL;
}

static const ter_river_point *points_of(const ter_river_edges *edges, const ter_river_edge *e)
{
    size_t count;
    return ter_river_edges_points(edges, &count) + e->first_point;
}

/** Edges of a window that begins elsewhere have the same bytes. */
static void compare_windows(const ter_world *world, ter_river_window cells, const ter_river_edges *edges)
{
    ter_river_edges *others = edges_of(world, (ter_river_window){cells.column + 13, cells.row + 7, CELLS, CELLS}, 0.0);
    size_t count, compared = 0;
    const ter_river_edge *e = ter_river_edges_list(edges, &count);
    for (size_t n = 0; n < count; n++) {
        const ter_river_edge *o = edge_named(others, e[n].id);
        if (!o)
            continue;
        compared++;
        assert_int_equal(e[n].to, o->to);
        assert_int_equal(e[n].end, o->end);
        assert_true(e[n].area_m2 == o->area_m2);
        assert_int_equal(e[n].n_points, o->n_points);
        assert_memory_equal(points_of(edges, &e[n]), points_of(others, o), e[n].n_points * sizeof(ter_river_point));
    }
    assert_true(compared >= count / 4);
    ter_river_edges_destroy(others);
}

/** Along each edge and into the next one no water rises, and edges meet in the same point. */
static void check_falls(const ter_river_edges *edges)
{
    size_t count, joints = 0;
    const ter_river_edge *e = ter_river_edges_list(edges, &count);
    for (size_t n = 0; n < count; n++) {
        const ter_river_point *p = points_of(edges, &e[n]), *last = p + e[n].n_points - 1;
        const ter_river_edge *next = edge_named(edges, e[n].to);
        assert_true(e[n].n_points >= 2);
        for (size_t k = 1; k < e[n].n_points; k++) {
            assert_true(p[k].level_m <= p[k - 1].level_m);
            assert_true(hypot(p[k].x - p[k - 1].x, p[k].z - p[k - 1].z) < 1000.0);
        }
        assert_int_equal(e[n].to == TER_EDGE_NONE, e[n].end != TER_EDGE_GOES_ON);
        if (!next)
            continue;
        joints++;
        assert_true(last->x == points_of(edges, next)->x && last->z == points_of(edges, next)->z);
        assert_true(points_of(edges, next)->level_m <= last->level_m);
    }
    assert_true(joints >= count / 2);
}

/** No edge drains less than the edges that flow into it. What they gain in all is less than twice the area of the
 * window. It is not just that area, because a coarse cell of the network divides its area evenly among its channels. */
static void check_areas(const ter_river_edges *edges, ter_river_window cells)
{
    size_t count;
    const ter_river_edge *e = ter_river_edges_list(edges, &count);
    double gained = 0.0;
    for (size_t n = 0; n < count; n++) {
        const bool is_inside = e[n].column > cells.column && e[n].column < cells.column + CELLS - 1 &&
                               e[n].row > cells.row && e[n].row < cells.row + CELLS - 1;
        double sum = 0.0;
        for (size_t k = 0; k < count; k++)
            sum += e[k].to == e[n].id ? e[k].area_m2 : 0.0;
        assert_true(sum <= e[n].area_m2);
        gained += is_inside ? e[n].area_m2 - sum : 0.0;
    }
    print_message("area gained: %.2f of the window\n",
                  gained / ((double)TER_EDGE_CELL * TER_EDGE_CELL * CELLS * CELLS));
    assert_true(gained < 2.0 * (double)TER_EDGE_CELL * TER_EDGE_CELL * CELLS * CELLS);
}

/** How many points were compared with samples, and how many agree. */
typedef struct agreement {
    int points, in_water; /* in_water: within half a width of the middle of a bed, and with its level; or in the lake */
    int areas, equal;     /* of rivers; without the last points of edges, which lie in the next, greater river */
} agreement;

static void compare_point(const layer_set *at, const ter_river_point *p, bool is_last, agreement *a)
{
    const float water = at->at[TER_LAYER_WATER][0], away = fabsf(water - p->level_m); /* not a number where it is dry */
    const bool is_in_bed = at->at[TER_LAYER_SHORE][0] <= 0.5f * p->width_m + 1.0f;
    a->points++;
    a->in_water += p->water == TER_EDGE_LAKE ? away < 0.1f : is_in_bed && away < 3.0f;
    if (p->water == TER_EDGE_LAKE || is_last)
        return;
    a->areas++;
    a->equal += fabsf(at->at[TER_LAYER_FLOW][0] - p->area_m2) < 0.1f * p->area_m2;
}

/** Compare some points of rivers with water, and of lakes, with the nearest samples 1 m apart. */
static void compare_samples(ter_generator *generator, const ter_world *world, const ter_river_edges *edges,
                            agreement *a)
{
    static layer_set layers;
    size_t n_edges, n_points;
    const ter_river_edge *e = ter_river_edges_list(edges, &n_edges);
    ter_river_edges_points(edges, &n_points);
    const size_t every = 1 + n_points / SAMPLED;
    for (size_t n = 0; n < n_edges; n++)
        for (size_t k = 0; k < e[n].n_points; k++) {
            const ter_river_point *p = points_of(edges, &e[n]) + k;
            if ((e[n].first_point + k) % every != 0 ||
                (p->water != TER_EDGE_LAKE && (p->water != TER_EDGE_RIVER || p->depth_m < 0.1f)))
                continue;
            const ter_rect rect = {ter_world_params(world)->levels, llrint(p->x), llrint(p->z), 1, 1};
            fill(generator, world, &rect, &layers);
            compare_point(&layers, p, k + 1 == e[n].n_points, a);
        }
}

static void test_edges(void **state)
{
    ter_world *world = fluvial_world(1);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    agreement a = {0, 0, 0, 0};
    (void)state;
    for (int n = 0; n < USED; n++) {
        const ter_river_window cells = window_at(world, used[n]);
        ter_river_edges *edges = edges_of(world, cells, 0.0);
        size_t count;
        ter_river_edges_list(edges, &count);
        assert_true(count > 100);
        check_falls(edges);
        check_areas(edges, cells);
        compare_windows(world, cells, edges);
        compare_samples(generator, world, edges, &a);
        ter_river_edges_destroy(edges);
    }
    print_message("%d of %d points lie in the water of samples, %d of %d have their area\n", a.in_water, a.points,
                  a.equal, a.areas);
    assert_true(a.points > 80);
    assert_true(a.in_water >= a.points * 95 / 100);
    assert_true(a.equal >= a.areas * 95 / 100);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

/** Larger rivers are a part of all rivers. */
static void test_min_area(void **state)
{
    ter_world *world = fluvial_world(1);
    const ter_river_window cells = window_at(world, used[1]);
    ter_river_edges *all = edges_of(world, cells, 0.0), *large = edges_of(world, cells, 2e7);
    size_t n_all, n_large;
    const ter_river_edge *e = ter_river_edges_list(large, &n_large);
    (void)state;
    ter_river_edges_list(all, &n_all);
    assert_true(n_large > 0 && n_large < n_all);
    for (size_t n = 0; n < n_large; n++) {
        const ter_river_edge *o = edge_named(all, e[n].id);
        assert_non_null(o);
        assert_true(e[n].area_m2 >= 2e7);
        assert_memory_equal(points_of(large, &e[n]), points_of(all, o), o->n_points * sizeof(ter_river_point));
    }
    ter_river_edges_destroy(all);
    ter_river_edges_destroy(large);
    ter_world_destroy(world);
}

/** A point has the same owner in two rectangles, and most points in beds belong to their own edge: near a confluence a
 * bed may lie on the side of the other river. */
static void test_owners(void **state)
{
    enum { SIDE = 60, STEP = 256, MOVED = 13 };
    ter_world *world = fluvial_world(1);
    const ter_river_window cells = window_at(world, used[1]);
    ter_river_edges *edges = edges_of(world, cells, 0.0);
    static int64_t owners[SIDE * SIDE], others[SIDE * SIDE];
    const int level = ter_world_params(world)->levels;
    size_t count;
    int own = 0, points = 0, named = 0;
    (void)state;
    ter_river_owners_options options = {TER_SIZED(ter_river_owners_options),
                                        .rect = {level - 8, used[1][0] / STEP, used[1][1] / STEP, SIDE, SIDE}};
    assert_ok(ter_river_owners(world, &options, owners));
    options.rect.i += MOVED;
    assert_ok(ter_river_owners(world, &options, others));
    for (int row = 0; row < SIDE; row++)
        assert_memory_equal(owners + row * SIDE + MOVED, others + row * SIDE, (SIDE - MOVED) * sizeof *owners);
    const ter_river_edge *e = ter_river_edges_list(edges, &count);
    for (int n = 0; n < SIDE * SIDE; n++)
        named += owners[n] != TER_EDGE_NONE;
    assert_true(named > SIDE * SIDE * 9 / 10);
    for (size_t n = 0; n < count; n++) {
        const ter_river_point *p = points_of(edges, &e[n]) + e[n].n_points / 2;
        int64_t owner;
        if (n % 8 != 0 || p->water != TER_EDGE_RIVER)
            continue;
        options.rect = (ter_rect){level, llrint(p->x), llrint(p->z), 1, 1};
        assert_ok(ter_river_owners(world, &options, &owner));
        points++;
        own += owner == e[n].id;
    }
    print_message("%d of %d points in beds belong to their own edge\n", own, points);
    assert_true(points > 20 && own >= points * 8 / 10);
    ter_river_edges_destroy(edges);
    ter_world_destroy(world);
}

static int stop(void *user)
{
    (void)user;
    return 1;
}

static void test_refusals(void **state)
{
    ter_world *world = fluvial_world(1);
    ter_params params;
    (void)state;
    for (int n = 0; n < 6; n++) {
        ter_river_edges_options options = {TER_SIZED(ter_river_edges_options), .cells = {0, 0, 4, 4}};
        ter_river_edges *edges = NULL;
        options.cells.columns = n == 0 ? 0 : n == 1 ? TER_EDGE_SIDE_MAX + 1 : 4;
        options.cells.row = n == 2 ? INT64_MAX / 2 : 0;
        options.min_area_m2 = n == 3 ? 1000.0 : n == 4 ? NAN : 0.0;
        options.point_distance = n == 5 ? 0.5 : 0.0;
        assert_int_equal(ter_river_edges_create(world, &options, &edges), TER_EINVAL);
        assert_null(edges);
    }
    ter_river_edges_options options = {TER_SIZED(ter_river_edges_options), .cells = {0, 0, 4, 4}, .is_cancelled = stop};
    ter_river_edges *edges = NULL;
    assert_int_equal(ter_river_edges_create(world, &options, &edges), TER_ECANCELLED);
    for (int n = 0; n < 4; n++) {
        const int level = ter_world_params(world)->levels;
        int64_t owner;
        ter_river_owners_options owners = {TER_SIZED(ter_river_owners_options), .rect = {level, 0, 0, 1, 1}};
        owners.rect.width = n == 0 ? TER_EDGE_SIDE_MAX * (int64_t)TER_EDGE_CELL : 1;
        owners.rect.level = n == 1 ? -1 : level;
        owners.min_area_m2 = n == 2 ? 1000.0 : 0.0;
        owners.is_cancelled = n == 3 ? stop : NULL;
        assert_int_equal(ter_river_owners(world, &owners, &owner), n == 3 ? TER_ECANCELLED : TER_EINVAL);
    }
    ter_world_destroy(world);
    ter_params_default(&params);
    params.basis = TER_BASIS_SMOOTH;
    world = world_of(&params);
    assert_int_equal(ter_river_edges_create(world, &options, &edges), TER_EINVAL);
    assert_non_null(strstr(ter_error_detail(), "basis smooth has no rivers"));
    ter_world_destroy(world);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_edges), cmocka_unit_test(test_min_area),
                                       cmocka_unit_test(test_owners), cmocka_unit_test(test_refusals)};
    backend_from_arguments(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
