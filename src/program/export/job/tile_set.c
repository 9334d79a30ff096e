/* tile_set.c - arithmetic of sets of tiles. */
#include "program/export/job/tile_set.h"

#include <stdio.h>

int64_t tile_set_count(const tile_set *t)
{
    return t->columns * t->rows;
}

void tile_set_place(const tile_set *t, int64_t tile, int64_t width, int64_t height, int64_t *column, int64_t *row)
{
    *column = tile % t->columns * (width - t->overlap);
    *row = tile / t->columns * (height - t->overlap);
}

int tile_set_digits(const tile_set *t)
{
    const int64_t longer = t->columns > t->rows ? t->columns : t->rows;
    return snprintf(NULL, 0, "%lld", (long long)(longer - 1 + t->start));
}
