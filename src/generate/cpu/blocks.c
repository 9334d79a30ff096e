/* blocks.c - how arrays are cut, and where block n lies. */
#include "generate/cpu/blocks.h"

int64_t ter_blocks_side(int64_t extent, int64_t wanted, int64_t unit)
{
    const int64_t slack = wanted / TER_BLOCK_SLACK, count = extent > slack ? (extent - slack - 1) / wanted + 1 : 1;
    return (extent + count * unit - 1) / (count * unit) * unit;
}

ter_blocks ter_blocks_cut(const ter_grid *array, int64_t n_arrays, int n_threads, int64_t points_min)
{
    enum { HEIGHT_MIN = 16, BLOCKS_PER_THREAD = 4, CHUNK = 32, ROWS = 4 }; /* columns and rows that are made at once */
    ter_blocks b = {.width = ter_blocks_side(array->width, TER_BLOCK_WIDTH, CHUNK)};
    b.n_columns = (array->width + b.width - 1) / b.width;
    const int64_t row_points = array->width < b.width ? array->width : b.width;
    int64_t height = TER_BLOCK_HEIGHT;
    while (n_threads > 1 && height > HEIGHT_MIN && height * row_points / 2 >= points_min &&
           b.n_columns * ((array->height + height - 1) / height) * n_arrays < BLOCKS_PER_THREAD * n_threads)
        height /= 2;
    b.height = ter_blocks_side(array->height, height, height / TER_BLOCK_SLACK < ROWS ? 1 : ROWS);
    b.n_rows = (array->height + b.height - 1) / b.height;
    return b;
}

ter_grid ter_blocks_at(const ter_blocks *b, const ter_grid *array, int64_t n)
{
    const int64_t column = n % b->n_columns * b->width, row = n / b->n_columns * b->height;
    ter_grid block = *array;
    block.at = array->at ? array->at + (size_t)row * array->stride + (size_t)column : NULL;
    block.i += column;
    block.j += row;
    block.width = array->width - column < b->width ? array->width - column : b->width;
    block.height = array->height - row < b->height ? array->height - row : b->height;
    return block;
}
