/* channels.h - does the work of ter_steepen_channel for rows of nodes, in loops that compile to vector code. The values
 * of the nodes around a row are copied into five rows of arrays. The rows move down the window, strip by strip:
 *
 *      row y - 2   . . . . .      24 neighbours of a node; one loop over the nodes of row y for each
 *      row y       . . o . .
 *      row y + 2   . . . . .
 */
#ifndef TERRANE_FLUVIAL_CPU_CHANNELS_H
#define TERRANE_FLUVIAL_CPU_CHANNELS_H

#include "library/fluvial/cpu/shape.h"
#include "library/fluvial/passes.h"

enum {
    STEEP_REACH = 2, /* a node's slopes depend on nodes up to this many cells away */
    STEEP_ROWS = 2 * STEEP_REACH + 1,
    STEEP_COLUMNS = 128, /* of a strip */
    STEEP_ROOM = STEEP_COLUMNS + 2 * STEEP_REACH
};

/** Values of the nodes of a row, beginning STEEP_REACH nodes before the strip. */
typedef struct steep_row {
    float x[STEEP_ROOM], y[STEEP_ROOM], z[STEEP_ROOM], lake[STEEP_ROOM];
    int to[STEEP_ROOM], is_bare[STEEP_ROOM];
} steep_row;

/** Results for the nodes of a row; names as in ter_steepen_channel. */
typedef struct steep_sums {
    float floor[STEEP_COLUMNS], slope[STEEP_COLUMNS], inflow[STEEP_COLUMNS], room[STEEP_COLUMNS], level[STEEP_COLUMNS];
    int is_sill[STEEP_COLUMNS];
} steep_sums;

/** Copy `count` nodes into a row. k: index of the first node */
static void load_steep_row(const ter_fluvial_job *job, int k, int count, steep_row *restrict row)
{
    const ter_node *node = job->node[TER_NETWORK_LAST & 1] + k;
    const ter_spot *place = job->place[TER_SMOOTH_ROUNDS & 1] + k;
    for (int n = 0; n < count; n++) {
        row->x[n] = place[n].x;
        row->y[n] = place[n].y;
        row->z[n] = node[n].z;
        row->lake[n] = node[n].lake;
        row->to[n] = node[n].to;
        row->is_bare[n] = node[n].kind == TER_NODE_BARE;
    }
}

/** Update the slopes of the nodes of a row by their neighbours a columns east and b rows south, which lie in row
 * `neighbour`. */
static void update_slopes(const steep_row *restrict row, const steep_row *restrict neighbour, int a, int b,
                          fluvial_span columns, steep_sums *restrict s)
{
    for (int n = columns.begin; n < columns.end; n++) {
        const int m = n + STEEP_REACH, o = m + a;
        const float dx = neighbour->x[o] - row->x[m] + (float)a * TER_CELL,
                    dy = neighbour->y[o] - row->y[m] + (float)b * TER_CELL;
        const float distance = ter_max(ter_length(dx, dy), 64.0f), up = neighbour->z[o] - row->z[m];
        const float steep = ter_min(1.05f * up / ter_valley_side(distance, s->floor[n]), 1.4f);
        s->slope[n] = ((up > 0.0f) & !neighbour->is_bare[o]) ? ter_max(s->slope[n], steep) : s->slope[n];
    }
}

/** Update the inflows of the nodes of a row by the same neighbours. Those that drain in direction `to` are inflows. */
static void update_inflows(const steep_row *restrict row, const steep_row *restrict neighbour, int a, int b, int to,
                           fluvial_span columns, steep_sums *restrict s)
{
    for (int n = columns.begin; n < columns.end; n++) {
        const int m = n + STEEP_REACH, o = m + a, drains = (neighbour->to[o] == to) & !neighbour->is_bare[o];
        const float dx = neighbour->x[o] - row->x[m] + (float)a * TER_CELL,
                    dy = neighbour->y[o] - row->y[m] + (float)b * TER_CELL;
        const float distance = ter_max(ter_length(dx, dy), 64.0f), up = neighbour->z[o] - row->z[m],
                    lake = neighbour->lake[o];
        const int is_high = neighbour->z[o] > lake;
        s->inflow[n] = drains ? ter_max(s->inflow[n], up / distance) : s->inflow[n];
        s->room[n] = (drains & is_high) ? ter_min(s->room[n], up) : s->room[n];
        s->level[n] = (drains & !is_high) ? ter_min(s->level[n], lake) : s->level[n];
        s->is_sill[n] |= drains & TER_IS_LAKE(lake) & !TER_IS_LAKE(row->lake[m]);
    }
}

/** Make slopes and inflows of the nodes of a row of a strip. Nodes in lakes, which are few, are made by
 * ter_steepen_channel.
 *
 *  rows     the row of the nodes and two on each side
 *  x, y     the first node of the strip in that row, relative to the first node that is steepened
 *  columns  of the strip
 */
static void steepen_row(const ter_fluvial_job *job, const steep_row *rows[STEEP_ROWS], int x, int y,
                        fluvial_span columns, steep_sums *s)
{
    const ter_window at = job->node_at[TER_NETWORK_LAST];
    const int k = (y + TER_STEEPEN_MARGIN) * at.width + x + TER_STEEPEN_MARGIN;
    const ter_node *node = job->node[TER_NETWORK_LAST & 1] + k;
    ter_channel *c = job->channel + k;
    for (int n = columns.begin; n < columns.end; n++) {
        s->floor[n] = c[n].floor;
        s->slope[n] = c[n].slope;
        s->inflow[n] = 0.0f;
        s->room[n] = s->level[n] = 1e30f;
        s->is_sill[n] = 0;
    }
    const steep_row *row = rows[STEEP_REACH];
    for (int b = -STEEP_REACH; b <= STEEP_REACH; b++)
        for (int a = -STEEP_REACH; a <= STEEP_REACH; a++) {
            const int to = ter_direction_of(-a, -b);
            if (a != 0 || b != 0)
                update_slopes(row, rows[STEEP_REACH + b], a, b, columns, s);
            if (to >= 0)
                update_inflows(row, rows[STEEP_REACH + b], a, b, to, columns, s);
        }
    for (int n = columns.begin; n < columns.end; n++) {
        if (TER_IS_LAKE(node[n].lake)) {
            ter_steepen_channel(job, 0, x + n, y);
            continue;
        }
        c[n].slope = s->slope[n];
        c[n].inflow = s->inflow[n];
        c[n].is_sill = s->is_sill[n];
        c[n].raise = s->is_sill[n] ? ter_sill_raise(&node[n], s->level[n], s->room[n]) : 0.0f;
    }
}

/** Do the work of ter_steepen_channel for many nodes. spans: columns of each row of nodes that are steepened, counted
 * from the first one that may be; NULL: all */
static void steepen_channels(const ter_fluvial_job *job, const fluvial_span *spans)
{
    const ter_window at = job->node_at[TER_NETWORK_LAST];
    const int width = at.width - 2 * TER_STEEPEN_MARGIN, height = at.height - 2 * TER_STEEPEN_MARGIN;
    const int first = TER_STEEPEN_MARGIN - STEEP_REACH;
    steep_row rows[STEEP_ROWS];
    steep_sums sums;
    for (int x = 0; x < width; x += STEEP_COLUMNS) {
        const int count = width - x < STEEP_COLUMNS ? width - x : STEEP_COLUMNS;
        for (int y = 0; y < height + 2 * STEEP_REACH; y++) {
            const steep_row *around[STEEP_ROWS];
            load_steep_row(job, (y + first) * at.width + x + first, count + 2 * STEEP_REACH, &rows[y % STEEP_ROWS]);
            for (int n = 0; n < STEEP_ROWS; n++)
                around[n] = &rows[(y + 1 + n) % STEEP_ROWS];
            if (y < 2 * STEEP_REACH)
                continue;
            const fluvial_span span = spans ? spans[y - 2 * STEEP_REACH] : (fluvial_span){0, width};
            const fluvial_span columns = {span.begin > x ? span.begin - x : 0,
                                          span.end < x + count ? span.end - x : count};
            steepen_row(job, around, x, y - 2 * STEEP_REACH, columns, &sums);
        }
    }
}

#endif
