/* cover_kernels.c - makes the ice and the sand of a block, and lays them on the samples of its bands row by row. The
 * file is compiled once for each instruction set level, with the name of its table in TER_COVER_KERNELS.
 *
 *     ice                                  made for the whole block, at points 32 m apart
 *     sand on lattice of 4 m, or samples   made for the whole block
 *     sand on lattices of 2 and 1 m        made for a band
 */
#include "library/fluvial/cpu/cover_kernels.h"

#include "library/fluvial/cpu/dune_lanes.h"
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function" /* halving.h also halves fields that sand does not have */
#include "library/fluvial/cpu/halving.h"
#pragma GCC diagnostic pop
#include "library/fluvial/cover_plan.h"

/** Scratch of a band. */
typedef struct cover_scratch {
    float half[FLUVIAL_PAIRS * 48], row[FLUVIAL_COLUMNS];
    fluvial_halving halving;
    float ice[FLUVIAL_COLUMNS]; /* columns of the ice's points, interpolated to a row of samples */
} cover_scratch;

_Static_assert(sizeof(cover_scratch) <= TER_COVER_SCRATCH, "the scratch of a band fits its memory");

/** Make the knots of the sand, and its heights at the first lattice. */
static void make_sand(const ter_fluvial_job *job, const ter_cancel *cancel)
{
    if (job->sand.count == 0)
        return;
    TER_PASSES_TO_SAND_KNOTS(job, TER_LOOP);
    for (int y = 0; y < job->sand.points.at.height && !ter_is_cancelled(cancel); y++)
        for (int x = 0; x < job->sand.points.at.width; x++)
            ter_make_sand(job, 0, x, y);
    dune_lanes lanes;
    for (int y = 0; y < job->sand.at[0].at.height && !ter_is_cancelled(cancel); y++)
        make_dune_row(job, y, &lanes);
}

/** The layers of a row of samples. */
static ter_fluvial_output row_of(const ter_fluvial_output *out, int y)
{
    ter_fluvial_output row = {.stride = out->stride};
    for (int layer = 0; layer < TER_LAND_LAYERS; layer++)
        row.layer[layer] = out->layer[layer] ? out->layer[layer] + (size_t)y * out->stride : NULL;
    return row;
}

/** Set a layer of the samples of a window to 0, if it is requested. */
static void clear_layer(const ter_fluvial_output *out, ter_layer layer, ter_window at)
{
    float *values = out->layer[layer];
    for (int y = 0; y < at.height && values; y++)
        memset(values + (size_t)y * out->stride, 0, (size_t)at.width * sizeof *values);
}

/** Lay sand on a row of samples. layers: of its first sample */
static void lay_sand_row(const float *restrict sand, int width, const ter_fluvial_output *layers)
{
    float *restrict height = layers->layer[TER_LAYER_HEIGHT];
    if (height && !layers->layer[TER_LAYER_WATER] && !layers->layer[TER_LAYER_TOP] && !layers->layer[TER_LAYER_SAND])
        for (int n = 0; n < width; n++)
            height[n] += ter_max(sand[n], 0.0f);
    else
        for (int n = 0; n < width; n++)
            ter_lay_sand(layers, (size_t)n, sand[n]);
}

static void lay_sand(const ter_fluvial_job *job, const ter_fluvial_output *out, cover_scratch *s)
{
    const ter_sand_plan *plan = &job->sand;
    const ter_window at = job->points.at;
    clear_layer(out, TER_LAYER_SAND, at);
    if (plan->count == 0)
        return;
    fluvial_plane from = {plan->at[0].at, plan->height[0], 1};
    if (plan->count == 2) {
        const fluvial_plane half = {ter_lattice_ancestors(job->points, TER_SAND_STEP / 2).at, s->half, 1};
        halve_plane(&from, half.at, &s->halving, s->half);
        from = half;
    }
    for (int y = 0; y < at.height; y++) {
        const ter_fluvial_output row = row_of(out, y);
        const float *sand = from.first + (ptrdiff_t)(at.y + y - from.at.y) * from.at.width + (at.x - from.at.x);
        if (job->points.step < TER_SAND_STEP) {
            halve_row(&from, at, at.y + y, &s->halving, s->row);
            sand = s->row;
        }
        lay_sand_row(sand, at.width, &row);
    }
}

/** Make the ice at its points. */
static void make_ice(const ter_fluvial_job *job, const ter_cancel *cancel)
{
    const ter_window at = job->glaciers.points.at;
    for (int y = 0; y < at.height && !ter_is_cancelled(cancel); y++)
        for (int x = 0; x < at.width; x++)
            ter_make_ice(job, 0, x, y);
}

/** Interpolate the columns of the ice's points around a row of samples. b: share of the way from row `ice` of points to
 * the next one; to: receives `count` numbers */
static void ice_columns(const float *restrict ice, int width, float b, int count, float *restrict to)
{
    float w[4];
    if (!(b > 0.0f)) {
        memcpy(to, ice, (size_t)count * sizeof *to);
        return;
    }
    ter_ice_weights(b, w);
    const float *restrict north = ice - width, *restrict south = ice + width, *restrict last = ice + 2 * width;
    for (int n = 0; n < count; n++)
        to[n] = ter_fma(w[3], last[n], ter_fma(w[2], south[n], ter_fma(w[1], ice[n], w[0] * north[n])));
}

/** Lay ice on a row of samples. column: of the point at the first sample or before it; first: first sample in steps
 * of the level of detail; shift: points are 2^shift samples apart */
static void lay_ice_row(const ter_fluvial *f, const float *column, int64_t first, int shift, int width,
                        const ter_fluvial_output *row)
{
    const int64_t per = (int64_t)1 << shift;
    const int start = (int)(first & (per - 1));
    const float scale = 1.0f / (float)per;
    for (int n = 0; n < width; n++) {
        const float *p = column + ((start + n) >> shift);
        const int phase = (start + n) & (int)(per - 1);
        float w[4], ice = p[0];
        if (phase) {
            ter_ice_weights((float)phase * scale, w);
            ice = ter_fma(w[3], p[2], ter_fma(w[2], p[1], ter_fma(w[1], p[0], w[0] * *(p - 1))));
        }
        ter_lay_ice(f, row, (size_t)n, ice);
    }
}

/** Lay ice on the samples of a job, a block or a band of it. */
static void lay_ice(const ter_fluvial_job *job, const ter_fluvial_output *out, cover_scratch *s)
{
    const ter_lattice *g = &job->glaciers.points;
    const ter_window at = job->points.at;
    int shift = 0;
    clear_layer(out, TER_LAYER_GLACIER, at);
    if (g->at.width == 0 || !out->layer[TER_LAYER_HEIGHT])
        return;
    while (job->points.step << shift < g->step)
        shift++;
    const int64_t west = at.x >> shift, east = (at.x + at.width - 1) >> shift;
    const int margin = west > g->at.x; /* points before the first one; samples on points need none */
    const int64_t most = g->at.x + g->at.width - west + margin, wanted = east - west + 1 + 3 * margin;
    const int64_t mask = ((int64_t)1 << shift) - 1;
    for (int y = 0; y < at.height; y++) {
        const ter_fluvial_output row = row_of(out, y);
        const float *ice = job->glaciers.ice + ter_window_index(g->at, west - margin, (at.y + y) >> shift);
        const float b = (float)(int)((at.y + y) & mask) * (1.0f / (float)(mask + 1));
        ice_columns(ice, g->at.width, b, (int)(wanted < most ? wanted : most), s->ice);
        lay_ice_row(&job->f, s->ice + margin, at.x, shift, at.width, &row);
    }
}

static void make(const ter_fluvial_job *job, const ter_cancel *cancel)
{
    make_ice(job, cancel);
    make_sand(job, cancel);
}

/** Lay the sediment of dried waters on the samples of a job, a block or a band of it. */
static void dry(const ter_fluvial_job *job, const ter_fluvial_output *out)
{
    if (!(job->f.drought > 0.0f) || !out->layer[TER_LAYER_HEIGHT] || !out->layer[TER_LAYER_WATER])
        return;
    for (int y = 0; y < job->points.at.height; y++)
        for (int x = 0; x < job->points.at.width; x++)
            ter_dry_sample(job, out, x, y);
}

static void lay(const ter_fluvial_job *job, const ter_fluvial_output *out, void *scratch)
{
    dry(job, out);
    lay_ice(job, out, scratch);
    lay_sand(job, out, scratch);
}

static void define(const ter_fluvial_job *job, const ter_fluvial_output *out, const ter_cancel *cancel)
{
    if (!ter_has_cover(&job->f) || ter_is_cancelled(cancel))
        return;
    TER_PASSES_TO_COVER(job, TER_LOOP);
    for (int y = 0; y < job->points.at.height; y++)
        for (int x = 0; x < job->points.at.width; x++)
            ter_add_cover(job, out, x, y);
}

const ter_cover_kernels TER_COVER_KERNELS = {.make = make, .lay = lay, .define = define};
