/* province_rows.h - makes the knots of the provinces, a row at a time: ter_make_province_knot for all knots of a row.
 *
 * As in warp.h, the sums along a row of a field's knots are made once for all rows of provinces near it.
 */
#ifndef TERRANE_FLUVIAL_CPU_PROVINCE_ROWS_H
#define TERRANE_FLUVIAL_CPU_PROVINCE_ROWS_H

#include "library/fluvial/cpu/shape.h"
#include "library/fluvial/root.h"

enum { FLUVIAL_FIELDS = TER_FIELD_OCTAVES - TER_CONTINENT_OCTAVES }; /* octaves after those of continents */

/** Sums along the last four rows of knots of one octave; row j is along[..][j & 3]. */
typedef struct fluvial_field_rows {
    int64_t j[4]; /* rows that `along` holds */
    float along[TER_FIELD_CHANNELS][4][FLUVIAL_SHAPE_SIDE];
    float weight[4][FLUVIAL_SHAPE_SIDE];
    int knot[FLUVIAL_SHAPE_SIDE]; /* the first of the four columns of knots that a column of provinces reads */
} fluvial_field_rows;

/** The sums of a row of provinces: members of ter_province_sums. */
typedef struct fluvial_sums_row {
    float inland[FLUVIAL_SHAPE_SIDE], margin[FLUVIAL_SHAPE_SIDE], high[FLUVIAL_SHAPE_SIDE], rolling[FLUVIAL_SHAPE_SIDE];
    float away[FLUVIAL_SHAPE_SIDE];
    float land[FLUVIAL_SHAPE_SIDE], belt[FLUVIAL_SHAPE_SIDE], plate[FLUVIAL_SHAPE_SIDE], hills[FLUVIAL_SHAPE_SIDE];
    float gate[FLUVIAL_SHAPE_SIDE], local[FLUVIAL_SHAPE_SIDE], rock[FLUVIAL_SHAPE_SIDE];
} fluvial_sums_row;

/** Scratch. */
typedef struct fluvial_province_rows {
    fluvial_field_rows field[FLUVIAL_FIELDS];
    fluvial_sums_row sums;
    float value[TER_PROVINCE_BETWEEN][FLUVIAL_SHAPE_SIDE];
} fluvial_province_rows;

/* ---- sums of the fields ---- */

/** Begin octave m for the columns of the provinces' window. */
static void begin_field(const ter_fluvial_job *job, int m, fluvial_field_rows *s)
{
    const int shift = TER_FIELD_SHIFT - m;
    const int64_t mask = ((int64_t)1 << shift) - 1;
    const float scale = 1.0f / (float)(1u << shift);
    for (int n = 0; n < job->province_at.width; n++) {
        const int64_t x = (job->province_at.x + n) * ((int64_t)1 << TER_KNOT_SHIFT);
        float w[4];
        ter_spline_weights((float)(uint32_t)(x & mask) * scale, w);
        for (int a = 0; a < 4; a++)
            s->weight[a][n] = w[a];
        s->knot[n] = (int)((x >> shift) - 1 - job->field_at[m].x);
    }
    for (int n = 0; n < 4; n++)
        s->j[n] = INT64_MIN;
}

/** Sum along row j of the knots of octave m. */
static void sum_along_field(const ter_fluvial_job *job, int m, int64_t j, fluvial_field_rows *s)
{
    const ter_window at = job->field_at[m];
    const float *knots = job->field[m] + (size_t)(j - at.y) * (size_t)at.width * TER_FIELD_CHANNELS;
    const int count = job->province_at.width;
    for (int c = 0; c < TER_FIELD_CHANNELS; c++) {
        float *restrict out = s->along[c][j & 3];
        for (int n = 0; n < count; n++) {
            const float *k = knots + s->knot[n] * TER_FIELD_CHANNELS + c;
            float sum = 0.0f;
            for (int a = 0; a < 4; a++)
                sum = ter_fma(s->weight[a][n], k[a * TER_FIELD_CHANNELS], sum);
            out[n] = sum;
        }
    }
    s->j[j & 3] = j;
}

/** Sum across four rows of sums along knots. */
static float sum_across_field(const float along[4][FLUVIAL_SHAPE_SIDE], int64_t j, const float w[4], int n)
{
    return ter_fma(w[3], along[(j + 2) & 3][n],
                   ter_fma(w[2], along[(j + 1) & 3][n],
                           ter_fma(w[1], along[j & 3][n], ter_fma(w[0], along[(j - 1) & 3][n], 0.0f))));
}

/** Add octave m to columns `span` of a row of sums at place y. */
static void add_field(const ter_fluvial_job *job, int m, int64_t y, fluvial_span span, fluvial_field_rows *s,
                      fluvial_sums_row *restrict row)
{
    const int shift = TER_FIELD_SHIFT - m;
    const int64_t j = y >> shift;
    float w[4];
    ter_spline_weights((float)(uint32_t)(y & (((int64_t)1 << shift) - 1)) * (1.0f / (float)(1u << shift)), w);
    for (int b = 0; b < 4; b++)
        if (s->j[(j - 1 + b) & 3] != j - 1 + b)
            sum_along_field(job, m, j - 1 + b, s);
    for (int n = span.begin; n < span.end; n++) {
        ter_province_sums sums = {.land = row->land[n],
                                  .belt = row->belt[n],
                                  .plate = row->plate[n],
                                  .hills = row->hills[n],
                                  .gate = row->gate[n],
                                  .local = row->local[n],
                                  .rock = row->rock[n]};
        float field[TER_FIELD_CHANNELS];
        for (int c = 0; c < TER_FIELD_CHANNELS; c++)
            field[c] = sum_across_field(s->along[c], j, w, n);
        ter_province_add(&sums, m, field);
        row->land[n] = sums.land;
        row->belt[n] = sums.belt;
        row->plate[n] = sums.plate;
        row->hills[n] = sums.hills;
        row->gate[n] = sums.gate;
        row->local[n] = sums.local;
        row->rock[n] = sums.rock;
    }
}

/** Begin columns `span` of a row of sums at place y: the continents, and zeros. */
static void begin_sums(const ter_fluvial_job *job, int64_t y, fluvial_span span, fluvial_sums_row *row)
{
    for (int n = span.begin; n < span.end; n++) {
        const int64_t x = (job->province_at.x + n) * ((int64_t)1 << TER_KNOT_SHIFT);
        ter_province_sums sums;
        ter_continents_between(job, x, y, &sums);
        row->inland[n] = sums.inland;
        row->margin[n] = sums.margin;
        row->high[n] = sums.high;
        row->rolling[n] = sums.rolling;
        row->away[n] = ter_away_from_home(x, y);
        row->land[n] = row->belt[n] = row->plate[n] = row->hills[n] = row->gate[n] = row->rock[n] = 0.0f;
        row->local[n] = 1.0f;
    }
}

/* ---- provinces ---- */

/** Compute the values of columns `span` of a row. */
static void make_province_values(const ter_fluvial *world, const fluvial_sums_row *restrict row, fluvial_span span,
                                 float (*restrict value)[FLUVIAL_SHAPE_SIDE])
{
    const ter_fluvial f = *world;
    for (int n = span.begin; n < span.end; n++) {
        const ter_province_sums sums = {.inland = row->inland[n],
                                        .margin = row->margin[n],
                                        .high = row->high[n],
                                        .rolling = row->rolling[n],
                                        .away = row->away[n],
                                        .land = row->land[n],
                                        .belt = row->belt[n],
                                        .plate = row->plate[n],
                                        .hills = row->hills[n],
                                        .gate = row->gate[n],
                                        .local = row->local[n],
                                        .rock = row->rock[n]};
        float v[TER_PROVINCE_COUNT];
        ter_province_of(&f, &sums, v);
        for (int k = 0; k < TER_PROVINCE_BETWEEN; k++)
            value[k][n] = v[k];
    }
}

/** Begin a window of provinces. The world has no guide. */
static void begin_province_rows(const ter_fluvial_job *job, fluvial_province_rows *s)
{
    for (int m = 0; m < FLUVIAL_FIELDS; m++)
        begin_field(job, TER_CONTINENT_OCTAVES + m, &s->field[m]);
}

/** Make columns `span` of row y of the provinces. Rows are made from north to south. */
static void make_province_row(const ter_fluvial_job *job, int y, fluvial_span span, fluvial_province_rows *s)
{
    const ter_window at = job->province_at;
    const int64_t place = (at.y + y) * ((int64_t)1 << TER_KNOT_SHIFT);
    begin_sums(job, place, span, &s->sums);
    for (int m = 0; m < FLUVIAL_FIELDS; m++)
        add_field(job, TER_CONTINENT_OCTAVES + m, place, span, &s->field[m], &s->sums);
    make_province_values(&job->f, &s->sums, span, s->value);
    float *out = job->province + (size_t)y * (size_t)at.width * TER_PROVINCE_BETWEEN;
    for (int n = span.begin; n < span.end; n++)
        for (int k = 0; k < TER_PROVINCE_BETWEEN; k++)
            out[n * TER_PROVINCE_BETWEEN + k] = s->value[k][n];
}

#endif
