/* bands.h - samples between the points of the form's lattice, band by band: what a band's levels need stays in
 * the caches, however large the block is.
 *
 *     block   16 m lattice: whole       band of the block   8 m to 1 m lattices: the band and a few points around it
 */
#ifndef TERRANE_FLUVIAL_CPU_BANDS_H
#define TERRANE_FLUVIAL_CPU_BANDS_H

#include "library/core/cancel.h"
#include "library/core/cpu/streaming_store.h"
#include "library/fluvial/cpu/rows.h"
#include "library/fluvial/cpu/samples.h"

enum {
    BAND_WIDTH = 1024, /* samples */
    BAND_HEIGHT = 64,
    BAND_ROOM = BAND_WIDTH * BAND_HEIGHT /* the band's parents are fewer points */
};

/** Heights of a band: of every other lattice in one array. */
typedef struct fluvial_band {
    float heights[2][BAND_ROOM];
    fluvial_rows rows;
} fluvial_band;

/** Where a band that begins at `first` ends. Bands lie on multiples of their size, so that no cell of places is cut.
 *
 *  origin  of the block, in the level's lattice
 *  size    a power of two
 */
static int band_end(int64_t origin, int first, int size, int end)
{
    const int64_t next = ((origin + first) & ~(int64_t)(size - 1)) + size - origin;
    return next < end ? (int)next : end;
}

/** Heights down to the points of a band.
 *
 *  job     the block's; its points, and its lattices but for the last, become those of the band
 *  Returns the array of the band that the heights do not lie in
 */
static float *make_band_heights(ter_fluvial_job *job, const fluvial_samples *at, fluvial_band *s)
{
    const int last = job->n_fine - 1;
    job->points.at.x += at->x0;
    job->points.at.y += at->y0;
    job->points.at.width = at->x1 - at->x0;
    job->points.at.height = at->y1 - at->y0;
    job->fine[0] = job->points;
    for (int n = 1; n < last; n++)
        job->fine[n] = ter_lattice_parents(job->fine[n - 1]);
    job->height[!(last & 1)] = s->heights[0];
    for (int n = last - 1; n >= 0; n--) {
        make_fine_rows(job, n, &s->rows);
        job->height[last & 1] = s->heights[1]; /* the block's own heights are not needed below the first lattice */
    }
    return job->height[1];
}

/** Samples x0 .. x1 - 1, y0 .. y1 - 1 of a block. */
static void make_band(const ter_fluvial_job *block, const ter_fluvial_output *out, const fluvial_samples *at,
                      bool is_streamed, fluvial_band *s, fluvial_reaches *rivers, fluvial_reaches *near)
{
    ter_fluvial_job job = *block;
    float *free_heights = make_band_heights(&job, at, s);
    const size_t width = (size_t)(at->x1 - at->x0), first = (size_t)at->y0 * out->stride + (size_t)at->x0;
    if (is_streamed) {
        const ter_fluvial_output heights = {.layer[TER_LAYER_HEIGHT] = free_heights, .stride = width};
        make_samples(&job, &heights, rivers, near);
        for (int y = 0; y < at->y1 - at->y0; y++)
            ter_stream_copy(out->layer[TER_LAYER_HEIGHT] + first + (size_t)y * out->stride,
                            free_heights + (size_t)y * width, width);
        return;
    }
    ter_fluvial_output shifted = {.stride = out->stride};
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
        shifted.layer[layer] = out->layer[layer] ? out->layer[layer] + first : NULL;
    make_samples(&job, &shifted, rivers, near);
}

/** All samples of a block from the heights of its form's lattice. */
static void make_bands(const ter_fluvial_job *job, const ter_fluvial_output *out, bool is_streamed, fluvial_band *s,
                       fluvial_reaches *rivers, fluvial_reaches *near, const ter_cancel *cancel)
{
    const ter_window at = job->points.at;
    if (job->n_fine == 1) {
        make_samples(job, out, rivers, near);
        return;
    }
    is_streamed &= layers_of(out) == FLUVIAL_HEIGHT;
    fluvial_samples band = {0};
    for (band.y0 = 0; band.y0 < at.height && !ter_is_cancelled(cancel); band.y0 = band.y1) {
        band.y1 = band_end(at.y, band.y0, BAND_HEIGHT, at.height);
        for (band.x0 = 0; band.x0 < at.width; band.x0 = band.x1) {
            band.x1 = band_end(at.x, band.x0, BAND_WIDTH, at.width);
            make_band(job, out, &band, is_streamed, s, rivers, near);
        }
    }
    if (is_streamed)
        ter_stream_end();
}

#endif
