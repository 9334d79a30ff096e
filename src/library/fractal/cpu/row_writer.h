/* row_writer.h - writes four rows of the output chunk by chunk: directly, with stores that bypass the caches, or
 * through a buffer.
 *
 * A chunk is the part of a row that two vectors hold. Chunks start on blocks of the random field. The output may start
 * and end anywhere in a chunk:
 *
 *     chunks      |  first   |   whole  |   whole  |   last   |
 *     output           |<---------- width ------------->|
 *                 lead |                               | end        both count from the first point of the first chunk
 *
 * Whole chunks are stored with full vectors, the first and the last one lane by lane.
 */
#ifndef TERRANE_FRACTAL_CPU_ROW_WRITER_H
#define TERRANE_FRACTAL_CPU_ROW_WRITER_H

#include "library/core/cpu/streaming_store.h"
#include "library/fractal/cpu/block_rows.h"

#define INLINE static inline __attribute__((always_inline))

typedef enum store_mode { STORE_DIRECT, STORE_STREAMED, STORE_BUFFERED } store_mode;

/** Destination of four rows: the output, or a buffer. Columns count from the first point of the first block. */
typedef struct row_writer {
    const ter_grid *out;
    int lead, end;                        /* column of the output's first point; column after its last point */
    int n_chunks, first_whole, end_whole; /* chunks from first_whole to end_whole - 1 lie inside the output */
    store_mode mode;
    int64_t j;             /* coordinate of the first of the four rows */
    float *row[QUAD_ROWS]; /* address of column 0 of each row */
    _Alignas(64) float buffer[QUAD_ROWS][CHUNKS * CHUNK];
} row_writer;

static void row_writer_begin(row_writer *w, const ter_grid *out, int64_t ib)
{
    w->out = out;
    w->lead = (int)(out->i - 4 * ib);
    w->end = w->lead + (int)out->width;
    w->n_chunks = (w->end + CHUNK - 1) / CHUNK;
    w->first_whole = w->lead > 0;
    w->end_whole = w->end / CHUNK;
    const uintptr_t first = (uintptr_t)(out->at - w->lead) | out->stride * sizeof(float);
    w->mode = !out->is_streamed ? STORE_DIRECT : first % 64 == 0 ? STORE_STREAMED : STORE_BUFFERED;
}

INLINE int is_row_inside(const row_writer *w, int64_t j)
{
    return j >= w->out->j && j < w->out->j + w->out->height;
}

/** Address of the first point of row j of the output. */
INLINE float *row_writer_row(const row_writer *w, int64_t j)
{
    return w->out->at + (size_t)(j - w->out->j) * w->out->stride;
}

/** Prefetch the cache lines in which rows j .. j + 3 begin and end. These lines are only partly overwritten, so they
 * are read first. Without the prefetch the stores would wait for memory. */
INLINE void row_writer_ask(const row_writer *w, int64_t j)
{
    for (int n = 0; n < QUAD_ROWS; n++)
        if (is_row_inside(w, j + n)) {
            const float *row = row_writer_row(w, j + n);
            __builtin_prefetch(row, 1);
            __builtin_prefetch(row + w->out->width - 1, 1);
        }
}

/** Begin rows j .. j + 3. Rows outside of the output are written to the buffer and never copied to the output. */
INLINE void row_writer_turn(row_writer *w, int64_t j)
{
    w->j = j;
    for (int n = 0; n < QUAD_ROWS; n++)
        w->row[n] =
            is_row_inside(w, j + n) && w->mode != STORE_BUFFERED ? row_writer_row(w, j + n) - w->lead : w->buffer[n];
    if (w->mode == STORE_BUFFERED)
        row_writer_ask(w, j + QUAD_ROWS);
}

/** How a chunk is stored. Loops over chunks pass these values as compile-time constants. */
typedef struct chunk_store {
    int is_whole;    /* the chunk lies inside the output */
    int is_streamed; /* stores bypass the caches */
} chunk_store;

/** Write chunk c of row n. `first` and `second` have the first and the second points of its pairs of neighbouring
 * points. */
INLINE void row_writer_put(const row_writer *w, int n, int c, floats first, floats second, chunk_store store)
{
    floats points[2];
    floats_interleave(first, second, points);
    const int column = c * CHUNK;
    float *to = w->row[n] + column;
    if (store.is_whole && store.is_streamed) {
        FLOATS_STREAM(to, points[0]);
        FLOATS_STREAM(to + FLOATS, points[1]);
    } else if (store.is_whole) {
        FLOATS_STORE(to, points[0]);
        FLOATS_STORE(to + FLOATS, points[1]);
    } else {
        floats_store_part(to, points[0], w->lead - column, w->end - column);
        floats_store_part(to + FLOATS, points[1], w->lead - column - FLOATS, w->end - column - FLOATS);
    }
}

/** Complete four rows: if they are in the buffer, copy them to the output. */
INLINE void row_writer_done(const row_writer *w)
{
    if (w->mode != STORE_BUFFERED)
        return;
    for (int n = 0; n < QUAD_ROWS; n++)
        if (is_row_inside(w, w->j + n))
            ter_stream_copy(row_writer_row(w, w->j + n), w->buffer[n] + w->lead, (size_t)w->out->width);
}

#undef INLINE

#endif
