/* climate_point.c - makes one sample of the climate: the passes of climate_plan.h, as plain loops. */
#include "library/fluvial/climate_point.h"

#include <stdlib.h>

#include "library/fluvial/climate_plan.h"

int32_t ter_climate_belts(double belts)
{
    return (int32_t)rint((double)(TER_QUARTER / 1000) * (1 << TER_CLIMATE_UNITS) / belts);
}

float ter_climate_home_bend(const ter_fluvial *f)
{
    enum { SIDE = 4, KNOTS = SIDE * SIDE };
    float knots[TER_SLOW_OCTAVES][KNOTS * TER_FIELD_CHANNELS], sums[TER_FIELD_CHANNELS];
    const int64_t x = ter_climate_scaled(f, TER_CLIMATE_HOME_X), y = ter_climate_scaled(f, TER_CLIMATE_HOME_Y);
    ter_climate_plan plan = {.shift = 0};
    for (int m = 0; m < TER_SLOW_OCTAVES; m++) {
        const ter_window at = ter_spline_window(x, y, x, y, TER_CLIMATE_PITCH - m);
        plan.slow_at[m] = at;
        plan.slow[m] = knots[m];
        for (int k = 0; k < KNOTS; k++)
            ter_slow_knot(f, m, at.x + k % SIDE, at.y + k / SIDE, &knots[m][k * TER_FIELD_CHANNELS]);
    }
    ter_slow_fields(&plan, x, y, sums);
    return sums[0];
}

int ter_climate_point(const ter_fluvial *f, int lod, int64_t x, int64_t y, float height, float *out)
{
    const ter_window sample = {x, y, 1, 1}, knots = ter_climate_knots(lod, sample);
    const int shift = ter_climate_shift(lod);
    ter_fluvial_job *job = malloc(sizeof *job);
    ter_arena size = {NULL, 0}, arena = {NULL, 0};
    if (!job)
        return 0;
    ter_plan_climate(f, shift, knots, &size, job);
    arena.base = malloc(size.bytes);
    const int is_made = arena.base != NULL;
    if (is_made) {
        float values[TER_CLIMATE_NUMBERS];
        ter_plan_climate(f, shift, knots, &arena, job);
        TER_PASSES_TO_CLIMATE(job, TER_LOOP);
        ter_climate_at(&job->climate, lod, x, y, values);
        if (f->guide_climate)
            ter_guide_climate(f->guide, lod, x, y, values);
        ter_climate_of_sample(f, values, height, out);
    }
    free(arena.base);
    free(job);
    return is_made;
}
