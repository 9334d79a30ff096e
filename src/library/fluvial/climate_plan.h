/* climate_plan.h - plans the windows that the climate of some samples depends on, and lists the passes that make it. */
#ifndef TERRANE_FLUVIAL_CLIMATE_PLAN_H
#define TERRANE_FLUVIAL_CLIMATE_PLAN_H

#include "library/fluvial/climate.h"
#include "library/fluvial/passes.h"

/** Binary logarithm of the spacing of the knots, in lattice steps, for samples of a level of detail. */
TER_FN int ter_climate_shift(int lod)
{
    return lod > TER_CLIMATE_SHIFT ? lod : (int)TER_CLIMATE_SHIFT;
}

/** Knots that samples need. samples: in steps of the level of detail */
TER_FN ter_window ter_climate_knots(int lod, ter_window samples)
{
    const int finer = ter_climate_shift(lod) - lod;
    return ter_spline_window(samples.x, samples.y, samples.x + samples.width - 1, samples.y + samples.height - 1,
                             finer);
}

/** Plan the windows of the fields that the coarse land needs: the warp, the fields of provinces in the network's plane,
 * and the slow fields in the scaled plane. */
TER_FN void ter_plan_climate_fields(ter_fluvial_job *job)
{
    enum { REACH = 80000 }; /* lattice steps; the warp moves no point farther */
    const ter_climate_plan *c = &job->climate;
    const int64_t step = (int64_t)1 << c->shift, x0 = c->ground_at.x * step, y0 = c->ground_at.y * step,
                  x1 = x0 + (c->ground_at.width - 1) * step, y1 = y0 + (c->ground_at.height - 1) * step;
    const int64_t left = ter_turned_x(x0 - REACH, y1 + REACH), right = ter_turned_x(x1 + REACH, y0 - REACH),
                  top = ter_turned_y(x0 - REACH, y0 - REACH), bottom = ter_turned_y(x1 + REACH, y1 + REACH);
    for (int m = 0; m < ter_climate_warps(c->shift); m++)
        job->warp_at[m] = ter_spline_window(x0, y0, x1, y1, TER_WARP_SHIFT - m);
    for (int m = 0; m < ter_climate_octaves(c->shift); m++)
        job->field_at[m] = ter_spline_window(left, top, right, bottom, TER_FIELD_SHIFT - m);
    for (int m = 0; m < TER_SLOW_OCTAVES; m++)
        job->climate.slow_at[m] =
            ter_spline_window(ter_climate_scaled(&job->f, x0), ter_climate_scaled(&job->f, y0),
                              ter_climate_scaled(&job->f, x1), ter_climate_scaled(&job->f, y1), TER_CLIMATE_PITCH - m);
}

/** Plan knots of the climate, and place their arrays.
 *
 *  shift  knots are 2^shift lattice steps apart
 *  knots  window of the wanted knots
 */
TER_FN void ter_plan_climate(const ter_fluvial *f, int shift, ter_window knots, ter_arena *arena, ter_fluvial_job *job)
{
    memset(job, 0, sizeof *job);
    job->f = *f;
    job->last = -1;
    ter_climate_plan *c = &job->climate;
    c->shift = shift;
    c->knot_at = knots;
    c->ground_at = ter_window_grown(knots, ter_climate_steps(shift) + 1);
    ter_plan_climate_fields(job);
    ter_place_warp(arena, job);
    for (int m = 0; m < TER_FIELD_OCTAVES; m++)
        job->field[m] =
            (float *)ter_arena_cut(arena, ter_window_count(job->field_at[m]) * TER_FIELD_CHANNELS * sizeof(float));
    for (int m = 0; m < TER_SLOW_OCTAVES; m++)
        c->slow[m] =
            (float *)ter_arena_cut(arena, ter_window_count(c->slow_at[m]) * TER_FIELD_CHANNELS * sizeof(float));
    c->ground = (ter_climate_ground *)ter_arena_cut(arena, ter_window_count(c->ground_at) * sizeof(ter_climate_ground));
    c->knot = (float *)ter_arena_cut(arena, ter_window_count(c->knot_at) * TER_CLIMATE_NUMBERS * sizeof(float));
}

/** The passes that make the knots of the climate. */
#define TER_PASSES_TO_CLIMATE(job, RUN)                                                                                \
    do {                                                                                                               \
        for (int m_ = 0; m_ < TER_CLIMATE_WARPS; m_++)                                                                 \
            RUN(ter_make_warp_knot, m_, (job)->warp_at[m_].width, (job)->warp_at[m_].height);                          \
        for (int m_ = 0; m_ < TER_FIELD_OCTAVES; m_++)                                                                 \
            RUN(ter_make_field_knot, m_, (job)->field_at[m_].width, (job)->field_at[m_].height);                       \
        for (int m_ = 0; m_ < TER_SLOW_OCTAVES; m_++)                                                                  \
            RUN(ter_make_slow_knot, m_, (job)->climate.slow_at[m_].width, (job)->climate.slow_at[m_].height);          \
        RUN(ter_make_climate_ground, 0, (job)->climate.ground_at.width, (job)->climate.ground_at.height);              \
        RUN(ter_make_climate_knot, 0, (job)->climate.knot_at.width, (job)->climate.knot_at.height);                    \
    } while (0)

#endif
