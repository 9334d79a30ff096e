/* land.c - batches of tiles put together. */
#include "scout/land.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "export/ground_cover.h"

enum { TILE = 112, BATCH = 8, APRON = GROUND_COVER_APRON };
static const double LEVEL_EPSILON_M = 0.01;

int land_level(const ter_world *world, double step_m)
{
    const ter_params *p = ter_world_params(world);
    int lod = 0;
    while (lod < p->levels && p->spacing * (double)(INT64_C(2) << lod) <= 1.5 * step_m)
        lod++;
    return p->levels - lod;
}

int64_t land_index(const land *l, double x, double z)
{
    const double i = floor(x / l->step + 0.5) - (double)l->i, j = floor(z / l->step + 0.5) - (double)l->j;
    return i >= 0 && j >= 0 && i < l->side && j < l->side ? (int64_t)j * l->side + (int64_t)i : -1;
}

/* ---- heights ---- */

/** Copy a batch of tiles into the square; what lies over its edge is cut. */
static void place_tiles(land *l, const ter_tile *tiles, size_t count, const float *from, float *to)
{
    for (size_t n = 0; n < count; n++)
        for (int row = 0; row < TILE; row++) {
            const int64_t column = tiles[n].i - l->i, at_row = tiles[n].j - l->j + row;
            const int64_t width = column + TILE < l->side ? TILE : l->side - column;
            if (at_row < l->side)
                memcpy(to + at_row * l->side + column, from + (n * TILE + (size_t)row) * TILE, (size_t)width * sizeof *to);
        }
}

/** Heights of a batch, and its water where the world has some; else the sea alone. */
static outcome fill(const scout_search *s, land *l, const ter_tile *tiles, size_t count, float *scratch)
{
    const ter_tile_layout layout = {TILE, TILE, TILE, TILE * TILE, NULL};
    const bool has_water = ter_world_has_layer(s->world, TER_LAYER_WATER);
    ter_layers layers = {.at = {[TER_LAYER_HEIGHT] = scratch}};
    float *water = scratch + BATCH * TILE * TILE;
    if (has_water)
        layers.at[TER_LAYER_WATER] = water;
    const ter_status status = ter_generator_fill_tiles_layers(s->generator, s->world, tiles, count, &layout, &layers);
    if (status != TER_OK)
        return outcome_of_library(status, "scout");
    place_tiles(l, tiles, count, scratch, l->ground);
    if (has_water)
        place_tiles(l, tiles, count, water, l->surface);
    return outcome_done();
}

static outcome make_heights(const scout_search *s, land *l)
{
    const int across = (l->side + TILE - 1) / TILE, total = across * across;
    float *scratch = malloc(2 * BATCH * TILE * TILE * sizeof *scratch);
    outcome o = scratch ? outcome_done() : outcome_of(OUTCOME_FAILED, "out of memory");
    for (int first = 0; first < total && o.kind == OUTCOME_DONE; first += BATCH) {
        ter_tile tiles[BATCH];
        size_t count = 0;
        for (; count < BATCH && first + (int)count < total; count++) {
            const int n = first + (int)count;
            tiles[count] = (ter_tile){l->level, l->i + (int64_t)(n % across) * TILE, l->j + (int64_t)(n / across) * TILE};
        }
        o = s->is_interrupted() ? outcome_of(OUTCOME_INTERRUPTED, "interrupted") : fill(s, l, tiles, count, scratch);
    }
    free(scratch);
    return o;
}

/* ---- what is there ---- */

/** Lakes are wide: most of the points around are wet, too. */
static land_kind kind_of_water(const land *l, int column, int row)
{
    int n_wet = 0;
    for (int n = 0; n < 9; n++) {
        const int i = column + n % 3 - 1, j = row + n / 3 - 1;
        if (i < 0 || j < 0 || i >= l->side || j >= l->side)
            return LAND_LAKE;
        const int64_t at = (int64_t)j * l->side + i;
        n_wet += l->surface[at] > l->ground[at];
    }
    return n_wet >= 7 ? LAND_LAKE : LAND_RIVER;
}

static land_kind kind_of_shares(const uint8_t shares[4])
{
    static const land_kind kinds[4] = {LAND_PLANTS, LAND_ROCK, LAND_SOIL, LAND_SNOW};
    int most = 0;
    for (int n = 1; n < 4; n++)
        most = shares[n] > shares[most] ? n : most;
    return kinds[most];
}

/** Ground of a row by the description that the viewer draws it by. */
static void describe_row(land *l, const look *look, int row, uint8_t *shares)
{
    const int64_t first = (int64_t)row * l->side + APRON;
    const layer_window window = {.heights = l->ground + first,
                                 .stride = l->side,
                                 .width = l->side - 2 * APRON,
                                 .i = l->i + APRON,
                                 .j = l->j + row,
                                 .step_m = l->step_m,
                                 .sea_m = l->sea_m,
                                 .look = look};
    derive_splat(&window, shares);
    for (int64_t n = 0; n < window.width; n++)
        l->kinds[first + n] = (uint8_t)kind_of_shares(shares + 4 * n);
}

/** Snow by height, where the ground is not described. */
static void describe_by_height(land *l, const look *look)
{
    const int64_t count = (int64_t)l->side * l->side;
    for (int64_t n = 0; n < count; n++)
        l->kinds[n] = (double)l->ground[n] - l->sea_m > look->snow_line_m ? LAND_SNOW : LAND_PLANTS;
}

/** Surface and kind of what is wet; lowest and highest ground. */
static void add_water(land *l, bool has_layer)
{
    const int64_t count = (int64_t)l->side * l->side;
    for (int64_t n = 0; n < count; n++) {
        const double water_m = has_layer ? (double)l->surface[n] : l->sea_m;
        l->low_m = fminf(l->low_m, l->ground[n]);
        l->high_m = fmaxf(l->high_m, l->ground[n]);
        l->surface[n] = water_m > (double)l->ground[n] ? (float)water_m : l->ground[n];
    }
    for (int row = 0; row < l->side; row++)
        for (int column = 0; column < l->side; column++) {
            const int64_t n = (int64_t)row * l->side + column;
            if (l->surface[n] > l->ground[n])
                l->kinds[n] = (double)l->surface[n] <= l->sea_m + LEVEL_EPSILON_M ? LAND_SEA : kind_of_water(l, column, row);
        }
}

static outcome describe(const scout_search *s, land *l, const look *look)
{
    uint8_t *shares = malloc((size_t)l->side * 4);
    if (!shares)
        return outcome_of(OUTCOME_FAILED, "out of memory");
    describe_by_height(l, s->look);
    for (int row = APRON; row < l->side - APRON && look && !s->is_interrupted(); row++)
        describe_row(l, look, row, shares);
    free(shares);
    if (s->is_interrupted())
        return outcome_of(OUTCOME_INTERRUPTED, "interrupted");
    add_water(l, ter_world_has_layer(s->world, TER_LAYER_WATER));
    return outcome_done();
}

/* ---- the square ---- */

/** First point of a side of n points around a coordinate, such that whole tiles stay in the world. */
static int64_t first_point(double at, double step, int side)
{
    const int64_t limit = (int64_t)((double)TER_COORDINATE_MAX / step) - 1, room = ((int64_t)side + TILE - 1) / TILE * TILE;
    const int64_t wanted = (int64_t)floor(at / step + 0.5) - side / 2;
    return wanted < -limit ? -limit : wanted + room > limit ? limit - room : wanted;
}

outcome land_make(const scout_search *s, const double at[2], int level, double reach_m, const look *look, land *out)
{
    const ter_params *p = ter_world_params(s->world);
    land l = {
        .level = level, .step = (double)(INT64_C(1) << (p->levels - level)), .sea_m = p->sea, .low_m = 1e30f, .high_m = -1e30f};
    l.step_m = l.step * p->spacing;
    l.side = (int)fmax(2.0 * floor(reach_m / l.step_m) + 1.0, 2.0 * APRON + 9.0);
    l.i = first_point(at[0], l.step, l.side);
    l.j = first_point(at[1], l.step, l.side);
    const size_t count = (size_t)l.side * (size_t)l.side;
    l.ground = calloc(count, sizeof *l.ground);
    l.surface = calloc(count, sizeof *l.surface);
    l.kinds = calloc(count, 1);
    outcome o = l.ground && l.surface && l.kinds ? make_heights(s, &l) : outcome_of(OUTCOME_FAILED, "out of memory");
    if (o.kind == OUTCOME_DONE)
        o = describe(s, &l, look);
    if (o.kind == OUTCOME_DONE)
        *out = l;
    else
        land_free(&l);
    return o;
}

void land_free(land *l)
{
    free(l->ground);
    free(l->surface);
    free(l->kinds);
    *l = (land){0};
}
