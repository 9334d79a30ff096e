/* node.h - nodes of the drainage network: their places, their neighbours, and the province at a node. */
#ifndef TERRANE_FLUVIAL_NODE_H
#define TERRANE_FLUVIAL_NODE_H

#include "library/fluvial/workspace.h"

/** Share of a cell's side. No node lies nearer to an edge of its cell, so that no two nodes are close. */
#define TER_NODE_MARGIN 0.08f

/** Side of a square with a given area, units. area: cells of the last level */
TER_FN float ter_area_side(float area)
{
    return TER_CELL * ter_sqrt(area);
}

/** Column offset of neighbour n of a cell, 0..7. Sums over neighbours are made in this order, row by row. */
TER_FN int ter_neighbour_x(int n)
{
    return n < 3 ? n - 1 : n < 5 ? 2 * n - 7 : n - 6;
}

TER_FN int ter_neighbour_y(int n)
{
    return n < 3 ? -1 : n < 5 ? 0 : 1;
}

/** Direction of offset (x, y), each -1..1; -1 for offset (0, 0). */
TER_FN int ter_direction_of(int x, int y)
{
    for (int d = 0; d < TER_SINK; d++)
        if (ter_direction_x(d) == x && ter_direction_y(d) == y)
            return d;
    return -1;
}

/** Whether the node at offset (x, y) from a cell drains into that cell. For offset (0, 0) the answer is no. */
TER_FN int ter_is_inflow(const ter_node *node, int x, int y)
{
    return node->to != TER_SINK && ter_direction_x(node->to) == -x && ter_direction_y(node->to) == -y;
}

/** The node that a node drains to. The node is no sink. width: columns of the window of nodes */
TER_FN const ter_node *ter_node_below(const ter_node *node, int width)
{
    return node + ter_direction_y(node->to) * width + ter_direction_x(node->to);
}

TER_FN float ter_default_place(float fraction)
{
    return TER_NODE_MARGIN + (1.0f - 2.0f * TER_NODE_MARGIN) * fraction;
}

/** A coordinate in a cell, rounded to 2^-16. */
TER_FN float ter_place_rounded(float x)
{
    return rintf(x * 65536.0f) * (1.0f / 65536.0f);
}

/** Coordinate of a node in the network's plane, 2^-8 units. in_cell: 0..1 */
TER_FN int64_t ter_node_place(int64_t cell, float in_cell, int level)
{
    const int64_t size = (int64_t)1 << (24 - level);
    return cell * size + (int64_t)(in_cell * (float)size);
}

/** Values of the province at a place, computed from the first `octaves` octaves of the random fields. */
TER_FN void ter_province_made(const ter_fluvial_job *job, int octaves, int64_t x, int64_t y,
                              float v[TER_PROVINCE_COUNT])
{
    ter_province_sums sums = {0};
    sums.local = 1.0f;
    sums.away = ter_away_from_home(x, y);
    for (int m = 0; m < octaves; m++) {
        float s[TER_FIELD_CHANNELS];
        ter_spline(job->field_at[m], job->field[m], TER_FIELD_SHIFT - m, TER_FIELD_CHANNELS, x, y, s);
        ter_province_add(&sums, m, s);
    }
    ter_province_of(&job->f, &sums, v);
}

/** Octaves of the random fields that nodes of a level below 5 use: the coarser they are, the fewer. */
TER_FN int ter_node_octaves(int level)
{
    const int octaves = level + TER_CONTINENT_OCTAVES + 5;
    return octaves < TER_FIELD_OCTAVES ? octaves : TER_FIELD_OCTAVES;
}

/** Values of the province at a node. From level 5 on only the first TER_PROVINCE_BETWEEN values are set; they are
 * interpolated between knots. */
TER_FN void ter_node_province(const ter_fluvial_job *job, int level, int64_t cell_x, int64_t cell_y,
                              const ter_node *node, float *v)
{
    const int64_t x = ter_node_place(cell_x, node->x, level), y = ter_node_place(cell_y, node->y, level);
    if (level >= 5) {
        const ter_province_place p = ter_province_at(job->province_at, job->province, x, y);
        for (int n = 0; n < TER_PROVINCE_BETWEEN; n++)
            v[n] = ter_province_value(&p, n);
        return;
    }
    ter_province_made(job, ter_node_octaves(level), x, y, v);
}

#endif
