/* block_network.h - makes the network of one large block: nodes, channels, pieces and reaches, but only in the cells
 * that the block's ground depends on. The passes and their order are those of passes.h.
 */
#ifndef TERRANE_FLUVIAL_CPU_BLOCK_NETWORK_H
#define TERRANE_FLUVIAL_CPU_BLOCK_NETWORK_H

#include <string.h>

#include "library/fluvial/cpu/cell_boxes.h"
#include "library/fluvial/cpu/channels.h"
#include "library/fluvial/cpu/network_shape.h"

/** Scratch. */
typedef struct fluvial_block_network {
    fluvial_shape points; /* cells in which points of the ground lie */
    fluvial_shape pieces; /* cells whose pieces and reaches are made */
    fluvial_span steep[FLUVIAL_SHAPE_SIDE];
    fluvial_network_shape network;
} fluvial_block_network;

/** Plan the shapes of the windows that ter_plan_drainage has planned for the grounds of a job. */
static void plan_block_network(const ter_fluvial_job *job, fluvial_block_network *s)
{
    begin_shape(job->piece_at, &s->points);
    for (int g = 0; g < job->n_grounds; g++) {
        const ter_window at = job->ground[g].points.at;
        for (int y = 0; y < at.height; y++)
            for (int x = 0; x < at.width; x++) {
                const size_t k = (size_t)y * (size_t)at.width + (size_t)x;
                int64_t px, py;
                ter_ground_place(&job->ground[g], at.x + x, at.y + y, k, &px, &py);
                add_span(px >> TER_CELL_SHIFT, px >> TER_CELL_SHIFT, py >> TER_CELL_SHIFT, &s->points);
            }
    }
    grow_shape(&s->points, 0, TER_GROUND_CELLS, job->piece_at, &s->pieces);
    plan_network_shape(job, &s->pieces, TER_CHANNEL_MARGIN, &s->network);
}

#define SHAPED_ter_make_channel(n, columns, rows) OVER(ter_make_channel, n, &net->node[TER_NETWORK_LAST], 1)
#define SHAPED_ter_smooth_channel(n, columns, rows)                                                                    \
    OVER(ter_smooth_channel, n, &net->node[TER_NETWORK_LAST], ter_smooth_margin(n))
#define SHAPED_ter_make_pieces(n, columns, rows)  OVER(ter_make_pieces, n, &s->pieces, 0)
#define SHAPED_ter_make_reaches(n, columns, rows) OVER(ter_make_reaches, n, &s->pieces, 0)

/** Steepen the channels of a shape of nodes. */
static void steepen_shape(const ter_fluvial_job *job, const fluvial_shape *nodes, fluvial_span *steep)
{
    for (int y = TER_STEEPEN_MARGIN; y < nodes->at.height - TER_STEEPEN_MARGIN; y++) {
        const fluvial_span span = inner_span(nodes, TER_STEEPEN_MARGIN, y);
        steep[y - TER_STEEPEN_MARGIN] = (fluvial_span){span.begin - TER_STEEPEN_MARGIN, span.end - TER_STEEPEN_MARGIN};
    }
    steepen_channels(job, steep);
}

/** Make the network of a block, from the plan of ter_plan_drainage to the boxes of its cells. The windows fit the
 * scratch. */
static void make_block_network(const ter_fluvial_job *job, fluvial_block_network *s, const ter_cancel *cancel)
{
    fluvial_network_shape *net = &s->network;
    plan_block_network(job, s);
    memset(job->course, TER_COURSE_NONE, ter_window_count(job->piece_at)); /* also outside of the shape */
    TER_PASSES_TO_PROVINCES(job, SHAPED);
    TER_PASSES_TO_ROOT(job, SHAPED);
    TER_PASSES_TO_NODES(job, 1, SHAPED);
    make_meander_knots(job);
    TER_PASSES_FROM_MEANDERS_TO_CHANNELS(job, SHAPED);
    if (ter_is_cancelled(cancel))
        return;
    steepen_shape(job, &net->node[TER_NETWORK_LAST], s->steep);
    TER_PASSES_TO_PIECES(job, SHAPED);
    OVER_SHAPE(make_boxes(job, x_, y_), &s->pieces, 0, 0);
}

#endif
