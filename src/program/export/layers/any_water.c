/* any_water.c - finds dry samples whose cells may have water, and searches these cells for water at a finer level.
 *
 * A cell of 4 x 4 finer samples:
 *
 *     . . . .    o is the cell's sample. The cell begins half a step before o and ends half a step after it,
 *     . . . w    where the next cell begins. o is dry, but a river is near, so the finer samples are
 *     . . o w    generated. Samples w are wet; the water level of the nearest to o becomes the water of
 *     . w w .    the cell.
 */
#include "program/export/layers/any_water.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "library/fluvial/river_size.h"
#include "program/core/fill.h"

enum {
    BLOCK = 8, /* cells of a block's side; the grid of blocks is fixed in the world, so results do not depend on cuts */
    BATCH = 64 /* blocks of the finer level that are generated in one call */
};
static const float BROADEST = TER_BROAD_LEAST + TER_BROAD_MORE; /* times the width that an area says: at most */
static const double BETWEEN = 16.0; /* lattice steps; layers flow and shore are interpolated over this distance */
static const double SEA_M = 2.0;    /* ground lower than this over the sea may have an inlet in its cell */

/** Layers of a rectangle that is extended to whole blocks and by one more sample on all sides. */
typedef struct surroundings {
    const ter_params *world;
    ter_rect rect;
    float *height, *water, *flow, *shore;
    double reach_m; /* water that is not farther from a sample may lie in its cell; includes the error of `shore` */
} surroundings;

/** Blocks of the finer level that are generated together. */
typedef struct block_batch {
    int cell_side; /* finer samples of a cell's side */
    ter_tile tiles[BATCH];
    int64_t cells[BATCH][2]; /* column and row of each block's first cell */
    size_t count;
    float *water; /* of all tiles, one after another */
} block_batch;

/** The memory to fill, see any_water_fill. */
typedef struct water_output {
    const ter_rect *rect;
    float *out;
    size_t stride;
} water_output;

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- cells that may have water ---- */

/** Whether the layers of sample k indicate water in its cell: the sample is wet, or a river's bank is in reach. */
static bool indicates_water(const surroundings *s, int64_t k)
{
    const double step_m = s->world->spacing;
    if (!isnan(s->water[k]))
        return true;
    /* a quarter of the area: interpolation between points of two channels may give less than the river has */
    const float cells = s->flow[k] / (float)(TER_AREA * step_m * step_m);
    if (cells < 0.25f * TER_WET_AREA)
        return false;
    return (double)s->shore[k] - (double)(BROADEST * ter_river_width(cells)) * step_m <= s->reach_m;
}

/** Whether the cell at a column and a row of the surroundings may have water although its sample is dry. */
static bool may_hide_water(const surroundings *s, int64_t column, int64_t row)
{
    const int64_t width = s->rect.width;
    if (!isnan(s->water[row * width + column]))
        return false;
    if ((double)s->height[row * width + column] < s->world->sea + SEA_M)
        return true;
    for (int64_t y = larger(row - 1, 0); y <= row + 1 && y < s->rect.height; y++)
        for (int64_t x = larger(column - 1, 0); x <= column + 1 && x < width; x++)
            if (indicates_water(s, y * width + x))
                return true;
    return false;
}

/** Whether a block has a cell that may hide water. All cells of the block count, also those outside of the requested
 * rectangle, so that the result is the same for all rectangles that share the block. */
static bool needs_finer_level(const surroundings *s, int64_t i, int64_t j)
{
    const ter_rect *r = &s->rect;
    for (int64_t y = larger(j, r->j); y < smaller(j + BLOCK, r->j + r->height); y++)
        for (int64_t x = larger(i, r->i); x < smaller(i + BLOCK, r->i + r->width); x++)
            if (may_hide_water(s, x - r->i, y - r->j))
                return true;
    return false;
}

static int64_t block_begin(int64_t i)
{
    return i - (i % BLOCK + BLOCK) % BLOCK;
}

/** Extend a side of a rectangle to whole blocks and by one more sample at both ends, within the world. */
static void grow(int64_t *first, int64_t *count, int64_t limit)
{
    const int64_t begin = larger(block_begin(*first) - 1, -limit), end = block_begin(*first + *count - 1) + BLOCK;
    *count = smaller(end, limit) - begin + 1;
    *first = begin;
}

static ter_status make_surroundings(ter_generator *generator, const ter_world *world, const ter_rect *rect,
                                    surroundings *s)
{
    const int lod = ter_world_params(world)->levels - rect->level;
    s->world = ter_world_params(world);
    s->rect = *rect;
    s->reach_m = s->world->spacing * (0.75 * (double)(INT64_C(1) << lod) + BETWEEN);
    grow(&s->rect.i, &s->rect.width, TER_COORDINATE_MAX >> lod);
    grow(&s->rect.j, &s->rect.height, TER_COORDINATE_MAX >> lod);
    const size_t count = (size_t)s->rect.width * (size_t)s->rect.height;
    s->height = malloc(4 * count * sizeof *s->height);
    if (!s->height)
        return TER_ENOMEM;
    s->water = s->height + count;
    s->flow = s->water + count;
    s->shore = s->flow + count;
    const layer_arrays out = {.at = {[TER_LAYER_HEIGHT] = s->height,
                                     [TER_LAYER_WATER] = s->water,
                                     [TER_LAYER_FLOW] = s->flow,
                                     [TER_LAYER_SHORE] = s->shore}};
    return fill_rect(generator, world, &s->rect, &out, (size_t)s->rect.width);
}

/** Copy the water of the samples themselves to the output. */
static void copy_sample_water(const surroundings *s, const water_output *w)
{
    for (int64_t y = 0; y < w->rect->height; y++)
        memcpy(w->out + (size_t)y * w->stride,
               s->water + (y + w->rect->j - s->rect.j) * s->rect.width + (w->rect->i - s->rect.i),
               (size_t)w->rect->width * sizeof *w->out);
}

/* ---- water of cells ---- */

/** Water level of the wet finer sample that is nearest to a cell's sample; NAN if all are dry.
 *
 *  fine  the cell's first finer sample, of n x n
 */
static float nearest_level(const float *fine, int n, int stride)
{
    float level = NAN;
    for (int y = 0, least = 2 * n * n; y < n; y++)
        for (int x = 0; x < n; x++) {
            const int dx = x - n / 2, dy = y - n / 2, away = dx * dx + dy * dy;
            if (away < least && !isnan(fine[y * stride + x])) {
                least = away;
                level = fine[y * stride + x];
            }
        }
    return level;
}

/** Set the output of a block's cells whose samples are dry.
 *
 *  k  number of the block in the batch
 */
static void take_block(const block_batch *b, size_t k, const water_output *w)
{
    const int n = b->cell_side, side = BLOCK * n;
    const int64_t i = b->cells[k][0], j = b->cells[k][1];
    for (int64_t y = larger(j, w->rect->j); y < smaller(j + BLOCK, w->rect->j + w->rect->height); y++)
        for (int64_t x = larger(i, w->rect->i); x < smaller(i + BLOCK, w->rect->i + w->rect->width); x++) {
            float *to = &w->out[(size_t)(y - w->rect->j) * w->stride + (size_t)(x - w->rect->i)];
            if (isnan(*to))
                *to = nearest_level(b->water + k * (size_t)(side * side) + ((y - j) * side + x - i) * n, n, side);
        }
}

static ter_status make_batch(ter_generator *generator, const ter_world *world, block_batch *b, const water_output *w)
{
    const int side = BLOCK * b->cell_side;
    const tile_layout layout = {
        .width = side, .height = side, .row_stride = (size_t)side, .slot_stride = (size_t)(side * side)};
    const layer_arrays out = {.at = {[TER_LAYER_WATER] = b->water}};
    const ter_status status = fill_tiles(generator, world, (tile_span){b->tiles, b->count}, &layout, &out);
    for (size_t k = 0; k < b->count && status == TER_OK; k++)
        take_block(b, k, w);
    b->count = 0;
    return status;
}

/** Add a block to the batch. A block that extends beyond the world is left out; its cells keep the water of their
 * samples. */
static void add_block(const surroundings *s, block_batch *b, int64_t i, int64_t j)
{
    const int n = b->cell_side, level = s->rect.level + __builtin_ctz((unsigned)n);
    const int64_t limit = TER_COORDINATE_MAX >> (s->world->levels - level);
    const ter_tile tile = {level, i * n - n / 2, j * n - n / 2};
    if (tile.i < -limit || tile.j < -limit || tile.i + BLOCK * n - 1 > limit || tile.j + BLOCK * n - 1 > limit)
        return;
    b->cells[b->count][0] = i;
    b->cells[b->count][1] = j;
    b->tiles[b->count++] = tile;
}

/** Search all blocks that may hide water at the finer level. */
static ter_status search_blocks(ter_generator *generator, const ter_world *world, const surroundings *s, block_batch *b,
                                const water_output *w)
{
    const ter_rect *r = w->rect;
    ter_status status = TER_OK;
    for (int64_t j = block_begin(r->j); j < r->j + r->height && status == TER_OK; j += BLOCK)
        for (int64_t i = block_begin(r->i); i < r->i + r->width && status == TER_OK; i += BLOCK) {
            if (needs_finer_level(s, i, j))
                add_block(s, b, i, j);
            if (b->count == BATCH)
                status = make_batch(generator, world, b, w);
        }
    return status == TER_OK && b->count > 0 ? make_batch(generator, world, b, w) : status;
}

/** Number of finer samples along the side of a cell. */
static int choose_cell_side(const ter_params *world, int level)
{
    const int lod = world->levels - level;
    return (int)smaller(INT64_C(1) << lod, ANY_WATER_SIDE_MAX);
}

ter_status any_water_fill(ter_generator *generator, const ter_world *world, const ter_rect *rect, float *out,
                          size_t stride)
{
    surroundings s = {0};
    const water_output output = {rect, out, stride};
    block_batch b = {.cell_side = choose_cell_side(ter_world_params(world), rect->level)};
    const size_t block = (size_t)(BLOCK * b.cell_side) * (size_t)(BLOCK * b.cell_side);
    if (b.cell_side == 1) {
        const layer_arrays layers = {.at = {[TER_LAYER_WATER] = out}};
        return fill_rect(generator, world, rect, &layers, stride);
    }
    b.water = malloc(BATCH * block * sizeof *b.water);
    ter_status status = b.water ? make_surroundings(generator, world, rect, &s) : TER_ENOMEM;
    if (status == TER_OK) {
        copy_sample_water(&s, &output);
        status = search_blocks(generator, world, &s, &b, &output);
    }
    free(b.water);
    free(s.height);
    return status;
}
