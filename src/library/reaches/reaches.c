/* reaches.c - makes the edges of a window of cells: checks the options, makes the network, lists its edges, and finds
 * their points. */
#include "terrane/reaches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "library/core/sized_struct.h"
#include "library/reaches/bed_line.h"
#include "library/reaches/edge_list.h"
#include "library/reaches/edge_network.h"
#include "library/reaches/ground_limit.h"

enum { JOINTS_AHEAD = 8 }; /* greatest number of joints downstream on which the level at a joint depends */

/** A call of ter_river_edges_create. */
typedef struct edge_call {
    const ter_fluvial *f;
    ter_river_edges_options options;
    ter_cancel cancel;
    float least;    /* cells; area of the smallest edge */
    float distance; /* units; as in bed_line_make */
    ter_fluvial_job job;
    ter_fluvial_memory memory;
    reach_unwarp unwarp;
    bed_line line, begin;
    ter_river_point *joints; /* by cell of the network's pieces; width_m is 0 where none is made yet */
    reach_spot spots[BED_LINE_POINTS_MAX];
    ter_river_edges *edges;
} edge_call;

/* ---- the network ---- */

/** Make the network of the window, and of the cells around it that edges, and the ground at their points, depend on. */
static ter_status make_network(edge_call *c)
{
    const ter_river_window *w = &c->options.cells;
    const int margin = 1 + (c->options.has_points ? JOINTS_AHEAD + GROUND_LIMIT_CELLS : 0) - TER_GROUND_CELLS;
    const ter_window cells = ter_window_grown((ter_window){w->column, w->row, w->columns, w->rows}, margin);
    const ter_status status = edge_network_make(c->f, cells, &c->cancel, &c->job, &c->memory);
    if (status != TER_OK)
        return status;
    c->joints = calloc(c->options.has_points ? ter_window_count(c->job.piece_at) : 1, sizeof *c->joints);
    return c->joints ? TER_OK : ter_fail(TER_ENOMEM, "no memory for the joints of edges");
}

static const ter_node *node_at(const edge_call *c, int64_t x, int64_t y)
{
    return edge_network_node(&c->job, x, y);
}

static bool is_edge(const edge_call *c, int64_t x, int64_t y)
{
    return edge_network_has_edge(&c->job, c->least, x, y);
}

/* ---- edges ---- */

/** Set where the water of the edge of cell (x, y) goes, if the edge itself does not reach the sea. */
static void find_next(const edge_call *c, int64_t x, int64_t y, ter_river_edge *e)
{
    const ter_node *node = node_at(c, x, y);
    const int64_t to_x = x + ter_direction_x(node->to), to_y = y + ter_direction_y(node->to);
    e->to = TER_EDGE_NONE;
    e->end = TER_EDGE_INTO_BASIN;
    if (node->to == TER_SINK || !is_edge(c, to_x, to_y))
        return;
    const ter_river_water water = bed_line_water(&c->job, to_x, to_y);
    e->end = water == TER_EDGE_SEA ? TER_EDGE_INTO_SEA : TER_EDGE_GOES_ON;
    e->to = water == TER_EDGE_SEA ? TER_EDGE_NONE : edge_network_id(to_x, to_y);
}

/** The joint at the beginning of the edge of cell (x, y). It is made once, and depends on the network alone. Returns
 * NULL when there is no memory. */
static const ter_river_point *limited_joint(edge_call *c, int64_t x, int64_t y)
{
    ter_river_point *joint = &c->joints[ter_window_index(c->job.piece_at, x, y)];
    reach_spot spot;
    if (joint->width_m > 0.0f)
        return joint;
    bed_line_make_first(&c->job, x, y, &c->begin);
    if (!reach_unwarp_joint(&c->unwarp, c->begin.place[0], &spot))
        return NULL;
    *joint = c->begin.point[0];
    ground_limit_apply(&c->job, &c->unwarp, &spot, c->begin.limit, joint, 1);
    joint->x = spot.x;
    joint->z = spot.y;
    return joint;
}

/** Find the joint at the beginning of the edge of cell (x, y), with its final level. Beside a deep valley, the ground
 * may lower a joint below the next joints downstream. The level is then raised to that of the highest of these joints.
 * Returns false when there is no memory. */
static bool find_joint(edge_call *c, int64_t x, int64_t y, ter_river_point *out)
{
    const ter_river_point *joint = limited_joint(c, x, y);
    if (!joint)
        return false;
    *out = *joint;
    for (int n = 0; n < JOINTS_AHEAD; n++) {
        const ter_node *node = node_at(c, x, y);
        const int64_t next_x = x + ter_direction_x(node->to), next_y = y + ter_direction_y(node->to);
        if (node->to == TER_SINK || !is_edge(c, next_x, next_y) ||
            bed_line_water(&c->job, next_x, next_y) == TER_EDGE_SEA)
            break;
        x = next_x;
        y = next_y;
        bed_line_make_first(&c->job, x, y, &c->begin);
        /* Even before the ground lowers it, the joint lies no higher. All joints after it lie lower still. */
        if (c->begin.point[0].level_m <= out->level_m)
            break;
        joint = limited_joint(c, x, y);
        if (!joint)
            return false;
        out->level_m = ter_max(out->level_m, joint->level_m);
    }
    return true;
}

/** Lower the water so that it never rises downstream, but keep it at or above the water at the end. */
static void let_fall(ter_river_point *points, int count)
{
    const float end = ter_min(points[count - 1].level_m, points[0].level_m);
    for (int n = 1; n < count - 1; n++)
        points[n].level_m = ter_max(ter_min(points[n].level_m, points[n - 1].level_m), end);
    points[count - 1].level_m = end;
}

/** Find the points of the world for the line of an edge. The last one is the beginning of the next edge. */
static bool place_line(edge_call *c, int64_t x, int64_t y, const ter_river_edge *e, ter_river_point *points)
{
    const bed_line *line = &c->line;
    const ter_node *node = node_at(c, x, y);
    const int last = line->count - 1;
    ter_river_point first, end;
    if (!find_joint(c, x, y, &first))
        return false;
    const reach_spot begin = {first.x, first.z};
    if (!reach_unwarp_line(&c->unwarp, begin, line->place, line->count, c->spots))
        return false;
    ground_limit_apply(&c->job, &c->unwarp, c->spots, line->limit, points, line->count);
    for (int n = 0; n < line->count; n++) {
        points[n].x = c->spots[n].x;
        points[n].z = c->spots[n].y;
    }
    points[0] = first;
    if (e->end == TER_EDGE_GOES_ON) {
        if (!find_joint(c, x + ter_direction_x(node->to), y + ter_direction_y(node->to), &end))
            return false;
        points[last].x = end.x;
        points[last].z = end.z;
        points[last].level_m = ter_max(points[last].level_m, end.level_m);
    }
    let_fall(points, line->count);
    return true;
}

/** Add the points of an edge. */
static ter_status add_points(edge_call *c, int64_t x, int64_t y, ter_river_edge *e)
{
    bed_line_make(&c->job, x, y, c->distance, &c->line);
    for (int n = 1; n < c->line.count - 1; n++)
        e->n_changes += c->line.point[n].water != c->line.point[n - 1].water && c->line.point[n].water != TER_EDGE_SEA;
    if (c->line.end == TER_EDGE_INTO_SEA) {
        e->end = TER_EDGE_INTO_SEA;
        e->to = TER_EDGE_NONE;
    }
    if (!c->options.has_points)
        return TER_OK;
    ter_river_point *points = edge_list_add_points(c->edges, (size_t)c->line.count);
    if (!points)
        return ter_fail(TER_ENOMEM, "no memory for the points of an edge");
    memcpy(points, c->line.point, (size_t)c->line.count * sizeof *points);
    e->first_point = c->edges->n_points - (size_t)c->line.count;
    e->n_points = (size_t)c->line.count;
    return place_line(c, x, y, e, points) ? TER_OK : ter_fail(TER_ENOMEM, "no memory for the points of an edge");
}

static ter_status add_edge(edge_call *c, int64_t x, int64_t y)
{
    ter_river_edge e = {.id = edge_network_id(x, y), .column = x, .row = y};
    const double square = (double)c->f->spacing * (double)c->f->spacing;
    e.water = bed_line_water(&c->job, x, y);
    if (e.water == TER_EDGE_SEA)
        return TER_OK;
    e.area_m2 = (double)node_at(c, x, y)->area * (double)TER_AREA * square;
    find_next(c, x, y, &e);
    const ter_status status = add_points(c, x, y, &e);
    if (status != TER_OK)
        return status;
    return edge_list_add(c->edges, &e) ? TER_OK : ter_fail(TER_ENOMEM, "no memory for edges");
}

static ter_status add_edges(edge_call *c)
{
    const ter_river_window *w = &c->options.cells;
    ter_status status = TER_OK;
    for (int64_t y = w->row; y < w->row + w->rows && status == TER_OK; y++) {
        status = ter_check_cancelled(&c->cancel);
        for (int64_t x = w->column; x < w->column + w->columns && status == TER_OK; x++)
            if (is_edge(c, x, y))
                status = add_edge(c, x, y);
    }
    return status;
}

/* ---- the call ---- */

static ter_status check_world(const ter_world *world)
{
    if (world->params.basis == TER_BASIS_FLUVIAL)
        return TER_OK;
    return ter_fail(TER_EINVAL, "basis %s has no rivers; basis %s has", ter_basis_name(world->params.basis),
                    ter_basis_name(TER_BASIS_FLUVIAL));
}

static ter_status check_window(const ter_river_window *w)
{
    const int64_t most = TER_COORDINATE_MAX / TER_EDGE_CELL;
    if (w->columns < 1 || w->rows < 1 || w->columns > TER_EDGE_SIDE_MAX || w->rows > TER_EDGE_SIDE_MAX)
        return ter_fail(TER_EINVAL, "a window of %d x %d cells, expected 1 x 1 to %d x %d", w->columns, w->rows,
                        TER_EDGE_SIDE_MAX, TER_EDGE_SIDE_MAX);
    if (w->column < -most || w->row < -most || w->column > most - w->columns || w->row > most - w->rows)
        return ter_fail(TER_EINVAL, "the window of cells lies outside the world");
    return TER_OK;
}

static ter_status check_options(const ter_world *world, edge_call *c)
{
    ter_river_edges_options *o = &c->options;
    ter_status status = check_window(&o->cells);
    if (status == TER_OK)
        status = edge_network_least(world, o->min_area_m2, &c->least);
    if (status != TER_OK)
        return status;
    if (!(o->point_distance == 0.0 || (o->point_distance >= 1.0 && isfinite(o->point_distance))))
        return ter_fail(TER_EINVAL, "point_distance is %g, expected 0, or 1 or more", o->point_distance);
    c->distance = (float)o->point_distance / TER_UNIT;
    c->cancel = (ter_cancel){o->is_cancelled, o->user};
    return TER_OK;
}

static ter_status make_edges(const ter_world *world, edge_call *c)
{
    c->f = &world->fluvial;
    c->unwarp.f = c->f;
    c->unwarp.kernels = ter_fluvial_best_kernels();
    ter_status status = check_options(world, c);
    if (status == TER_OK)
        status = make_network(c);
    if (status == TER_OK)
        status = add_edges(c);
    return status;
}

ter_status ter_river_edges_create(const ter_world *world, const ter_river_edges_options *options, ter_river_edges **out)
{
    TER_REQUIRE(world);
    TER_REQUIRE(options);
    TER_REQUIRE(out);
    ter_river_edges_options read = {.struct_size = sizeof read};
    TER_READ_STRUCT(&read, options, ter_river_edges_options);
    ter_status status = check_world(world);
    if (status != TER_OK)
        return status;
    edge_call *c = calloc(1, sizeof *c);
    ter_river_edges *edges = calloc(1, sizeof *edges);
    status = c && edges ? TER_OK : ter_fail(TER_ENOMEM, "no memory for edges");
    if (status == TER_OK) {
        c->options = read;
        c->edges = edges;
        status = make_edges(world, c);
        free(c->memory.at);
        free(c->joints);
        reach_unwarp_free(&c->unwarp);
    }
    free(c);
    if (status == TER_OK)
        *out = edges;
    else
        ter_river_edges_destroy(edges);
    return status;
}
