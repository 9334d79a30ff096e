/* tile_set.h - a set of tiles: how many tiles it has, which samples neighbours share, and where each tile lies. */
#ifndef TERRANE_PROGRAM_EXPORT_JOB_TILE_SET_H
#define TERRANE_PROGRAM_EXPORT_JOB_TILE_SET_H

#include <stdbool.h>
#include <stdint.h>

enum { EXPORT_TILES_MAX = 1000000 };

/** Columns of tiles to the east, rows of tiles to the south. An export of a single rectangle is a set of one tile. */
typedef struct tile_set {
    int64_t columns, rows;
    bool is_set;       /* --tiles was given: file names have indices */
    int overlap;       /* samples that neighbours share */
    int border;        /* samples added on all four sides of every tile */
    int start;         /* least index in file names */
    bool y_from_south; /* row indices in file names are counted from the south */
} tile_set;

/** Number of tiles. */
int64_t tile_set_count(const tile_set *tiles);

/** Where a tile's north-west sample lies in the whole set, in samples and without borders.
 *
 *  tile           number of the tile, row by row from the north-west
 *  width, height  samples of each tile without its border
 */
void tile_set_place(const tile_set *tiles, int64_t tile, int64_t width, int64_t height, int64_t *column, int64_t *row);

/** Number of digits of the largest index. */
int tile_set_digits(const tile_set *tiles);

#endif
