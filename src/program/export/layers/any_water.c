/* any_water.c - finds dry samples whose cells may contain water, and searches these cells at finer levels.
 *
 * A cell of 4 x 4 finer samples:
 *
 *     . . . .    o is the cell's sample. The cell begins half a step before o and ends half a step after o, where the
 *     . . . w    next cell begins. o is dry, but a river is near, so the finer samples are generated. The samples w are
 *     . . o w    wet. The cell gets the water level of the wet sample nearest to o.
 *     . w w .
 *
 * If the finer level is still coarser than the lattice, its samples may miss narrow rivers. So cells that remain dry
 * are searched at the next finer level. There each of the finer samples stands for the square between it and the next
 * samples to the east and south. Together these squares are exactly the cell.
 */
#include "program/export/layers/any_water.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "library/fluvial/river_size.h"
#include "program/core/fill.h"

enum {
    /* cells on a side of a block. Blocks begin at multiples of BLOCK in the world, so that the result does not depend
     * on how a region is cut into rectangles */
    BLOCK = 8,
    BATCH = 64 /* blocks whose finer samples are generated in one call */
};
static const float WIDTH_FACTOR_MAX = TER_BROAD_LEAST + TER_BROAD_MORE; /* greatest factor of a bed's width */
static const double INTERPOLATION_STEPS = 16.0; /* lattice steps over which layers flow and shore are interpolated */
static const double SEA_M = 2.0;                /* metres above the sea; a cell with lower ground may have an inlet */

/** Layers of a rectangle, which is extended to whole blocks and by one more sample on all sides. */
typedef struct surroundings {
    const ter_params *world;
    ter_rect rect;
    float *height, *water, *flow, *shore;
    double reach_m; /* water within this distance of a sample may lie in its cell; includes the error of `shore` */
} surroundings;

/** The memory to fill, see any_water_fill. */
typedef struct water_output {
    ter_rect rect;
    float *out;
    size_t stride;
} water_output;

/** A block whose cells are searched at the finer level. */
typedef struct block {
    int64_t i, j; /* first cell */
    const surroundings *around;
    const water_output *to;
} block;

/** Blocks of one level whose finer samples are generated together. */
typedef struct block_batch {
    ter_generator *generator;
    const ter_world *world;
    int fine_level;
    int cell_side;      /* finer samples on a side of a cell */
    int samples_before; /* finer samples between the cell's edge and its sample: half a side, or 0 if a cell begins at
                           its sample */
    int margin;         /* finer samples around a block: 1 if cells may be searched at a further level, else 0 */
    block blocks[BATCH];
    size_t count;
    float *layers[TER_LAYER_COUNT]; /* samples of all blocks, one after another, with margins; NULL: not generated */
    float *fine_water; /* water level of the finer samples without margins; after a further search, of their squares */
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
    /* A quarter of a river's least area is enough, because interpolated flow may be less than the river's. */
    const float cells = s->flow[k] / (float)(TER_AREA * step_m * step_m);
    if (cells < 0.25f * TER_WET_AREA)
        return false;
    return (double)s->shore[k] - (double)(WIDTH_FACTOR_MAX * ter_river_width(cells)) * step_m <= s->reach_m;
}

/** Whether the cell at a column and row of the surroundings may contain water although its sample is dry. */
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

/** First cell of the block that contains cell i, in one direction. */
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

/** surroundings.reach_m at a level. */
static double reach_of(const ter_params *world, int level)
{
    return world->spacing * (0.75 * (double)(INT64_C(1) << (world->levels - level)) + INTERPOLATION_STEPS);
}

/** Generate the surroundings of a rectangle. The caller frees s->height, which holds all layers. */
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

/** Copy the water at the samples' own points to the output. */
static void copy_sample_water(const surroundings *s, const water_output *w)
{
    for (int64_t y = 0; y < w->rect.height; y++)
        memcpy(w->out + (size_t)y * w->stride,
               s->water + (y + w->rect.j - s->rect.j) * s->rect.width + (w->rect.i - s->rect.i),
               (size_t)w->rect.width * sizeof *w->out);
}

/* ---- blocks ---- */

/** Number of finer samples on a side of a block: fine_side without the margin, tile_side with it. */
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
    const int n = b->cell_side, first = b->samples_before + b->margin;
    return (ter_tile){b->fine_level, k->i * n - first, k->j * n - first};
}

static float *fine_water_of(const block_batch *b, size_t k)
{
    return b->fine_water + k * (size_t)fine_side(b) * (size_t)fine_side(b);
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
    b->samples_before = is_centred ? b->cell_side / 2 : 0;
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
    b->fine_water = memory + n_layers * tiles;
    return b;
}

/* ---- water of cells ---- */

/** Water level of the wet finer sample that is nearest to the sample of the cell at (x, y) of a block; NAN if all are
 * dry.
 */
static float nearest_level(const block_batch *b, size_t k, int64_t x, int64_t y)
{
    const int n = b->cell_side, stride = fine_side(b);
    const float *fine = fine_water_of(b, k) + (y * stride + x) * n;
    float level = NAN;
    for (int row = 0, least = 2 * n * n; row < n; row++)
        for (int column = 0; column < n; column++) {
            const int dx = column - b->samples_before, dy = row - b->samples_before, square = dx * dx + dy * dy;
            if (square < least && !isnan(fine[row * stride + column])) {
                least = square;
                level = fine[row * stride + column];
            }
        }
    return level;
}

/** Store the water of those cells of a block whose samples are dry. */
static void store_cells(const block_batch *b, size_t k)
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
        memcpy(fine_water_of(b, k) + row * side, tile + row * width, (size_t)side * sizeof *tile);
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

/** Add to batch `finer` the squares of a block's finer samples that may contain water, in cells that remain dry.
 *
 *  fine  surroundings at the finer level
 *  to    receives the water of the squares
 */
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

/** Search the cells that remain dry, of all blocks of a batch, at the next finer level. */
static ter_status search_finer_level(block_batch *b)
{
    surroundings *fine = calloc(BATCH, sizeof *fine);
    water_output *to = calloc(BATCH, sizeof *to);
    block_batch *finer = create_batch(b->generator, b->world, b->fine_level, false);
    const int64_t side = fine_side(b);
    ter_status status = fine && to && finer ? TER_OK : TER_ENOMEM;
    for (size_t k = 0; k < b->count && status == TER_OK; k++) {
        fine[k] = fine_surroundings(b, k);
        to[k] = (water_output){{b->fine_level, fine[k].rect.i + b->margin, fine[k].rect.j + b->margin, side, side},
                               fine_water_of(b, k),
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

/** Generate the finer samples of all blocks of a batch, store the water of their cells, and empty the batch. */
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
        status = search_finer_level(b);
    for (size_t k = 0; k < b->count && status == TER_OK; k++)
        store_cells(b, k);
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
    if (rect->level >= ter_world_params(world)->levels)
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
