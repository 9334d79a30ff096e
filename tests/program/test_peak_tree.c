/* test_peak_tree.c - peaks, their saddles and whether the edge cuts them are those that a search from each peak finds,
 * also with equal heights; errors of the visitor end the search. */
#include "program_under_test.h"

#include "program/features/peak_tree.h"

enum { SIDE_MOST = 14, RASTERS = 400 };

typedef struct raster {
    int width, height, count;
    float sea, samples[SIDE_MOST * SIDE_MOST];
    peak expected[SIDE_MOST * SIDE_MOST]; /* by sample */
    bool is_peak[SIDE_MOST * SIDE_MOST];
    int n_peaks, n_found;
} raster;

static bool is_higher(const raster *r, int a, int b)
{
    return r->samples[a] != r->samples[b] ? r->samples[a] > r->samples[b] : a < b;
}

static bool touches(const raster *r, int a, int b)
{
    return abs(a % r->width - b % r->width) <= 1 && abs(a / r->width - b / r->width) <= 1;
}

static bool is_at_edge(const raster *r, int at)
{
    const int x = at % r->width, y = at / r->width;
    return x == 0 || y == 0 || x == r->width - 1 || y == r->height - 1;
}

/** Take the highest sample that touches those taken already, again and again, until it is higher than the peak. */
static void search(raster *r, int from)
{
    bool taken[SIDE_MOST * SIDE_MOST] = {false};
    int low = from;
    bool reaches_edge = is_at_edge(r, from);
    peak *p = &r->expected[from];
    *p = (peak){.height = r->samples[from], .at = from, .is_cut = reaches_edge};
    taken[from] = true;
    for (;;) {
        int best = -1;
        for (int a = 0; a < r->count; a++)
            for (int b = 0; b < r->count && !taken[a] && r->samples[a] > r->sea; b++)
                if (taken[b] && touches(r, a, b) && (best < 0 || is_higher(r, a, best)))
                    best = a;
        if (best < 0) { /* an island: no saddle */
            p->is_cut = reaches_edge;
            return;
        }
        if (is_higher(r, best, from)) {
            p->has_saddle = true;
            p->saddle = low;
            p->saddle_m = r->samples[low];
            return;
        }
        if (is_higher(r, low, best)) { /* all samples above the new lowest one are taken */
            p->is_cut = reaches_edge;
            low = best;
        }
        reaches_edge |= is_at_edge(r, best);
        taken[best] = true;
    }
}

static void expect_peaks(raster *r)
{
    for (int at = 0; at < r->count; at++) {
        r->is_peak[at] = r->samples[at] > r->sea;
        for (int other = 0; other < r->count; other++)
            r->is_peak[at] &= other == at || !touches(r, at, other) || !is_higher(r, other, at);
        if (r->is_peak[at])
            search(r, at);
        r->n_peaks += r->is_peak[at];
    }
}

static result check_peak(void *user, const peak *found)
{
    raster *r = user;
    assert_in_range(found->at, 0, r->count - 1);
    assert_true(r->is_peak[found->at]);
    const peak *e = &r->expected[found->at];
    assert_true(found->height == e->height && found->is_cut == e->is_cut && found->has_saddle == e->has_saddle);
    if (e->has_saddle) {
        assert_int_equal(found->saddle, e->saddle);
        assert_true(found->saddle_m == e->saddle_m);
    }
    r->is_peak[found->at] = false;
    r->n_found++;
    return result_done();
}

/** Random samples; heights are whole numbers in every second raster. */
static void fill(raster *r, int n, uint64_t *state)
{
    *r = (raster){.width = 1 + (int)(test_random(state) % SIDE_MOST),
                  .height = 1 + (int)(test_random(state) % SIDE_MOST)};
    r->count = r->width * r->height;
    r->sea = n % 3 == 0 ? -1.0f : 3.0f;
    for (int at = 0; at < r->count; at++) {
        const float height = (float)(test_random(state) >> 40) * 0x1p-24f * 10.0f;
        r->samples[at] = n % 2 ? height : (float)(int)height;
    }
}

static void test_rasters(void **state)
{
    (void)state;
    static raster r;
    uint64_t random = 7;
    int with_saddle = 0;
    for (int n = 0; n < RASTERS; n++) {
        fill(&r, n, &random);
        expect_peaks(&r);
        peak_tree *tree = peak_tree_create(r.width, r.height, r.sea, check_peak, &r);
        assert_non_null(tree);
        for (int row = 0; row < r.height; row++)
            assert_done(peak_tree_add(tree, r.samples + row * r.width));
        peak_tree_destroy(tree);
        assert_int_equal(r.n_found, r.n_peaks);
        for (int at = 0; at < r.count; at++)
            assert_false(r.is_peak[at]);
        with_saddle += r.n_peaks > 1;
    }
    assert_true(with_saddle > RASTERS / 2);
}

static result refuse(void *user, const peak *found)
{
    (void)found;
    ++*(int *)user;
    return result_of(RESULT_INTERRUPTED, "no more");
}

static void test_errors(void **state)
{
    (void)state;
    const float row[3] = {2.0f, 1.0f, 2.0f};
    int calls = 0;
    peak_tree *tree = peak_tree_create(3, 1, 0.0f, refuse, &calls);
    assert_result(peak_tree_add(tree, row), RESULT_INTERRUPTED, "no more");
    assert_int_equal(calls, 1);
    peak_tree_destroy(tree);
    peak_tree_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rasters), cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
