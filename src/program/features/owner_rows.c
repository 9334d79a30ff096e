/* owner_rows.c - asks the library for the owners of tiles of samples. An owner counts the cells of a window that
 * reaches MARGIN cells beyond that of the rectangle and has COLUMNS columns. */
#include "program/features/owner_rows.h"

#include <math.h>
#include <stdlib.h>

#include "program/core/tasks.h"

enum {
    MARGIN = 64,       /* cells; owners lie at most so far outside of the window of the rectangle */
    COLUMNS = 1 << 15, /* cells; also the greatest number of rows */
    TILE_CELLS = 48,   /* cells of the network; side of a tile of the usual size */
    TILE_CELLS_MOST = 192,
    TILE_SAMPLES = 1 << 18,
    BATCH = 16 /* tiles that are made at the same time */
};

struct owner_rows {
    const feature_run *run;
    int64_t tile_columns, tile_rows; /* samples */
    int64_t *ids[BATCH];             /* of the edges of a tile */
    feature_block tiles[BATCH];
    result results[BATCH];
    int count;
    int64_t first_row; /* of the rows that are filled */
    int32_t *out;
    int64_t stride;
};

double owner_least_area(const feature_run *run)
{
    const double wet = TER_EDGE_AREA_WET * run->params->spacing * run->params->spacing;
    return run->request.min_area_m2 < wet ? run->request.min_area_m2 : 0.0;
}

/* ---- tiles ---- */

static int64_t least_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/** Choose the size of tiles: where rows are few, tiles are longer, because the network around a tile costs time. */
static void choose_tiles(owner_rows *o, int64_t rows)
{
    const int64_t usual = feature_samples_along(o->run, TILE_CELLS),
                  most = feature_samples_along(o->run, TILE_CELLS_MOST);
    o->tile_rows = least_of(rows, usual);
    o->tile_columns = least_of(TILE_SAMPLES / o->tile_rows, least_of(usual * usual / o->tile_rows, most));
    o->tile_columns = o->tile_columns > 1 ? least_of(o->tile_columns, o->run->raster.width) : 1;
}

owner_rows *owner_rows_create(const feature_run *run, int64_t rows)
{
    owner_rows *o = calloc(1, sizeof *o);
    bool has_room = o != NULL;
    if (o) {
        o->run = run;
        choose_tiles(o, rows);
    }
    for (int n = 0; n < BATCH && has_room; n++)
        has_room = (o->ids[n] = malloc((size_t)(o->tile_columns * o->tile_rows) * sizeof(int64_t))) != NULL;
    if (has_room)
        return o;
    owner_rows_destroy(o);
    return NULL;
}

void owner_rows_destroy(owner_rows *o)
{
    for (int n = 0; n < BATCH && o; n++)
        free(o->ids[n]);
    free(o);
}

/* ---- numbers ---- */

/** The owner for the id of an edge. Returns false if its cell is too far away to have a number. */
static bool owner_of(const feature_run *run, int64_t id, int32_t *out)
{
    const int64_t west = run->cells.column - MARGIN, north = run->cells.row - MARGIN;
    const int64_t column = (int32_t)((uint32_t)(uint64_t)id - (uint32_t)(uint64_t)west), row = (id >> 32) - north;
    *out = OWNER_NONE;
    if (id == TER_EDGE_NONE)
        return true;
    *out = (int32_t)(row * COLUMNS + column);
    return column >= 0 && column < COLUMNS && row >= 0 && row < COLUMNS;
}

void owner_cell(const feature_run *run, int32_t owner, int64_t cell[2])
{
    cell[0] = run->cells.column - MARGIN + owner % COLUMNS;
    cell[1] = run->cells.row - MARGIN + owner / COLUMNS;
}

/** Find the owners of a tile, and put them among the rows. */
static result fill_tile(owner_rows *o, const feature_block *t, int64_t *ids)
{
    const feature_run *run = o->run;
    const ter_rect *all = &run->request.rect;
    const ter_river_owners_options options = {
        TER_SIZED(ter_river_owners_options),
        .rect = {all->level, all->i + t->column, all->j + t->row, t->columns, t->rows},
        .min_area_m2 = owner_least_area(run), .is_cancelled = run->job->is_cancelled, .user = run->job->cancel_user};
    const ter_status status = ter_river_owners(run->job->world, &options, ids);
    if (status == TER_ECANCELLED)
        return result_of(RESULT_INTERRUPTED, "interrupted; nothing was written");
    if (status != TER_OK)
        return result_of(RESULT_FAILED, "catchments: %s", ter_status_text(status));
    for (int64_t row = 0; row < t->rows; row++)
        for (int64_t n = 0; n < t->columns; n++) {
            int32_t *out = &o->out[(t->row - o->first_row + row) * o->stride + t->column + n];
            if (!owner_of(run, ids[row * t->columns + n], out))
                return result_of(RESULT_FAILED, "catchments: water flows too far away from a sample");
        }
    return result_done();
}

static void fill_task(void *user, int64_t n)
{
    owner_rows *o = user;
    o->results[n] = fill_tile(o, &o->tiles[n], o->ids[n]);
}

static result fill_batch(owner_rows *o)
{
    result res = result_done();
    tasks_run(o->count, fill_task, o);
    for (int n = 0; n < o->count && res.kind == RESULT_DONE; n++)
        res = o->results[n];
    o->count = 0;
    return res;
}

result owner_rows_fill(owner_rows *o, int64_t row, int64_t rows, int32_t *out, int64_t stride)
{
    const int64_t width = o->run->raster.width;
    result res = result_done();
    o->first_row = row;
    o->out = out;
    o->stride = stride;
    for (int64_t j = 0; j < rows && res.kind == RESULT_DONE; j += o->tile_rows)
        for (int64_t i = 0; i < width && res.kind == RESULT_DONE; i += o->tile_columns) {
            o->tiles[o->count++] =
                (feature_block){i, row + j, least_of(o->tile_columns, width - i), least_of(o->tile_rows, rows - j)};
            if (o->count == BATCH)
                res = fill_batch(o);
        }
    return res.kind == RESULT_DONE ? fill_batch(o) : res;
}
