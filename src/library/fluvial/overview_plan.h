/* overview_plan.h - plans the windows that an overview depends on, and lists the passes that make it. */
#ifndef TERRANE_FLUVIAL_OVERVIEW_PLAN_H
#define TERRANE_FLUVIAL_OVERVIEW_PLAN_H

#include "library/fluvial/overview.h"
#include "library/fluvial/passes.h"

/** First part of a plan: the warp at the samples. Its knots and values are placed in the arena.
 *
 *  lod     TER_OVERVIEW_LOD or more
 *  points  window of samples, in steps of 2^lod m
 */
TER_FN void ter_plan_overview_points(const ter_fluvial *f, int lod, ter_window points, ter_arena *arena,
                                     ter_fluvial_job *job)
{
    const int64_t step = (int64_t)1 << lod;
    memset(job, 0, sizeof *job);
    job->f = *f;
    job->points.at = points;
    job->overview.lod = lod;
    job->overview.level = ter_overview_level(lod);
    job->last = -1;
    for (int m = 0; m < ter_overview_octaves(lod); m++)
        job->warp_at[m] = ter_spline_window(points.x * step, points.y * step, (points.x + points.width - 1) * step,
                                            (points.y + points.height - 1) * step, TER_WARP_SHIFT - m);
    ter_place_warp(arena, job);
    job->overview.shift = (float *)ter_arena_cut(arena, ter_window_count(points) * 2 * sizeof(float));
}

/** Window of the cells of the overview's level in which its samples lie. The warp has been made. */
TER_FN ter_window ter_overview_cells(const ter_fluvial_job *job)
{
    const int shift = 24 - job->overview.level;
    int64_t low_x = INT64_MAX, low_y = INT64_MAX, high_x = INT64_MIN, high_y = INT64_MIN;
    for (int y = 0; y < job->points.at.height; y++)
        for (int x = 0; x < job->points.at.width; x++) {
            int64_t px, py;
            ter_overview_place(job, x, y, &px, &py);
            low_x = px < low_x ? px : low_x;
            high_x = px > high_x ? px : high_x;
            low_y = py < low_y ? py : low_y;
            high_y = py > high_y ? py : high_y;
        }
    return ter_window_between(low_x >> shift, low_y >> shift, high_x >> shift, high_y >> shift);
}

/** Plan the windows of field knots that cells of a level below 0 need. */
TER_FN void ter_plan_coarse_fields(ter_fluvial_job *job)
{
    const ter_window at = job->overview.at;
    const int64_t half = (int64_t)1 << (23 - job->overview.level);
    for (int m = 0; m < ter_coarse_octaves(job->overview.level); m++)
        job->field_at[m] =
            ter_spline_window((2 * at.x + 1) * half, (2 * at.y + 1) * half, (2 * (at.x + at.width) - 1) * half,
                              (2 * (at.y + at.height) - 1) * half, TER_FIELD_SHIFT - m);
}

enum { TER_OVERVIEW_MARGIN = 3 }; /* a sample reads nodes two cells away, and the nodes that those drain to */

/** Nodes of an overview's level around its summaries, so that the areas of these are known. */
TER_FN int ter_overview_area_margin(int level)
{
    return level > 0 ? (int)TER_AREA_MARGIN : (int)TER_ROOT_MARGIN;
}

/** Second part of a plan: the network and the summaries. The arena may differ from that of the first part.
 *
 *  cells  ter_overview_cells
 */
TER_FN void ter_plan_overview_network(ter_window cells, ter_arena *arena, ter_fluvial_job *job)
{
    const int level = job->overview.level;
    job->overview.at = ter_window_grown(cells, TER_OVERVIEW_MARGIN);
    if (level >= 0)
        ter_plan_nodes(level, ter_window_grown(job->overview.at, ter_overview_area_margin(level)), job);
    else
        ter_plan_coarse_fields(job);
    ter_place_provinces(arena, job);
    if (level >= 0)
        ter_place_nodes(arena, job);
    job->overview.summary =
        (ter_summary *)ter_arena_cut(arena, ter_window_count(job->overview.at) * sizeof(ter_summary));
}

/** The passes that make the warp at the samples of ter_plan_overview_points. After them, call
 * ter_plan_overview_network. */
#define TER_PASSES_TO_OVERVIEW_PLACES(job, RUN)                                                                        \
    do {                                                                                                               \
        for (int m_ = 0; m_ < TER_WARP_OCTAVES; m_++)                                                                  \
            RUN(ter_make_warp_knot, m_, (job)->warp_at[m_].width, (job)->warp_at[m_].height);                          \
        RUN(ter_shift_overview, 0, (job)->points.at.width, (job)->points.at.height);                                   \
    } while (0)

/** The passes that make the summaries of an overview whose cells are those of the network. After them call
 * ter_make_overview. */
#define TER_PASSES_TO_NODE_SUMMARIES(job, RUN)                                                                         \
    do {                                                                                                               \
        TER_PASSES_TO_PROVINCES(job, RUN);                                                                             \
        TER_PASSES_TO_ROOT(job, RUN);                                                                                  \
        TER_PASSES_TO_NODES(job, 1, RUN);                                                                              \
        RUN(ter_summarise_node, 0, (job)->overview.at.width, (job)->overview.at.height);                               \
    } while (0)

/** The passes that make the summaries of an overview whose level lies below 0. */
#define TER_PASSES_TO_CELL_SUMMARIES(job, RUN)                                                                         \
    do {                                                                                                               \
        for (int m_ = 0; m_ < TER_FIELD_OCTAVES; m_++)                                                                 \
            RUN(ter_make_field_knot, m_, (job)->field_at[m_].width, (job)->field_at[m_].height);                       \
        RUN(ter_summarise_cell, 0, (job)->overview.at.width, (job)->overview.at.height);                               \
    } while (0)

/** The passes that make the summaries of any overview. */
#define TER_PASSES_TO_SUMMARIES(job, RUN)                                                                              \
    do {                                                                                                               \
        if ((job)->overview.level >= 0)                                                                                \
            TER_PASSES_TO_NODE_SUMMARIES(job, RUN);                                                                    \
        else                                                                                                           \
            TER_PASSES_TO_CELL_SUMMARIES(job, RUN);                                                                    \
    } while (0)

#endif
