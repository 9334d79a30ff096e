/* test_climate_map.c - the climate for the shaders follows the layers of the world: trees grow higher where summers are
 * warm, deserts are arid, winter lowers the snow, and a place has the same climate from wherever it is seen. */
#include "program_under_test.h"

#include <math.h>

#include "program/viewer/flight/climate_map.h"

/* Places of the default world, on points of the map: a hot desert, a steppe whose rain is 0.6 of what its plants could
 * evaporate, and a cold forest. */
static const int64_t desert[2] = {-2981888, -5832704}, steppe[2] = {196608, 1966080}, forest[2] = {1114112, 1114112};

static landscape default_land(ter_basis basis)
{
    landscape land;
    ter_params p;
    look usual;
    ter_params_default(&p);
    p.basis = basis;
    look_default(&usual);
    landscape_create(&land, world_of(&p), &usual);
    return land;
}

/** Values of the map's point at a place, seen from a camera some points away. */
static void climate_from(const landscape *land, double season, const int64_t at[2], int away, float out[4])
{
    climate_map map;
    camera c = {.altitude_m = 100.0};
    camera_place(&c, at[0] + away * 32768, at[1]);
    assert_done(climate_map_create(&map, season));
    assert_done(climate_map_update(&map, land, &c, 1e5));
    const int column = (int)map.mixed.place[0] - away, row = (int)map.mixed.place[1];
    assert_true(map.mixed.step_m == 32768.0);
    memcpy(out, map.mixed.at[row * CLIMATE_MAP_SIDE + column], 4 * sizeof out[0]);
    climate_map_destroy(&map);
}

static void test_layers(void **state)
{
    (void)state;
    landscape land = default_land(TER_BASIS_FLUVIAL);
    float hot[4], dry[4], cold[4], winter[4], aside[4];
    climate_from(&land, 0.5, desert, 0, hot);
    climate_from(&land, 0.5, steppe, 0, dry);
    climate_from(&land, 0.5, forest, 0, cold);
    climate_from(&land, 0.0, forest, 0, winter);
    climate_from(&land, 0.5, forest, 5, aside);
    assert_true(hot[0] > cold[0] + 1000.0f);                            /* trees */
    assert_true(hot[2] > 0.6f && cold[2] < 0.1f);                       /* aridity */
    assert_true(dry[2] > 0.3f && dry[2] < 0.6f);                        /* a steppe is no bare ground */
    assert_true(hot[3] > 20.0f && cold[3] < 0.0f);                      /* warmth */
    assert_true(winter[0] == cold[0] && winter[1] < cold[1] - 2000.0f); /* winter lowers the snow, not the trees */
    assert_memory_equal(aside, cold, sizeof cold);
    landscape_destroy(&land);
}

static void test_without_climate(void **state)
{
    (void)state;
    landscape land = default_land(TER_BASIS_SMOOTH);
    float usual[4], winter[4];
    climate_from(&land, 0.5, forest, 0, usual);
    climate_from(&land, 0.0, forest, 0, winter);
    for (int k = 0; k < 3; k++)
        assert_true(fabsf(usual[k]) < 1e-3f); /* the look is unchanged */
    assert_true(winter[1] < -1500.0f);
    landscape_destroy(&land);
}

/** The climate at the camera, as shaders interpolate it, while the land is visible to a distance. */
static void climate_at_camera(climate_map *map, const landscape *land, const camera *c, double far_m, float out[4])
{
    assert_done(climate_map_update(map, land, c, far_m));
    const int column = (int)map->mixed.place[0], row = (int)map->mixed.place[1];
    const float east = (float)map->mixed.place[0] - (float)column, south = (float)map->mixed.place[1] - (float)row;
    const float(*at)[4] = map->mixed.at + row * CLIMATE_MAP_SIDE + column;
    for (int k = 0; k < 4; k++) {
        const float north_row = at[0][k] + east * (at[1][k] - at[0][k]);
        const float south_row =
            at[CLIMATE_MAP_SIDE][k] + east * (at[CLIMATE_MAP_SIDE + 1][k] - at[CLIMATE_MAP_SIDE][k]);
        out[k] = north_row + south * (south_row - north_row);
    }
}

/* From 1 km to 8,000 km the climate changes evenly: coarser points replace finer ones without a step. */
static void test_distances(void **state)
{
    (void)state;
    landscape land = default_land(TER_BASIS_FLUVIAL);
    climate_map map;
    camera c = {.altitude_m = 100.0};
    float before[4], now[4], whole = 0.0f, most = 0.0f;
    camera_place(&c, desert[0] + 12345, desert[1] + 23456);
    assert_done(climate_map_create(&map, 0.5));
    climate_at_camera(&map, &land, &c, 1e3, before);
    for (double far_m = 1e3; far_m < 8e6; far_m *= 1.01) {
        climate_at_camera(&map, &land, &c, far_m, now);
        const float step = fabsf(now[1] - before[1]);
        whole += step;
        most = fmaxf(most, step);
        memcpy(before, now, sizeof now);
    }
    assert_true(whole > 50.0f);        /* m; the snow line is not the same at all distances */
    assert_true(most < 0.05f * whole); /* no step makes up a good part of the difference */
    climate_map_destroy(&map);
    landscape_destroy(&land);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_layers), cmocka_unit_test(test_without_climate),
                                       cmocka_unit_test(test_distances)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
