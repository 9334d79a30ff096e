/* blocks.c - how arrays are cut, and where block n lies. */
#include "generate/cpu/blocks.h"

ter_blocks ter_blocks_cut(const ter_grid *array, int64_t n_arrays, int n_threads, int64_t points_min)
{
    enum { HEIGHT_MIN = 16, BLOCKS_PER_THREAD = 4 };
    ter_blocks b = {.width = TER_BLOCK_WIDTH, .height = TER_BLOCK_HEIGHT};
    b.n_columns = (array->width + b.width - 1) / b.width;
    const int64_t row_points = array->width < b.width ? array->width : b.width;
    while (n_threads > 1 && b.height > HEIGHT_MIN && b.height * row_points / 2 >= points_min &&
           b.n_columns * ((array->height + b.height - 1) / b.height) * n_arrays < BLOCKS_PER_THREAD * n_threads)
        b.height /= 2;
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
