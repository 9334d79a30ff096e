/* overview.h - makes an overview as its passes do, but only in the cells that its samples depend on. The passes and
 * their order are those of overview_plan.h.
 */
#ifndef TERRANE_FLUVIAL_CPU_OVERVIEW_H
#define TERRANE_FLUVIAL_CPU_OVERVIEW_H

#include "library/fluvial/cpu/kernels.h"
#include "library/fluvial/cpu/knot_rows.h"
#include "library/fluvial/cpu/province_rows.h"

/** Scratch: the cells that are made in each window. */
typedef struct fluvial_overview {
    fluvial_shape samples; /* cells of the overview's level in which samples lie */
    fluvial_shape summary, node[TER_NETWORK_LEVELS], province;
    fluvial_province_rows province_rows;
} fluvial_overview;

/** Whether the windows of a job fit the scratch. */
static bool fits_overview(const ter_fluvial_job *job)
{
    bool fits = fits_shape(job->overview.at) && fits_shape(job->province_at);
    for (int n = 0; n <= job->last; n++)
        fits = fits && fits_shape(job->node_at[n]);
    return fits;
}

/** Plan the shapes of the windows that ter_plan_overview_network has planned. */
static void plan_shapes(const ter_fluvial_job *job, fluvial_overview *s)
{
    const ter_window points = job->points.at, at = job->overview.at;
    const int shift = 24 - job->overview.level, last = job->last;
    begin_shape(at, &s->samples);
    for (int y = 0; y < points.height; y++)
        for (int x = 0; x < points.width; x++) {
            int64_t px, py;
            ter_overview_place(job, x, y, &px, &py);
            add_span(px >> shift, px >> shift, py >> shift, &s->samples);
        }
    grow_shape(&s->samples, 0, TER_OVERVIEW_MARGIN, at, &s->summary);
    if (last < 0)
        return;
    grow_shape(&s->summary, 0, ter_overview_area_margin(last), job->node_at[last], &s->node[last]);
    for (int n = last; n > 0; n--)
        grow_shape(&s->node[n], 1, ter_coarser_margin(n), job->node_at[n - 1], &s->node[n - 1]);
    if (last >= TER_PROVINCE_LEVEL)
        grow_shape(&s->node[TER_PROVINCE_LEVEL], 0, TER_PROVINCE_MARGIN, job->province_at, &s->province);
}

/** Make the corner child of a cell's edge, if the cell that the edge leads to has children. x, y: as for
 * ter_make_corner */
static void make_corner(const ter_fluvial_job *job, int level, int x, int y, const fluvial_shape *coarse)
{
    const int margin = ter_child_margin(level), cx = x + margin, cy = y + margin;
    const ter_node *p = job->node[(level - 1) & 1] + cy * coarse->at.width + cx;
    if (p->to != TER_SINK && (p->to & 1) &&
        is_in_shape(coarse, margin, cx + ter_direction_x(p->to), cy + ter_direction_y(p->to)))
        ter_make_corner(job, level, x, y);
}

/** Run a step at those cells of a shape around which all cells up to `margin` away lie in the shape.
 *
 *  lead  coordinates (0, 0) of the step are this many columns and rows inside the window
 */
#define OVER_SHAPE(call, shape, margin, lead)                                                                          \
    do {                                                                                                               \
        const fluvial_shape *shape_ = (shape);                                                                         \
        for (int row_ = 0; row_ < shape_->at.height && !ter_is_cancelled(cancel); row_++) {                            \
            const fluvial_span span_ = inner_span(shape_, margin, row_);                                               \
            const int y_ = row_ - (lead);                                                                              \
            for (int x_ = span_.begin - (lead); x_ < span_.end - (lead); x_++)                                         \
                call;                                                                                                  \
        }                                                                                                              \
    } while (0)

/** As OVER_SHAPE, for a step that reads cells up to `margin` away, and whose coordinates (0, 0) are `margin` columns
 * and rows inside the window. */
#define OVER(step, n, shape, margin) OVER_SHAPE(step(job, n, x_, y_), shape, margin, margin)

/** Make the knots of the provinces. Those of a world with a guide are made one by one. */
static void make_provinces(const ter_fluvial_job *job, fluvial_overview *s, const ter_cancel *cancel)
{
    if (job->last < TER_PROVINCE_LEVEL)
        return;
    if (job->f.guide) {
        OVER(ter_make_province_knot, 0, &s->province, 0);
        return;
    }
    begin_province_rows(job, &s->province_rows);
    for (int y = 0; y < job->province_at.height && !ter_is_cancelled(cancel); y++)
        make_province_row(job, y, s->province.row[y], &s->province_rows);
}

/* RUN(step, n, columns, rows) over the shape of the step's window. */
#define SHAPED(step, n, columns, rows) SHAPED_##step(n, columns, rows)

#define SHAPED_ter_make_field_knot(n, columns, rows)                                                                   \
    do {                                                                                                               \
        for (int y_ = 0; y_ < (rows) && !ter_is_cancelled(cancel); y_++)                                               \
            make_knot_row(&job->f, ter_field_tag(n), job->field_at[n], y_, TER_FIELD_CHANNELS, job->field[n]);                                                             \
    } while (0)
#define SHAPED_ter_make_continent_knot(n, columns, rows) TER_CANCELLABLE_LOOP(ter_make_continent_knot, n, columns, rows)
#define SHAPED_ter_make_province_knot(n, columns, rows)  make_provinces(job, s, cancel)
#define SHAPED_ter_make_root(n, columns, rows)           OVER(ter_make_root, n, &s->node[0], 0)
#define SHAPED_ter_link_root(n, columns, rows)           OVER(ter_link_root, n, &s->node[0], 1)
#define SHAPED_ter_flood_root(n, columns, rows)          OVER(ter_flood_root, n, &s->node[0], 3)
/* A round reads results of the round before in the cells beside its own, so each round covers one cell less at each
 * side. */
#define SHAPED_ter_drain_root(n, columns, rows) OVER_SHAPE(ter_drain_root(job, n, x_, y_), &s->node[0], 1 + (n), 0)
#define SHAPED_ter_finish_root(n, columns, rows)                                                                       \
    OVER_SHAPE(ter_finish_root(job, n, x_, y_), &s->node[0], TER_ROOT_ROUNDS, 0)
#define SHAPED_ter_make_edge(n, columns, rows)     OVER(ter_make_edge, n, &s->node[(n)-1], ter_edge_margin(n))
#define SHAPED_ter_make_children(n, columns, rows) OVER(ter_make_children, n, &s->node[(n)-1], ter_child_margin(n))
#define SHAPED_ter_make_corner(n, columns, rows)                                                                       \
    OVER_SHAPE(make_corner(job, n, x_, y_, shape_), &s->node[(n)-1], ter_child_margin(n), ter_child_margin(n))
#define SHAPED_ter_make_node(n, columns, rows)      OVER(ter_make_node, n, &s->node[n], 0)
#define SHAPED_ter_share_ground(n, columns, rows)   OVER(ter_share_ground, n, &s->node[n], TER_AREA_MARGIN)
#define SHAPED_ter_guide_node(n, columns, rows)     OVER(ter_guide_node, n, &s->node[n], 0)
#define SHAPED_ter_summarise_node(n, columns, rows) OVER(ter_summarise_node, n, &s->summary, 0)
#define SHAPED_ter_summarise_cell(n, columns, rows) OVER(ter_summarise_cell, n, &s->summary, 0)

/** Make the summaries that the samples need. After it, call ter_make_overview for each sample. */
static void make_summaries(const ter_fluvial_job *job, fluvial_overview *s, const ter_cancel *cancel)
{
    plan_shapes(job, s);
    TER_PASSES_TO_SUMMARIES(job, SHAPED);
}

#endif
