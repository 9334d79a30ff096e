/* lake_depths.c - compares the lake of each sample with those of the eight samples around it. */
#include "program/features/lake_depths.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float SHALLOW = 1e-3f; /* m; least height above or below a shore, so that it lies between two samples */
static const float FAR = -1e6f;     /* m; depth of a sample that has no lake beside it */

result lake_depths_begin(lake_depths *d, const feature_run *run, const lake_marks *marks)
{
    const size_t width = (size_t)run->raster.width;
    *d = (lake_depths){.run = run, .marks = marks, .depths = malloc(width * sizeof *d->depths)};
    bool has_room = d->depths != NULL;
    for (int n = 0; n < LAKE_ROWS_HELD; n++) {
        d->held[n] = -1;
        d->numbers[n] = malloc(width * sizeof *d->numbers[n]);
        has_room = has_room && d->numbers[n];
    }
    return has_room ? result_done() : result_of(RESULT_FAILED, "out of memory");
}

void lake_depths_free(lake_depths *d)
{
    for (int n = 0; n < LAKE_ROWS_HELD; n++)
        free(d->numbers[n]);
    free(d->depths);
}

/** Read the numbers of a row. out: NULL for a row outside of the rectangle */
static result read_numbers(lake_depths *d, int64_t row, const int32_t **out)
{
    const lake_run *runs;
    size_t count;
    const int slot = (int)((row + LAKE_ROWS_HELD) % LAKE_ROWS_HELD);
    int32_t *numbers = d->numbers[slot];
    *out = NULL;
    if (row < 0 || row >= d->run->raster.height)
        return result_done();
    *out = numbers;
    if (d->held[slot] == row)
        return result_done();
    d->held[slot] = -1;
    const result res = lake_runs_read(d->marks->runs, row, &runs, &count);
    if (res.kind != RESULT_DONE)
        return res;
    memset(numbers, 0, (size_t)d->run->raster.width * sizeof *numbers);
    for (size_t n = 0; n < count; n++)
        for (int32_t k = runs[n].start; runs[n].area > 0 && k < runs[n].end; k++)
            numbers[k] = runs[n].area;
    d->held[slot] = row;
    return res;
}

/** Depth at a sample, or how far its ground lies above the nearest lake, as a number below 0. Where two lakes touch,
 * samples of the lake that begins later count as outside, which keeps the lakes apart.
 *
 *  rows  numbers of the row before, of the row, and of the row behind; NULL outside of the rectangle
 */
static float depth_at(const lake_depths *d, const int32_t *const rows[3], int x, float height)
{
    const lake *lakes = d->marks->lakes;
    const int32_t number = rows[1][x];
    float out = number ? fmaxf(lakes[number].level - height, SHALLOW) : FAR;
    for (int n = 0; n < 9; n++) {
        const int u = x + n % 3 - 1;
        const int32_t other = rows[n / 3] && u >= 0 && u < d->run->raster.width ? rows[n / 3][u] : 0;
        if (number && other && lakes[other].first < lakes[number].first)
            return -SHALLOW;
        if (!number && other)
            out = fmaxf(out, fminf(lakes[other].level - height, -SHALLOW));
    }
    return out;
}

result lake_depths_row(lake_depths *d, int64_t row, const float **out)
{
    const int32_t *rows[3];
    feature_row at;
    result res = feature_read_row(d->run, row, &at);
    for (int n = 0; n < 3 && res.kind == RESULT_DONE; n++)
        res = read_numbers(d, row + n - 1, &rows[n]);
    for (int x = 0; x < d->run->raster.width && res.kind == RESULT_DONE; x++)
        d->depths[x] = depth_at(d, rows, x, at.height[x]);
    *out = d->depths;
    return res;
}

result lake_depths_lake(lake_depths *d, int64_t column, int64_t row, int32_t *out)
{
    const float *depths;
    const int32_t *numbers = NULL;
    result res = lake_depths_row(d, row, &depths);
    if (res.kind == RESULT_DONE)
        res = read_numbers(d, row, &numbers);
    if (res.kind == RESULT_DONE)
        *out = depths[column] > 0.0f ? numbers[column] : 0;
    return res;
}
