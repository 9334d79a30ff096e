/* network_shape.h - the passes of the drainage network over spans of rows: only the cells that some cells of its last
 * level depend on. The passes and their order are those of passes.h.
 */
#ifndef TERRANE_FLUVIAL_CPU_NETWORK_SHAPE_H
#define TERRANE_FLUVIAL_CPU_NETWORK_SHAPE_H

#include "library/fluvial/cpu/kernels.h"
#include "library/fluvial/cpu/knot_rows.h"
#include "library/fluvial/cpu/province_rows.h"

/** Scratch: the cells that are made in each window of the network. */
typedef struct fluvial_network_shape {
    fluvial_shape node[TER_NETWORK_LEVELS], province;
    fluvial_province_rows province_rows;
} fluvial_network_shape;

/** Whether the windows of a job's network fit the scratch. */
static bool fits_network(const ter_fluvial_job *job)
{
    bool fits = fits_shape(job->province_at);
    for (int n = 0; n <= job->last; n++)
        fits = fits && fits_shape(job->node_at[n]);
    return fits;
}

/** Plan the shapes of the windows that ter_plan_nodes has planned.
 *
 *  wanted  wanted cells of the last level
 *  margin  nodes around each that are also needed
 */
static void plan_network_shape(const ter_fluvial_job *job, const fluvial_shape *wanted, int margin,
                               fluvial_network_shape *net)
{
    const int last = job->last;
    grow_shape(wanted, 0, margin, job->node_at[last], &net->node[last]);
    for (int n = last; n > 0; n--)
        grow_shape(&net->node[n], 1, ter_coarser_margin(n), job->node_at[n - 1], &net->node[n - 1]);
    if (last >= TER_PROVINCE_LEVEL)
        grow_shape(&net->node[TER_PROVINCE_LEVEL], 0, TER_PROVINCE_MARGIN, job->province_at, &net->province);
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
static void make_provinces(const ter_fluvial_job *job, fluvial_network_shape *net, const ter_cancel *cancel)
{
    if (job->last < TER_PROVINCE_LEVEL)
        return;
    if (job->f.guide) {
        OVER(ter_make_province_knot, 0, &net->province, 0);
        return;
    }
    begin_province_rows(job, &net->province_rows);
    for (int y = 0; y < job->province_at.height && !ter_is_cancelled(cancel); y++)
        make_province_row(job, y, net->province.row[y], &net->province_rows);
}

/* RUN(step, n, columns, rows) over the shape of the step's window. The caller has variables `job`, `net` and `cancel`.
 */
#define SHAPED(step, n, columns, rows) SHAPED_##step(n, columns, rows)

#define SHAPED_ter_make_field_knot(n, columns, rows)     make_field_knots(job, n)
#define SHAPED_ter_make_continent_knot(n, columns, rows) TER_CANCELLABLE_LOOP(ter_make_continent_knot, n, columns, rows)
#define SHAPED_ter_make_province_knot(n, columns, rows)  make_provinces(job, net, cancel)
#define SHAPED_ter_make_root(n, columns, rows)           OVER(ter_make_root, n, &net->node[0], 0)
#define SHAPED_ter_link_root(n, columns, rows)           OVER(ter_link_root, n, &net->node[0], 1)
#define SHAPED_ter_flood_root(n, columns, rows)          OVER(ter_flood_root, n, &net->node[0], 3)
/* A round reads results of the round before in the cells beside its own, so each round covers one cell less at each
 * side. */
#define SHAPED_ter_drain_root(n, columns, rows) OVER_SHAPE(ter_drain_root(job, n, x_, y_), &net->node[0], 1 + (n), 0)
#define SHAPED_ter_finish_root(n, columns, rows)                                                                       \
    OVER_SHAPE(ter_finish_root(job, n, x_, y_), &net->node[0], TER_ROOT_ROUNDS, 0)
#define SHAPED_ter_make_edge(n, columns, rows)     OVER(ter_make_edge, n, &net->node[(n)-1], ter_edge_margin(n))
#define SHAPED_ter_make_children(n, columns, rows) OVER(ter_make_children, n, &net->node[(n)-1], ter_child_margin(n))
#define SHAPED_ter_make_corner(n, columns, rows)                                                                       \
    OVER_SHAPE(make_corner(job, n, x_, y_, shape_), &net->node[(n)-1], ter_child_margin(n), ter_child_margin(n))
#define SHAPED_ter_make_node(n, columns, rows)    OVER(ter_make_node, n, &net->node[n], 0)
#define SHAPED_ter_share_ground(n, columns, rows) OVER(ter_share_ground, n, &net->node[n], TER_AREA_MARGIN)
#define SHAPED_ter_guide_node(n, columns, rows)   OVER(ter_guide_node, n, &net->node[n], 0)

#endif
