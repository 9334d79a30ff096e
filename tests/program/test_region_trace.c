/* test_region_trace.c - polygons of regions contain the samples of their number, once, and no others; each connected
 * region has one polygon, whose rings pass each corner once and have no needless points; errors of the visitor and of
 * the source end the tracing. */
#include "program_under_test.h"

#include "program/features/region_trace.h"

enum { SIDE_MOST = 20, RASTERS = 600 };

typedef struct raster {
    int width, height;
    int32_t numbers[SIDE_MOST * SIDE_MOST];
    int32_t owners[SIDE_MOST * SIDE_MOST]; /* number of the polygon that contains each sample; 0: none */
    int polygons, holes;
    int bad_row; /* cannot be read; -1: none */
} raster;

static result give_row(void *user, int64_t row, const int32_t **out)
{
    const raster *r = user;
    *out = r->numbers + row * r->width;
    return row == r->bad_row ? result_of(RESULT_FILE, "bad row") : result_done();
}

static result go_on(void *user, double share)
{
    (void)user;
    assert_true(share >= 0.0 && share < 1.0);
    return result_done();
}

static bool is_inside(const vector_ring *ring, double x, double y)
{
    bool inside = false;
    for (size_t k = 1; k < ring->count; k++) {
        const double *a = ring->points + 3 * k - 3, *b = a + 3;
        if ((a[1] > y) != (b[1] > y) && x < a[0])
            inside = !inside;
    }
    return inside;
}

/** A closed ring of horizontal and vertical sides in turn, which passes no corner twice. */
static void check_ring(const vector_ring *ring)
{
    const double *p = ring->points;
    const size_t count = ring->count - 1;
    assert_true(count >= 4 && p[0] == p[3 * count] && p[1] == p[3 * count + 1]);
    for (size_t n = 0; n < count; n++) {
        const double *a = p + 3 * n, *b = a + 3, *c = p + 3 * ((n + 2) % count);
        assert_true((a[0] == b[0]) != (a[1] == b[1]));
        assert_true((a[0] == b[0]) != (b[0] == c[0]));
        for (size_t k = n + 1; k < count; k++)
            assert_false(a[0] == p[3 * k] && a[1] == p[3 * k + 1]);
    }
}

static result count_polygon(void *user, int64_t value, vector_ring *rings, size_t n_rings)
{
    raster *r = user;
    for (size_t n = 0; n < n_rings; n++) {
        check_ring(&rings[n]);
        assert_true(rings[n].is_hole == (n > 0));
    }
    for (int at = 0; at < r->width * r->height; at++) {
        bool inside = false;
        for (size_t n = 0; n < n_rings; n++)
            inside ^= is_inside(&rings[n], at % r->width, (double)(at / r->width));
        if (!inside)
            continue;
        assert_int_equal(r->numbers[at], value);
        assert_int_equal(r->owners[at], 0);
        r->owners[at] = (int32_t)value;
    }
    r->polygons++;
    r->holes += (int)n_rings - 1;
    return result_done();
}

static region_source source_of(raster *r)
{
    return (region_source){{r->width, r->height}, give_row, go_on, r};
}

static void fill(raster *r, unsigned seed, unsigned n_numbers)
{
    *r = (raster){.width = 1 + (int)(seed % SIDE_MOST), .height = 1 + (int)(seed / 7 % SIDE_MOST), .bad_row = -1};
    uint64_t state = seed + 1;
    for (int n = 0; n < r->width * r->height; n++)
        r->numbers[n] = (int32_t)((test_random(&state) >> 40) % n_numbers);
}

/** Empty the region around a sample. */
static void spread(raster *r, int x, int y, int32_t number)
{
    if (x < 0 || y < 0 || x >= r->width || y >= r->height || r->numbers[y * r->width + x] != number)
        return;
    r->numbers[y * r->width + x] = 0;
    spread(r, x - 1, y, number);
    spread(r, x + 1, y, number);
    spread(r, x, y - 1, number);
    spread(r, x, y + 1, number);
}

static int count_regions(raster r)
{
    int count = 0;
    for (int at = 0; at < r.width * r.height; at++)
        if (r.numbers[at] != 0) {
            spread(&r, at % r.width, at / r.width, r.numbers[at]);
            count++;
        }
    return count;
}

static void test_rasters(void **state)
{
    (void)state;
    int holes = 0;
    static raster r;
    for (unsigned seed = 0; seed < RASTERS; seed++) {
        fill(&r, seed, 2 + seed % 3);
        const region_source source = source_of(&r);
        assert_done(region_trace(&source, count_polygon, &r));
        for (int at = 0; at < r.width * r.height; at++)
            if (r.owners[at] != r.numbers[at])
                fail_msg("raster %u: sample %d of region %d lies in a polygon of region %d", seed, at, r.numbers[at],
                         r.owners[at]);
        assert_int_equal(r.polygons, count_regions(r));
        holes += r.holes;
    }
    if (holes < RASTERS / 4)
        fail_msg("%d holes are too few", holes);
}

static result refuse(void *user, int64_t value, vector_ring *rings, size_t n_rings)
{
    (void)value, (void)rings, (void)n_rings;
    ++*(int *)user;
    return result_of(RESULT_INTERRUPTED, "no more");
}

static void test_errors(void **state)
{
    (void)state;
    static raster r;
    int calls = 0;
    fill(&r, 130, 3);
    const region_source source = source_of(&r);
    assert_result(region_trace(&source, refuse, &calls), RESULT_INTERRUPTED, "no more");
    assert_int_equal(calls, 1);
    r.bad_row = r.height - 1;
    assert_result(region_trace(&source, count_polygon, &r), RESULT_FILE, "bad row");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rasters), cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
