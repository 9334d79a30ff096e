/* blocks.c - cuts arrays into blocks, and finds the place of block n. */
#include "library/fractal/cpu/blocks.h"

/** Side of the blocks along an extent: about `wanted` points, at most an eighth more. It is a multiple of `unit` if
 * such a side fits. */
static int64_t side_of(int64_t extent, int64_t wanted, int64_t unit)
{
    const int64_t slack = wanted / TER_BLOCK_SLACK, count = extent > slack ? (extent - slack - 1) / wanted + 1 : 1;
    const int64_t step = slack < unit ? count : count * unit;
    return (extent + step - 1) / step * (step / count);
}

ter_blocks ter_blocks_cut(const ter_grid *array, int64_t n_arrays, int n_threads, int64_t width, int64_t height,
                          int64_t points_min)
{
    enum {
        HEIGHT_MIN = 16,
        BLOCKS_PER_THREAD = 4,
        CHUNK_MAX = 32, /* columns that are made at once */
        ROWS = 4        /* rows that are made at once */
    };
    ter_blocks b = {.width = side_of(array->width, width, CHUNK_MAX)};
    b.n_columns = (array->width + b.width - 1) / b.width;
    const int64_t row_points = array->width < b.width ? array->width : b.width;
    while (n_threads > 1 && height > HEIGHT_MIN && height * row_points / 2 >= points_min &&
           b.n_columns * ((array->height + height - 1) / height) * n_arrays < BLOCKS_PER_THREAD * n_threads)
        height /= 2;
    b.height = side_of(array->height, height, ROWS);
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
