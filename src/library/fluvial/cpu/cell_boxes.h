/* cell_boxes.h - boxes around the pieces and around the beds of the cells of the network. A search for pieces or beds
 * near some points skips most cells by their boxes.
 */
#ifndef TERRANE_FLUVIAL_CPU_CELL_BOXES_H
#define TERRANE_FLUVIAL_CPU_CELL_BOXES_H

#include <stdbool.h>

#include "library/fluvial/passes.h"

/** Units from the corner of a cell. */
typedef struct fluvial_box {
    float x0, y0, x1, y1;
} fluvial_box;

/** The boxes of a cell of ter_fluvial_job.piece_at whose channel has a course. */
typedef struct fluvial_cell_boxes {
    fluvial_box pieces;
    fluvial_box bed; /* where reaches can change samples; only in cells of TER_COURSE_BROOK */
} fluvial_cell_boxes;

_Static_assert(sizeof(fluvial_cell_boxes) <= TER_PIECE_BOUNDS * sizeof(float), "floats of piece_bounds");

/** The boxes of a cell. cell: its index in piece_at */
static inline fluvial_cell_boxes *boxes_of(const ter_fluvial_job *job, size_t cell)
{
    return (fluvial_cell_boxes *)(void *)(job->piece_bounds + cell * TER_PIECE_BOUNDS);
}

static inline fluvial_box empty_box(void)
{
    const fluvial_box b = {1e30f, 1e30f, -1e30f, -1e30f};
    return b;
}

/** Widen a box so that it contains a line and `margin` around it. */
static inline void add_line(float x, float y, float along_x, float along_y, float margin, fluvial_box *b)
{
    b->x0 = ter_min(b->x0, ter_min(x, x + along_x) - margin);
    b->y0 = ter_min(b->y0, ter_min(y, y + along_y) - margin);
    b->x1 = ter_max(b->x1, ter_max(x, x + along_x) + margin);
    b->y1 = ter_max(b->y1, ter_max(y, y + along_y) + margin);
}

/** Whether a box, moved by (x, y), reaches into the square around the origin with half side `reach`. */
static inline bool is_box_in(const fluvial_box *b, float x, float y, float reach)
{
    return ter_max(b->x0 + x, b->y0 + y) <= reach && ter_min(b->x1 + x, b->y1 + y) >= -reach;
}

/** Upper bound of the distance from the middle of a river within which it changes samples, units. */
static inline float river_extent(const ter_reach *p)
{
    const float width = ter_max(p->width, p->width + p->dwidth);
    return (width + ter_river_extent(width)) * (1.0f / TER_UNIT) + 0.01f;
}

/** Make the boxes of cell (x, y), whose pieces and reaches have been made. */
static inline void make_boxes(const ter_fluvial_job *job, int x, int y)
{
    const size_t cell = (size_t)y * (size_t)job->piece_at.width + (size_t)x;
    if (job->course[cell] == TER_COURSE_NONE)
        return;
    fluvial_cell_boxes boxes = {empty_box(), empty_box()};
    for (int n = 0; n < TER_PIECES; n++) {
        const ter_piece *p = &job->piece[cell * TER_PIECES + (size_t)n];
        add_line(p->x, p->y, p->along_x, p->along_y, 0.0f, &boxes.pieces);
    }
    for (int n = 0; job->course[cell] == TER_COURSE_BROOK && n < TER_REACHES; n++) {
        const ter_reach *p = &job->reach[cell * TER_REACHES + (size_t)n];
        if (ter_has_bed(p))
            add_line(p->x, p->y, p->along_x, p->along_y, river_extent(p) + 1.0f, &boxes.bed);
    }
    *boxes_of(job, cell) = boxes;
}

#endif
