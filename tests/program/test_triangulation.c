/* test_triangulation.c - triangulations of grids: no sample is farther from its triangle than the allowed error,
 * triangles cover the grid once, each side of the border depends only on its own heights, and the same grid always
 * gives the same triangles. */
#include "program_under_test.h"

#include <math.h>

#include "program/export/mesh/triangulation.h"
#include "program/export/mesh/triangulation_edges.h"

enum { SIDE = 65 };

/** Fill a grid with hills and noise. noise: difference between its highest and its lowest value, metres */
static void make_heights(float *heights, int width, int height, double noise, uint64_t seed)
{
    for (int row = 0; row < height; row++)
        for (int column = 0; column < width; column++) {
            const double random = (double)(test_random(&seed) >> 40) / (double)(1 << 24) - 0.5;
            heights[row * width + column] =
                (float)(20.0 * sin(column * 0.11) * cos(row * 0.07) + 5.0 * sin(row * 0.31) + noise * random);
        }
}

static height_grid grid_of(const float *heights, int width, int height)
{
    return (height_grid){heights, width, width, height};
}

/* ---- checks of every triangulation ---- */

static int64_t twice_area(const height_grid *g, const triangulation *t, const uint32_t *corner)
{
    int64_t x[3], y[3];
    for (int n = 0; n < 3; n++) {
        x[n] = t->places[corner[n]] % (uint32_t)g->width;
        y[n] = t->places[corner[n]] / (uint32_t)g->width;
    }
    return (y[1] - y[0]) * (x[2] - x[0]) - (x[1] - x[0]) * (y[2] - y[0]);
}

/** Check that triangles face up, and that their areas sum to that of the grid. */
static void check_areas(const height_grid *g, const triangulation *t)
{
    int64_t sum = 0;
    for (uint32_t n = 0; n < t->n_triangles; n++) {
        const int64_t area = twice_area(g, t, t->corners + (size_t)n * 3);
        assert_true(area > 0);
        sum += area;
    }
    assert_int_equal(sum, 2 * (int64_t)(g->width - 1) * (g->height - 1));
}

/** Check Euler's formula, which gives the number of triangles of a disc from its vertices and border vertices. */
static void check_counts(const triangulation *t)
{
    assert_int_equal(t->n_triangles, 2 * t->n_vertices - t->n_border - 2);
}

/** Check that the border runs clockwise around the grid, and that each side goes from corner to corner. */
static void check_border(const height_grid *g, const triangulation *t)
{
    const uint32_t w = (uint32_t)g->width, h = (uint32_t)g->height;
    const uint32_t corners[5] = {0, w - 1, w * h - 1, w * (h - 1), 0};
    assert_int_equal(t->sides[0], 0);
    assert_int_equal(t->sides[4], t->n_border);
    for (int side = 0; side < 4; side++) {
        assert_int_equal(t->places[t->border[t->sides[side]]], corners[side]);
        for (uint32_t n = t->sides[side]; n < t->sides[side + 1]; n++) {
            const uint32_t from = t->places[t->border[n]], to = t->places[t->border[(n + 1) % t->n_border]];
            if (side % 2 == 0)
                assert_true(from / w == to / w && (side == 0 ? to > from : to < from));
            else
                assert_true(from % w == to % w && (side == 1 ? to > from : to < from));
        }
    }
}

/** The largest vertical distance of a sample from its triangle. */
static double greatest_error(const height_grid *g, const triangulation *t)
{
    double greatest = 0.0;
    for (uint32_t n = 0; n < t->n_triangles; n++) {
        const uint32_t *corner = t->corners + (size_t)n * 3;
        double x[3], y[3], z[3];
        for (int k = 0; k < 3; k++) {
            const uint32_t place = t->places[corner[k]];
            x[k] = place % (uint32_t)g->width;
            y[k] = place / (uint32_t)g->width;
            z[k] = (double)g->heights[place];
        }
        const double det = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
        for (double row = fmin(fmin(y[0], y[1]), y[2]); row <= fmax(fmax(y[0], y[1]), y[2]); row++)
            for (double column = fmin(fmin(x[0], x[1]), x[2]); column <= fmax(fmax(x[0], x[1]), x[2]); column++) {
                const double u = ((column - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (row - y[0])) / det,
                             v = ((x[1] - x[0]) * (row - y[0]) - (column - x[0]) * (y[1] - y[0])) / det;
                if (u < -1e-12 || v < -1e-12 || u + v > 1.0 + 1e-12)
                    continue;
                const double height = (double)g->heights[(int)row * g->width + (int)column];
                greatest = fmax(greatest, fabs(z[0] + u * (z[1] - z[0]) + v * (z[2] - z[0]) - height));
            }
    }
    return greatest;
}

static void check_all(const height_grid *g, double max_error_m, triangulation *t)
{
    assert_done(triangulation_make(g, max_error_m, NULL, t));
    check_areas(g, t);
    check_counts(t);
    check_border(g, t);
    assert_true(greatest_error(g, t) <= max_error_m + 1e-6);
}

/* ---- tests ---- */

static void test_errors(void **state)
{
    static const int sizes[][2] = {{2, 2}, {2, 40}, {40, 2}, {3, 3}, {SIDE, SIDE}, {37, 90}};
    static const double errors[] = {0.0, 0.05, 0.7, 5.0, 1000.0};
    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        float heights[90 * 90];
        uint32_t before = UINT32_MAX;
        make_heights(heights, sizes[s][0], sizes[s][1], 2.0, 7 + s);
        const height_grid g = grid_of(heights, sizes[s][0], sizes[s][1]);
        for (size_t e = 0; e < sizeof errors / sizeof errors[0]; e++) {
            triangulation t;
            check_all(&g, errors[e], &t);
            assert_true(t.n_vertices <= before); /* if a larger error is allowed, there are no more vertices */
            before = t.n_vertices;
            if (e == 0)
                assert_int_equal(t.n_vertices, sizes[s][0] * sizes[s][1]);
            triangulation_free(&t);
        }
        assert_int_equal(before, 4); /* only the corners are left */
    }
}

/** Evenly sloping land needs two triangles. */
static void test_planes(void **state)
{
    float heights[SIDE * SIDE];
    (void)state;
    for (int n = 0; n < SIDE * SIDE; n++)
        heights[n] = (float)(3 * (n % SIDE) - 2 * (n / SIDE));
    const height_grid g = grid_of(heights, SIDE, SIDE);
    triangulation t;
    check_all(&g, 1e-3, &t);
    assert_int_equal(t.n_triangles, 2);
    triangulation_free(&t);
}

/** Two grids that share a column of heights have the same vertices there, whatever their other heights are. */
static void test_seams(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 6; seed++) {
        float west[SIDE * SIDE], east[SIDE * SIDE];
        make_heights(west, SIDE, SIDE, 3.0, seed);
        make_heights(east, SIDE, SIDE, 9.0, seed + 100);
        for (int row = 0; row < SIDE; row++)
            east[row * SIDE] = west[row * SIDE + SIDE - 1];
        const height_grid w = grid_of(west, SIDE, SIDE), e = grid_of(east, SIDE, SIDE);
        triangulation a, b;
        check_all(&w, 1.0, &a);
        check_all(&e, 1.0, &b);
        const uint32_t count = a.sides[2] - a.sides[1];
        assert_int_equal(count, b.sides[4] - b.sides[3]);
        assert_in_range(count, 3, SIDE - 2);
        for (uint32_t n = 0; n <= count; n++) { /* the eastern side goes to the south, the western one to the north */
            const uint32_t down = a.places[a.border[a.sides[1] + n]] / SIDE,
                           up = b.places[b.border[(b.sides[4] - n) % b.n_border]] / SIDE;
            assert_int_equal(down, up);
        }
        triangulation_free(&a);
        triangulation_free(&b);
    }
}

/** A side of the border keeps a sample if the line between the other kept samples misses it by more than the error. */
static void test_edge(void **state)
{
    float heights[2 * 9] = {0, 0, 0, 4, 0, 0, 0, 1, 0};
    const height_grid g = grid_of(heights, 9, 2);
    uint32_t *places, count;
    (void)state;
    assert_done(triangulation_edge(&g, 0, 1.5, &places, &count));
    /* the peak of 4 and the bends beside it; the peak of 1 is less than the error */
    static const uint32_t expected[] = {2, 3, 4};
    assert_int_equal(count, 3);
    assert_memory_equal(places, expected, sizeof expected);
    free(places);
    assert_done(triangulation_edge(&g, 2, 0.0, &places, &count));
    assert_int_equal(count, 0);
    free(places);
}

static void test_same(void **state)
{
    float heights[SIDE * SIDE];
    make_heights(heights, SIDE, SIDE, 4.0, 3);
    const height_grid g = grid_of(heights, SIDE, SIDE);
    triangulation a, b;
    (void)state;
    assert_done(triangulation_make(&g, 0.5, NULL, &a));
    assert_done(triangulation_make(&g, 0.5, NULL, &b));
    assert_int_equal(a.n_triangles, b.n_triangles);
    assert_memory_equal(a.corners, b.corners, (size_t)a.n_triangles * 3 * sizeof *a.corners);
    assert_memory_equal(a.places, b.places, (size_t)a.n_vertices * sizeof *a.places);
    triangulation_free(&a);
    triangulation_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_errors), cmocka_unit_test(test_planes),
                                       cmocka_unit_test(test_seams), cmocka_unit_test(test_edge),
                                       cmocka_unit_test(test_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
