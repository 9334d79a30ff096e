/* network.h - the drainage network: a forest of channels on a jittered quadtree, from cells of 64 km down to 256 m.
 *
 * A coarse node drains to one of the eight around it. When the cells are halved, the old node stays where it is, and the edge to
 * the next node is cut where it leaves its cell and where it enters the next one:
 *
 *       +-------+-------+                 o  the old node, in the child that it falls into
 *       | f   f | f   f |                 e  exit: the child by which the edge leaves the cell
 *       | o   e-+-x   f |                 x  entry: the child by which it comes into the next one
 *       +-------+---\---+                 q  the next old node
 *       | f   f | f  \q |                 f  free: drains to a channel beside it
 *       | f   f | f   f |
 *       +-------+-------+
 *
 * A diagonal edge that misses the corner passes through a corner child of a third cell. All steps are functions of one cell that
 * read the step before, so cells may be made in any order.
 */
#ifndef TER_WORLD_FLUVIAL_NETWORK_H
#define TER_WORLD_FLUVIAL_NETWORK_H

#include "world/fluvial/job.h"

/** Cells are kept free of nodes near their edges, so that no two nodes are close. */
#define TER_NODE_MARGIN 0.08f

/** Order in which sums over the neighbours of a cell go: row by row. Offset n of 0..7. */
TER_FN int ter_neighbour_x(int n)
{
    return n < 3 ? n - 1 : n < 5 ? 2 * n - 7 : n - 6;
}

TER_FN int ter_neighbour_y(int n)
{
    return n < 3 ? -1 : n < 5 ? 0 : 1;
}

/** Direction of an offset of -1..1 each, or -1 for none. */
TER_FN int ter_direction_of(int x, int y)
{
    for (int d = 0; d < TER_SINK; d++)
        if (ter_direction_x(d) == x && ter_direction_y(d) == y)
            return d;
    return -1;
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

/** Place of a node in the network's plane. */
TER_FN int64_t ter_node_place(int64_t cell, float in_cell, int level)
{
    const int64_t size = (int64_t)1 << (24 - level);
    return cell * size + (int64_t)(in_cell * (float)size);
}

/** Values of the province at a node; those before TER_PROVINCE_BETWEEN from level 5 on. */
TER_FN void ter_node_province(const ter_fluvial_job *job, int level, int64_t cell_x, int64_t cell_y, const ter_node *node, float *v)
{
    const int64_t x = ter_node_place(cell_x, node->x, level), y = ter_node_place(cell_y, node->y, level);
    if (level >= 5) {
        const ter_province_place p = ter_province_at(job->province_at, job->province, x, y);
        for (int n = 0; n < TER_PROVINCE_BETWEEN; n++)
            v[n] = ter_province_value(&p, n);
        return;
    }
    ter_province_sums sums = {0};
    sums.local = 1.0f;
    for (int m = 0; m < level + 5 && m < TER_FIELD_OCTAVES; m++) {
        float s[TER_FIELD_CHANNELS];
        ter_spline(job->field_at[m], job->field[m], TER_FIELD_SHIFT - m, TER_FIELD_CHANNELS, x, y, s);
        ter_province_add(&sums, m, s);
    }
    ter_province_of(&job->f, &sums, v);
}

/* ---- knots of the fields ---- */

/** Knot (x, y) of the fields' octave m. */
TER_FN void ter_make_field_knot(const ter_fluvial_job *job, int m, int x, int y)
{
    const ter_window at = job->field_at[m];
    const ter_words words = ter_tagged_words(job->f.round_key, TER_TAG_FIELD + m, at.x + x, at.y + y);
    float *out = job->field[m] + ((size_t)y * (size_t)at.width + (size_t)x) * TER_FIELD_CHANNELS;
    for (int c = 0; c < TER_FIELD_CHANNELS; c++)
        out[c] = ter_symmetric(&words, c);
}

/** Knot (x, y) of the provinces. */
TER_FN void ter_make_province_knot(const ter_fluvial_job *job, int n, int x, int y)
{
    (void)n;
    const ter_window at = job->province_at;
    const int64_t px = (at.x + x) * ((int64_t)1 << TER_KNOT_SHIFT), py = (at.y + y) * ((int64_t)1 << TER_KNOT_SHIFT);
    ter_province_sums sums = {0};
    sums.local = 1.0f;
    for (int m = 0; m < TER_FIELD_OCTAVES; m++) {
        float s[TER_FIELD_CHANNELS];
        ter_spline(job->field_at[m], job->field[m], TER_FIELD_SHIFT - m, TER_FIELD_CHANNELS, px, py, s);
        ter_province_add(&sums, m, s);
    }
    float v[TER_PROVINCE_COUNT];
    ter_province_of(&job->f, &sums, v);
    float *out = job->province + ((size_t)y * (size_t)at.width + (size_t)x) * TER_PROVINCE_BETWEEN;
    for (int k = 0; k < TER_PROVINCE_BETWEEN; k++)
        out[k] = v[k];
}

/* ---- level 0 ---- */

/** Place and height of the node of cell (x, y). */
TER_FN void ter_make_root(const ter_fluvial_job *job, int n, int x, int y)
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
    node->floor = v[TER_PROVINCE_FLOOR];
    node->area = 65536.0f * 65536.0f;
    node->lake = TER_NO_LAKE;
    node->to = TER_SINK;
    node->kind = TER_NODE_OLD;
}

/** Direction of the node of cell (x + 1, y + 1): to the lowest of the eight around it. */
TER_FN void ter_link_root(const ter_fluvial_job *job, int n, int x, int y)
{
    (void)n;
    const int width = job->node_at[0].width;
    ter_node *node = job->node[0] + (y + 1) * width + x + 1;
    float low = node->z;
    for (int d = 0; d < TER_SINK; d++) {
        const float z = node[ter_direction_y(d) * width + ter_direction_x(d)].z;
        if (z < low) {
            low = z;
            node->to = d;
        }
    }
}

/** Lake of the node of cell (x + 3, y + 3): a sink above the sea stands up to what drains elsewhere. */
TER_FN void ter_flood_root(const ter_fluvial_job *job, int n, int x, int y)
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
            const int is_inflow = o->to != TER_SINK && a + ter_direction_x(o->to) == 0 && b + ter_direction_y(o->to) == 0;
            if ((a != 0 || b != 0) && !is_inflow)
                low = ter_min(low, o->z);
        }
    node->lake = node->z + ter_min(60.0f, 0.4f * (low - node->z));
}

/** Area and lake of the node of cell (x, y) after one more round. Areas are multiples of 2^32 m2: their sums are exact. */
TER_FN void ter_drain_root(const ter_fluvial_job *job, int round, int x, int y)
{
    const ter_window at = job->node_at[0];
    const int k = y * at.width + x, count = at.width * at.height;
    const ter_node *node = job->node[0] + k;
    const float *before = job->root[round & 1];
    float *after = job->root[(round + 1) & 1];
    float area = 65536.0f * 65536.0f, lake = round == 0 ? node->lake : before[count + k];
    if (x > 0 && y > 0 && x < at.width - 1 && y < at.height - 1) {
        for (int d = 0; d < TER_SINK; d++) {
            const int o = k + ter_direction_y(d) * at.width + ter_direction_x(d);
            if (job->node[0][o].to == (d + 4) % 8)
                area += round == 0 ? 65536.0f * 65536.0f : before[o];
        }
        if (node->to != TER_SINK) {
            const int o = k + ter_direction_y(node->to) * at.width + ter_direction_x(node->to);
            lake = round == 0 ? job->node[0][o].lake : before[count + o];
        }
    }
    after[k] = area;
    after[count + k] = lake;
}

/** Area, lake and floor of the node of cell (x, y) after the last round. A catchment that reaches further than the rounds has at
 * least one cell more than there are rounds; with no more than that it does not shrink downstream. */
TER_FN void ter_finish_root(const ter_fluvial_job *job, int n, int x, int y)
{
    (void)n;
    const ter_window at = job->node_at[0];
    const int k = y * at.width + x;
    const float *sums = job->root[TER_ROOT_ROUNDS & 1];
    ter_node *node = job->node[0] + k;
    node->area = ter_min(sums[k], (float)(TER_ROOT_ROUNDS + 1) * 65536.0f * 65536.0f);
    node->lake = sums[at.width * at.height + k];
    node->floor *= ter_sqrt(node->area);
}

/* ---- from level n - 1 to level n ---- */

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
TER_FN void ter_way_place(const ter_fluvial_job *job, int level, int64_t cell_x, int64_t cell_y, int x, int y, const ter_way *w,
                          const ter_bend *bend, float *out_x, float *out_y)
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

/** Height a share of the way down an edge: channels are concave, hillsides straight to convex. length: metres */
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

#define TER_LAKE_RIM    2.5f /* m; what lies round a lake is so far above its level, which no river's water lies below its channel */
#define TER_LAKE_SHARE  0.9f /* of the places where a lake may lie, under ice */
#define TER_LAKE_INFLOW 2e8f /* m2; no larger tributary joins where a lake ends */

/** Whether a lake may lie on the edge from p to q: everything round it but its outlet is higher.
 *
 *  coarse  nodes of the coarse level, p among them; width: cells of a row
 */
TER_FN int ter_may_hold_lake(const ter_fluvial_job *job, int level, int64_t cell_x, int64_t cell_y, const ter_node *p, int width,
                             const ter_link *e)
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
    ter_edge_children(job, level, cell_x + dx, cell_y + dy, q, q + ter_direction_y(q->to) * width + ter_direction_x(q->to), &next);
    if (next.exit_x == e->entry_x - 2 * dx && next.exit_y == e->entry_y - 2 * dy)
        return 0;
    const int outlet_x = dx + ter_direction_x(q->to), outlet_y = dy + ter_direction_y(q->to);
    if (outlet_x >= -1 && outlet_x <= 1 && outlet_y >= -1 && outlet_y <= 1)
        return 0;
    for (int b = -1; b <= 1; b++)
        for (int a = -1; a <= 1; a++) {
            if (p[b * width + a].z < q->z + TER_LAKE_RIM && !(a == dx && b == dy))
                return 0;
            if (q[b * width + a].z < q->z + TER_LAKE_RIM && !(a == 0 && b == 0) && !(a + dx == outlet_x && b + dy == outlet_y))
                return 0;
            const ter_node *o = q + b * width + a; /* nor does a lake on a tributary end at the river */
            if (o != p && (o->area >= p->area || o->area > TER_LAKE_INFLOW) && o->to != TER_SINK && ter_direction_x(o->to) == -a &&
                ter_direction_y(o->to) == -b)
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
    const ter_province_place place = ter_province_at(job->province_at, job->province, ter_node_place(cell_x, p->x, level - 1),
                                                     ter_node_place(cell_y, p->y, level - 1));
    return ter_pull(level, ter_province_value(&place, TER_PROVINCE_FLAT));
}

/** Coarse cells that the nodes of a level need on each side. Of level 0, those whose drainage reaches them; of the others, as
 * windows shrink from step to step: edges read the nodes two cells away, children the edges beside them, corners the children
 * beside them, and the nodes of the next level the children two away. */
enum { TER_REFINE_MARGIN = 5, TER_ROOT_MARGIN = TER_ROOT_ROUNDS + 7 };

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
    const ter_node *q = p + ter_direction_y(p->to) * at.width + ter_direction_x(p->to);
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
    e->z = e->depth > 0.0f ? q->z - e->depth : ter_way_height(p, q, d1 / (d1 + d2), ter_length(w.qx - w.px, w.qy - w.py) * cell);
}

/** Least share of the floors at both ends of a way: a floor narrows by as much as one goes from it. d: cells */
TER_FN float ter_way_floor(const ter_node *p, const ter_node *q, float d1, float d2, float cell)
{
    return ter_max(p->floor - d1 * cell, q->floor - d2 * cell);
}

/** The exit child of a cell. */
TER_FN void ter_make_exit(const ter_node *p, const ter_node *q, const ter_link *e, float cell, ter_node *out)
{
    const ter_way w = ter_way_of(p, q);
    out->kind = TER_NODE_EXIT;
    out->x = ter_place_rounded(e->x - (float)e->exit_x);
    out->y = ter_place_rounded(e->y - (float)e->exit_y);
    out->z = e->z;
    out->area = p->area;
    out->lake = e->depth > 0.0f ? q->z : ter_max(p->lake, q->lake);
    out->floor = ter_way_floor(p, q, ter_length(e->x - w.px, e->y - w.py), ter_length(e->x - w.qx, e->y - w.qy), cell);
    const int d = ter_direction_of(e->entry_x - e->exit_x, e->entry_y - e->exit_y);
    out->to = d >= 0 ? d : TER_SINK;
}

/** What a coarse cell's children are made from. */
typedef struct ter_family {
    const ter_fluvial_job *job;
    int level, width;       /* width: coarse cells of a row */
    int64_t cell_x, cell_y; /* world numbers */
    float cell;             /* m; width of a child */
    const ter_node *q;      /* the coarse node */
    const ter_link *e;      /* its edge */
} ter_family;

/** One more edge comes into a child: from p, whose cell lies (dx, dy) from this one. most: greatest area that came in before */
TER_FN void ter_join_entry(const ter_family *f, const ter_node *p, const ter_link *e, int dx, int dy, float *most, ter_node *out)
{
    const ter_node *q = f->q;
    const ter_way w = ter_way_of(p, q);
    const int64_t cell_x = f->cell_x + dx, cell_y = f->cell_y + dy;
    const ter_bend bend = {0.4f, 0.85f, ter_pull_at(f->job, f->level, cell_x, cell_y, p)};
    float x, y;
    ter_way_place(f->job, f->level, cell_x, cell_y, e->entry_x, e->entry_y, &w, &bend, &x, &y);
    const float d1 = ter_length(x - w.px, y - w.py), d2 = ter_length(x - w.qx, y - w.qy);
    float z = ter_way_height(p, q, d1 / (d1 + d2), ter_length(w.qx - w.px, w.qy - w.py) * f->cell);
    if (z >= e->z && p->z > q->z)
        z = 0.5f * (e->z + q->z);
    if (e->depth > 0.0f)
        z = q->z - e->depth;
    const float level = e->depth > 0.0f ? q->z : ter_max(p->lake, q->lake);
    if (out->kind != TER_NODE_ENTRY) {
        out->kind = TER_NODE_ENTRY;
        out->z = 1e30f;
        out->area = 0.0f;
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
    out->area = ter_min(out->area + p->area, q->area);
    out->floor = ter_max(out->floor, ter_way_floor(p, q, d1, d2, f->cell));
}

/** Distance of two children's nodes, in children. */
TER_FN float ter_child_distance(const ter_node *a, int ax, int ay, const ter_node *b, int bx, int by)
{
    return ter_length((float)(ax - bx) + (a->x - b->x), (float)(ay - by) + (a->y - b->y));
}

/** Link an entry child to the old node, or to the exit when that is nearer and lower; the old node then drains less. */
TER_FN void ter_link_entry(const ter_family *f, ter_node child[4], int entry, float area)
{
    const int old = (f->q->x >= 0.5f) + 2 * (f->q->y >= 0.5f);
    const int exit = f->q->to == TER_SINK ? -1 : f->e->exit_x + 2 * f->e->exit_y;
    int to = old;
    if (exit >= 0 && !TER_IS_LAKE(child[entry].lake) && f->e->depth == 0.0f && child[exit].z < child[entry].z &&
        (exit ^ entry) != 3 && exit != entry &&
        ter_child_distance(&child[entry], entry & 1, entry >> 1, &child[exit], exit & 1, exit >> 1) <
            ter_child_distance(&child[entry], entry & 1, entry >> 1, &child[old], old & 1, old >> 1)) {
        to = exit;
        child[old].area = ter_max(child[old].area - area, f->cell * f->cell);
    }
    child[entry].to = ter_direction_of((to & 1) - (entry & 1), (to >> 1) - (entry >> 1));
}

/** Neighbour n of a coarse cell and its edge, when that comes into the cell; the child by which it does. */
TER_FN int ter_entry_child(const ter_family *f, int n)
{
    const int dx = ter_neighbour_x(n), dy = ter_neighbour_y(n), to = f->q[dy * f->width + dx].to;
    if (to == TER_SINK || ter_direction_x(to) != -dx || ter_direction_y(to) != -dy)
        return -1;
    const ter_link *e = f->e + dy * f->width + dx;
    return e->entry_x + 2 * dx + 2 * (e->entry_y + 2 * dy);
}

/** Join what comes into a cell by its eight neighbours, row by row. */
TER_FN void ter_join_entries(const ter_family *f, ter_node child[4])
{
    float most[4] = {-1.0f, -1.0f, -1.0f, -1.0f};
    for (int n = 0; n < 8; n++) {
        const int entry = ter_entry_child(f, n);
        if (entry < 0)
            continue;
        const int dx = ter_neighbour_x(n), dy = ter_neighbour_y(n);
        const ter_node *p = f->q + dy * f->width + dx;
        const ter_link *e = f->e + dy * f->width + dx;
        ter_node *in = &child[entry];
        /* A lake that passes its outlet by goes out at the outlet's height. */
        if (in->kind == TER_NODE_EXIT && (TER_IS_LAKE(p->lake) || e->depth > 0.0f) && !TER_IS_LAKE(f->q->lake))
            in->z = ter_max(in->z, f->q->z);
        if (in->kind == TER_NODE_FREE || in->kind == TER_NODE_ENTRY)
            ter_join_entry(f, p, e, dx, dy, &most[entry], in);
    }
    for (int n = 0; n < 8; n++) {
        const int entry = ter_entry_child(f, n);
        if (entry >= 0 && child[entry].kind == TER_NODE_ENTRY)
            ter_link_entry(f, child, entry, f->q[ter_neighbour_y(n) * f->width + ter_neighbour_x(n)].area);
    }
}

/** Area never falls downstream: the old node drains at least the largest inflow that it kept. */
TER_FN void ter_keep_area(const ter_family *f, ter_node child[4])
{
    const int old = (f->q->x >= 0.5f) + 2 * (f->q->y >= 0.5f);
    for (int n = 0; n < 8; n++) {
        const int entry = ter_entry_child(f, n);
        if (entry < 0)
            continue;
        const int to = child[entry].to;
        if (entry == old)
            child[old].area = ter_max(child[old].area, f->q[ter_neighbour_y(n) * f->width + ter_neighbour_x(n)].area);
        else if (to != TER_SINK && (entry & 1) + ter_direction_x(to) == (old & 1) && (entry >> 1) + ter_direction_y(to) == old >> 1)
            child[old].area = ter_max(child[old].area, child[entry].area);
    }
}

/** The old node in its child, linked to the exit. */
TER_FN void ter_keep_old(const ter_family *f, ter_node child[4])
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
        child[old].to = ter_direction_of(e->entry_x - e->exit_x, e->entry_y - e->exit_y);
        return;
    }
    ter_make_exit(q, q + ter_direction_y(q->to) * f->width + ter_direction_x(q->to), e, f->cell, &child[exit]);
    child[old].to = ter_direction_of((exit & 1) - (old & 1), (exit >> 1) - (old >> 1));
}

/** Channels of the four children of coarse cell (x, y) of those that have them, and the places of the free ones.
 * Corner children follow later. */
TER_FN void ter_make_children(const ter_fluvial_job *job, int level, int x, int y)
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
        child[n].z = child[n].area = child[n].floor = 0.0f;
        child[n].lake = TER_NO_LAKE;
    }
    ter_keep_old(&f, child);
    ter_join_entries(&f, child);
    ter_keep_area(&f, child);
    ter_node *out = job->child + (size_t)(2 * cy) * (size_t)(2 * at.width) + 2 * cx;
    for (int n = 0; n < 4; n++) {
        if (child[n].kind > TER_NODE_OLD) {
            float v[TER_PROVINCE_COUNT];
            ter_node_province(job, level, f.cell_x * 2 + (n & 1), f.cell_y * 2 + (n >> 1), &child[n], v);
            child[n].floor = ter_max(child[n].floor, v[TER_PROVINCE_FLOOR] * ter_sqrt(child[n].area));
        }
        out[(n >> 1) * 2 * at.width + (n & 1)] = child[n];
    }
}

/** Where a diagonal edge misses the corner between its two cells, it passes through a child of a third one. Edge of coarse cell
 *  (x, y) of those with children. No two edges claim the same child: channels do not cross. */
TER_FN void ter_make_corner(const ter_fluvial_job *job, int level, int x, int y)
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
    const ter_way w = ter_way_of(p, q);
    const ter_words words = ter_tagged_words(job->f.round_key, TER_TAG_EDGE + level, at.x + cx, at.y + cy);
    const float corner_x = dx > 0 ? 2.0f : 0.0f, corner_y = dy > 0 ? 2.0f : 0.0f;
    const float off = (w.py + (corner_x - w.px) / (w.qx - w.px) * (w.qy - w.py) - corner_y) + 0.5f * ter_symmetric(&words, 2);
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
    ter_way_place(job, level, at.x + cx, at.y + cy, mx, my, &w, &bend, &px, &py);
    m->x = ter_place_rounded(px - (float)mx);
    m->y = ter_place_rounded(py - (float)my);
    m->z = 0.5f * (out->z + in->z);
    m->area = out->area;
    m->lake = ter_max(out->lake, in->lake);
    m->kind = TER_NODE_CORNER;
    m->to = ter_direction_of(e->entry_x - mx, e->entry_y - my);
    float v[TER_PROVINCE_COUNT];
    ter_node_province(job, level, (at.x + cx) * 2 + mx, (at.y + cy) * 2 + my, m, v);
    m->floor = ter_max(0.5f * (out->floor + in->floor), v[TER_PROVINCE_FLOOR] * ter_sqrt(m->area));
    out->to = ter_direction_of(mx - e->exit_x, my - e->exit_y);
}

/* ---- free nodes ---- */

/** How a valley's side rises with the distance from the channel, over its slope: 0 in the middle, slope 1 far from the floor.
 *  floor: half width, m */
TER_FN float ter_profile(float distance, float floor)
{
    const float t = distance - floor;
    return 0.5f * (t + ter_sqrt(t * t + 0.25f * floor * floor)) - 0.0590170f * floor;
}

/** Rise by u above z: whole up to the level of the plateau, a share of it above. */
TER_FN float ter_rise(float z, float u, float top, float above)
{
    const float below = ter_min(ter_max(top - z, 0.0f), u);
    return below + above * (u - below);
}

/** Rise of a hillside of slope 1, of the network's levels. */
TER_FN float ter_hillside(float distance, float floor)
{
    return ter_profile(distance, floor) + 0.02f * distance;
}

/** What the channels around a free node say of it. */
typedef struct ter_valley {
    float low, point; /* m; lowest side of a channel, and of a channel's node */
    float sum, weighted;
    float floor;
    int to;
} ter_valley;

/** Whether the way to a diagonal neighbour at (dx, dy) crosses a channel between the two cells beside it. */
TER_FN int ter_is_crossed(const ter_node *node, int width, int dx, int dy)
{
    const ter_node *a = node + dx, *b = node + dy * width;
    return (a->kind != TER_NODE_FREE && a->to != TER_SINK && ter_direction_x(a->to) == -dx && ter_direction_y(a->to) == dy) ||
           (b->kind != TER_NODE_FREE && b->to != TER_SINK && ter_direction_x(b->to) == dx && ter_direction_y(b->to) == -dy);
}

/** Let a channel at direction d of a free node have its say. */
TER_FN void ter_hear_channel(const ter_node *node, int width, int d, float cell, float slope, const float *v, ter_valley *valley)
{
    const int dx = ter_direction_x(d), dy = ter_direction_y(d);
    const ter_node *c = node + dy * width + dx;
    if (c->kind == TER_NODE_FREE || ((d & 1) && ter_is_crossed(node, width, dx, dy)))
        return;
    float ax = (float)dx + (c->x - node->x), ay = (float)dy + (c->y - node->y), z = c->z, floor = c->floor;
    const float to_node = ter_length(ax, ay) * cell;
    const float of_node = z + ter_rise(z, slope * ter_hillside(to_node, floor), v[TER_PROVINCE_TOP], v[TER_PROVINCE_ABOVE]);
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
    const float side = z + ter_rise(z, slope * ter_hillside(distance, floor), v[TER_PROVINCE_TOP], v[TER_PROVINCE_ABOVE]);
    valley->low = ter_min(valley->low, ter_min(of_node, side));
    valley->floor = ter_max(valley->floor, floor - distance);
}

/** Node (x, y) of level n: a channel as it is, a free node on the side of the lowest valley. Every free node has a channel beside
 *  it, for one of the four children of a cell is old. */
TER_FN void ter_make_node(const ter_fluvial_job *job, int level, int x, int y)
{
    const ter_window coarse = job->node_at[level - 1], at = job->node_at[level];
    const int width = 2 * coarse.width;
    const ter_node *node = job->child + (size_t)(at.y + y - 2 * coarse.y) * (size_t)width + (size_t)(at.x + x - 2 * coarse.x);
    ter_node *out = job->node[level & 1] + (size_t)y * (size_t)at.width + (size_t)x;
    *out = *node;
    if (node->kind != TER_NODE_FREE)
        return;
    const ter_words words = ter_tagged_words(job->f.round_key, TER_TAG_NODE + level, at.x + x, at.y + y);
    float v[TER_PROVINCE_COUNT];
    ter_node_province(job, level, at.x + x, at.y + y, node, v);
    const float cell = (float)(65536 >> level);
    const float slope =
        ter_hillslope(v[TER_PROVINCE_RELIEF] * (1.0f + 0.4f * ter_symmetric(&words, 2)),
                      v[TER_PROVINCE_CAP] * (0.94f + 0.12f * ter_fraction(&words, 3)), v[TER_PROVINCE_ROUND], level);
    ter_valley valley = {1e30f, 1e30f, 0.0f, 0.0f, v[TER_PROVINCE_FLOOR] * cell, TER_SINK};
    for (int d = 0; d < TER_SINK; d++)
        ter_hear_channel(node, width, d, cell, slope, v, &valley);
    const ter_node *c = node + ter_direction_y(valley.to) * width + ter_direction_x(valley.to);
    const float even = valley.low + 0.6f * (valley.weighted / valley.sum - valley.low);
    out->z = ter_max(ter_max(valley.low, even), c->z + 0.03f * slope * cell * v[TER_PROVINCE_ABOVE]);
    out->lake = c->lake;
    out->floor = valley.floor;
    out->area = cell * cell;
    out->to = valley.to;
}

#endif
