/* climate_rows.h - makes the climate of the samples of a block, a part of a row at a time.
 *
 *     knots     o     o     o     o     o      each column of four knots is summed
 *     samples       .............                all samples between two knots use the same four sums
 */
#ifndef TERRANE_FLUVIAL_CPU_CLIMATE_ROWS_H
#define TERRANE_FLUVIAL_CPU_CLIMATE_ROWS_H

#include <string.h>

#include "library/fluvial/cpu/climate_block.h"

enum { CLIMATE_LANES = 64 };

/** Some samples of a row between two knots. */
typedef struct climate_lanes {
    _Alignas(64) float height[CLIMATE_LANES];
    float out[TER_CLIMATE_LAYERS][CLIMATE_LANES];
} climate_lanes;

/** The place of lanes between knots. */
typedef struct lanes_place {
    int first;    /* samples from a knot to the first lane */
    float scale;  /* 1 / number of samples from knot to knot */
    int64_t x, y; /* sample of the first lane, in steps of the level of detail */
    int lod;
} lanes_place;

/** Make the climate of lanes.
 *
 *  sum        sums of the four columns of knots around the lanes
 *  is_guided  whether the world's guide has a climate
 *  count      number of lanes to make
 */
static inline void make_lanes_of(const ter_fluvial *f, const float sum[4][TER_CLIMATE_NUMBERS], const lanes_place *at,
                                 bool is_guided, int count, climate_lanes *w)
{
    const ter_fluvial world = *f;
    const int first = at->first;
    const float scale = at->scale;
    float columns[4][TER_CLIMATE_NUMBERS];
    memcpy(columns, sum, sizeof columns);
    for (int n = 0; n < count; n++) {
        float weight[4], c[TER_CLIMATE_NUMBERS], out[TER_CLIMATE_LAYERS];
        ter_spline_weights((float)(first + n) * scale, weight);
        for (int k = 0; k < TER_CLIMATE_NUMBERS; k++) {
            c[k] = 0.0f;
            for (int column = 0; column < 4; column++)
                c[k] = ter_fma(weight[column], columns[column][k], c[k]);
        }
        if (is_guided)
            ter_guide_climate(world.guide, at->lod, at->x + n, at->y, c);
        ter_climate_of_sample(&world, c, w->height[n], out);
        for (int layer = 0; layer < TER_CLIMATE_LAYERS; layer++)
            w->out[layer][n] = out[layer];
    }
}

/** As make_lanes_of. If the world's guide has no climate, all lanes are made, because loops with a constant count are
 * faster. */
static void make_climate_lanes(const ter_fluvial *f, const float sum[4][TER_CLIMATE_NUMBERS], const lanes_place *at,
                               int count, climate_lanes *w)
{
    if (f->guide_climate)
        make_lanes_of(f, sum, at, true, count, w);
    else
        make_lanes_of(f, sum, at, false, CLIMATE_LANES, w);
}

/** Make row y of a block. */
static void make_climate_row(const ter_climate_plan *plan, const ter_climate_block *b, int y, climate_lanes *w)
{
    const int finer = plan->shift - b->lod;
    const int64_t side = (int64_t)1 << finer;
    const float scale = 1.0f / (float)(1 << finer);
    const ter_climate_place py = ter_climate_place_of(b->at.y + y, b->lod, plan->shift);
    float weight[4], sum[4][TER_CLIMATE_NUMBERS];
    ter_spline_weights(py.a, weight);
    int64_t summed = INT64_MAX; /* the knot for whose surroundings `sum` has been made */
    for (int x = 0, count; x < b->at.width; x += count) {
        const int64_t at = b->at.x + x, knot = at >> finer, left = (knot + 1) * side - at;
        const int most = b->at.width - x < CLIMATE_LANES ? b->at.width - x : CLIMATE_LANES;
        const size_t first = (size_t)y * b->stride + (size_t)x;
        count = left < most ? (int)left : most;
        if (knot != summed) {
            const float *from =
                plan->knot + (size_t)ter_window_index(plan->knot_at, knot - 1, py.knot - 1) * TER_CLIMATE_NUMBERS;
            for (int column = 0; column < 4; column++)
                ter_climate_column(from + column * TER_CLIMATE_NUMBERS, plan->knot_at.width, weight, sum[column]);
            summed = knot;
        }
        memcpy(w->height, b->height + first, (size_t)count * sizeof(float));
        const lanes_place place = {(int)(at - knot * side), scale, at, b->at.y + y, b->lod};
        make_climate_lanes(b->f, (const float(*)[TER_CLIMATE_NUMBERS])sum, &place, count, w);
        for (int layer = 0; layer < TER_CLIMATE_LAYERS; layer++)
            if (b->out[layer])
                memcpy(b->out[layer] + first, w->out[layer], (size_t)count * sizeof(float));
    }
}

#endif
