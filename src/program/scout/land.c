/* land.c - fills a square of land part by part and classifies its points. */
#include "program/scout/land.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "program/core/fill.h"
#include "program/core/tasks.h"
#include "program/surface/ground_cover.h"

enum { APRON = GROUND_COVER_APRON };
static const double LEVEL_EPSILON_M = 0.01; /* water whose surface is at most this far above sea level is sea */

/** Level of detail whose points are about step_m apart. This level may be coarser than the world's coarsest level. */
static int lod_of(const ter_params *p, double step_m)
{
    enum { LOD_MAX = 45 }; /* 2^45 lattice steps: half of the largest coordinate */
    int lod = 0;
    while (lod < LOD_MAX && p->spacing * (double)(INT64_C(2) << lod) <= 1.5 * step_m)
        lod++;
    return lod;
}

int64_t land_index(const land *l, double x, double z)
{
    const double i = floor(x / l->step + 0.5) - (double)l->i, j = floor(z / l->step + 0.5) - (double)l->j;
    return i >= 0 && j >= 0 && i < l->side && j < l->side ? (int64_t)j * l->side + (int64_t)i : -1;
}

/* ---- heights ---- */

/** A rectangle of the square that is made by one call of the generator. */
typedef struct land_part {
    int column, row, width, rows;
} land_part;

/** Copy the values of a part to the square. */
static void place_part(const land *l, const land_part *p, const float *from, float *to)
{
    for (int row = 0; row < p->rows; row++)
        memcpy(to + (int64_t)(p->row + row) * l->side + p->column, from + (size_t)row * (size_t)p->width,
               (size_t)p->width * sizeof *to);
}

/** List the tiles of a part: a single tile, or, if points are not neighbours in their level, a tile for each point. */
static size_t list_tiles(const land *l, const land_part *p, ter_tile *tiles)
{
    const bool is_one_tile = l->stride == 1;
    size_t count = 0;
    for (int row = 0; row < (is_one_tile ? 1 : p->rows); row++)
        for (int column = 0; column < (is_one_tile ? 1 : p->width); column++)
            tiles[count++] =
                (ter_tile){l->level, (l->i + p->column + column) * l->stride, (l->j + p->row + row) * l->stride};
    return count;
}

/** Buffers for one part. */
typedef struct land_scratch {
    float heights[LAND_PART], water[LAND_PART], top[LAND_PART], share[LAND_PART];
    ter_tile tiles[LAND_PART];
} land_scratch;

/** Fill a part with heights, and with water levels if the world has the water layer. */
static result fill_part(const scout_search *s, land *l, const land_part *p, land_scratch *scratch)
{
    const size_t count = list_tiles(l, p, scratch->tiles);
    tile_layout layout = {p->width, p->rows, (size_t)p->width, (size_t)p->width * (size_t)p->rows, NULL};
    if (l->stride > 1)
        layout = (tile_layout){1, 1, 1, 1, NULL};
    const bool has_water = ter_world_has_layer(s->world, TER_LAYER_WATER);
    const layer_arrays layers = {.at = {[TER_LAYER_HEIGHT] = scratch->heights,
                                        [TER_LAYER_WATER] = has_water ? scratch->water : NULL,
                                        [TER_LAYER_TOP] = l->top ? scratch->top : NULL,
                                        [TER_LAYER_LAND] = l->share ? scratch->share : NULL}};
    const ter_status status = fill_tiles(s->generator, s->world, (tile_span){scratch->tiles, count}, &layout, &layers);
    if (status != TER_OK)
        return result_of_library(status, "scout");
    place_part(l, p, scratch->heights, l->ground);
    if (has_water)
        place_part(l, p, scratch->water, l->surface);
    if (l->top) {
        place_part(l, p, scratch->top, l->top);
        place_part(l, p, scratch->share, l->share);
    }
    return result_done();
}

/** Fill the square part by part. The first parts are small, so that progress shows early. */
static result make_heights(const scout_search *s, const land_request *r, land *l)
{
    land_scratch *scratch = malloc(sizeof *scratch);
    result res = scratch ? result_done() : result_of(RESULT_FAILED, "out of memory");
    work_pieces *p = r->pieces;
    work_pieces_begin(p, l->side, l->side);
    while (res.kind == RESULT_DONE && work_pieces_next(p)) {
        const land_part part = {(int)p->column, (int)p->row, (int)p->piece_width, (int)p->piece_rows};
        res = s->is_interrupted() ? result_of(RESULT_INTERRUPTED, "interrupted") : fill_part(s, l, &part, scratch);
        const double made = (double)p->row * l->side + (double)(p->column + p->piece_width) * (double)p->piece_rows;
        s->show_progress(r->label, r->from + (r->to - r->from) * made / ((double)l->side * l->side));
    }
    free(scratch);
    return res;
}

/* ---- kinds ---- */

/** Tell lakes from rivers: around a point of a lake at least seven of the 3 x 3 points are wet. Wet points at the edge
 * of the square count as lake. */
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

/** A land whose rows are classified. */
typedef struct described_land {
    const scout_search *search;
    land *land;
    const look *look;
    uint8_t *shares; /* for each point, four bytes of derive_splat */
} described_land;

/** Classify a row by the ground rules that the viewer also uses. */
static void describe_row(void *user, int64_t n_row)
{
    const described_land *d = user;
    land *l = d->land;
    const int row = (int)n_row + APRON;
    uint8_t *shares = d->shares + 4 * (int64_t)row * l->side;
    if (d->search->is_interrupted())
        return;
    const int64_t first = (int64_t)row * l->side + APRON;
    const layer_window window = {.heights = l->ground + first,
                                 .stride = l->side,
                                 .width = l->side - 2 * APRON,
                                 .i = l->i + APRON,
                                 .j = l->j + row,
                                 .step_m = l->step_m,
                                 .sea_m = l->sea_m,
                                 .look = d->look};
    derive_splat(&window, shares);
    for (int64_t n = 0; n < window.width; n++)
        l->kinds[first + n] = (uint8_t)kind_of_shares(shares + 4 * n);
}

/** Classify all points by height: snow above the snow line, else plants. */
static void describe_by_height(land *l, const look *look)
{
    const int64_t count = (int64_t)l->side * l->side;
    for (int64_t n = 0; n < count; n++)
        l->kinds[n] = (double)l->ground[n] - l->sea_m > look->snow_line_m ? LAND_SNOW : LAND_PLANTS;
}

/** Set the surface of all points, the kind of wet points, and the lowest and highest ground. */
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
                l->kinds[n] =
                    (double)l->surface[n] <= l->sea_m + LEVEL_EPSILON_M ? LAND_SEA : kind_of_water(l, column, row);
        }
}

static result describe(const scout_search *s, land *l, const look *look)
{
    described_land d = {s, l, look, look ? malloc((size_t)l->side * (size_t)l->side * 4) : NULL};
    if (look && !d.shares)
        return result_of(RESULT_FAILED, "out of memory");
    describe_by_height(l, s->look);
    if (look)
        tasks_run(l->side - 2 * APRON, describe_row, &d);
    free(d.shares);
    if (s->is_interrupted())
        return result_of(RESULT_INTERRUPTED, "interrupted");
    add_water(l, ter_world_has_layer(s->world, TER_LAYER_WATER));
    return result_done();
}

/* ---- the square ---- */

/** First of `side` points around a coordinate, such that all points lie in the world. */
static int64_t first_point(double at, double step, int side)
{
    const int64_t limit = (int64_t)((double)TER_COORDINATE_MAX / step) - 1;
    const int64_t wanted = (int64_t)floor(at / step + 0.5) - side / 2;
    return wanted < -limit ? -limit : wanted + side > limit ? limit - side : wanted;
}

result land_make(const scout_search *s, const land_request *r, land *out)
{
    const ter_params *p = ter_world_params(s->world);
    const int lod = lod_of(p, r->step_m);
    land l = {.level = lod < p->levels ? p->levels - lod : 0,
              .stride = INT64_C(1) << (lod < p->levels ? 0 : lod - p->levels),
              .step = (double)(INT64_C(1) << lod),
              .sea_m = p->sea,
              .low_m = 1e30f,
              .high_m = -1e30f};
    l.step_m = l.step * p->spacing;
    l.side = (int)fmax(2.0 * floor(r->reach_m / l.step_m) + 1.0, 2.0 * APRON + 9.0);
    l.i = first_point(r->at[0], l.step, l.side);
    l.j = first_point(r->at[1], l.step, l.side);
    const size_t count = (size_t)l.side * (size_t)l.side;
    l.ground = calloc(count, sizeof *l.ground);
    l.surface = calloc(count, sizeof *l.surface);
    l.kinds = calloc(count, 1);
    const bool has_overview = r->has_overview && ter_world_has_layer(s->world, TER_LAYER_TOP);
    l.top = has_overview ? calloc(count, sizeof *l.top) : NULL;
    l.share = has_overview ? calloc(count, sizeof *l.share) : NULL;
    const bool has_memory = l.ground && l.surface && l.kinds && (!has_overview || (l.top && l.share));
    result res = has_memory ? make_heights(s, r, &l) : result_of(RESULT_FAILED, "out of memory");
    if (res.kind == RESULT_DONE)
        res = describe(s, &l, r->look);
    if (res.kind == RESULT_DONE)
        *out = l;
    else
        land_free(&l);
    return res;
}

void land_free(land *l)
{
    free(l->ground);
    free(l->surface);
    free(l->kinds);
    free(l->top);
    free(l->share);
    *l = (land){0};
}
