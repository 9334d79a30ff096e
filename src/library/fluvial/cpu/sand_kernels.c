/* sand_kernels.c - makes the sand of a block, and lays it on the samples of its bands row by row. The file is compiled
 * once for each instruction set level, with the name of its table in TER_SAND_KERNELS.
 *
 *     lattice of 4 m, or of the samples    made for the whole block
 *     lattices of 2 and 1 m                made for a band
 */
#include "library/fluvial/cpu/sand_kernels.h"

#include "library/fluvial/cpu/dune_lanes.h"
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function" /* halving.h also halves fields that sand does not have */
#include "library/fluvial/cpu/halving.h"
#pragma GCC diagnostic pop
#include "library/fluvial/sand_plan.h"

/** Scratch of a band. */
typedef struct sand_scratch {
    float half[FLUVIAL_PAIRS * 48], row[FLUVIAL_COLUMNS];
    fluvial_halving halving;
} sand_scratch;

_Static_assert(sizeof(sand_scratch) <= TER_SAND_SCRATCH, "the scratch of a band fits its memory");

/** Make the knots of the sand, and its heights at the first lattice. */
static void make(const ter_fluvial_job *job, const ter_cancel *cancel)
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

/** Lay sand on a row of samples. layers: of its first sample */
static void lay_sand_row(const float *restrict sand, int width, const ter_fluvial_output *layers)
{
    float *restrict height = layers->layer[TER_LAYER_HEIGHT];
    if (height && !layers->layer[TER_LAYER_WATER] && !layers->layer[TER_LAYER_TOP])
        for (int n = 0; n < width; n++)
            height[n] += ter_max(sand[n], 0.0f);
    else
        for (int n = 0; n < width; n++)
            ter_lay_sand(layers, (size_t)n, sand[n]);
}

static void lay(const ter_fluvial_job *job, const ter_fluvial_output *out, void *scratch)
{
    sand_scratch *s = scratch;
    const ter_sand_plan *plan = &job->sand;
    const ter_window at = job->points.at;
    if (plan->count == 0)
        return;
    fluvial_plane from = {plan->at[0].at, plan->height[0], 1};
    if (plan->count == 2) {
        const fluvial_plane half = {ter_lattice_ancestors(job->points, TER_SAND_STEP / 2).at, s->half, 1};
        halve_plane(&from, half.at, &s->halving, s->half);
        from = half;
    }
    for (int y = 0; y < at.height; y++) {
        ter_fluvial_output row = {.stride = out->stride};
        const float *sand = from.first + (ptrdiff_t)(at.y + y - from.at.y) * from.at.width + (at.x - from.at.x);
        for (int layer = 0; layer < TER_LAND_LAYERS; layer++)
            row.layer[layer] = out->layer[layer] ? out->layer[layer] + (size_t)y * out->stride : NULL;
        if (job->points.step < TER_SAND_STEP) {
            halve_row(&from, at, at.y + y, &s->halving, s->row);
            sand = s->row;
        }
        lay_sand_row(sand, at.width, &row);
    }
}

static void define(const ter_fluvial_job *job, const ter_fluvial_output *out, const ter_cancel *cancel)
{
    if (job->sand.count == 0 || ter_is_cancelled(cancel))
        return;
    TER_PASSES_TO_SAND(job, TER_LOOP);
    for (int y = 0; y < job->points.at.height; y++)
        for (int x = 0; x < job->points.at.width; x++)
            ter_add_sand(job, out, x, y);
}

const ter_sand_kernels TER_SAND_KERNELS = {.make = make, .lay = lay, .define = define};
