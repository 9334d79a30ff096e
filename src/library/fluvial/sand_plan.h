/* sand_plan.h - plans the windows that the sand of some samples depends on, and lists the passes that make it. */
#ifndef TERRANE_FLUVIAL_SAND_PLAN_H
#define TERRANE_FLUVIAL_SAND_PLAN_H

#include "library/fluvial/plan.h"
#include "library/fluvial/sand.h"

/** Plan the knots of the slow fields around points x0 .. x1, y0 .. y1, lattice steps. count: octaves of the
 * fields */
TER_FN void ter_plan_sand_knots(ter_fluvial_job *job, int count, int64_t x0, int64_t y0, int64_t x1, int64_t y1)
{
    for (int m = 0; m < count; m++)
        job->sand.field_at[m] = ter_spline_window(x0, y0, x1, y1, TER_SAND_SHIFT - m);
}

/** Plan the rows of all sets of dunes around points x0 .. x1, y0 .. y1. */
TER_FN void ter_plan_dune_rows(ter_fluvial_job *job, int64_t x0, int64_t y0, int64_t x1, int64_t y1)
{
    enum { BEND = 9400 * TER_DUNE_UNITS }; /* greatest shift by the slow field that bends crests */
    const ter_fluvial *f = &job->f;
    const int64_t x[2] = {x0, x1}, y[2] = {y0, y1};
    const int64_t low_u = f->wind_x * x[f->wind_x < 0] + f->wind_y * y[f->wind_y < 0] - BEND,
                  high_u = f->wind_x * x[f->wind_x >= 0] + f->wind_y * y[f->wind_y >= 0] + BEND,
                  low_v = f->wind_x * y[f->wind_x < 0] - f->wind_y * x[f->wind_y >= 0],
                  high_v = f->wind_x * y[f->wind_x >= 0] - f->wind_y * x[f->wind_y < 0];
    for (int set = 0; set < TER_DUNE_SETS; set++) {
        const int shift = ter_dune_shift(set), is_ridge = set == TER_DUNE_RIDGES;
        const int64_t first = is_ridge ? low_v : low_u, last = is_ridge ? high_v : high_u;
        const int64_t west = is_ridge ? low_u : low_v, east = is_ridge ? high_u : high_v;
        job->sand.rows[set].at =
            ter_window_between((west >> shift) - 1, (first >> shift) - 1, (east >> shift) + 2, (last >> shift) + 1);
    }
}

/** Plan the sand of a job whose points and ground are planned. In a world without sand the plan is empty. */
TER_FN void ter_plan_sand(ter_fluvial_job *job)
{
    ter_sand_plan *s = &job->sand;
    memset(s, 0, sizeof *s);
    if (!(job->f.sand > 0.0f))
        return;
    const int step = job->points.step;
    s->count = 0;
    if (step < TER_SAND_STEP / 2)
        s->at[s->count++] = ter_lattice_ancestors(job->points, TER_SAND_STEP / 2);
    s->at[s->count] = ter_lattice_ancestors(s->count > 0 ? s->at[0] : job->points, TER_SAND_STEP);
    if (s->count++ > 0) {
        const ter_lattice fine = s->at[0];
        s->at[0] = s->at[1];
        s->at[1] = fine;
    }
    s->points = ter_lattice_cover(s->at[0], step > TER_GROUND_STEP ? step : (int)TER_GROUND_STEP, 0);
    const ter_window at = s->points.at;
    const int64_t x0 = at.x * s->points.step, y0 = at.y * s->points.step, x1 = x0 + (at.width - 1) * s->points.step,
                  y1 = y0 + (at.height - 1) * s->points.step;
    ter_plan_sand_knots(job, TER_SAND_OCTAVES, x0, y0, x1, y1);
    ter_plan_dune_rows(job, x0, y0, x1, y1);
}

/** Plan the sand of an overview whose points are planned: knots of the slow fields. */
TER_FN void ter_plan_overview_sand(ter_fluvial_job *job)
{
    const int lod = job->overview.lod, count = TER_SAND_SHIFT + 1 - lod;
    const ter_window at = job->points.at;
    memset(&job->sand, 0, sizeof job->sand);
    if (!(job->f.sand > 0.0f) || lod > TER_COVER_LOD_MAX)
        return;
    const int64_t step = (int64_t)1 << lod;
    ter_plan_sand_knots(job, count < TER_SAND_OCTAVES ? count : (int)TER_SAND_OCTAVES, at.x * step, at.y * step,
                        (at.x + at.width - 1) * step, (at.y + at.height - 1) * step);
}

/** Place the arrays of the sand. `heights`: number of lattices of heights to place */
TER_FN void ter_place_sand(ter_arena *arena, int heights, ter_fluvial_job *job)
{
    ter_sand_plan *s = &job->sand;
    for (int m = 0; m < TER_SAND_OCTAVES; m++)
        s->field[m] =
            (float *)ter_arena_cut(arena, ter_window_count(s->field_at[m]) * TER_FIELD_CHANNELS * sizeof(float));
    for (int set = 0; set < TER_DUNE_SETS; set++)
        s->rows[set].knot = (float *)ter_arena_cut(arena, ter_window_count(s->rows[set].at) * 2 * sizeof(float));
    s->sand = (ter_sand *)ter_arena_cut(arena, ter_window_count(s->points.at) * sizeof(ter_sand));
    for (int n = 0; n < s->count && n < heights; n++)
        s->height[n] = (float *)ter_arena_cut(arena, ter_window_count(s->at[n].at) * sizeof(float));
}

/** The passes that make the slow fields of the sand, and the rows of dunes. */
#define TER_PASSES_TO_SAND_KNOTS(job, RUN)                                                                             \
    do {                                                                                                               \
        for (int m_ = 0; m_ < TER_SAND_OCTAVES; m_++)                                                                  \
            RUN(ter_make_sand_knot, m_, (job)->sand.field_at[m_].width, (job)->sand.field_at[m_].height);              \
        for (int s_ = 0; s_ < TER_DUNE_SETS; s_++)                                                                     \
            RUN(ter_make_dune_knot, s_, (job)->sand.rows[s_].at.width, (job)->sand.rows[s_].at.height);                \
    } while (0)

/** The passes that make the sand of the samples, after those of the ground and the climate. */
#define TER_PASSES_TO_SAND(job, RUN)                                                                                   \
    do {                                                                                                               \
        TER_PASSES_TO_SAND_KNOTS(job, RUN);                                                                            \
        RUN(ter_make_sand, 0, (job)->sand.points.at.width, (job)->sand.points.at.height);                              \
        RUN(ter_make_dunes, 0, (job)->sand.at[0].at.width, (job)->sand.at[0].at.height);                               \
        RUN(ter_halve_dunes, 1, (job)->sand.at[1].at.width, (job)->sand.at[1].at.height);                              \
    } while (0)

#endif
