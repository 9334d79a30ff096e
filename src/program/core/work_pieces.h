/* work_pieces.h - a rectangle cut into pieces that are made in a tenth of a second each, so that long work sees an
 * interruption soon. How many samples that is depends on the method, the world and the machine: it is measured, from
 * piece to piece. */
#ifndef TERRANE_PROGRAM_CORE_WORK_PIECES_H
#define TERRANE_PROGRAM_CORE_WORK_PIECES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct pieces {
    int64_t width, height;                        /* samples of the rectangle */
    int64_t samples, samples_max;                 /* of a piece: of the next one, and at most */
    int64_t column, row, piece_width, piece_rows; /* the piece under way, within the rectangle */
    double begun_s;                               /* when the piece under way was begun */
} pieces;

/** Pieces of at most so many samples. What is learned of the speed stays from rectangle to rectangle. */
pieces pieces_create(int64_t samples_max);

/** Begin another rectangle. */
void pieces_begin(pieces *pieces, int64_t width, int64_t height);

/** Go on to the next piece, band of rows after band of rows; false after the last one. */
bool pieces_next(pieces *pieces);

/** Whether the piece under way is the whole rectangle. */
bool pieces_is_whole(const pieces *pieces);

#endif
