/* test_outline.c - polygons above a level contain the samples above it, once, and no others, whatever the samples are;
 * rings are closed, and holes lie in their own polygon; errors of the visitor and of the source end the tracing. */
#include "program_under_test.h"

#include "program/features/outline.h"

enum { SIDE_MOST = 24, RASTERS = 300 };

typedef struct raster {
    int width, height;
    float samples[SIDE_MOST * SIDE_MOST];
    int owners[SIDE_MOST * SIDE_MOST]; /* number of polygons that contain each sample */
    int polygons, holes;
    int bad_row; /* cannot be read; -1: none */
} raster;

static result give_row(void *user, int64_t row, const float **out)
{
    const raster *r = user;
    *out = r->samples + row * r->width;
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
        if ((a[1] > y) != (b[1] > y) && x < a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]))
            inside = !inside;
    }
    return inside;
}

static result count_polygon(void *user, int64_t value, vector_ring *rings, size_t n_rings)
{
    raster *r = user;
    assert_int_equal(value, 0);
    for (size_t n = 0; n < n_rings; n++) {
        const double *first = rings[n].points, *last = first + 3 * (rings[n].count - 1);
        assert_true(rings[n].count > 3 && rings[n].is_hole == (n > 0));
        assert_true(first[0] == last[0] && first[1] == last[1]);
        assert_true(n == 0 || is_inside(&rings[0], first[0], first[1]));
    }
    for (int at = 0; at < r->width * r->height; at++) {
        bool inside = false;
        for (size_t n = 0; n < n_rings; n++)
            inside ^= is_inside(&rings[n], at % r->width, (double)(at / r->width));
        r->owners[at] += inside;
    }
    r->polygons++;
    r->holes += (int)n_rings - 1;
    return result_done();
}

static trace_source source_of(raster *r)
{
    return (trace_source){{r->width, r->height}, give_row, go_on, r};
}

/** Random samples between offset - 1 and offset + 1. */
static void fill(raster *r, unsigned seed, float offset)
{
    *r = (raster){
        .width = 2 + (int)(seed % (SIDE_MOST - 1)), .height = 2 + (int)(seed / 7 % (SIDE_MOST - 1)), .bad_row = -1};
    uint64_t state = seed + 1;
    for (int n = 0; n < r->width * r->height; n++)
        r->samples[n] = (float)(test_random(&state) >> 40) * 0x1p-23f - 1.0f + offset;
}

static void test_rasters(void **state)
{
    (void)state;
    int polygons = 0, holes = 0;
    static raster r;
    for (unsigned seed = 0; seed < RASTERS; seed++) {
        fill(&r, seed, (float)(seed % 5) * 0.2f - 0.4f);
        const trace_source source = source_of(&r);
        assert_done(outline_trace(&source, 0.0, count_polygon, &r));
        for (int at = 0; at < r.width * r.height; at++)
            if (r.owners[at] != (r.samples[at] > 0.0f))
                fail_msg("raster %u: %d polygons at sample %d of %g", seed, r.owners[at], at, (double)r.samples[at]);
        polygons += r.polygons;
        holes += r.holes;
    }
    if (polygons < 8 * RASTERS || holes < 3 * RASTERS)
        fail_msg("%d polygons with %d holes are too few", polygons, holes);
}

static void test_whole(void **state)
{
    (void)state;
    static raster r;
    for (int n = 0; n < 2; n++) {
        fill(&r, 11, n ? 3.0f : -3.0f);
        const trace_source source = source_of(&r);
        assert_done(outline_trace(&source, 0.0, count_polygon, &r));
        assert_int_equal(r.polygons, n);
        assert_int_equal(r.owners[0], n);
    }
    fill(&r, 330, -3.0f);
    r.samples[r.width + 1] = 0.0f; /* GDAL counts a sample at the level as above */
    const trace_source source = source_of(&r);
    assert_done(outline_trace(&source, 0.0, count_polygon, &r));
    assert_in_range(r.polygons, 0, 1);
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
    fill(&r, 100, 0.0f);
    const trace_source source = source_of(&r);
    assert_result(outline_trace(&source, 0.0, refuse, &calls), RESULT_INTERRUPTED, "no more");
    assert_int_equal(calls, 1);
    r.bad_row = r.height - 1;
    assert_result(outline_trace(&source, 0.0, count_polygon, &r), RESULT_FILE, "bad row");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rasters),
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_errors),
    };
    if (vector_format_check(VECTOR_GEOJSON).kind != RESULT_DONE) {
        fprintf(stderr, "skipped: this build has no GDAL\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
