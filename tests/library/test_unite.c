/* test_unite.c - tiles of fluvial worlds are merged into rectangles: each tile lies in one, near tiles share one,
 * distant tiles do not. */
#include "backend_under_test.h"

#include <stdbool.h>

#include "library/fluvial/tile_merge.h"
#include "library/world/world.h"

enum { TILE = 131, QUADS = 128, TILES_MAX = 400 };

/** Merge tiles, and check the result: each tile lies in one rectangle of its level. Each rectangle is the smallest one
 * around its tiles. If it has several tiles, it has at most points_max points. Returns the number of rectangles. */
static size_t merge(const ter_tile *tiles, size_t count, size_t points_max, ter_merged_rect *rects)
{
    static size_t order[TILES_MAX];
    bool is_there[TILES_MAX] = {false};
    size_t n_tiles = 0;
    ter_params params;
    ter_params_default(&params);
    ter_world *world = world_of(&params);
    const ter_merge_batch batch = {&world->fluvial, params.levels, tiles, count, TILE, TILE, points_max};
    const size_t n_rects = ter_merge_tiles(&batch, order, rects);
    for (size_t n = 0; n < n_rects; n++) {
        const ter_rect *r = &rects[n].at;
        int64_t i0 = INT64_MAX, j0 = INT64_MAX, i1 = INT64_MIN, j1 = INT64_MIN;
        assert_int_equal(rects[n].first, n_tiles);
        assert_true(rects[n].count > 0);
        n_tiles += rects[n].count;
        assert_true(n == 0 || r->level >= rects[n - 1].at.level);
        for (size_t k = rects[n].first; k < n_tiles; k++) {
            const ter_tile *t = &tiles[order[k]];
            assert_false(is_there[order[k]]);
            is_there[order[k]] = true;
            assert_int_equal(t->level, r->level);
            i0 = t->i < i0 ? t->i : i0;
            j0 = t->j < j0 ? t->j : j0;
            i1 = t->i > i1 ? t->i : i1;
            j1 = t->j > j1 ? t->j : j1;
        }
        assert_int_equal(r->i, i0);
        assert_int_equal(r->j, j0);
        assert_int_equal(r->width, i1 - i0 + TILE);
        assert_int_equal(r->height, j1 - j0 + TILE);
        assert_true((i1 == i0 && j1 == j0) || (size_t)r->width * (size_t)r->height <= points_max);
    }
    assert_int_equal(n_tiles, count);
    ter_world_destroy(world);
    return n_rects;
}

/** Make tiles of a level of detail, in rows of `columns`. The first tile begins one sample before (i, j). */
static void place_tiles(ter_tile *tiles, int count, int columns, int lod, int64_t i, int64_t j)
{
    ter_params params;
    ter_params_default(&params);
    for (int n = 0; n < count; n++)
        tiles[n] = (ter_tile){params.levels - lod, i + n % columns * QUADS - 1, j + n / columns * QUADS - 1};
}

static void test_squares(void **state)
{
    static ter_tile tiles[TILES_MAX];
    static ter_merged_rect rects[TILES_MAX];
    (void)state;
    for (int lod = 0; lod < 6; lod++) {
        place_tiles(tiles, 32, 8, lod, -70000, 4096);
        assert_int_equal(merge(tiles, 32, (size_t)1 << 20, rects), 1);
        assert_true(merge(tiles, 32, (size_t)1 << 18, rects) > 1);
    }
    for (int lod = 0; lod < 6; lod++) /* six squares, each of another level, in one call */
        place_tiles(tiles + 16 * lod, 16, 4, lod, 1000 * lod, 500);
    assert_int_equal(merge(tiles, 96, (size_t)1 << 20, rects), 6);
}

/** Two squares are not merged if most of their common rectangle would lie in no tile. Tiles at opposite ends of the
 * world are not merged. Copies of one tile are. */
static void test_apart(void **state)
{
    static ter_tile tiles[TILES_MAX];
    static ter_merged_rect rects[TILES_MAX];
    const int64_t far = (INT64_C(1) << 45) - 200;
    (void)state;
    place_tiles(tiles, 4, 2, 0, 0, 0);
    place_tiles(tiles + 4, 4, 2, 0, 6000, 6000);
    assert_int_equal(merge(tiles, 8, SIZE_MAX, rects), 2);
    place_tiles(tiles, 1, 1, 0, -far, -far);
    place_tiles(tiles + 1, 1, 1, 0, far, far);
    assert_int_equal(merge(tiles, 2, SIZE_MAX, rects), 2);
    for (int n = 0; n < 50; n++)
        place_tiles(tiles + n, 1, 1, 1, 77, 78);
    assert_int_equal(merge(tiles, 50, 1, rects), 1);
}

/** A ring of tiles, as a view from above requests it, becomes several rectangles, because a single one would include
 * its middle. Each tile lies in one of them, whatever the order of the tiles. */
static void test_rings(void **state)
{
    static ter_tile tiles[TILES_MAX];
    static ter_merged_rect rects[TILES_MAX];
    (void)state;
    for (int lod = 0; lod < 8; lod++) {
        int count = 0;
        for (int n = 0; n < TILES_MAX; n++) {
            const int at = n * 181 % TILES_MAX, x = at % 20, y = at / 20;
            if (x == 0 || y == 0 || x == 19 || y == 19)
                place_tiles(tiles + count++, 1, 1, lod, x * QUADS, y * QUADS);
        }
        assert_int_equal(count, 76);
        const size_t n_rects = merge(tiles, (size_t)count, SIZE_MAX, rects);
        assert_true(n_rects >= 4 && n_rects <= 40);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_squares), cmocka_unit_test(test_apart),
                                       cmocka_unit_test(test_rings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
