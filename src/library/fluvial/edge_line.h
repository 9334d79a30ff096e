/* edge_line.h - the way from a coarse node to the next one, which is cut where it leaves its cell and where it enters
 * the next: through which children it goes, how high, and whether a lake lies on it. */
#ifndef TERRANE_FLUVIAL_EDGE_LINE_H
#define TERRANE_FLUVIAL_EDGE_LINE_H

#include "library/fluvial/node.h"

/** The way between two coarse nodes, in children from the north-west corner of the first one's cell. */
typedef struct ter_way {
    float px, py, qx, qy;
} ter_way;

TER_FN ter_way ter_way_of(const ter_node *p, const ter_node *q)
{
    ter_way w;
    w.px = 2.0f * p->x;
    w.py = 2.0f * p->y;
    w.qx = (float)(2 * ter_direction_x(p->to)) + 2.0f * q->x;
    w.qy = (float)(2 * ter_direction_y(p->to)) + 2.0f * q->y;
    return w;
}

/** How far from the way, towards its default place, the node of a child is put. */
typedef struct ter_bend {
    float low, high; /* shares of the way between which its nearest point may lie */
    float pull;
} ter_bend;

/** Place of a child's node on a way.
 *
 *  cell_x, cell_y  coarse cell, world numbers
 *  x, y            child, counted from the north-west child of that cell
 */
TER_FN void ter_way_place(const ter_fluvial_job *job, int level, int64_t cell_x, int64_t cell_y, int x, int y,
                          const ter_way *w, const ter_bend *bend, float *out_x, float *out_y)
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

/** Height a share of the way down an edge: channels are concave, steep ways straight to convex. length:
 * units */
TER_FN float ter_way_height(const ter_node *p, const ter_node *q, float share, float length)
{
    const float fall = p->z - q->z, k = 0.3f * (1.0f - 1.15f * ter_clamp(2.0f * fall / length, 0.0f, 1.0f));
    return p->z - fall * share * (1.0f + k * (1.0f - share));
}

/** Children by which the edge from a node leaves its cell and enters the next one. */
TER_FN void ter_edge_children(const ter_fluvial_job *job, int level, int64_t cell_x, int64_t cell_y, const ter_node *p,
                              const ter_node *q, ter_link *e)
{
    const int dx = ter_direction_x(p->to), dy = ter_direction_y(p->to);
    const ter_way w = ter_way_of(p, q);
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

/** Whether a child, counted from the north-west child of its cell, holds the cell's old node. */
TER_FN int ter_is_old_child(const ter_node *p, int x, int y)
{
    return x == (p->x >= 0.5f) && y == (p->y >= 0.5f);
}

#define TER_LAKE_RIM                                                                                                   \
    4.0f /* m; so far what lies round a lake rises above it: no river's water lies so far under its channel */
#define TER_LAKE_SHARE  0.9f    /* of the places where a lake may lie, under ice */
#define TER_LAKE_INFLOW 3052.0f /* cells, 800 km2; no larger tributary joins where a lake ends */

/** Whether a lake may lie on the edge from p to q: everything round it but its outlet is higher.
 *
 *  coarse  nodes of the coarse level, p among them; width: cells of a row
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
            const ter_node *o = q + b * width + a; /* nor does a lake on a tributary end at the river */
            if (o != p && (o->area >= p->area || o->area > TER_LAKE_INFLOW) && ter_drains_here(o, a, b))
                return 0;
        }
    float v[TER_PROVINCE_COUNT];
    ter_node_province(job, level - 1, cell_x + dx, cell_y + dy, q, v);
    return lot < TER_LAKE_SHARE * (v[TER_PROVINCE_ICE] + 0.1f * (1.0f - v[TER_PROVINCE_ICE]));
}

/** Share of the way to its default place at which a child of a way lies. flat: share of plain */
TER_FN float ter_pull(int level, float flat)
{
    const float pull = level > 3 ? 0.45f : 0.315f;
    return level == 6 || level == 7 ? pull + 0.35f * flat : pull;
}

TER_FN float ter_pull_at(const ter_fluvial_job *job, int level, int64_t cell_x, int64_t cell_y, const ter_node *p)
{
    if (level != 6 && level != 7)
        return ter_pull(level, 0.0f);
    const ter_province_place place =
        ter_province_at(job->province_at, job->province, ter_node_place(cell_x, p->x, level - 1),
                        ter_node_place(cell_y, p->y, level - 1));
    return ter_pull(level, ter_province_value(&place, TER_PROVINCE_FLAT));
}

/** Coarse cells that the nodes of a level need on each side. Of level 0, those whose drainage reaches them; of the
 * others, as windows shrink from step to step: edges read the nodes two cells away, children the edges beside them,
 * corners the children beside them, and the nodes of the next level the children two away; areas of free nodes are
 * known two cells inside. */
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

/** Edge of coarse cell (x, y) of those that have one. */
TER_FN void ter_make_edge(const ter_fluvial_job *job, int level, int x, int y)
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
    const ter_way w = ter_way_of(p, q);
    const ter_bend bend = {0.15f, 0.6f, ter_pull_at(job, level, cell_x, cell_y, p)};
    ter_way_place(job, level, cell_x, cell_y, e->exit_x, e->exit_y, &w, &bend, &e->x, &e->y);
    const float d1 = ter_length(e->x - w.px, e->y - w.py), d2 = ter_length(e->x - w.qx, e->y - w.qy);
    e->z = e->depth > 0.0f ? q->z - e->depth
                           : ter_way_height(p, q, d1 / (d1 + d2), ter_length(w.qx - w.px, w.qy - w.py) * cell);
}

#endif
