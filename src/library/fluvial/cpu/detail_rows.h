/* detail_rows.h - adds the detail of a guide to heights row by row. It does the work of ter_detailed of surface.h.
 *
 *     table     o     o     o     o     o     each column of four points is summed: a line of sums
 *     samples   . . . . . . . . .             all samples between two points use the same four sums
 */
#ifndef TERRANE_FLUVIAL_CPU_DETAIL_ROWS_H
#define TERRANE_FLUVIAL_CPU_DETAIL_ROWS_H

#include "library/fluvial/surface.h"

enum { DETAIL_COLUMNS = 128 }; /* points of the table whose sums are made at once */

/** Sum four rows of the table with weights w, at `count` columns. north: the northernmost row, from the first column on
 */
static void sum_detail_rows(const float *north, size_t stride, int count, const float w[4], float *restrict line)
{
    const float *a = north, *b = a + stride, *c = b + stride, *d = c + stride;
    const float w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3];
    for (int n = 0; n < count; n++)
        line[n] = ter_fma(w3, d[n], ter_fma(w2, c[n], ter_fma(w1, b[n], w0 * a[n])));
}

/** Add the detail to samples that lie between two points of the table.
 *
 *  line   the sums of the four columns around the samples
 *  first  lattice steps from the second of these columns to the first sample
 *  scale  1 / lattice steps between points of the table
 */
static void add_detail_run(const float line[4], int first, int step, float scale, int count, float *restrict height)
{
    const float a = line[0], b = line[1], c = line[2], d = line[3];
    for (int n = 0; n < count; n++) {
        float w[4];
        ter_detail_weights((float)(first + n * step) * scale, w);
        height[n] += ter_detail_sum(w, a, b, c, d);
    }
}

/** Number of samples, from sample x of a row on, that lie between the same points of the table. most: greatest result
 */
static int detail_run(const ter_guide_points *p, int64_t x, int64_t step, int most)
{
    const int64_t next = ((x >> p->shift) + 1) * ((int64_t)1 << p->shift), count = (next - x + step - 1) / step;
    return count < most ? (int)count : most;
}

static void add_detail_row(const ter_fluvial_job *job, int row, float *height)
{
    const ter_guide_tables *g = job->f.guide;
    const ter_guide_points *p = &g->detail;
    const int64_t step = job->points.step, y = (job->points.at.y + row) * step, j = y >> p->shift;
    const int64_t mask = ((int64_t)1 << p->shift) - 1;
    const float scale = 1.0f / (float)(1 << p->shift);
    float wy[4], line[DETAIL_COLUMNS + 3];
    int64_t first = 0, end = 0; /* `line` holds the sums for samples whose western point is first .. end - 1 */
    ter_detail_weights((float)(int)(y & mask) * scale, wy);
    for (int n = 0, count; n < job->points.at.width; n += count) {
        const int64_t x = (job->points.at.x + n) * step, i = x >> p->shift;
        count = detail_run(p, x, step, job->points.at.width - n);
        if (!ter_detail_has(p, i, j))
            continue;
        if (i < first || i >= end) {
            const int64_t last = p->at.x + p->at.width - 2;
            first = i;
            end = i + DETAIL_COLUMNS < last ? i + DETAIL_COLUMNS : last;
            sum_detail_rows(ter_detail_points(g) + ter_window_index(p->at, i - 1, j - 1), (size_t)p->at.width,
                            (int)(end - first) + 3, wy, line);
        }
        add_detail_run(line + (i - first), (int)(x & mask), (int)step, scale, count, height + n);
    }
}

/** Add the detail of a guide to the heights of a job, if there is one. */
static void add_detail(const ter_fluvial_job *job)
{
    const int count = job->f.guide_detail & TER_DETAIL_HEIGHTS ? job->points.at.height : 0;
    for (int row = 0; row < count; row++)
        add_detail_row(job, row, job->height[0] + (size_t)row * (size_t)job->points.at.width);
}

#endif
