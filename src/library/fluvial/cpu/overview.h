/* overview.h - makes an overview as its passes do, but only in the cells that its samples depend on. The passes and
 * their order are those of overview_plan.h.
 */
#ifndef TERRANE_FLUVIAL_CPU_OVERVIEW_H
#define TERRANE_FLUVIAL_CPU_OVERVIEW_H

#include "library/fluvial/cpu/network_shape.h"

/** Scratch: the cells that are made in each window. */
typedef struct fluvial_overview {
    fluvial_shape samples; /* cells of the overview's level in which samples lie */
    fluvial_shape summary;
    fluvial_network_shape network;
} fluvial_overview;

/** Whether the windows of a job fit the scratch. */
static bool fits_overview(const ter_fluvial_job *job)
{
    return fits_shape(job->overview.at) && fits_network(job);
}

/** Plan the shapes of the windows that ter_plan_overview_network has planned. */
static void plan_shapes(const ter_fluvial_job *job, fluvial_overview *s)
{
    const ter_window points = job->points.at, at = job->overview.at;
    const int shift = 24 - job->overview.level;
    begin_shape(at, &s->samples);
    for (int y = 0; y < points.height; y++)
        for (int x = 0; x < points.width; x++) {
            int64_t px, py;
            ter_overview_place(job, x, y, &px, &py);
            add_span(px >> shift, px >> shift, py >> shift, &s->samples);
        }
    grow_shape(&s->samples, 0, TER_OVERVIEW_MARGIN, at, &s->summary);
    if (job->last >= 0)
        plan_network_shape(job, &s->summary, ter_overview_area_margin(job->last), &s->network);
}

#define SHAPED_ter_summarise_node(n, columns, rows) OVER(ter_summarise_node, n, &s->summary, 0)
#define SHAPED_ter_summarise_cell(n, columns, rows) OVER(ter_summarise_cell, n, &s->summary, 0)

/** Make the summaries that the samples need. After it, call ter_make_overview for each sample. */
static void make_summaries(const ter_fluvial_job *job, fluvial_overview *s, const ter_cancel *cancel)
{
    fluvial_network_shape *net = &s->network;
    plan_shapes(job, s);
    TER_PASSES_TO_SUMMARIES(job, SHAPED);
}

#endif
