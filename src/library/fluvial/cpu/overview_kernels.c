/* overview_kernels.c - the table of kernels of overviews, and of the networks of large blocks, for one instruction set
 * level. The file is compiled once for each level, with the name of its table in TER_OVERVIEW_KERNELS. */

/* Passes are called here. If they were inlined into each list of passes below, this file would take a minute to compile
 * and the kernels would not be faster. */
#ifndef TER_CALL_PASSES
#define TER_CALL_PASSES
#endif

#include "library/fluvial/cpu/block_network.h"
#include "library/fluvial/cpu/overview.h"
#include "library/fluvial/cover_plan.h"

static ter_window places(const ter_fluvial_job *job)
{
    make_warp_knots(job);
    TER_LOOP(ter_shift_overview, 0, job->points.at.width, job->points.at.height);
    return ter_overview_cells(job);
}

/** Make the knots of the sand's slow fields. */
static void sand_knots(const ter_fluvial_job *job)
{
    for (int m = 0; m < TER_SAND_OCTAVES; m++)
        TER_LOOP(ter_make_sand_knot, m, job->sand.field_at[m].width, job->sand.field_at[m].height);
}

static void samples(const ter_fluvial_job *job, const ter_fluvial_output *out, const ter_cancel *cancel)
{
    sand_knots(job);
    for (int y = 0; y < job->points.at.height && !ter_is_cancelled(cancel); y++)
        for (int x = 0; x < job->points.at.width; x++)
            ter_make_overview(job, out, x, y);
}

static void defined(const ter_fluvial_job *job, const ter_fluvial_output *out, const ter_cancel *cancel)
{
    TER_PASSES_TO_SUMMARIES(job, TER_CANCELLABLE_LOOP);
    samples(job, out, cancel);
}

static void shaped(const ter_fluvial_job *job, const ter_fluvial_output *out, void *scratch, const ter_cancel *cancel)
{
    if (!fits_overview(job)) {
        defined(job, out, cancel);
        return;
    }
    make_summaries(job, scratch, cancel);
    samples(job, out, cancel);
}

/** Scratch of a thread: one or the other. */
typedef union kernels_scratch {
    fluvial_overview overview;
    fluvial_block_network network;
} kernels_scratch;

static bool fits_block_network(const ter_fluvial_job *job)
{
    return fits_network(job) && fits_shape(job->piece_at);
}

static void block_network(const ter_fluvial_job *job, void *scratch, const ter_cancel *cancel)
{
    make_block_network(job, scratch, cancel);
}

const ter_overview_kernels TER_OVERVIEW_KERNELS = {
    .places = places,
    .samples = shaped,
    .defined_samples = defined,
    .fits_network = fits_block_network,
    .network = block_network,
    .scratch_bytes = (sizeof(kernels_scratch) + 63) & ~(size_t)63,
};
