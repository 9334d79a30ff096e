/* fluvial_kernels.c - the table of one instruction set level: compiled once for each; TER_FLUVIAL_KERNELS names the table. */
#include "generate/cpu/fluvial_kernels.h"

#include "generate/cpu/fluvial_bands.h"
#include "generate/cpu/fluvial_channels.h"
#include "generate/cpu/fluvial_gully.h"

static ter_window places(ter_fluvial_job *job)
{
    TER_PASSES_TO_PLACES(job, TER_LOOP);
    ter_window cells = ter_plan_cells(&job->ground[0]);
    for (int g = 1; g < job->n_grounds; g++)
        cells = ter_window_united(cells, ter_plan_cells(&job->ground[g]));
    return cells;
}

static void channels(const ter_fluvial_job *job)
{
    TER_PASSES_TO_PROVINCES(job, TER_LOOP);
    TER_PASSES_TO_ROOT(job, TER_LOOP);
    TER_PASSES_TO_NODES(job, TER_LOOP);
    TER_PASSES_TO_CHANNELS(job, TER_LOOP);
}

static void network(const ter_fluvial_job *job)
{
    channels(job);
    steepen_channels(job);
    TER_PASS_TO_PIECES(job, TER_LOOP);
    TER_PASS_TO_RIVERS(job, TER_LOOP);
}

/** Scratch of a thread. */
typedef struct kernels_scratch {
    fluvial_scratch ground;
    fluvial_gully_row gullies;
    fluvial_band band;
} kernels_scratch;

static void samples(const ter_fluvial_job *job, const ter_fluvial_output *out, bool is_streamed, void *scratch,
                    const ter_cancel *cancel)
{
    kernels_scratch *s = scratch;
    for (int g = 0; g < job->n_grounds && !ter_is_cancelled(cancel); g++)
        make_grounds(job, g, &s->ground);
    if (ter_is_cancelled(cancel))
        return;
    make_gullies(job, &s->gullies);
    make_base(job, &s->gullies);
    make_bands(job, out, is_streamed, &s->band, &s->ground.block, &s->ground.patch, cancel);
}

/** The definition's steps to the heights of a block, in groups of some tenths of a second of the largest block. */
static void define_network(const ter_fluvial_job *job)
{
    channels(job);
    TER_PASS_TO_SLOPES(job, TER_LOOP);
    TER_PASS_TO_PIECES(job, TER_LOOP);
    TER_PASS_TO_RIVERS(job, TER_LOOP);
}

static void define_ground(const ter_fluvial_job *job)
{
    TER_PASSES_TO_GROUND(job, TER_LOOP);
}

static void define_heights(const ter_fluvial_job *job)
{
    TER_PASSES_TO_GULLIES(job, TER_LOOP);
    TER_PASS_TO_BASE(job, TER_LOOP);
    TER_PASSES_TO_HEIGHTS(job, TER_LOOP);
}

static void defined_samples(const ter_fluvial_job *job, const ter_fluvial_output *out, const ter_cancel *cancel)
{
    static void (*const steps[])(const ter_fluvial_job *) = {define_network, define_ground, define_heights};
    for (int n = 0; n < 3 && !ter_is_cancelled(cancel); n++)
        steps[n](job);
    for (int y = 0; y < job->points.at.height && !ter_is_cancelled(cancel); y++)
        for (int x = 0; x < job->points.at.width; x++)
            ter_make_sample(job, out, x, y);
}

const ter_fluvial_kernels TER_FLUVIAL_KERNELS = {
    .places = places,
    .network = network,
    .samples = samples,
    .defined_samples = defined_samples,
    .scratch_bytes = (sizeof(kernels_scratch) + 63) & ~(size_t)63,
};
