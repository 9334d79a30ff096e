/* blur.h - makes samples of level of detail 9: means of points 512 m apart. */
#ifndef TERRANE_FLUVIAL_BLUR_H
#define TERRANE_FLUVIAL_BLUR_H

#include "library/fluvial/surface.h"

enum { TER_BLUR_LOD = TER_MEANS_LOD }; /* below it samples are points, above it overviews */

/** Level of detail of a spacing of samples. step: m, a power of two */
TER_FN int ter_lod_of_step(int step)
{
    int lod = 0;
    while (1 << lod < step)
        lod++;
    return lod;
}

/** Weighted mean of a sample and the four samples beside it. Source of the weights: least squares against means of
 * points 64 m apart, docs/lab/2026-overviews.md. */
TER_FN float ter_blurred(float own, float north, float west, float east, float south)
{
    return 0.7f * own + 0.075f * ((north + west) + (east + south));
}

/** Make sample (x, y). Height, land and top come from five points; the other layers are those of the middle point.
 *
 *  from  layers of points; point (0, 0) lies one step north and one west of sample (0, 0). `from` has
 *        at least height and water, and all layers that `out` has
 *  out   the requested layers
 */
TER_FN void ter_blur(const ter_fluvial *f, const ter_fluvial_output *from, const ter_fluvial_output *out, int x, int y)
{
    const size_t middle = (size_t)(y + 1) * from->stride + (size_t)x + 1;
    const size_t north = middle - from->stride, south = middle + from->stride;
    const float *h = from->layer[TER_LAYER_HEIGHT];
    const float own = h[middle], level = from->layer[TER_LAYER_WATER][middle];
    const float mean = ter_blurred(own, h[north], h[middle - 1], h[middle + 1], h[south]);
    const float height = level > own ? ter_min(mean, level - 0.01f) : ter_max(mean, f->sea);
    const size_t k = (size_t)y * out->stride + (size_t)x;
    for (int layer = 0; layer < TER_LAND_LAYERS; layer++)
        if (out->layer[layer])
            out->layer[layer][k] = from->layer[layer][middle];
    if (out->layer[TER_LAYER_HEIGHT])
        out->layer[TER_LAYER_HEIGHT][k] = height;
    if (out->layer[TER_LAYER_LAND])
        out->layer[TER_LAYER_LAND][k] = ter_blurred(
            own < f->sea ? 0.0f : 1.0f, h[north] < f->sea ? 0.0f : 1.0f, h[middle - 1] < f->sea ? 0.0f : 1.0f,
            h[middle + 1] < f->sea ? 0.0f : 1.0f, h[south] < f->sea ? 0.0f : 1.0f);
    if (out->layer[TER_LAYER_TOP])
        out->layer[TER_LAYER_TOP][k] =
            ter_max(ter_max(ter_max(own, height), ter_max(h[north], h[south])), ter_max(h[middle - 1], h[middle + 1]));
}

#endif
