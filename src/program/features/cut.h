/* cut.h - cuts lines at the borders of a rectangle. */
#ifndef TERRANE_PROGRAM_FEATURES_CUT_H
#define TERRANE_PROGRAM_FEATURES_CUT_H

#include <stdbool.h>
#include <stddef.h>

#include "terrane/reaches.h"

/** A rectangle in lattice coordinates. */
typedef struct cut_rect {
    double x0, z0, x1, z1;
} cut_rect;

/** A piece of a line: x, z and altitude of each point. */
typedef struct cut_piece {
    double *points; /* 3 numbers each; with room for n_points + 1 points */
    double *beds;   /* width of the bed and depth of its water, 2 numbers for each point, with the same room; or NULL */
    size_t count;
    bool is_cut[2]; /* at its start, at its end */
} cut_piece;

/** Find the next piece of a line in a rectangle.
 *
 *  from     index of the point at which the next segment to test begins; 0 for the first call; updated
 *  Returns  false when there is no further piece
 */
bool cut_next(const cut_rect *rect, const ter_river_point *points, size_t n_points, size_t *from, cut_piece *piece);

#endif
