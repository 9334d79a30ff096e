/* shape.h - describes which cells of a window are needed: one span of columns in each row.
 *
 * The network's plane is turned by 23 degrees, so the samples of a square block lie in a turned square, and its window
 * has 1.7 times as many cells as the square:
 *
 *     + - - * * - - - - +
 *     |   * * * * * -   |
 *     | * * * * * * * * *
 *     * * * * * * * * * |
 *     |   - * * * * *   |
 *     + - - - - * * - - +
 *
 * A shape is planned as a window is: grown by the same margins and halved from level to level. So it contains, for each
 * cell that is wanted, the window of this cell alone. A pass reads cells around its cell, so it runs over the cells
 * whose surroundings lie in the shape.
 */
#ifndef TERRANE_FLUVIAL_CPU_SHAPE_H
#define TERRANE_FLUVIAL_CPU_SHAPE_H

#include <stdbool.h>

#include "library/fluvial/window.h"

enum { FLUVIAL_SHAPE_SIDE = 1088 }; /* greatest number of columns and of rows of the window of a shape */

/** Columns begin .. end - 1; none if end <= begin. */
typedef struct fluvial_span {
    int begin, end;
} fluvial_span;

typedef struct fluvial_shape {
    ter_window at;
    fluvial_span row[FLUVIAL_SHAPE_SIDE]; /* columns of the window; at.height rows */
} fluvial_shape;

static inline bool fits_shape(ter_window at)
{
    return at.width <= FLUVIAL_SHAPE_SIDE && at.height <= FLUVIAL_SHAPE_SIDE;
}

/** Make an empty shape. */
static inline void begin_shape(ter_window at, fluvial_shape *s)
{
    s->at = at;
    for (int y = 0; y < at.height; y++)
        s->row[y] = (fluvial_span){at.width, 0};
}

/** Add cells (x0, y) to (x1, y) of the world. */
static inline void add_span(int64_t x0, int64_t x1, int64_t y, fluvial_shape *s)
{
    fluvial_span *row = &s->row[y - s->at.y];
    const int begin = (int)(x0 - s->at.x), end = (int)(x1 - s->at.x) + 1;
    row->begin = begin < row->begin ? begin : row->begin;
    row->end = end > row->end ? end : row->end;
}

/** The cells of a level `halvings` levels coarser in which the cells of a shape lie, and `margin` cells around each. */
static inline void grow_shape(const fluvial_shape *from, int halvings, int margin, ter_window at, fluvial_shape *out)
{
    begin_shape(at, out);
    for (int y = 0; y < from->at.height; y++) {
        const fluvial_span row = from->row[y];
        const int64_t middle = (from->at.y + y) >> halvings;
        for (int64_t near = middle - margin; near <= middle + margin && row.begin < row.end; near++)
            add_span(((from->at.x + row.begin) >> halvings) - margin, ((from->at.x + row.end - 1) >> halvings) + margin,
                     near, out);
    }
}

/** Columns of row y whose cells have all cells up to `margin` columns and rows away in the shape. */
static inline fluvial_span inner_span(const fluvial_shape *s, int margin, int y)
{
    fluvial_span span = {0, s->at.width};
    if (y < margin || y >= s->at.height - margin)
        return (fluvial_span){0, 0};
    for (int near = y - margin; near <= y + margin; near++) {
        span.begin = s->row[near].begin > span.begin ? s->row[near].begin : span.begin;
        span.end = s->row[near].end < span.end ? s->row[near].end : span.end;
    }
    return (fluvial_span){span.begin + margin, span.end - margin};
}

static inline bool is_in_shape(const fluvial_shape *s, int margin, int x, int y)
{
    const fluvial_span span = inner_span(s, margin, y);
    return x >= span.begin && x < span.end;
}

#endif
