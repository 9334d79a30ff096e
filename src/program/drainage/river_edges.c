/* river_edges.c - makes chunks of edges. */
#include "program/drainage/river_edges.h"

#include <stdlib.h>

#include "program/core/tasks.h"

enum {
    CHUNK = 64, /* cells; side of a chunk */
    BATCH = 16  /* chunks that are made between two calls of the progress */
};

/** Chunks that are made at the same time. */
typedef struct chunk_batch {
    const river_edges *edges;
    river_chunk made[BATCH];
    ter_status status[BATCH];
    int count;
} chunk_batch;

static int64_t chunk_of(int64_t cell)
{
    return cell >= 0 ? cell / CHUNK : -((-cell + CHUNK - 1) / CHUNK);
}

static bool has_chunk(const river_edges *e, int64_t column, int64_t row)
{
    for (size_t n = 0; n < e->count; n++)
        if (e->chunks[n].column == column && e->chunks[n].row == row)
            return true;
    return false;
}

static void make_chunk(void *user, int64_t n)
{
    chunk_batch *b = user;
    const ter_river_edges_options options = {TER_SIZED(ter_river_edges_options),
                                             .cells = {b->made[n].column * CHUNK, b->made[n].row * CHUNK, CHUNK, CHUNK},
                                             .min_area_m2 = b->edges->min_area_m2, .has_points = 1};
    b->status[n] = ter_river_edges_create(b->edges->world, &options, &b->made[n].edges);
}

static bool grow(river_edges *e)
{
    if (e->count + BATCH <= e->room)
        return true;
    const size_t room = 2 * e->room + BATCH;
    river_chunk *chunks = realloc(e->chunks, room * sizeof *chunks);
    if (!chunks)
        return false;
    e->chunks = chunks;
    e->room = room;
    return true;
}

/** Make the chunks of a batch, and add them. */
static result add_batch(river_edges *e, chunk_batch *b)
{
    result res = result_done();
    if (!grow(e))
        return result_of(RESULT_FAILED, "out of memory");
    tasks_run(b->count, make_chunk, b);
    for (int n = 0; n < b->count; n++) {
        if (b->status[n] != TER_OK) {
            res = result_of(RESULT_FAILED, "rivers: %s", ter_status_text(b->status[n]));
            continue;
        }
        e->chunks[e->count++] = b->made[n];
    }
    b->count = 0;
    return res;
}

result river_edges_add(river_edges *edges, const ter_rect *rect, const work_progress *progress)
{
    ter_river_window cells;
    result res = result_of_library(ter_river_edges_window(edges->world, rect, &cells), "rivers");
    if (res.kind != RESULT_DONE)
        return res;
    const int64_t east = chunk_of(cells.column + cells.columns - 1), south = chunk_of(cells.row + cells.rows - 1),
                  north = chunk_of(cells.row);
    chunk_batch b = {.edges = edges};
    for (int64_t row = north; row <= south && res.kind == RESULT_DONE; row++)
        for (int64_t column = chunk_of(cells.column); column <= east && res.kind == RESULT_DONE; column++) {
            if (has_chunk(edges, column, row))
                continue;
            b.made[b.count++] = (river_chunk){.column = column, .row = row};
            if (b.count == BATCH)
                res = add_batch(edges, &b);
            if (b.count == 0 &&
                !work_progress_goes_on(progress, "rivers", (double)(row - north) / (double)(south - north + 1)))
                res = result_of(RESULT_INTERRUPTED, "interrupted");
        }
    return res.kind == RESULT_DONE && b.count > 0 ? add_batch(edges, &b) : res;
}

void river_edges_free(river_edges *edges)
{
    for (size_t n = 0; n < edges->count; n++)
        ter_river_edges_destroy(edges->chunks[n].edges);
    free(edges->chunks);
    edges->chunks = NULL;
    edges->count = edges->room = 0;
}
