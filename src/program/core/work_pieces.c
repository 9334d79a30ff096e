/* work_pieces.c - pieces are bands of rows; bands of wide rectangles are cut into columns. */
#include "program/core/work_pieces.h"

#include <math.h>

#include "program/core/clock.h"
#include "program/core/min_max.h"

enum {
    SAMPLES_FIRST = 1 << 10,
    SAMPLES_LEAST = 1 << 7,
    CUT_ROWS_MAX = 256 /* greatest number of rows of a band that is cut into columns */
};
static const double PIECE_S = 0.3;

work_pieces work_pieces_create(int64_t samples_max)
{
    return (work_pieces){.samples = min_of(SAMPLES_FIRST, samples_max), .samples_max = samples_max};
}

void work_pieces_begin(work_pieces *p, int64_t width, int64_t height)
{
    p->width = width;
    p->height = height;
    p->column = p->row = p->piece_width = p->piece_rows = 0;
}

/** Set the number of samples so that a piece takes PIECE_S, from the time of the previous piece. The last piece of a
 * band may be much smaller than planned; its time is not used. */
static void set_piece_size(work_pieces *p, double now_s)
{
    const double took_s = now_s - p->begun_s, made = (double)(p->piece_width * p->piece_rows);
    if (made < 0.5 * (double)p->samples)
        return;
    const double fits = took_s > 0.0 ? made * PIECE_S / took_s : (double)p->samples_max;
    p->samples =
        fits < (double)p->samples_max ? max_of((int64_t)fits, min_of(SAMPLES_LEAST, p->samples_max)) : p->samples_max;
}

bool work_pieces_next(work_pieces *p)
{
    const double now_s = clock_now_s();
    if (p->piece_width > 0)
        set_piece_size(p, now_s);
    p->begun_s = now_s;
    p->column += p->piece_width;
    if (p->piece_width == 0 || p->column == p->width) { /* begin the next band */
        p->column = 0;
        p->row += p->piece_rows;
        const int64_t side = (int64_t)sqrt((double)p->samples); /* squares have the smallest aprons */
        const int64_t rows = max_of(p->samples / p->width, min_of(side, CUT_ROWS_MAX));
        p->piece_rows = min_of(min_of(rows, p->samples), p->height - p->row);
    }
    if (p->row == p->height)
        return false;
    p->piece_width = min_of(max_of(p->samples / p->piece_rows, 1), p->width - p->column);
    return true;
}

bool work_pieces_is_whole(const work_pieces *p)
{
    return p->piece_width == p->width && p->piece_rows == p->height;
}
