/* reach.c - joins edges to reaches, from confluence to confluence. */
#include "program/features/reach.h"

#include <math.h>
#include <stdlib.h>

#include "library/core/grow.h"

const char *const reach_end_names[REACH_ENDS] = {"confluence", "lake", "outlet", "sea", "basin"};

static bool is_lake(edge_part p)
{
    return (p.edge.water == TER_EDGE_LAKE) != (p.part & 1);
}

int64_t reach_id(edge_part head)
{
    return head.edge.id * 4 + (head.part < 3 ? head.part : 3);
}

bool reach_part_above(river_net *net, edge_part p, edge_part *out)
{
    ter_river_edge inflows[8];
    if (p.part > 0 || river_net_inflows(net, &p.edge, inflows) != 1)
        return false;
    *out = (edge_part){inflows[0], inflows[0].n_changes};
    return is_lake(*out) == is_lake(p);
}

/** The part downstream; p itself where the water ends, and then false is returned. is_same: receives whether it lies on
 * the same reach */
static bool part_below(river_net *net, edge_part p, edge_part *out, bool *is_same)
{
    ter_river_edge below, inflows[8];
    *is_same = false;
    *out = p;
    if (p.part < p.edge.n_changes) {
        *out = (edge_part){p.edge, p.part + 1};
        return true;
    }
    if (!river_net_below(net, &p.edge, &below))
        return false;
    *out = (edge_part){below, 0};
    *is_same = river_net_inflows(net, &below, inflows) == 1 && is_lake(*out) == is_lake(p);
    return true;
}

edge_part reach_head(river_net *net, edge_part part)
{
    for (edge_part above; reach_part_above(net, part, &above);)
        part = above;
    return part;
}

edge_part reach_lake_end(river_net *net, edge_part p, bool *leaves)
{
    edge_part below;
    bool is_same;
    *leaves = true;
    while (is_lake(p)) {
        if (!part_below(net, p, &below, &is_same)) {
            *leaves = false;
            break;
        }
        p = below;
    }
    return p;
}

bool reach_part_is_lake(edge_part p)
{
    return is_lake(p);
}

/** Id of a lake: that of its end. p: a part in the lake */
static int64_t lake_of(river_net *net, edge_part p)
{
    bool leaves;
    return reach_id(reach_lake_end(net, p, &leaves));
}

/* ---- points ---- */

static bool add_point(reach *r, const ter_river_point *p)
{
    ter_river_point *points = ter_grow(r->points, &r->room, r->n_points + 1, sizeof *points);
    if (!points)
        return false;
    r->points = points;
    r->points[r->n_points++] = *p;
    return true;
}

/** Whether the water changes between river and lake at point n of an edge. */
static bool is_change(const ter_river_point *points, size_t n, size_t count)
{
    return n > 0 && n + 1 < count && points[n].water != points[n - 1].water && points[n].water != TER_EDGE_SEA;
}

/** Add the points of a part of an edge. Its first point is also the last point of the part before, and is added only if
 * the reach has no points yet. */
static bool add_part(river_net *net, edge_part p, reach *r)
{
    size_t count = 0;
    const ter_river_point *points = river_net_points(net, &p.edge, &count);
    int part = 0;
    for (size_t n = 0; points && n < count; n++) {
        const int before = part;
        part += is_change(points, n, count);
        const bool is_first = part == p.part && (n == 0 || before != part), is_last = before == p.part && n > 0;
        if (((is_first && r->n_points == 0) || is_last) && !add_point(r, &points[n]))
            return false;
    }
    return points != NULL;
}

bool reach_part_start(river_net *net, edge_part part, ter_river_point *out)
{
    size_t count = 0;
    const ter_river_point *points = river_net_points(net, &part.edge, &count);
    int at = 0;
    for (size_t n = 0; points && n < count; n++) {
        at += is_change(points, n, count);
        if (at == part.part) {
            *out = points[n];
            return true;
        }
    }
    return false;
}

/* ---- a reach ---- */

double reach_slope_of(const reach *r)
{
    return r->length_m > 0.0 ? (r->level_start_m - r->level_end_m) / r->length_m : 0.0;
}

static reach_end end_of(river_net *net, edge_part last)
{
    edge_part below;
    bool is_same;
    if (!part_below(net, last, &below, &is_same))
        return last.edge.end == TER_EDGE_INTO_SEA ? REACH_IN_SEA : REACH_IN_BASIN;
    return is_lake(below) == is_lake(last) ? REACH_AT_CONFLUENCE : is_lake(last) ? REACH_AT_OUTLET : REACH_IN_LAKE;
}

/** Id of the last reach of a river: it ends with edge `last`. */
static int64_t last_reach(river_net *net, const ter_river_edge *last)
{
    return reach_id(reach_head(net, (edge_part){*last, last->n_changes}));
}

/** Set the members of a reach that follow from its last part. */
static void finish(river_net *net, edge_part last, reach *r)
{
    edge_part below;
    bool is_same;
    r->end = end_of(net, last);
    r->has_downstream = part_below(net, last, &below, &is_same);
    r->downstream = r->has_downstream ? reach_id(below) : 0;
    r->has_lake = r->is_lake || r->end == REACH_IN_LAKE;
    r->lake = !r->has_lake ? 0 : lake_of(net, r->is_lake ? last : below);
    r->area_end_m2 = last.edge.area_m2;
    r->mouth = river_net_mouth(net, &last.edge, last_reach);
}

/** Set the members of a reach that follow from its points. */
static void measure(double spacing, reach *r)
{
    const ter_river_point *p = r->points;
    double length = 0.0, width = 0.0, depth = 0.0, bank = 0.0;
    for (size_t n = 1; n < r->n_points; n++) {
        const double part = hypot(p[n].x - p[n - 1].x, p[n].z - p[n - 1].z);
        length += part;
        width += 0.5 * part * ((double)p[n].width_m + (double)p[n - 1].width_m);
        depth += 0.5 * part * ((double)p[n].depth_m + (double)p[n - 1].depth_m);
        bank += 0.5 * part * ((double)p[n].bank_m + (double)p[n - 1].bank_m);
    }
    const double inverse = length > 0.0 ? 1.0 / length : 0.0;
    r->length_m = spacing * length;
    r->width_m = inverse * width;
    r->depth_m = inverse * depth;
    r->bank_m = inverse * bank;
    r->level_start_m = (double)p->level_m;
    r->level_end_m = (double)p[r->n_points - 1].level_m;
}

/** Follow a reach. Returns whether its points were added, if they are wanted. */
static bool follow(river_net *net, edge_part head, bool has_points, reach *out)
{
    edge_part p = head, below;
    bool is_same = true, is_made = true;
    out->n_points = 0;
    out->id = reach_id(head);
    out->is_lake = is_lake(head);
    out->area_start_m2 = head.edge.area_m2;
    out->order = river_net_order(net, &head.edge);
    for (;;) {
        is_made = is_made && (!has_points || add_part(net, p, out));
        if (!part_below(net, p, &below, &is_same) || !is_same || !is_made)
            break;
        p = below;
    }
    finish(net, p, out);
    return is_made;
}

result reach_follow_edges(river_net *net, edge_part head, reach *out)
{
    follow(net, head, false, out);
    return *river_net_state(net);
}

result reach_follow(river_net *net, edge_part head, double spacing, reach *out)
{
    const bool is_made = follow(net, head, true, out);
    if (river_net_state(net)->kind != RESULT_DONE)
        return *river_net_state(net);
    if (!is_made || out->n_points < 2)
        return result_of(RESULT_FAILED, "out of memory");
    measure(spacing, out);
    return result_done();
}

double reach_discharge(double width_m, double depth_m, double slope)
{
    if (!(width_m > 0.0) || !(depth_m > 0.0))
        return 0.0;
    const double s = fmax(slope, 1e-4), area = 2.0 / 3.0 * width_m * depth_m;
    const double radius = area / (width_m + 8.0 / 3.0 * depth_m * depth_m / width_m); /* of a flat parabola */
    const double roughness = 0.32 * pow(s, 0.38) * pow(radius, -0.16);
    return area * pow(radius, 2.0 / 3.0) * sqrt(s) / roughness;
}
