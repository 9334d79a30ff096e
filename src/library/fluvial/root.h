/* root.h - makes level 0 of the drainage network, whose cells are 128 km wide: first the knots of the fields and
 * provinces, then the nodes, then, in rounds, their drained areas and lakes. */
#ifndef TERRANE_FLUVIAL_ROOT_H
#define TERRANE_FLUVIAL_ROOT_H

#include "library/fluvial/node.h"

/* ---- knots of the fields ---- */

/** Tag of the knots of octave m. */
TER_FN int ter_field_tag(int m)
{
    return m < TER_CONTINENT_OCTAVES ? TER_TAG_CONTINENT - m : TER_TAG_FIELD + m - TER_CONTINENT_OCTAVES;
}

/** Make knot (x, y) of octave m of the random fields. */
TER_PASS_FN void ter_make_field_knot(const ter_fluvial_job *job, int m, int x, int y)
{
    const ter_window at = job->field_at[m];
    const ter_words words = ter_tagged_words(job->f.round_key, ter_field_tag(m), at.x + x, at.y + y);
    float *out = job->field[m] + ((size_t)y * (size_t)at.width + (size_t)x) * TER_FIELD_CHANNELS;
    for (int c = 0; c < TER_FIELD_CHANNELS; c++)
        out[c] = ter_symmetric(&words, c);
}

/** Make knot (x, y) of the provinces. */
TER_PASS_FN void ter_make_province_knot(const ter_fluvial_job *job, int n, int x, int y)
{
    (void)n;
    const ter_window at = job->province_at;
    const int64_t px = (at.x + x) * ((int64_t)1 << TER_KNOT_SHIFT), py = (at.y + y) * ((int64_t)1 << TER_KNOT_SHIFT);
    float v[TER_PROVINCE_COUNT];
    ter_province_made(job, TER_FIELD_OCTAVES, px, py, v);
    float *out = job->province + ((size_t)y * (size_t)at.width + (size_t)x) * TER_PROVINCE_BETWEEN;
    for (int k = 0; k < TER_PROVINCE_BETWEEN; k++)
        out[k] = v[k];
}

/* ---- level 0 ---- */

#define TER_ROOT_AREA 65536.0f /* area of a cell of level 0, in cells of the last level */

/** Make the node of cell (x, y): place and height. */
TER_PASS_FN void ter_make_root(const ter_fluvial_job *job, int n, int x, int y)
{
    (void)n;
    const ter_window at = job->node_at[0];
    ter_node *node = job->node[0] + y * at.width + x;
    const ter_words words = ter_tagged_words(job->f.round_key, TER_TAG_NODE, at.x + x, at.y + y);
    node->x = ter_place_rounded(ter_default_place(ter_fraction(&words, 0)));
    node->y = ter_place_rounded(ter_default_place(ter_fraction(&words, 1)));
    float v[TER_PROVINCE_COUNT];
    ter_node_province(job, 0, at.x + x, at.y + y, node, v);
    node->z = v[TER_PROVINCE_HEIGHT] * (1.0f + 0.3f * ter_symmetric(&words, 2)) + 25.0f * ter_symmetric(&words, 3);
    if (job->f.guide)
        node->z += ter_guide_raise(job->f.guide, at.x + x, at.y + y);
    node->floor = v[TER_PROVINCE_FLOOR];
    node->area = node->own = TER_ROOT_AREA;
    node->lake = TER_NO_LAKE;
    node->to = TER_SINK;
    node->kind = TER_NODE_OLD;
}

/** Let the node of cell (x + 1, y + 1) drain to its lowest neighbour that is lower; without one it remains a sink. */
TER_PASS_FN void ter_link_root(const ter_fluvial_job *job, int n, int x, int y)
{
    (void)n;
    const int width = job->node_at[0].width;
    ter_node *node = job->node[0] + (y + 1) * width + x + 1;
    float low = node->z;
    for (int d = 0; d < TER_SINK; d++) {
        const float z = node[ter_direction_y(d) * width + ter_direction_x(d)].z;
        if (z < low) {
            low = z;
            node->to = (int16_t)d;
        }
    }
}

/** Make the lake of the node of cell (x + 3, y + 3), if the node is a sink above the sea. The level lies a share of the
 * way up to the lowest node nearby that does not drain into the sink. */
TER_PASS_FN void ter_flood_root(const ter_fluvial_job *job, int n, int x, int y)
{
    (void)n;
    const int width = job->node_at[0].width;
    ter_node *node = job->node[0] + (y + 3) * width + x + 3;
    if (node->to != TER_SINK || node->z <= 0.0f)
        return;
    float low = 1e9f;
    for (int b = -2; b <= 2; b++)
        for (int a = -2; a <= 2; a++) {
            const ter_node *o = node + b * width + a;
            if ((a != 0 || b != 0) && !ter_is_inflow(o, a, b))
                low = ter_min(low, o->z);
        }
    node->lake = node->z + ter_min(60.0f, 0.4f * (low - node->z));
}

/** Area and lake of the node of cell (x, y) after one more round. Each round carries areas one node downstream and
 * lakes one node upstream. Areas are whole numbers, so their sums are exact. */
TER_PASS_FN void ter_drain_root(const ter_fluvial_job *job, int round, int x, int y)
{
    const ter_window at = job->node_at[0];
    const int k = y * at.width + x, count = at.width * at.height;
    const ter_node *node = job->node[0] + k;
    const float *before = job->root[round & 1];
    float *after = job->root[(round + 1) & 1];
    float area = TER_ROOT_AREA, lake = round == 0 ? node->lake : before[count + k];
    if (x > 0 && y > 0 && x < at.width - 1 && y < at.height - 1) {
        for (int d = 0; d < TER_SINK; d++) {
            const int o = k + ter_direction_y(d) * at.width + ter_direction_x(d);
            if (job->node[0][o].to == (d + 4) % 8)
                area += round == 0 ? TER_ROOT_AREA : before[o];
        }
        if (node->to != TER_SINK) {
            const int o = k + ter_direction_y(node->to) * at.width + ter_direction_x(node->to);
            lake = round == 0 ? job->node[0][o].lake : before[count + o];
        }
    }
    after[k] = area;
    after[count + k] = lake;
}

/** Store the area and the lake of the last round in the node of cell (x, y), and scale its floor by the area. */
TER_PASS_FN void ter_finish_root(const ter_fluvial_job *job, int n, int x, int y)
{
    (void)n;
    const ter_window at = job->node_at[0];
    const int k = y * at.width + x;
    const float *sums = job->root[TER_ROOT_ROUNDS & 1];
    ter_node *node = job->node[0] + k;
    node->area = sums[k];
    node->lake = sums[at.width * at.height + k];
    node->floor *= ter_area_side(node->area);
}

#endif
