/* kernels.c - the table of kernels for one instruction set level. The file is compiled once for each level, with the
 * name of its table in TER_FLUVIAL_KERNELS. */
#include "library/fluvial/cpu/kernels.h"

#include "library/fluvial/cpu/bands.h"
#include "library/fluvial/cpu/channels.h"
#include "library/fluvial/cpu/climate_rows.h"
#include "library/fluvial/cpu/fine.h"
#include "library/fluvial/cpu/gully.h"
#include "library/fluvial/cpu/knot_rows.h"
#include "library/fluvial/cpu/warp.h"

/** Scratch of a thread. */
typedef struct kernels_scratch {
    fluvial_scratch ground;
    fluvial_gully_row gullies;
    fluvial_band band;
    fluvial_warp warp;
    fluvial_noise place_noise;
    fluvial_reaches rivers, near;
    fluvial_fine fine;
} kernels_scratch;

static ter_window places(ter_fluvial_job *job, void *scratch)
{
    kernels_scratch *s = scratch;
    make_warp_knots(job);
    for (int g = 0; g < job->n_grounds; g++)
        make_warp(job, &job->ground[g], &s->warp);
    halve_places(job, &s->gullies.halving, &s->place_noise, s->warp.row[0]);
    return ter_plan_cells(job);
}

static void provinces(const ter_fluvial_job *job)
{
    for (int m = 0; m < TER_FIELD_OCTAVES; m++)
        make_field_knots(job, m);
    TER_PASSES_FROM_FIELDS_TO_PROVINCES(job, TER_LOOP);
}

static void nodes(const ter_fluvial_job *job, const ter_cancel *cancel)
{
    const int first = ter_guided_level(job);
    if (first > 0)
        TER_PASS_TO_GUIDE(job, first, TER_CANCELLABLE_LOOP);
    else
        TER_PASSES_TO_ROOT(job, TER_CANCELLABLE_LOOP);
    TER_PASSES_TO_NODES(job, first + 1, TER_CANCELLABLE_LOOP);
}

static void network(const ter_fluvial_job *job, const ter_cancel *cancel)
{
    provinces(job);
    nodes(job, cancel);
    make_meander_knots(job);
    TER_PASSES_FROM_MEANDERS_TO_CHANNELS(job, TER_CANCELLABLE_LOOP);
    if (ter_is_cancelled(cancel))
        return;
    steepen_channels(job, NULL);
    TER_PASSES_TO_PIECES(job, TER_CANCELLABLE_LOOP);
    for (int y = 0; y < job->piece_at.height && !ter_is_cancelled(cancel); y++)
        for (int x = 0; x < job->piece_at.width; x++)
            make_boxes(job, x, y);
}

static void surface(const ter_fluvial_job *job, void *scratch, const ter_cancel *cancel)
{
    kernels_scratch *s = scratch;
    for (int g = 0; g < job->n_grounds && !ter_is_cancelled(cancel); g++)
        make_grounds(job, g, &s->ground);
    for (int g = 0; g < job->n_grounds && !ter_is_cancelled(cancel); g++)
        TER_PASS_TO_DRY_GROUND(job, g, TER_LOOP); /* a ground copies points of grounds before it */
    if (!ter_is_cancelled(cancel))
        make_gullies(job, &s->gullies);
}

static void samples(const ter_fluvial_job *job, const ter_fluvial_output *out, bool is_streamed, void *scratch,
                    const ter_cancel *cancel)
{
    kernels_scratch *s = scratch;
    surface(job, scratch, cancel);
    if (ter_is_cancelled(cancel))
        return;
    make_base(job, &s->gullies);
    TER_COVER_KERNELS.make(job, cancel);
    make_bands(job, out, is_streamed, &s->band, &s->rivers, &s->near, cancel);
}

static void defined_samples(const ter_fluvial_job *job, const ter_fluvial_output *out, const ter_cancel *cancel)
{
    TER_PASSES_TO_PROVINCES(job, TER_LOOP);
    nodes(job, cancel);
    TER_PASSES_TO_CHANNELS(job, TER_CANCELLABLE_LOOP);
    TER_PASS_TO_SLOPES(job, TER_CANCELLABLE_LOOP);
    TER_PASSES_TO_PIECES(job, TER_CANCELLABLE_LOOP);
    TER_PASSES_TO_GROUND(job, TER_CANCELLABLE_LOOP);
    TER_PASSES_TO_GULLIES(job, TER_CANCELLABLE_LOOP);
    TER_PASS_TO_BASE(job, TER_CANCELLABLE_LOOP);
    TER_PASSES_TO_HEIGHTS(job, TER_CANCELLABLE_LOOP);
    for (int y = 0; y < job->points.at.height && !ter_is_cancelled(cancel); y++)
        for (int x = 0; x < job->points.at.width; x++)
            ter_make_sample(job, out, x, y);
    TER_COVER_KERNELS.define(job, out, cancel);
}

static void fine(const ter_fine_block *block, const ter_fluvial_output *out, void *scratch, const ter_cancel *cancel)
{
    kernels_scratch *s = scratch;
    make_fine(block, out, &s->fine, cancel);
}

static void climate_knots(const ter_fluvial_job *job, const ter_cancel *cancel)
{
    TER_PASSES_TO_CLIMATE(job, TER_CANCELLABLE_LOOP);
}

static void climate(const ter_climate_plan *plan, const ter_climate_block *block, const ter_cancel *cancel)
{
    climate_lanes lanes = {.height = {0.0f}};
    for (int y = 0; y < block->at.height && !ter_is_cancelled(cancel); y++)
        make_climate_row(plan, block, y, &lanes);
}

const ter_fluvial_kernels TER_FLUVIAL_KERNELS = {
    .places = places,
    .provinces = provinces,
    .nodes = nodes,
    .network = network,
    .octave = surface,
    .samples = samples,
    .overviews = &TER_OVERVIEW_KERNELS,
    .defined_samples = defined_samples,
    .fine = fine,
    .climate_knots = climate_knots,
    .climate = climate,
    .scratch_bytes = (sizeof(kernels_scratch) + 63) & ~(size_t)63,
};
