/* any_water.c - finds dry samples whose cells may have water, and searches these cells for water at a finer level.
 *
 * A cell of 4 x 4 finer samples:
 *
 *     . . . .    o is the cell's sample. The cell begins half a step before o and ends half a step after it,
 *     . . . w    where the next cell begins. o is dry, but a river is near, so the finer samples are
 *     . . o w    generated. Samples w are wet; the water level of the nearest to o becomes the water of
 *     . w w .    the cell.
 *
 * If the finer level is coarser than the lattice, its samples may miss narrow rivers. So cells that remain dry are
 * searched again at a still finer level. There a finer sample stands for the square between it and the next samples to
 * the east and south, because these squares together are exactly the cell.
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

/** Layers of a rectangle, which is extended to whole blocks and by one more sample on all sides. */
typedef struct surroundings {
    const ter_params *world;
    ter_rect rect;
    float *height, *water, *flow, *shore;
    double reach_m; /* water that is not farther from a sample may lie in its cell; includes the error of `shore` */
} surroundings;

/** The memory to fill, see any_water_fill. */
typedef struct water_output {
    ter_rect rect;
    float *out;
    size_t stride;
} water_output;

/** A block whose cells are searched at the finer level. */
typedef struct block {
    int64_t i, j; /* its first cell */
    const surroundings *around;
    const water_output *to;
} block;

/** Blocks of one level whose finer samples are generated together. */
typedef struct block_batch {
    ter_generator *generator;
    const ter_world *world;
    int fine_level;
    int cell_side; /* finer samples of a cell's side */
    int before; /* of these, samples before the cell's sample: half of them, or none if cells begin at their samples */
    int margin; /* finer samples around a block: 1 if its cells may be searched again, else 0 */
    block blocks[BATCH];
    size_t count;
    float *layers[TER_LAYER_COUNT]; /* of all blocks, one after another; NULL: not generated */
    float *again;                   /* without margins: water of finer samples, or of the squares that they stand for */
} block_batch;

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

static double reach_of(const ter_params *world, int level)
{
    return world->spacing * (0.75 * (double)(INT64_C(1) << (world->levels - level)) + BETWEEN);
}

static ter_status make_surroundings(ter_generator *generator, const ter_world *world, const ter_rect *rect,
                                    surroundings *s)
{
    const int lod = ter_world_params(world)->levels - rect->level;
    s->world = ter_world_params(world);
    s->rect = *rect;
    s->reach_m = reach_of(s->world, rect->level);
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
    for (int64_t y = 0; y < w->rect.height; y++)
        memcpy(w->out + (size_t)y * w->stride,
               s->water + (y + w->rect.j - s->rect.j) * s->rect.width + (w->rect.i - s->rect.i),
               (size_t)w->rect.width * sizeof *w->out);
}

/* ---- blocks ---- */

static int fine_side(const block_batch *b)
{
    return BLOCK * b->cell_side;
}

static int tile_side(const block_batch *b)
{
    return fine_side(b) + 2 * b->margin;
}

/** The finer samples of a block, with the margin. */
static ter_tile tile_of(const block_batch *b, const block *k)
{
    const int n = b->cell_side, first = b->before + b->margin;
    return (ter_tile){b->fine_level, k->i * n - first, k->j * n - first};
}

static float *again_of(const block_batch *b, size_t k)
{
    return b->again + k * (size_t)fine_side(b) * (size_t)fine_side(b);
}

static void destroy_batch(block_batch *b)
{
    if (b) {
        free(b->layers[TER_LAYER_WATER]);
        free(b);
    }
}

/** Create a batch for cells of a level. is_centred: a cell extends half way to the neighbouring samples; else it begins
 * at its sample and ends at the next ones to the east and south. Returns NULL if there is no memory. */
static block_batch *create_batch(ter_generator *generator, const ter_world *world, int level, bool is_centred)
{
    static const ter_layer names[] = {TER_LAYER_WATER, TER_LAYER_HEIGHT, TER_LAYER_FLOW, TER_LAYER_SHORE};
    const int levels = ter_world_params(world)->levels;
    block_batch *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->generator = generator;
    b->world = world;
    b->cell_side = (int)smaller(INT64_C(1) << (levels - level), ANY_WATER_SIDE_MAX);
    b->fine_level = level + __builtin_ctz((unsigned)b->cell_side);
    b->before = is_centred ? b->cell_side / 2 : 0;
    b->margin = b->fine_level < levels;
    const size_t n_layers = b->margin ? sizeof names / sizeof names[0] : 1;
    const size_t tiles = BATCH * (size_t)tile_side(b) * (size_t)tile_side(b),
                 blocks = BATCH * (size_t)fine_side(b) * (size_t)fine_side(b);
    float *memory = malloc((n_layers * tiles + blocks) * sizeof *memory);
    if (!memory) {
        free(b);
        return NULL;
    }
    for (size_t n = 0; n < n_layers; n++)
        b->layers[names[n]] = memory + n * tiles;
    b->again = memory + n_layers * tiles;
    return b;
}

/* ---- water of cells ---- */

/** Water level of the wet finer sample that is nearest to the sample of the cell at (x, y) of a block; NAN if all are
 * dry.
 */
static float nearest_level(const block_batch *b, size_t k, int64_t x, int64_t y)
{
    const int n = b->cell_side, stride = fine_side(b);
    const float *fine = again_of(b, k) + (y * stride + x) * n;
    float level = NAN;
    for (int row = 0, least = 2 * n * n; row < n; row++)
        for (int column = 0; column < n; column++) {
            const int dx = column - b->before, dy = row - b->before, away = dx * dx + dy * dy;
            if (away < least && !isnan(fine[row * stride + column])) {
                least = away;
                level = fine[row * stride + column];
            }
        }
    return level;
}

/** Set the output of a block's cells whose samples are dry. */
static void take_block(const block_batch *b, size_t k)
{
    const water_output *w = b->blocks[k].to;
    const ter_rect *r = &w->rect;
    const int64_t i = b->blocks[k].i, j = b->blocks[k].j;
    for (int64_t y = larger(j, r->j); y < smaller(j + BLOCK, r->j + r->height); y++)
        for (int64_t x = larger(i, r->i); x < smaller(i + BLOCK, r->i + r->width); x++) {
            float *to = &w->out[(size_t)(y - r->j) * w->stride + (size_t)(x - r->i)];
            if (isnan(*to))
                *to = nearest_level(b, k, x - i, y - j);
        }
}

/** Whether the cell at (x, y) of a block may hide water and all its finer samples are dry. */
static bool remains_dry(const block_batch *b, size_t k, int64_t x, int64_t y)
{
    const surroundings *s = b->blocks[k].around;
    const int64_t column = b->blocks[k].i + x - s->rect.i, row = b->blocks[k].j + y - s->rect.j;
    return column < s->rect.width && row < s->rect.height && column >= 0 && row >= 0 &&
           may_hide_water(s, column, row) && isnan(nearest_level(b, k, x, y));
}

static ter_status finish_batch(block_batch *b);

/** Add a block to a batch, and finish the batch if it is full. A block that extends beyond the world is left out; its
 * cells keep the water of their samples. */
static ter_status add_block(block_batch *b, const block *k)
{
    const int64_t limit = TER_COORDINATE_MAX >> (ter_world_params(b->world)->levels - b->fine_level);
    const ter_tile tile = tile_of(b, k);
    const int64_t last = tile_side(b) - 1;
    if (tile.i < -limit || tile.j < -limit || tile.i + last > limit || tile.j + last > limit)
        return TER_OK;
    b->blocks[b->count++] = *k;
    return b->count == BATCH ? finish_batch(b) : TER_OK;
}

/** Copy the water of a block's finer samples, without the margin. */
static void copy_fine_water(const block_batch *b, size_t k)
{
    const int side = fine_side(b), width = tile_side(b);
    const float *tile = b->layers[TER_LAYER_WATER] + k * (size_t)(width * width) + b->margin * (width + 1);
    for (int row = 0; row < side; row++)
        memcpy(again_of(b, k) + row * side, tile + row * width, (size_t)side * sizeof *tile);
}

/** The finer samples of a block as surroundings for the next level. */
static surroundings fine_surroundings(const block_batch *b, size_t k)
{
    const int64_t side = tile_side(b), first = (int64_t)k * side * side;
    const ter_tile tile = tile_of(b, &b->blocks[k]);
    const ter_params *world = ter_world_params(b->world);
    return (surroundings){.world = world,
                          .rect = {b->fine_level, tile.i, tile.j, side, side},
                          .height = b->layers[TER_LAYER_HEIGHT] + first,
                          .water = b->layers[TER_LAYER_WATER] + first,
                          .flow = b->layers[TER_LAYER_FLOW] + first,
                          .shore = b->layers[TER_LAYER_SHORE] + first,
                          .reach_m = reach_of(world, b->fine_level)};
}

/** Search the cells of a block that remain dry in the squares that their finer samples stand for. */
static ter_status search_squares(const block_batch *b, size_t k, const surroundings *fine, const water_output *to,
                                 block_batch *finer)
{
    const int n = b->cell_side;
    const int64_t i = fine->rect.i + b->margin, j = fine->rect.j + b->margin;
    ter_status status = TER_OK;
    for (int cell = 0; cell < BLOCK * BLOCK && status == TER_OK; cell++) {
        const int x = cell % BLOCK, y = cell / BLOCK;
        if (!remains_dry(b, k, x, y))
            continue;
        for (int row = 0; row < n && status == TER_OK; row += BLOCK)
            for (int column = 0; column < n && status == TER_OK; column += BLOCK) {
                const block part = {i + x * n + column, j + y * n + row, fine, to};
                if (needs_finer_level(fine, part.i, part.j))
                    status = add_block(finer, &part);
            }
    }
    return status;
}

/** Search the cells of all blocks that remain dry, at a still finer level. */
static ter_status search_again(block_batch *b)
{
    surroundings *fine = calloc(BATCH, sizeof *fine);
    water_output *to = calloc(BATCH, sizeof *to);
    block_batch *finer = create_batch(b->generator, b->world, b->fine_level, false);
    const int64_t side = fine_side(b);
    ter_status status = fine && to && finer ? TER_OK : TER_ENOMEM;
    for (size_t k = 0; k < b->count && status == TER_OK; k++) {
        fine[k] = fine_surroundings(b, k);
        to[k] = (water_output){{b->fine_level, fine[k].rect.i + b->margin, fine[k].rect.j + b->margin, side, side},
                               again_of(b, k),
                               (size_t)side};
        status = search_squares(b, k, &fine[k], &to[k], finer);
    }
    if (status == TER_OK)
        status = finish_batch(finer);
    destroy_batch(finer);
    free(to);
    free(fine);
    return status;
}

/** Generate the finer samples of all blocks, and set the output of their cells. */
static ter_status finish_batch(block_batch *b)
{
    ter_tile tiles[BATCH];
    const size_t side = (size_t)tile_side(b);
    const tile_layout layout = {
        .width = (int)side, .height = (int)side, .row_stride = side, .slot_stride = side * side};
    layer_arrays out = {{0}};
    for (size_t k = 0; k < b->count; k++)
        tiles[k] = tile_of(b, &b->blocks[k]);
    memcpy(out.at, b->layers, sizeof out.at);
    ter_status status =
        b->count > 0 ? fill_tiles(b->generator, b->world, (tile_span){tiles, b->count}, &layout, &out) : TER_OK;
    for (size_t k = 0; k < b->count && status == TER_OK; k++)
        copy_fine_water(b, k);
    if (status == TER_OK && b->count > 0 && b->margin)
        status = search_again(b);
    for (size_t k = 0; k < b->count && status == TER_OK; k++)
        take_block(b, k);
    b->count = 0;
    return status;
}

/** Search all blocks of an output that may hide water. */
static ter_status search_blocks(const surroundings *s, const water_output *w, block_batch *b)
{
    const ter_rect *r = &w->rect;
    ter_status status = TER_OK;
    for (int64_t j = block_begin(r->j); j < r->j + r->height && status == TER_OK; j += BLOCK)
        for (int64_t i = block_begin(r->i); i < r->i + r->width && status == TER_OK; i += BLOCK) {
            const block k = {i, j, s, w};
            if (needs_finer_level(s, i, j))
                status = add_block(b, &k);
        }
    return status == TER_OK ? finish_batch(b) : status;
}

ter_status any_water_fill(ter_generator *generator, const ter_world *world, const ter_rect *rect, float *out,
                          size_t stride)
{
    surroundings s = {0};
    const water_output output = {*rect, out, stride};
    const layer_arrays layers = {.at = {[TER_LAYER_WATER] = out}};
    if (rect->level == ter_world_params(world)->levels)
        return fill_rect(generator, world, rect, &layers, stride);
    block_batch *b = create_batch(generator, world, rect->level, true);
    ter_status status = b ? make_surroundings(generator, world, rect, &s) : TER_ENOMEM;
    if (status == TER_OK) {
        copy_sample_water(&s, &output);
        status = search_blocks(&s, &output, b);
    }
    destroy_batch(b);
    free(s.height);
    return status;
}
