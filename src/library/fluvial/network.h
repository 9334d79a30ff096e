/* network.h - the drainage network: a forest of channels on a jittered quadtree, from cells of 128 km down to 512 m.
 *
 * A coarse node drains to one of its eight neighbours, along an edge. When the cells are halved, the coarse node
 * becomes the old node of the child cell that it lies in. The edge gets two more nodes: one where it leaves its cell,
 * and one where it enters the next cell.
 *
 *       +-------+-------+                 o  old node
 *       | f   f | f   f |                 e  exit: the child through which the edge leaves its cell
 *       | o   e-+-x   f |                 x  entry: the child through which the edge enters the next cell
 *       +-------+---\---+                 q  old node of the next cell
 *       | f   f | f  \q |                 f  free node: drains to a channel beside it
 *       | f   f | f   f |
 *       +-------+-------+
 *
 * A diagonal edge that misses the corner between its two cells passes through a corner child of a third cell. Every
 * step makes one cell from results of the step before, so the cells of a step may be made in any order.
 */
#ifndef TERRANE_FLUVIAL_NETWORK_H
#define TERRANE_FLUVIAL_NETWORK_H

#include "library/fluvial/edge_line.h"
#include "library/fluvial/hillside.h"
#include "library/fluvial/root.h"

/** Direction from a child cell to the child at offset (x, y); TER_SINK for offset (0, 0). */
TER_FN int16_t ter_child_direction(int x, int y)
{
    const int d = ter_direction_of(x, y);
    return (int16_t)(d >= 0 ? d : TER_SINK);
}

/** Half width of the valley floor at a place of an edge, units. The floor of each end becomes narrower with the
 * distance from that end; the result is the wider of both.
 *
 *  d1, d2  distances of the place from p and q, in child cells
 *  cell    width of a child cell, units
 */
TER_FN float ter_edge_line_floor(const ter_node *p, const ter_node *q, float d1, float d2, float cell)
{
    return ter_max(p->floor - d1 * cell, q->floor - d2 * cell);
}

/** Make the exit child of a cell. p: the cell's node; q: the node that p drains to; e: the edge between them */
TER_FN void ter_make_exit(const ter_node *p, const ter_node *q, const ter_link *e, float cell, ter_node *out)
{
    const ter_edge_line w = ter_edge_line_of(p, q);
    out->kind = TER_NODE_EXIT;
    out->x = ter_place_rounded(e->x - (float)e->exit_x);
    out->y = ter_place_rounded(e->y - (float)e->exit_y);
    out->z = e->z;
    out->lake = e->depth > 0.0f ? q->z : ter_max(p->lake, q->lake);
    out->floor =
        ter_edge_line_floor(p, q, ter_length(e->x - w.px, e->y - w.py), ter_length(e->x - w.qx, e->y - w.qy), cell);
    out->to = ter_child_direction(e->entry_x - e->exit_x, e->entry_y - e->exit_y);
}

/** A coarse cell whose four children are made. */
typedef struct ter_family {
    const ter_fluvial_job *job;
    int level, width;       /* level of the children; columns of the window of coarse cells */
    int64_t cell_x, cell_y; /* of the coarse cell in the world */
    float cell;             /* width of a child, units */
    const ter_node *q;      /* node of the coarse cell */
    const ter_link *e;      /* the edge that leaves it */
} ter_family;

/** Add an incoming edge to a child. The child lies where its edge with the greatest area enters.
 *
 *  p       the node that drains into the coarse cell; its cell lies at offset (dx, dy)
 *  e       its edge
 *  most    greatest area of the child's incoming edges so far; updated
 */
TER_FN void ter_join_entry(const ter_family *f, const ter_node *p, const ter_link *e, int dx, int dy, float *most,
                           ter_node *out)
{
    const ter_node *q = f->q;
    const ter_edge_line w = ter_edge_line_of(p, q);
    const int64_t cell_x = f->cell_x + dx, cell_y = f->cell_y + dy;
    const ter_bend bend = {0.4f, 0.85f, ter_pull_at(f->job, f->level, cell_x, cell_y, p)};
    float x, y;
    ter_edge_line_place(f->job, f->level, cell_x, cell_y, e->entry_x, e->entry_y, &w, &bend, &x, &y);
    const float d1 = ter_length(x - w.px, y - w.py), d2 = ter_length(x - w.qx, y - w.qy);
    float z = ter_edge_line_height(p, q, d1 / (d1 + d2), ter_length(w.qx - w.px, w.qy - w.py) * f->cell);
    if (z >= e->z && p->z > q->z)
        z = 0.5f * (e->z + q->z);
    if (e->depth > 0.0f)
        z = q->z - e->depth;
    const float level = e->depth > 0.0f ? q->z : ter_max(p->lake, q->lake);
    if (out->kind != TER_NODE_ENTRY) {
        out->kind = TER_NODE_ENTRY;
        out->z = 1e30f;
        out->floor = 0.0f;
        out->lake = TER_NO_LAKE;
        out->to = TER_SINK;
    }
    if (p->area > *most) {
        *most = p->area;
        out->x = ter_place_rounded(x - (float)e->entry_x);
        out->y = ter_place_rounded(y - (float)e->entry_y);
    }
    out->z = ter_min(out->z, z);
    out->lake = ter_max(out->lake, level);
    out->floor = ter_max(out->floor, ter_edge_line_floor(p, q, d1, d2, f->cell));
}

/** Distance between the nodes of two child cells, in child cells. */
TER_FN float ter_child_distance(const ter_node *a, int ax, int ay, const ter_node *b, int bx, int by)
{
    return ter_length((float)(ax - bx) + (a->x - b->x), (float)(ay - by) + (a->y - b->y));
}

/** Let an entry child drain to the old child, or to the exit child if that is nearer and lower. */
TER_FN void ter_link_entry(const ter_family *f, ter_node child[4], int entry)
{
    const int old = (f->q->x >= 0.5f) + 2 * (f->q->y >= 0.5f);
    const int exit = f->q->to == TER_SINK ? -1 : f->e->exit_x + 2 * f->e->exit_y;
    int to = old;
    if (exit >= 0 && !TER_IS_LAKE(child[entry].lake) && f->e->depth == 0.0f && child[exit].z < child[entry].z &&
        (exit ^ entry) != 3 && exit != entry &&
        ter_child_distance(&child[entry], entry & 1, entry >> 1, &child[exit], exit & 1, exit >> 1) <
            ter_child_distance(&child[entry], entry & 1, entry >> 1, &child[old], old & 1, old >> 1)) {
        to = exit;
    }
    child[entry].to = ter_child_direction((to & 1) - (entry & 1), (to >> 1) - (entry >> 1));
}

/** Set of the neighbours of a coarse cell that drain into it: bit n is neighbour n. */
TER_FN unsigned ter_entries(const ter_family *f)
{
    unsigned neighbours = 0;
    for (int n = 0; n < 8; n++)
        if (ter_is_inflow(f->q + ter_neighbour_y(n) * f->width + ter_neighbour_x(n), ter_neighbour_x(n),
                          ter_neighbour_y(n)))
            neighbours |= 1u << n;
    return neighbours;
}

/** The child through which the edge of neighbour n enters. */
TER_FN int ter_entry_child(const ter_family *f, int n)
{
    const int dx = ter_neighbour_x(n), dy = ter_neighbour_y(n);
    const ter_link *e = f->e + dy * f->width + dx;
    return e->entry_x + 2 * dx + 2 * (e->entry_y + 2 * dy);
}

/** Join the edges that enter a cell, in the order of its neighbours. entries: ter_entries */
TER_FN void ter_join_entries(const ter_family *f, unsigned entries, ter_node child[4])
{
    float most[4] = {-1.0f, -1.0f, -1.0f, -1.0f};
    for (unsigned left = entries; left != 0; left &= left - 1) {
        const int n = ter_lowest_bit(left), entry = ter_entry_child(f, n);
        const int dx = ter_neighbour_x(n), dy = ter_neighbour_y(n);
        const ter_node *p = f->q + dy * f->width + dx;
        const ter_link *e = f->e + dy * f->width + dx;
        ter_node *in = &child[entry];
        /* Where an edge with a lake enters through the exit child, the exit lies no lower than the cell's node. */
        if (in->kind == TER_NODE_EXIT && (TER_IS_LAKE(p->lake) || e->depth > 0.0f) && !TER_IS_LAKE(f->q->lake))
            in->z = ter_max(in->z, f->q->z);
        if (in->kind == TER_NODE_FREE || in->kind == TER_NODE_ENTRY)
            ter_join_entry(f, p, e, dx, dy, &most[entry], in);
    }
    for (unsigned left = entries; left != 0; left &= left - 1) {
        const int n = ter_lowest_bit(left), entry = ter_entry_child(f, n);
        if (child[entry].kind == TER_NODE_ENTRY)
            ter_link_entry(f, child, entry);
    }
}

/** Set the drained areas of a cell's channels: the areas that enter, and the area of the cell itself. The cell's area
 * is divided evenly among its channels; the last channel gets the remainder. Areas add up along every channel. They are
 * whole numbers, so that no sum is rounded. entries: ter_entries */
TER_FN void ter_share_area(const ter_family *f, unsigned entries, ter_node child[4])
{
    const int old = (f->q->x >= 0.5f) + 2 * (f->q->y >= 0.5f);
    const int last = f->q->to == TER_SINK ? old : f->e->exit_x + 2 * f->e->exit_y;
    float all = 0.0f, direct[4] = {0.0f, 0.0f, 0.0f, 0.0f}; /* areas of the edges that enter the cell, and each child */
    for (unsigned left = entries; left != 0; left &= left - 1) {
        const int n = ter_lowest_bit(left);
        const float area = f->q[ter_neighbour_y(n) * f->width + ter_neighbour_x(n)].area;
        all += area;
        direct[ter_entry_child(f, n)] += area;
    }
    int channels = 0;
    for (int n = 0; n < 4; n++)
        channels += child[n].kind != TER_NODE_FREE;
    const float own = ter_max(f->q->area - all, 0.0f), share = floorf(own / (float)channels);
    float into_old = 0.0f, into_last = 0.0f; /* areas of the entry children that drain to the old and the last child */
    for (int n = 0; n < 4; n++) {
        child[n].own = child[n].kind == TER_NODE_FREE ? 0.0f : n == last ? own - share * (float)(channels - 1) : share;
        if (child[n].kind != TER_NODE_ENTRY)
            continue;
        child[n].area = direct[n] + child[n].own;
        if (last != old && child[n].to == ter_direction_of((last & 1) - (n & 1), (last >> 1) - (n >> 1)))
            into_last += child[n].area;
        else
            into_old += child[n].area;
    }
    child[old].area = direct[old] + into_old + child[old].own;
    if (last != old)
        child[last].area = direct[last] + child[old].area + into_last + child[last].own;
}

/** Make the old child: the coarse node in the child cell that it lies in. It drains to the exit. */
TER_FN void ter_make_old(const ter_family *f, ter_node child[4])
{
    const ter_node *q = f->q;
    const int old = (q->x >= 0.5f) + 2 * (q->y >= 0.5f);
    child[old] = *q;
    child[old].x = 2.0f * q->x - (float)(old & 1);
    child[old].y = 2.0f * q->y - (float)(old >> 1);
    child[old].kind = TER_NODE_OLD;
    if (q->to == TER_SINK)
        return;
    const ter_link *e = f->e;
    const int exit = e->exit_x + 2 * e->exit_y;
    if (exit == old) {
        child[old].to = ter_child_direction(e->entry_x - e->exit_x, e->entry_y - e->exit_y);
        return;
    }
    ter_make_exit(q, ter_node_below(q, f->width), e, f->cell, &child[exit]);
    child[old].to = ter_child_direction((exit & 1) - (old & 1), (exit >> 1) - (old >> 1));
}

/** Make the four children of a coarse cell: their channels, and the places of free nodes. Corner children are made by
 * ter_make_corner. x, y: the coarse cell, counted from the first one that has children */
TER_PASS_FN void ter_make_children(const ter_fluvial_job *job, int level, int x, int y)
{
    const ter_window at = job->node_at[level - 1];
    const int cx = x + ter_child_margin(level), cy = y + ter_child_margin(level), k = cy * at.width + cx;
    const ter_node *q = job->node[(level - 1) & 1] + k;
    const ter_family f = {job, level, at.width, at.x + cx, at.y + cy, (float)(65536 >> level), q, job->edge + k};
    ter_node child[4];
    for (int n = 0; n < 4; n++) {
        const ter_words words =
            ter_tagged_words(job->f.round_key, TER_TAG_NODE + level, f.cell_x * 2 + (n & 1), f.cell_y * 2 + (n >> 1));
        child[n].kind = TER_NODE_FREE;
        child[n].to = TER_SINK;
        child[n].x = ter_place_rounded(ter_default_place(ter_fraction(&words, 0)));
        child[n].y = ter_place_rounded(ter_default_place(ter_fraction(&words, 1)));
        child[n].z = child[n].area = child[n].own = child[n].floor = 0.0f;
        child[n].lake = TER_NO_LAKE;
    }
    ter_make_old(&f, child);
    const unsigned entries = ter_entries(&f);
    ter_join_entries(&f, entries, child);
    ter_share_area(&f, entries, child);
    ter_node *out = job->child + (size_t)(2 * cy) * (size_t)(2 * at.width) + 2 * cx;
    for (int n = 0; n < 4; n++) {
        if (child[n].kind > TER_NODE_OLD) {
            float v[TER_PROVINCE_COUNT];
            ter_node_province(job, level, f.cell_x * 2 + (n & 1), f.cell_y * 2 + (n >> 1), &child[n], v);
            child[n].floor = ter_max(child[n].floor, v[TER_PROVINCE_FLOOR] * ter_area_side(child[n].area));
        }
        out[(n >> 1) * 2 * at.width + (n & 1)] = child[n];
    }
}

/** By how much the line of a diagonal edge passes the corner between its two cells, in child cells; positive: south of
 * it. The edge is displaced by a random amount.
 *
 *  cell_x, cell_y  coarse cell of the edge in the world
 *  dx, dy          direction of the edge
 */
TER_FN float ter_past_corner(const ter_fluvial_job *job, int level, int64_t cell_x, int64_t cell_y,
                             const ter_edge_line *w, int dx, int dy)
{
    const ter_words words = ter_tagged_words(job->f.round_key, TER_TAG_EDGE + level, cell_x, cell_y);
    const float corner_x = dx > 0 ? 2.0f : 0.0f, corner_y = dy > 0 ? 2.0f : 0.0f;
    return (w->py + (corner_x - w->px) / (w->qx - w->px) * (w->qy - w->py) - corner_y) +
           0.5f * ter_symmetric(&words, 2);
}

/** Put corner child m into the channel from the exit child to the entry child `in`: it takes over half of the exit's
 * own area. */
TER_FN void ter_take_half(ter_node *m, ter_node *exit, const ter_node *in)
{
    m->z = 0.5f * (exit->z + in->z);
    m->area = exit->area;
    m->own = floorf(0.5f * exit->own);
    m->lake = ter_max(exit->lake, in->lake);
    m->floor = 0.5f * (exit->floor + in->floor);
    exit->own -= m->own;
    exit->area -= m->own;
}

/** Make the corner child of a cell's edge: a diagonal edge that misses the corner between its two cells passes through
 * a child of a third cell. No two edges need the same corner child, because channels do not cross. x, y: the coarse
 * cell, counted from the first one that has children */
TER_PASS_FN void ter_make_corner(const ter_fluvial_job *job, int level, int x, int y)
{
    const ter_window at = job->node_at[level - 1];
    const int margin = ter_child_margin(level), cx = x + margin, cy = y + margin, k = cy * at.width + cx;
    const ter_node *p = job->node[(level - 1) & 1] + k;
    if (p->to == TER_SINK || !(p->to & 1))
        return;
    const int dx = ter_direction_x(p->to), dy = ter_direction_y(p->to), tx = cx + dx, ty = cy + dy;
    if (tx < margin || ty < margin || tx >= at.width - margin || ty >= at.height - margin)
        return;
    const ter_node *q = p + dy * at.width + dx;
    const ter_link *e = job->edge + k;
    const ter_edge_line w = ter_edge_line_of(p, q);
    const float off = ter_past_corner(job, level, at.x + cx, at.y + cy, &w, dx, dy);
    if (fabsf(off) < 0.15f)
        return;
    const int is_along_y = (off > 0.0f) == (dy > 0);
    const int mx = is_along_y ? e->exit_x : e->entry_x, my = is_along_y ? e->entry_y : e->exit_y;
    const int width = 2 * at.width;
    ter_node *first = job->child + (size_t)(2 * cy) * (size_t)width + 2 * cx;
    ter_node *m = first + my * width + mx, *out = first + e->exit_y * width + e->exit_x;
    const ter_node *in = first + e->entry_y * width + e->entry_x;
    if (m->kind != TER_NODE_FREE)
        return;
    const ter_bend bend = {0.3f, 0.7f, level > 3 ? 0.45f : 0.315f};
    float px, py;
    ter_edge_line_place(job, level, at.x + cx, at.y + cy, mx, my, &w, &bend, &px, &py);
    m->x = ter_place_rounded(px - (float)mx);
    m->y = ter_place_rounded(py - (float)my);
    m->kind = TER_NODE_CORNER;
    ter_take_half(m, out, in);
    m->to = ter_child_direction(e->entry_x - mx, e->entry_y - my);
    float v[TER_PROVINCE_COUNT];
    ter_node_province(job, level, (at.x + cx) * 2 + mx, (at.y + cy) * 2 + my, m, v);
    m->floor = ter_max(m->floor, v[TER_PROVINCE_FLOOR] * ter_area_side(m->area));
    out->to = ter_child_direction(mx - e->exit_x, my - e->exit_y);
}

#endif
