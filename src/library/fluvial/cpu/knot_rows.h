/* knot_rows.h - makes the random knots of the warp, of the meanders and of the fields, a row at a time: the work of
 * ter_make_warp_knot, ter_make_meander_knot and ter_make_field_knot.
 */
#ifndef TERRANE_FLUVIAL_CPU_KNOT_ROWS_H
#define TERRANE_FLUVIAL_CPU_KNOT_ROWS_H

#include "library/fluvial/passes.h"
#include "library/fractal/cpu/philox_row.h"

enum {
    KNOTS_AT_ONCE = 256,
    KNOT_WORDS = KNOTS_AT_ONCE + 16 /* ter_philox_row writes further words */
};

/** ter_symmetric of the field in the low half of a word. */
static inline float symmetric_of(uint32_t field)
{
    return 2.0f * ((float)(int)(field & 0xffffu) * (1.0f / 65536.0f)) - 1.0f;
}

/** Make the knots of row y of a window. channels: 2 or 4 numbers for each knot */
static void make_knot_row(const ter_fluvial *f, int tag, ter_window at, int y, int channels, float *knots)
{
    uint32_t words[4][KNOT_WORDS];
    void *const rows[4] = {words[0], words[1], words[2], words[3]};
    for (int first = 0; first < at.width; first += KNOTS_AT_ONCE) {
        const int count = at.width - first < KNOTS_AT_ONCE ? at.width - first : (int)KNOTS_AT_ONCE;
        float *restrict out = knots + ((size_t)y * (size_t)at.width + (size_t)first) * (size_t)channels;
        ter_philox_row(f->round_key, tag, at.x + first, at.y + y, count, rows);
        if (channels == 2) {
            for (int x = 0; x < count; x++) {
                out[2 * x] = symmetric_of(words[0][x]);
                out[2 * x + 1] = symmetric_of(words[0][x] >> 16);
            }
            continue;
        }
        for (int x = 0; x < count; x++) {
            out[4 * x] = symmetric_of(words[0][x]);
            out[4 * x + 1] = symmetric_of(words[0][x] >> 16);
            out[4 * x + 2] = symmetric_of(words[1][x]);
            out[4 * x + 3] = symmetric_of(words[1][x] >> 16);
        }
    }
}

/** Make all knots of a window. */
static void make_knots(const ter_fluvial *f, int tag, ter_window at, int channels, float *knots)
{
    for (int y = 0; y < at.height; y++)
        make_knot_row(f, tag, at, y, channels, knots);
}

static void make_warp_knots(const ter_fluvial_job *job)
{
    for (int m = 0; m < TER_WARP_OCTAVES; m++)
        make_knots(&job->f, TER_TAG_WARP + m, job->warp_at[m], ter_warp_channels(m), job->warp[m]);
}

static void make_meander_knots(const ter_fluvial_job *job)
{
    for (int t = 0; t < TER_MEANDER_OCTAVES; t++)
        make_knots(&job->f, TER_TAG_MEANDER + t, job->meander_at[t], 2, job->meander[t]);
}

/** Make the knots of octave m of the fields. */
static void make_field_knots(const ter_fluvial_job *job, int m)
{
    make_knots(&job->f, ter_field_tag(m), job->field_at[m], TER_FIELD_CHANNELS, job->field[m]);
}

#endif
