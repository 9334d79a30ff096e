/* test_catchment_table.c - what lies upstream of a reach is the sum of all catchments from which the way downstream
 * leads through it, in whatever order they are listed. */
#include "program_under_test.h"

#include "program/features/catchment_table.h"

enum { MOST = 60, TREES = 200 };

/** A random forest: each catchment leads to one of greater rank, to none, or to one outside of the rectangle. */
static void fill(catchment_table *t, uint64_t *state)
{
    int rank[MOST];
    const int n = 2 + (int)(test_random(state) % (MOST - 2));
    t->list = calloc(MOST, sizeof *t->list);
    t->count = t->room = (size_t)n;
    for (int k = 2; k < n; k++)
        rank[k] = (int)(test_random(state) >> 40);
    for (int k = 2; k < n; k++) {
        catchment *c = &t->list[k];
        const int below = 2 + (int)(test_random(state) % (uint64_t)(n - 2));
        *c = (catchment){.has_reach = true, .id = 1000 + k, .samples = test_random(state) % 100};
        c->is_cut = test_random(state) % 8 == 0;
        c->has_downstream = test_random(state) % 6 != 0;
        c->downstream = rank[below] > rank[k] ? 1000 + below : 7;
        id_table_find(&t->reaches, c->id, NULL)->number = k;
    }
}

static void test_forests(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int tree = 0; tree < TREES; tree++) {
        catchment_table t = {0};
        uint64_t upstream[MOST] = {0};
        bool is_cut[MOST] = {false};
        fill(&t, &random);
        for (size_t n = 2; n < t.count; n++) {
            const catchment *c = &t.list[n];
            for (size_t at = n; at != 0;) {
                upstream[at] += c->samples;
                is_cut[at] |= c->is_cut;
                at = t.list[at].has_downstream && t.list[at].downstream >= 1000 ? (size_t)(t.list[at].downstream - 1000)
                                                                                : 0;
            }
        }
        assert_done(catchment_table_add_upstream(&t));
        for (size_t n = 2; n < t.count; n++) {
            assert_int_equal(t.list[n].upstream, upstream[n]);
            assert_int_equal(t.list[n].is_upstream_cut, is_cut[n]);
        }
        catchment_table_free(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_forests)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
