/* node.h - nodes of the drainage network: their places, their neighbours, and the province at a node. */
#ifndef TERRANE_FLUVIAL_NODE_H
#define TERRANE_FLUVIAL_NODE_H

#include "library/fluvial/guide.h"

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

/** The node that `node` drains to. `node` is not a sink. width: columns of the window of nodes */
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

/** Add octaves first .. end - 1 of the random fields at a place. */
TER_FN void ter_add_octaves(const ter_fluvial_job *job, int first, int end, int64_t x, int64_t y,
                            ter_province_sums *sums)
{
    for (int m = first; m < end; m++) {
        float s[TER_FIELD_CHANNELS];
        ter_spline(job->field_at[m], job->field[m], TER_FIELD_SHIFT - m, TER_FIELD_CHANNELS, x, y, s);
        ter_province_add(sums, m, s);
    }
}

/** Make knot (x, y) of the sums of continents. */
TER_PASS_FN void ter_make_continent_knot(const ter_fluvial_job *job, int n, int x, int y)
{
    (void)n;
    const ter_window at = job->continent_at;
    ter_province_sums sums = {0};
    ter_add_octaves(job, 0, TER_CONTINENT_OCTAVES, (at.x + x) * ((int64_t)1 << TER_CONTINENT_SHIFT),
                    (at.y + y) * ((int64_t)1 << TER_CONTINENT_SHIFT), &sums);
    float *out = job->continent + ((size_t)y * (size_t)at.width + (size_t)x) * TER_FIELD_CHANNELS;
    out[0] = sums.inland;
    out[1] = sums.margin;
    out[2] = sums.high;
    out[3] = sums.rolling;
}

/** The sums of continents at a place, linear between four knots. */
TER_FN void ter_continents_between(const ter_fluvial_job *job, int64_t x, int64_t y, ter_province_sums *sums)
{
    const int64_t mask = ((int64_t)1 << TER_CONTINENT_SHIFT) - 1;
    const float a = (float)(int)(x & mask) * (1.0f / (1 << TER_CONTINENT_SHIFT)),
                b = (float)(int)(y & mask) * (1.0f / (1 << TER_CONTINENT_SHIFT));
    const float *n = job->continent +
                     (size_t)ter_window_index(job->continent_at, x >> TER_CONTINENT_SHIFT, y >> TER_CONTINENT_SHIFT) *
                         TER_FIELD_CHANNELS;
    const float *s = n + (size_t)job->continent_at.width * TER_FIELD_CHANNELS;
    float value[TER_FIELD_CHANNELS];
    TER_UNROLL
    for (int c = 0; c < TER_FIELD_CHANNELS; c++) {
        const float north = ter_fma(a, n[TER_FIELD_CHANNELS + c] - n[c], n[c]),
                    south = ter_fma(a, s[TER_FIELD_CHANNELS + c] - s[c], s[c]);
        value[c] = ter_fma(b, south - north, north);
    }
    sums->inland = value[0];
    sums->margin = value[1];
    sums->high = value[2];
    sums->rolling = value[3];
}

/** Values of the province at a place, computed from the first `octaves` octaves of the random fields. */
TER_FN void ter_province_made(const ter_fluvial_job *job, int octaves, int64_t x, int64_t y,
                              float v[TER_PROVINCE_COUNT])
{
    ter_province_sums sums = {0};
    sums.local = 1.0f;
    sums.away = ter_away_from_home(x, y);
    if (job->continent_at.width > 0)
        ter_continents_between(job, x, y, &sums);
    else
        ter_add_octaves(job, 0, TER_CONTINENT_OCTAVES, x, y, &sums);
    ter_add_octaves(job, TER_CONTINENT_OCTAVES, octaves, x, y, &sums);
    if (job->f.guide)
        sums.guide = ter_guide_fields_at(job->f.guide, x, y);
    ter_province_of(&job->f, &sums, v);
}

/** Number of octaves of the random fields that nodes of a level below 5 use. Coarser levels use fewer octaves. */
TER_FN int ter_node_octaves(int level)
{
    const int octaves = level + TER_CONTINENT_OCTAVES + 5;
    return octaves < TER_FIELD_OCTAVES ? octaves : TER_FIELD_OCTAVES;
}

/** Where the node of cell (cell_x, cell_y) of a level lies among the knots of the provinces. */
TER_FN ter_province_place ter_province_at_node(const ter_fluvial_job *job, int level, int64_t cell_x, int64_t cell_y,
                                               const ter_node *node)
{
    return ter_province_at(job->province_at, job->province, ter_node_place(cell_x, node->x, level),
                           ter_node_place(cell_y, node->y, level));
}

/** Values of the province at a node. From level 5 on only the first TER_PROVINCE_BETWEEN values are set; they are
 * interpolated between knots. */
TER_FN void ter_node_province(const ter_fluvial_job *job, int level, int64_t cell_x, int64_t cell_y,
                              const ter_node *node, float *v)
{
    if (level >= 5) {
        const ter_province_place p = ter_province_at_node(job, level, cell_x, cell_y, node);
        for (int n = 0; n < TER_PROVINCE_BETWEEN; n++)
            v[n] = ter_province_value(&p, n);
        return;
    }
    ter_province_made(job, ter_node_octaves(level), ter_node_place(cell_x, node->x, level),
                      ter_node_place(cell_y, node->y, level), v);
}

#endif
