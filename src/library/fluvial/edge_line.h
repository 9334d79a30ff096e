/* edge_line.h - the straight line from a coarse node to the node that it drains to. When cells are halved, the line is
 * cut where it leaves its cell and where it enters the next cell. This file finds the child cells of the two cuts,
 * their places and heights, and whether a lake lies on the edge. */
#ifndef TERRANE_FLUVIAL_EDGE_LINE_H
#define TERRANE_FLUVIAL_EDGE_LINE_H

#include "library/fluvial/node.h"

/** The line between two coarse nodes p and q, in child cells from the north-west corner of p's cell. */
typedef struct ter_edge_line {
    float px, py, qx, qy;
} ter_edge_line;

TER_FN ter_edge_line ter_edge_line_of(const ter_node *p, const ter_node *q)
{
    ter_edge_line w;
    w.px = 2.0f * p->x;
    w.py = 2.0f * p->y;
    w.qx = (float)(2 * ter_direction_x(p->to)) + 2.0f * q->x;
    w.qy = (float)(2 * ter_direction_y(p->to)) + 2.0f * q->y;
    return w;
}

/** Where the node of a child is put: between the nearest point of the line and the child's default place. */
typedef struct ter_bend {
    float low, high; /* shares of the line's length between which the nearest point may lie */
    float pull;      /* share of the distance from the nearest point to the default place */
} ter_bend;

/** Place of a child's node on a line.
 *
 *  cell_x, cell_y  coarse cell in the world
 *  x, y            child, counted from the north-west child of that cell
 *  out_x, out_y    receive the place, in child cells from the corner of that cell
 */
TER_FN void ter_edge_line_place(const ter_fluvial_job *job, int level, int64_t cell_x, int64_t cell_y, int x, int y,
                                const ter_edge_line *w, const ter_bend *bend, float *out_x, float *out_y)
{
    const float vx = w->qx - w->px, vy = w->qy - w->py;
    float t = (((float)x + 0.5f - w->px) * vx + ((float)y + 0.5f - w->py) * vy) / (vx * vx + vy * vy);
    t = ter_clamp(t, bend->low, bend->high);
    const float ax = ter_clamp(w->px + t * vx, (float)x + TER_NODE_MARGIN, (float)x + 1.0f - TER_NODE_MARGIN);
    const float ay = ter_clamp(w->py + t * vy, (float)y + TER_NODE_MARGIN, (float)y + 1.0f - TER_NODE_MARGIN);
    const ter_words words = ter_tagged_words(job->f.round_key, TER_TAG_NODE + level, cell_x * 2 + x, cell_y * 2 + y);
    *out_x = ax + bend->pull * ((float)x + ter_default_place(ter_fraction(&words, 0)) - ax);
    *out_y = ay + bend->pull * ((float)y + ter_default_place(ter_fraction(&words, 1)) - ay);
}

/** Height at a share of an edge's length, metres. Profiles of channels are concave; those of steep edges are straight
 * to convex. length: units */
TER_FN float ter_edge_line_height(const ter_node *p, const ter_node *q, float share, float length)
{
    const float fall = p->z - q->z, k = 0.6f * (1.0f - 1.15f * ter_clamp(2.0f * fall / length, 0.0f, 1.0f));
    return p->z - fall * share * (1.0f + k * (1.0f - share));
}

/** Find the children through which the edge from p to q leaves its cell and enters the next cell. */
TER_FN void ter_edge_children(const ter_fluvial_job *job, int level, int64_t cell_x, int64_t cell_y, const ter_node *p,
                              const ter_node *q, ter_link *e)
{
    const int dx = ter_direction_x(p->to), dy = ter_direction_y(p->to);
    const ter_edge_line w = ter_edge_line_of(p, q);
    e->exit_x = dx > 0;
    e->exit_y = dy > 0;
    e->entry_x = 2 * dx + (dx < 0);
    e->entry_y = 2 * dy + (dy < 0);
    if (dx != 0 && dy != 0)
        return;
    const ter_words words = ter_tagged_words(job->f.round_key, TER_TAG_EDGE + level, cell_x, cell_y);
    const float aside = 0.5f * ter_symmetric(&words, 0);
    if (dy == 0) {
        const float side = dx > 0 ? 2.0f : 0.0f, c = w.py + (side - w.px) / (w.qx - w.px) * (w.qy - w.py) + aside;
        e->exit_y = e->entry_y = c > 1.0f;
    } else {
        const float side = dy > 0 ? 2.0f : 0.0f, c = w.px + (side - w.py) / (w.qy - w.py) * (w.qx - w.px) + aside;
        e->exit_x = e->entry_x = c > 1.0f;
    }
}

/** Whether child (x, y), counted from the north-west child of its cell, is the cell's old child. p: the cell's node */
TER_FN int ter_is_old_child(const ter_node *p, int x, int y)
{
    return x == (p->x >= 0.5f) && y == (p->y >= 0.5f);
}

/** m; the nodes around a lake lie at least this much above its level. The water of a river lies less than this below
 * its channel, so that no river nearby lies below the lake. */
#define TER_LAKE_RIM    4.0f
#define TER_LAKE_SHARE  0.9f    /* probability of a lake where one may lie, in land formed by ice */
#define TER_LAKE_INFLOW 3052.0f /* cells, 800 km2; no larger tributary joins at the end of a lake */

/** Whether a lake lies on the edge from p to q. All nodes around the lake but its outlet must be higher.
 *
 *  p      a node of the coarse level; width: columns of the window of coarse nodes
 *  e      the edge from p to q
 */
TER_FN int ter_may_hold_lake(const ter_fluvial_job *job, int level, int64_t cell_x, int64_t cell_y, const ter_node *p,
                             int width, const ter_link *e)
{
    const int dx = ter_direction_x(p->to), dy = ter_direction_y(p->to);
    const ter_node *q = p + dy * width + dx;
    if (level < 4 || level > 7 || TER_IS_LAKE(p->lake) || TER_IS_LAKE(q->lake) || q->z <= 1.0f || q->to == TER_SINK ||
        p->z - q->z <= TER_LAKE_RIM)
        return 0;
    const ter_words words = ter_tagged_words(job->f.round_key, TER_TAG_EDGE + level, cell_x, cell_y);
    const float lot = ter_fraction(&words, 1);
    if (lot >= TER_LAKE_SHARE)
        return 0;
    if (ter_is_old_child(p, e->exit_x, e->exit_y) || ter_is_old_child(q, e->entry_x - 2 * dx, e->entry_y - 2 * dy))
        return 0;
    ter_link next;
    ter_edge_children(job, level, cell_x + dx, cell_y + dy, q, ter_node_below(q, width), &next);
    if (next.exit_x == e->entry_x - 2 * dx && next.exit_y == e->entry_y - 2 * dy)
        return 0;
    const int outlet_x = dx + ter_direction_x(q->to), outlet_y = dy + ter_direction_y(q->to);
    if (outlet_x >= -1 && outlet_x <= 1 && outlet_y >= -1 && outlet_y <= 1)
        return 0;
    for (int b = -1; b <= 1; b++)
        for (int a = -1; a <= 1; a++) {
            if (p[b * width + a].z < q->z + TER_LAKE_RIM && !(a == dx && b == dy))
                return 0;
            if (q[b * width + a].z < q->z + TER_LAKE_RIM && !(a == 0 && b == 0) &&
                !(a + dx == outlet_x && b + dy == outlet_y))
                return 0;
            const ter_node *o = q + b * width + a; /* a lake on a tributary does not end at the main river */
            if (o != p && (o->area >= p->area || o->area > TER_LAKE_INFLOW) && ter_is_inflow(o, a, b))
                return 0;
        }
    float v[TER_PROVINCE_COUNT];
    ter_node_province(job, level - 1, cell_x + dx, cell_y + dy, q, v);
    return lot < TER_LAKE_SHARE * (v[TER_PROVINCE_ICE] + 0.1f * (1.0f - v[TER_PROVINCE_ICE]));
}

/** ter_bend.pull of a level. flat: share of plain, 0..1 */
TER_FN float ter_pull(int level, float flat)
{
    const float pull = level > 3 ? 0.45f : 0.315f;
    return level == 6 || level == 7 ? pull + 0.35f * flat : pull;
}

/** ter_bend.pull at coarse node p. */
TER_FN float ter_pull_at(const ter_fluvial_job *job, int level, int64_t cell_x, int64_t cell_y, const ter_node *p)
{
    if (level != 6 && level != 7)
        return ter_pull(level, 0.0f);
    const ter_province_place place = ter_province_at_node(job, level - 1, cell_x, cell_y, p);
    return ter_pull(level, ter_province_value(&place, TER_PROVINCE_FLAT));
}

/** Margin of coarse cells that a level's window needs on each side. The valid window shrinks with each step: edges read
 * nodes two cells away, children read the edges beside them, corners the children beside them, and nodes of the next
 * level read children two cells away. Areas of free nodes are valid two cells further inside. At level 0 each round of
 * the drainage sum shrinks the window by one more cell. */
enum { TER_REFINE_MARGIN = 7, TER_ROOT_MARGIN = TER_ROOT_ROUNDS + 7 };

/** Cells at each side of the window of level - 1 that have no children. */
TER_FN int ter_child_margin(int level)
{
    return (level == 1 ? TER_ROOT_MARGIN : TER_REFINE_MARGIN) - 2;
}

/** Cells at each side of the window of level - 1 whose edges are not made. */
TER_FN int ter_edge_margin(int level)
{
    return ter_child_margin(level) - 1;
}

/** Make the edge of a coarse cell. x, y: counted from the first cell whose edge is made */
TER_PASS_FN void ter_make_edge(const ter_fluvial_job *job, int level, int x, int y)
{
    const ter_window at = job->node_at[level - 1];
    const int cx = x + ter_edge_margin(level), cy = y + ter_edge_margin(level), k = cy * at.width + cx;
    const ter_node *p = job->node[(level - 1) & 1] + k;
    ter_link *e = job->edge + k;
    e->depth = 0.0f;
    if (p->to == TER_SINK)
        return;
    const int64_t cell_x = at.x + cx, cell_y = at.y + cy;
    const ter_node *q = ter_node_below(p, at.width);
    const float cell = (float)(65536 >> level);
    ter_edge_children(job, level, cell_x, cell_y, p, q, e);
    if (ter_may_hold_lake(job, level, cell_x, cell_y, p, at.width, e))
        e->depth = ter_min(0.03f * cell, 0.35f * (p->z - q->z) + 3.0f);
    e->z = p->z;
    if (ter_is_old_child(p, e->exit_x, e->exit_y))
        return;
    const ter_edge_line w = ter_edge_line_of(p, q);
    const ter_bend bend = {0.15f, 0.6f, ter_pull_at(job, level, cell_x, cell_y, p)};
    ter_edge_line_place(job, level, cell_x, cell_y, e->exit_x, e->exit_y, &w, &bend, &e->x, &e->y);
    const float d1 = ter_length(e->x - w.px, e->y - w.py), d2 = ter_length(e->x - w.qx, e->y - w.qy);
    e->z = e->depth > 0.0f ? q->z - e->depth
                           : ter_edge_line_height(p, q, d1 / (d1 + d2), ter_length(w.qx - w.px, w.qy - w.py) * cell);
}

#endif
