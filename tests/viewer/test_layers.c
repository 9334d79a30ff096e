/* test_layers.c - a flight shows the requested layers. Without a window it shows instruments only if they are requested
 * by name. The key L steps through sets of fewer and fewer layers, and then back to all. */
#include "program_under_test.h"

#include "program/viewer/camera/shown_layers.h"

enum { ALL = (1 << LAYERS) - 1, HUD = 1 << LAYER_HUD };

static void check_names(const layers *l, const char *names)
{
    char text[128];
    layers_describe(l, text, sizeof text);
    assert_string_equal(text, names);
}

static void test_instruments(void **state)
{
    (void)state;
    const fly_request usual = {.layers = ALL},
                      asked = {.layers = ALL, .layer_names = "terrain,water,sky,clouds,shadows,hud,trees"};
    const layers window = layers_begin(&usual, true), headless = layers_begin(&usual, false),
                 wanted = layers_begin(&asked, false);
    assert_int_equal(window.shown, ALL);
    assert_int_equal(headless.shown, ALL & ~HUD);
    assert_int_equal(wanted.shown, ALL);
    check_names(&window, "terrain,water,sky,clouds,shadows,hud,trees");
    check_names(&headless, "terrain,water,sky,clouds,shadows,trees");
}

static void test_sets(void **state)
{
    (void)state;
    const fly_request usual = {.layers = ALL};
    layers l = layers_begin(&usual, true);
    unsigned before = l.shown;
    for (int n = 0; n < 4; n++) {
        layers_next(&l, 1);
        assert_true((l.shown & before) == l.shown && l.shown != before);
        before = l.shown;
    }
    assert_int_equal(l.shown, 1 << LAYER_TERRAIN | HUD);
    layers_next(&l, 1);
    assert_int_equal(l.shown, ALL);
    layers_toggle_instruments(&l);
    layers_next(&l, 6);
    assert_int_equal(l.shown, ALL & ~HUD & ~(1 << LAYER_CLOUDS));
    assert_int_equal(l.asked, ALL);
}

/** Layers that were not requested are never shown. */
static void test_asked(void **state)
{
    (void)state;
    const fly_request some = {.layers = 1 << LAYER_TERRAIN | 1 << LAYER_SKY, .layer_names = "terrain,sky"};
    layers l = layers_begin(&some, true);
    for (int n = 0; n < 7; n++) {
        assert_int_equal(l.shown & ~some.layers, 0);
        layers_next(&l, 1);
    }
    check_names(&l, "terrain,sky");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_instruments), cmocka_unit_test(test_sets),
                                       cmocka_unit_test(test_asked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
