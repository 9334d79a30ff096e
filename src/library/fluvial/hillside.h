/* hillside.h - makes the free nodes: nodes on the sides of valleys, through which no edge of the level before passes.
 * They drain to a channel beside them. */
#ifndef TERRANE_FLUVIAL_HILLSIDE_H
#define TERRANE_FLUVIAL_HILLSIDE_H

#include "library/fluvial/node.h"

/** Rise of a valley's side of slope 1 at a distance from the channel. It is 0 at the channel, and grows with slope 1
 * far from the floor. The arguments and the result are in units; floor: half width of the valley's floor */
TER_FN float ter_profile(float distance, float floor)
{
    const float t = distance - floor;
    return 0.5f * (t + ter_sqrt(t * t + 0.15f * floor * floor)) - 0.0361903f * floor;
}

/** The rise u of a side that begins at height z, reduced above the level of a plateau.
 *
 *  top    level of the plateau, m
 *  above  share of the rise that remains above that level
 */
TER_FN float ter_rise(float z, float u, float top, float above)
{
    const float below = ter_min(ter_max(top - z, 0.0f), u);
    return below + above * (u - below);
}

/** Rise of a hillside of slope 1 between the nodes of a level, units. */
TER_FN float ter_hillside(float distance, float floor)
{
    return ter_profile(distance, floor) + 0.02f * distance;
}

#define TER_CHANNEL_SHARE 0.7f /* share of the free nodes of the last level that have a channel */

enum { TER_AREA_MARGIN = 2 }; /* the area of a free node depends on nodes up to this many cells away */

/** Sums over the channels around a free node. */
typedef struct ter_valley {
    float low, point; /* m; low: lowest side of a channel, computed from the channels' lines; point: the same from their
                         nodes only */
    float sum, weighted; /* sum of weights; sum of weighted heights of the channels' nodes */
    float floor;         /* units; half width of the valley's floor at the free node */
    int to;              /* direction of the node whose side is lowest */
} ter_valley;

/** Whether the diagonal from a node to its neighbour at (dx, dy) crosses a channel, which runs between the two cells
 * beside the diagonal. */
TER_FN int ter_is_crossed(const ter_node *node, int width, int dx, int dy)
{
    const ter_node *a = node + dx, *b = node + dy * width;
    return (a->kind != TER_NODE_FREE && a->to != TER_SINK && ter_direction_x(a->to) == -dx &&
            ter_direction_y(a->to) == dy) ||
           (b->kind != TER_NODE_FREE && b->to != TER_SINK && ter_direction_x(b->to) == dx &&
            ter_direction_y(b->to) == -dy);
}

/** Set of the directions in which a free node can drain to a channel: bit d is direction d. The neighbour is not free,
 * and no channel lies between. */
TER_FN unsigned ter_channels_beside(const ter_node *node, int width)
{
    unsigned directions = 0;
    for (int d = 0; d < TER_SINK; d++) {
        const int dx = ter_direction_x(d), dy = ter_direction_y(d);
        if (node[dy * width + dx].kind != TER_NODE_FREE && !((d & 1) && ter_is_crossed(node, width, dx, dy)))
            directions |= 1u << d;
    }
    return directions;
}

/** Add the channel in direction d of a free node to its sums.
 *
 *  cell   width of a cell of the level, units
 *  slope  of the hillside, m per unit
 *  v      the province at the free node
 */
TER_FN void ter_accumulate_channel(const ter_node *node, int width, int d, float cell, float slope, const float *v,
                                   ter_valley *valley)
{
    const int dx = ter_direction_x(d), dy = ter_direction_y(d);
    const ter_node *c = node + dy * width + dx;
    float ax = (float)dx + (c->x - node->x), ay = (float)dy + (c->y - node->y), z = c->z, floor = c->floor;
    const float to_node = ter_length(ax, ay) * cell;
    const float of_node =
        z + ter_rise(z, slope * ter_hillside(to_node, floor), v[TER_PROVINCE_TOP], v[TER_PROVINCE_ABOVE]);
    const float weight = 1.0f / (to_node * to_node + 0.01f * cell * cell);
    valley->sum += weight;
    valley->weighted += weight * z;
    if (of_node < valley->point) {
        valley->point = of_node;
        valley->to = d;
    }
    valley->floor = ter_max(valley->floor, floor - to_node);
    if (c->to != TER_SINK) {
        const int ex = ter_direction_x(c->to), ey = ter_direction_y(c->to);
        const ter_node *o = c + ey * width + ex;
        const float vx = (float)ex + (o->x - c->x), vy = (float)ey + (o->y - c->y);
        const float t = ter_clamp(-(ax * vx + ay * vy) / (vx * vx + vy * vy), 0.0f, 1.0f);
        ax += t * vx;
        ay += t * vy;
        z += t * (o->z - z);
        floor += t * (o->floor - floor);
    }
    const float distance = ter_length(ax, ay) * cell;
    const float side =
        z + ter_rise(z, slope * ter_hillside(distance, floor), v[TER_PROVINCE_TOP], v[TER_PROVINCE_ABOVE]);
    valley->low = ter_min(valley->low, ter_min(of_node, side));
    valley->floor = ter_max(valley->floor, floor - distance);
}

/** Child (x, y) of the world. coarse: window of the coarse cells */
TER_FN const ter_node *ter_child_of(const ter_fluvial_job *job, ter_window coarse, int64_t x, int64_t y)
{
    return job->child + (size_t)(y - 2 * coarse.y) * (size_t)(2 * coarse.width) + (size_t)(x - 2 * coarse.x);
}

/** Make node (x, y) of a level. A node on a channel is copied; a free node is put on the side of the lowest valley
 * beside it. Every free node has a channel beside it, because one of the four children of a cell is the old child. */
TER_PASS_FN void ter_make_node(const ter_fluvial_job *job, int level, int x, int y)
{
    const ter_window coarse = job->node_at[level - 1], at = job->node_at[level];
    const int width = 2 * coarse.width;
    const ter_node *node = ter_child_of(job, coarse, at.x + x, at.y + y);
    ter_node *out = job->node[level & 1] + (size_t)y * (size_t)at.width + (size_t)x;
    *out = *node;
    if (node->kind != TER_NODE_FREE)
        return;
    const ter_words words = ter_tagged_words(job->f.round_key, TER_TAG_NODE + level, at.x + x, at.y + y);
    float v[TER_PROVINCE_COUNT];
    ter_node_province(job, level, at.x + x, at.y + y, node, v);
    const float cell = (float)(65536 >> level);
    const float slope =
        ter_hillslope(v[TER_PROVINCE_RELIEF] * (1.0f + 0.2f * ter_symmetric(&words, 2)),
                      v[TER_PROVINCE_CAP] * (0.94f + 0.12f * ter_fraction(&words, 3)), v[TER_PROVINCE_ROUND], level);
    ter_valley valley = {1e30f, 1e30f, 0.0f, 0.0f, v[TER_PROVINCE_FLOOR] * cell, TER_SINK};
    for (unsigned beside = ter_channels_beside(node, width); beside != 0; beside &= beside - 1)
        ter_accumulate_channel(node, width, ter_lowest_bit(beside), cell, slope, v, &valley);
    const ter_node *c = node + ter_direction_y(valley.to) * width + ter_direction_x(valley.to);
    const float even = valley.low + 0.7f * (valley.weighted / valley.sum - valley.low);
    out->z = ter_max(ter_max(valley.low, even), c->z + 0.03f * slope * cell * v[TER_PROVINCE_ABOVE]);
    out->lake = c->lake;
    out->floor = valley.floor;
    out->to = (int16_t)valley.to;
    if (level == TER_NETWORK_LAST && ter_fraction(&words, 4) >= TER_CHANNEL_SHARE)
        out->kind = TER_NODE_BARE;
}

/** Area of free node (x + TER_AREA_MARGIN, y + TER_AREA_MARGIN) of a level. A channel node divides the area that drains
 * straight to it evenly between itself and the free nodes that drain to it. */
TER_PASS_FN void ter_share_ground(const ter_fluvial_job *job, int level, int x, int y)
{
    const int width = job->node_at[level].width;
    ter_node *node = job->node[level & 1] + (y + TER_AREA_MARGIN) * width + x + TER_AREA_MARGIN;
    if (node->kind > TER_NODE_FREE)
        return;
    const ter_node *c = ter_node_below(node, width);
    int count = 1;
    for (int d = 0; d < TER_SINK; d++) {
        const ter_node *o = c + ter_direction_y(d) * width + ter_direction_x(d);
        count += o->kind <= TER_NODE_FREE && o->to == (d + 4) % 8;
    }
    const float share = c->own / (float)count;
    node->area = level < TER_NETWORK_LAST ? floorf(share) : share; /* a whole number where finer levels divide it */
}

/** Apply the guide to the node of cell (x, y) of the guide's level. Where the guide has a node, it replaces the node.
 * Where a river of the guide passes outside of it (a tail), the node gets at most the tail's height and at least its
 * area. */
TER_FN void ter_guide_node(const ter_fluvial_job *job, int level, int x, int y)
{
    const ter_window at = job->node_at[level];
    ter_node *node = job->node[level & 1] + (size_t)y * (size_t)at.width + (size_t)x;
    const ter_guide_cell *cell = ter_guide_cell_at(job->f.guide, at.x + x, at.y + y);
    if (cell) {
        *node = ter_node_of_guide(cell);
        return;
    }
    const ter_guide_tail *tail = ter_guide_tail_at(job->f.guide, at.x + x, at.y + y);
    if (!tail)
        return;
    node->z = ter_min(node->z, tail->z);
    if (tail->area > node->area) {
        float v[TER_PROVINCE_COUNT];
        node->area = tail->area;
        ter_node_province(job, level, at.x + x, at.y + y, node, v);
        node->floor = ter_max(node->floor, v[TER_PROVINCE_FLOOR] * ter_area_side(node->area));
    }
}

#endif
