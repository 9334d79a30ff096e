/* work_pieces.h - cuts a rectangle into pieces that take about 0.3 seconds each, so that long work can be interrupted
 * soon. Speed depends on method, world and machine, so the time of each piece is measured, to choose the number of
 * samples of the next piece. */
#ifndef TERRANE_PROGRAM_CORE_WORK_PIECES_H
#define TERRANE_PROGRAM_CORE_WORK_PIECES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct work_pieces {
    int64_t width, height;                        /* samples of the rectangle */
    int64_t samples, samples_max;                 /* samples of the next piece, and of the largest allowed piece */
    int64_t column, row, piece_width, piece_rows; /* the current piece, within the rectangle */
    double begun_s;                               /* when the current piece was begun */
} work_pieces;

/** Make pieces of at most `samples_max` samples. The measured speed is kept from rectangle to rectangle. */
work_pieces work_pieces_create(int64_t samples_max);

/** Begin a rectangle. */
void work_pieces_begin(work_pieces *pieces, int64_t width, int64_t height);

/** Go on to the next piece: column by column within a band of rows, then the next band. False after the last piece. */
bool work_pieces_next(work_pieces *pieces);

/** Whether the current piece is the whole rectangle. */
bool work_pieces_is_whole(const work_pieces *pieces);

#endif
