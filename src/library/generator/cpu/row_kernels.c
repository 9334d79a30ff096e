/* row_kernels.c - the table of row kernels for one instruction set level. The file is compiled once for each level,
 * with the level's compiler options. TER_ROW_KERNELS is the name of the table. */
#include "library/fractal/cpu/row_kernels.h"

#include <string.h>

#include "library/fluvial/cpu/kernels.h"
#include "library/morph/blend.h"
#include "library/world/height_sums.h"

#include "library/core/cpu/streaming_store.h"
#include "library/fractal/cpu/crater_rows.h"
#include "library/fractal/cpu/vector.h"

#ifdef TER_HAS_VECTORS
#include "library/fractal/cpu/quad_rows.h"
#else
#include "library/fractal/cpu/pair_rows.h"
#endif

/* Both bases, each with and without valleys, are compiled separately, so that the inner loops have no branch. */
static void refine(const ter_field *f, int k, const ter_grid *parent, const ter_grid *out)
{
    if (f->basis == TER_BASIS_SMOOTH) {
        if (f->is_valley)
            refine_smooth(f, k, parent, out, 1);
        else
            refine_smooth(f, k, parent, out, 0);
    } else {
        if (f->is_valley)
            refine_midpoint(f, k, parent, out, 1);
        else
            refine_midpoint(f, k, parent, out, 0);
    }
    if (out->is_streamed)
        ter_stream_end();
}

static void root(const ter_field *f, const ter_grid *out)
{
    for (int64_t row = 0; row < out->height; row++)
        for (int64_t column = 0; column < out->width; column++)
            out->at[(size_t)row * out->stride + (size_t)column] =
                ter_height_root(f, ter_random(f, 0, out->i + column, out->j + row));
}

static void points(const ter_field *f, int level, const ter_grid *out)
{
    for (int64_t row = 0; row < out->height; row++)
        for (int64_t column = 0; column < out->width; column++)
            out->at[(size_t)row * out->stride + (size_t)column] =
                ter_height_at(f, level, out->i + column, out->j + row);
}

static uint64_t quantise(const ter_quantiser *q, const float *heights, size_t count, uint16_t *out)
{
    const ter_quantiser of = *q;
    uint64_t n_clamped = 0;
    for (size_t first = 0; first < count; first += 4096) { /* counts to 4096 fit 32-bit lanes of vectors */
        const size_t end = count - first < 4096 ? count : first + 4096;
        uint32_t part = 0;
        for (size_t n = first; n < end; n++) {
            out[n] = ter_quantise(of, heights[n]);
            part += (uint32_t)ter_is_clamped(of, heights[n]);
        }
        n_clamped += part;
    }
    return n_clamped;
}

static void extremes(const float *heights, size_t count, float *min_m, float *max_m)
{
    int low = INT32_MAX, high = INT32_MIN;
    for (size_t n = 0; n < count; n++) {
        int bits;
        memcpy(&bits, &heights[n], sizeof bits);
        const int ordered = ter_ordered(bits);
        low = ordered < low ? ordered : low;
        high = ordered > high ? ordered : high;
    }
    *min_m = ter_unordered(low);
    *max_m = ter_unordered(high);
}

static int64_t sum(const float *heights, size_t count, const ter_sum_unit *unit)
{
    int64_t total = 0;
    for (size_t n = 0; n < count; n++)
        total += ter_sum_term(heights[n], *unit);
    return total;
}

/* Distances are whole numbers below 2^53, so a conversion from double, as here, gives the same float as one from
 * int64_t, as on the GPU. */
static void blend(const ter_blend_work *w, size_t first, double dx, double step, float dz, float *restrict out)
{
    const float *restrict from = w->from + first, *restrict to = w->to + first;
    for (int n = 0; n < w->width; n++) {
        const float x = (float)(dx + step * (double)n);
        out[n] = ter_blend_height(from[n], to[n], ter_blend_share(x, dz, w->along_x, w->along_z, w->begun));
    }
}

static void blend_water(const ter_blend_work *w, size_t first, double dx, double step, float dz, float *restrict out)
{
    for (int n = 0; n < w->width; n++) {
        const size_t at = first + (size_t)n;
        const float dry = ter_not_a_number(), x = (float)(dx + step * (double)n);
        const ter_wet_point from = {w->from[at], w->from_water ? w->from_water[at] : dry, w->from_sea},
                            to = {w->to[at], w->to_water ? w->to_water[at] : dry, w->to_sea};
        out[n] = ter_blend_water(from, to, ter_blend_share(x, dz, w->along_x, w->along_z, w->begun));
    }
}

const ter_row_kernels TER_ROW_KERNELS = {
    .root = root,
    .refine = refine,
    .points = points,
    .craters = craters,
    .quantise = quantise,
    .extremes = extremes,
    .sum = sum,
    .blend = blend,
    .blend_water = blend_water,
    .fluvial = &TER_FLUVIAL_KERNELS,
};
