/* bands.h - makes the samples of a block band by band, so that the lattices of a band stay in the caches, however large
 * the block is.
 *
 *     lattice of 16 m       made for the whole block
 *     lattices of 8 to 1 m  made for a band and a few points around it
 */
#ifndef TERRANE_FLUVIAL_CPU_BANDS_H
#define TERRANE_FLUVIAL_CPU_BANDS_H

#include "library/core/cancel.h"
#include "library/core/cpu/streaming_store.h"
#include "library/fluvial/cpu/cover_kernels.h"
#include "library/fluvial/cpu/detail_rows.h"
#include "library/fluvial/cpu/rows.h"
#include "library/fluvial/cpu/samples.h"

enum {
    BAND_WIDTH = 1024, /* samples */
    BAND_HEIGHT = 64,
    BAND_ROOM = BAND_WIDTH * BAND_HEIGHT /* points; the band's coarser lattices have fewer */
};

/** Scratch of a band. Lattices alternate between the two arrays of heights. */
typedef struct fluvial_band {
    float heights[2][BAND_ROOM];
    fluvial_rows rows;
    _Alignas(64) char cover[TER_COVER_SCRATCH];
} fluvial_band;

/** End of the band that begins at `first`. Borders of bands are multiples of the size of a band, so that no cell of the
 * places' lattice is cut.
 *
 *  origin      first point of the block, in the level's lattice
 *  first, end  relative to the origin; the block ends at `end`
 *  size        samples of a band's side, a power of two
 */
static int band_end(int64_t origin, int first, int size, int end)
{
    const int64_t next = ((origin + first) & ~(int64_t)(size - 1)) + size - origin;
    return next < end ? (int)next : end;
}

/** Make the heights of a band, from the block's lattice of 16 m down to the band's samples.
 *
 *  job      copy of the block's job; the band's points and lattices replace its own, except the coarsest lattice
 *  at       the band, relative to the block
 *  Returns  the array of the band that is free afterwards
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
        job->height[last & 1] = s->heights[1]; /* the block's heights have been read */
    }
    return job->height[1];
}

/** Make the samples of a band. at: the band, relative to the block; is_streamed: heights bypass the caches */
static void make_band(const ter_fluvial_job *block, const ter_fluvial_output *out, const fluvial_samples *at,
                      bool is_streamed, fluvial_band *s, fluvial_reaches *rivers, fluvial_reaches *near)
{
    ter_fluvial_job job = *block;
    float *free_heights = make_band_heights(&job, at, s);
    add_detail(&job);
    const size_t width = (size_t)(at->x1 - at->x0), first = (size_t)at->y0 * out->stride + (size_t)at->x0;
    if (is_streamed) {
        const ter_fluvial_output heights = {.layer[TER_LAYER_HEIGHT] = free_heights, .stride = width};
        make_samples(&job, &heights, rivers, near);
        TER_COVER_KERNELS.lay(&job, &heights, s->cover);
        for (int y = 0; y < at->y1 - at->y0; y++)
            ter_stream_copy(out->layer[TER_LAYER_HEIGHT] + first + (size_t)y * out->stride,
                            free_heights + (size_t)y * width, width);
        return;
    }
    ter_fluvial_output shifted = {.stride = out->stride};
    for (int layer = 0; layer < TER_LAND_LAYERS; layer++)
        shifted.layer[layer] = out->layer[layer] ? out->layer[layer] + first : NULL;
    make_samples(&job, &shifted, rivers, near);
    TER_COVER_KERNELS.lay(&job, &shifted, s->cover);
}

/** Make all samples of a block from its heights at points of 16 m. */
static void make_bands(const ter_fluvial_job *job, const ter_fluvial_output *out, bool is_streamed, fluvial_band *s,
                       fluvial_reaches *rivers, fluvial_reaches *near, const ter_cancel *cancel)
{
    const ter_window at = job->points.at;
    if (job->n_fine == 1) {
        add_detail(job);
        make_samples(job, out, rivers, near);
        TER_COVER_KERNELS.lay(job, out, s->cover);
        return;
    }
    is_streamed &=
        layers_of(&job->f, out) == FLUVIAL_HEIGHT && !out->layer[TER_LAYER_GLACIER] && !out->layer[TER_LAYER_SAND];
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
