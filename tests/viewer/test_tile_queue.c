/* test_tile_queue.c - tiles are made in the right order: visible tiles first, hidden tiles up to a limit, expensive
 * tiles in turn with cheap ones, and no tile that would delay the start or the end of a morph. */
#include "program_under_test.h"

#include <math.h>

#include "program/viewer/tiles/tile_queue.h"

enum { FINE = 0, EXPENSIVE = 12 }; /* levels of detail: samples 1 m and 4 km apart */

static quadtree_request request_of(int lod, int64_t i, bool is_seen, bool is_soon)
{
    return (quadtree_request){.key = {.lod = lod, .i = i}, .is_seen = is_seen, .is_soon = is_soon};
}

static tile_queue queue_of(tile_mode mode)
{
    return (tile_queue){.mode = mode, .has_water = true, .spacing_m = 1.0};
}

static void test_costs(void **state)
{
    (void)state;
    tile_queue q = queue_of(TILES_BY_FRAMES);
    assert_true(tile_queue_cost(&q, FINE) == 1.0);
    assert_true(tile_queue_cost(&q, 7) == 1.0); /* with samples 128 m apart the network is still cheap */
    assert_true(tile_queue_cost(&q, 9) > 8.0);
    assert_true(tile_queue_is_expensive(&q, EXPENSIVE));
    q.mode = TILES_BY_HOST_WORKER;
    assert_true(fabs(tile_queue_cost(&q, 3) - (1.0 + 8.0 / 6.0)) < 1e-12);
    q.has_water = false;
    assert_true(tile_queue_cost(&q, EXPENSIVE) == 1.0);
}

/** All visible tiles are chosen, and hidden tiles up to the limit. The first expensive hidden tile keeps its place; the
 * others come after all cheap tiles. */
static void test_frames(void **state)
{
    (void)state;
    tile_queue q = queue_of(TILES_BY_FRAMES);
    quadtree_request requests[60], chosen[TILE_BATCH_MAX];
    for (int n = 0; n < 60; n++)
        requests[n] = request_of(n == 40 || n == 41 ? EXPENSIVE : FINE, n, n < 30, false);
    size_t count = tile_queue_choose_for_frame(&q, requests, 60, 1e9, chosen);
    assert_int_equal(count, 60);
    assert_int_equal(chosen[58].key.i, 59); /* the second expensive tile comes last */
    assert_int_equal(chosen[59].key.i, 41);
    count = tile_queue_choose_for_frame(&q, requests, 60, 0.0, chosen);
    assert_int_equal(count, 30);
    for (size_t n = 0; n < count; n++)
        assert_true(chosen[n].is_seen);
    q.transition_frames = 1; /* no expensive tile while a morph begins */
    count = tile_queue_choose_for_frame(&q, requests, 60, 35.0, chosen);
    assert_int_equal(count, 35);
}

/** If a frame took much longer than usual, the next frame makes no tiles. If that frame takes long, too, the one after
 * it makes tiles again. */
static void test_overrun(void **state)
{
    (void)state;
    tile_queue q = queue_of(TILES_BY_FRAMES);
    double now_s = 0.0;
    for (int n = 0; n < 100; n++) {
        now_s += 0.004;
        tile_queue_begin_frame(&q, now_s);
        assert_true(tile_queue_frame_limit(&q, 1000) == 128.0);
        q.updated_s = now_s;
    }
    now_s += 0.03;
    tile_queue_begin_frame(&q, now_s);
    assert_true(tile_queue_frame_limit(&q, 1000) == 0.0);
    q.updated_s = now_s;
    now_s += 0.03;
    tile_queue_begin_frame(&q, now_s);
    assert_true(tile_queue_frame_limit(&q, 1000) > 0.0);
    q.waits_for_tiles = true;
    assert_true(isinf(tile_queue_frame_limit(&q, 0)));
}

/** Work on hidden tiles gets the rest of a frame's limit, more before a morph, and nothing during a morph. */
static void test_hidden_limit(void **state)
{
    (void)state;
    tile_queue q = queue_of(TILES_BY_FRAMES);
    assert_true(tile_queue_hidden_limit(&q, 80.0, 70.0) == 10.0);
    assert_true(tile_queue_hidden_limit(&q, 80.0, 0.0) == 32.0);
    assert_true(tile_queue_hidden_limit(&q, 80.0, 90.0) == 0.0);
    assert_true(tile_queue_hidden_limit(&q, 0.0, 0.0) == 0.0);
    q.phase = PHASE_BEFORE_MORPH;
    assert_true(tile_queue_hidden_limit(&q, 60.0, 139.0) == 8.0);
    q.phase = PHASE_IN_MORPH;
    assert_true(tile_queue_hidden_limit(&q, 60.0, 0.0) == 0.0);
    assert_true(tile_queue_end_frame(&q, 0.0) == false && q.waits_for_device);
    q.phase = PHASE_ONE_WORLD;
    assert_true(tile_queue_end_frame(&q, 17.0) && q.waits_for_device);
    assert_false(tile_queue_end_frame(&q, 16.0));
}

/** On the CPU a batch with visible tiles has no hidden ones, and expensive tiles take turns with cheap ones. */
static void test_host(void **state)
{
    (void)state;
    tile_queue q = queue_of(TILES_BY_HOST_WORKER);
    quadtree_request requests[80];
    for (int n = 0; n < 80; n++)
        requests[n] = request_of(n < 3 ? EXPENSIVE : FINE, n, n < 20, false);
    request_range range = tile_queue_choose_for_worker(&q, requests, 80);
    assert_int_equal(range.first, 3); /* cheap tiles first, all visible ones */
    assert_int_equal(range.count, 17);
    tile_key keys[128];
    for (int n = 0; n < 128; n++)
        keys[n] = (tile_key){.lod = FINE, .i = n};
    tile_queue_note_batch(&q, keys, 128); /* after cheap tiles of this cost it is the turn of an expensive tile */
    range = tile_queue_choose_for_worker(&q, requests, 80);
    assert_int_equal(range.first, 0);
    assert_int_equal(range.count, 1);
    tile_queue_note_batch(&q, &requests[0].key, 1);
    range = tile_queue_choose_for_worker(&q, requests, 80);
    assert_int_equal(range.first, 3);
    q.waits_for_tiles = true; /* a batch has all visible tiles, and no hidden ones */
    range = tile_queue_choose_for_worker(&q, requests, 80);
    assert_int_equal(range.first, 0);
    assert_int_equal(range.count, 20);
}

/** A batch of late tiles has as many tiles as can be made until the next update, at the measured speed. */
static void test_pace(void **state)
{
    (void)state;
    tile_queue q = queue_of(TILES_BY_HOST_WORKER);
    quadtree_request requests[32];
    tile_key keys[10];
    for (int n = 0; n < 32; n++)
        requests[n] = request_of(FINE, n, true, false);
    for (int n = 0; n < 10; n++)
        keys[n] = requests[n].key;
    q.rest = 1.0;
    const size_t before = tile_queue_choose_for_worker(&q, requests, 32).count;
    tile_queue_note_batch(&q, keys, 10);
    tile_queue_note_made(&q, 0.1); /* ten tiles in a tenth of a second */
    tile_queue_begin_worker_update(&q, 1.0);
    tile_queue_begin_worker_update(&q, 1.25);
    const size_t after = tile_queue_choose_for_worker(&q, requests, 32).count;
    assert_true(before < 16 && after > before);
}

static void test_worker_order(void **state)
{
    (void)state;
    tile_queue q = queue_of(TILES_BY_DEVICE_WORKER);
    batch_kind order[3];
    worker_moment m = {.last = BATCH_NEW};
    assert_int_equal(tile_queue_worker_order(&q, &m, order), 1);
    m.lacks_cover = true;
    assert_int_equal(tile_queue_worker_order(&q, &m, order), 2);
    assert_int_equal(order[1], BATCH_RIVERS);
    q.phase = PHASE_BEFORE_MORPH;
    assert_int_equal(tile_queue_worker_order(&q, &m, order), 3);
    assert_int_equal(order[0], BATCH_PREPARED);
    m.is_late = true; /* a visible tile is missing, so new tiles come first */
    tile_queue_worker_order(&q, &m, order);
    assert_int_equal(order[0], BATCH_NEW);
    m.is_late = false;
    m.is_soon = true;
    m.last = BATCH_PREPARED; /* kinds of batches take turns */
    tile_queue_worker_order(&q, &m, order);
    assert_int_equal(order[0], BATCH_NEW);
    m.is_prepared = true; /* the start of the morph must not wait for a batch */
    assert_int_equal(tile_queue_worker_order(&q, &m, order), 0);
    q.phase = PHASE_IN_MORPH;
    m.is_over = true; /* the end of the morph must not wait for a batch either */
    assert_int_equal(tile_queue_worker_order(&q, &m, order), 0);
    m.is_over = false;
    assert_int_equal(tile_queue_worker_order(&q, &m, order), 1);
}

static void test_rest(void **state)
{
    (void)state;
    tile_queue q = queue_of(TILES_BY_HOST_WORKER);
    q.rest = 2.0;
    assert_false(tile_queue_has_rested(&q, false, 1.0, 10.0, 11.9));
    assert_true(tile_queue_has_rested(&q, false, 1.0, 10.0, 12.0));
    assert_true(tile_queue_has_rested(&q, true, 1.0, 10.0, 10.0));
    q.phase = PHASE_BEFORE_MORPH;
    assert_true(tile_queue_has_rested(&q, false, 1.0, 10.0, 10.0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_costs),        cmocka_unit_test(test_frames), cmocka_unit_test(test_overrun),
        cmocka_unit_test(test_hidden_limit), cmocka_unit_test(test_host),   cmocka_unit_test(test_pace),
        cmocka_unit_test(test_worker_order), cmocka_unit_test(test_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
