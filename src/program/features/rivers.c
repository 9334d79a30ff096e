/* rivers.c - walks through the cells of a rectangle, square after square, finds the reaches that begin there, and cuts
 * them. */
#include "program/features/rivers.h"

#include <math.h>
#include <stdlib.h>

#include "library/core/grow.h"
#include "program/features/feature_job.h"

/** The state of a visit. */
typedef struct rivers_run {
    const rivers_request *request;
    const rivers_visits *visits;
    const ter_river_window *cells;
    river_net *net;
    cut_rect rect;
    double spacing;
    reach reach;
    double *points; /* of a piece; its beds follow in the same memory */
    size_t room;
} rivers_run;

rivers_request rivers_request_of(const features_job *job, const work_events *events)
{
    const double step = ldexp(1.0, job->lod), distance = 8.0 * fmax(step, 1.0);
    return (rivers_request){.world = job->world,
                            .rect = {ter_world_params(job->world)->levels - job->lod, (int64_t)(job->x / step),
                                     (int64_t)(job->z / step), job->width, job->height},
                            .min_area_m2 = job->min_area_km2 * 1e6,
                            .point_distance = distance < 64.0 ? distance : 0.0,
                            .is_cancelled = job->is_cancelled,
                            .cancel_user = job->cancel_user,
                            .events = *events,
                            .path = job->path};
}

cut_rect rivers_rect(const rivers_request *request)
{
    const ter_rect *r = &request->rect;
    const double step = ldexp(1.0, ter_world_params(request->world)->levels - r->level);
    return (cut_rect){(double)r->i * step, (double)r->j * step, (double)(r->i + r->width) * step,
                      (double)(r->j + r->height) * step};
}

result rivers_open(const rivers_request *request, ter_river_window *cells, river_net **net)
{
    const ter_status status = ter_river_edges_window(request->world, &request->rect, cells);
    if (status != TER_OK)
        return result_of_library(status, "rivers");
    const river_net_options options = {.world = request->world,
                                       .min_area_m2 = request->min_area_m2,
                                       .point_distance = request->point_distance,
                                       .most_tiles = RIVERS_TILES,
                                       .is_cancelled = request->is_cancelled,
                                       .cancel_user = request->cancel_user,
                                       .events = request->events,
                                       .path = request->path};
    *net = river_net_create(&options);
    if (!*net)
        return result_of(RESULT_FAILED, "out of memory");
    return result_done();
}

/** Visit the pieces of the reach in the rectangle. */
static result visit_reach(rivers_run *r)
{
    const reach *q = &r->reach;
    result res = result_done();
    double *points = ter_grow(r->points, &r->room, q->n_points + 1, 5 * sizeof *points);
    if (!points)
        return result_of(RESULT_FAILED, "out of memory");
    r->points = points;
    cut_piece piece = {.points = r->points, .beds = r->points + 3 * r->room};
    size_t from = 0;
    for (int n = 0; res.kind == RESULT_DONE && cut_next(&r->rect, q->points, q->n_points, &from, &piece); n++)
        res = r->visits->visit(r->visits->user, q, &piece, n);
    return res;
}

/** Whether points of an edge may lie in the rectangle. */
static bool touches(rivers_run *r, const ter_river_edge *edge)
{
    size_t count = 0;
    const ter_river_point *p = river_net_points(r->net, edge, &count);
    cut_rect box = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (size_t n = 0; p && n < count; n++) {
        box.x0 = fmin(box.x0, p[n].x);
        box.z0 = fmin(box.z0, p[n].z);
        box.x1 = fmax(box.x1, p[n].x);
        box.z1 = fmax(box.z1, p[n].z);
    }
    return box.x0 <= r->rect.x1 && box.x1 >= r->rect.x0 && box.z0 <= r->rect.z1 && box.z1 >= r->rect.z0;
}

static bool is_in(const ter_river_window *w, const ter_river_edge *e)
{
    return e->column >= w->column && e->column < w->column + w->columns && e->row >= w->row &&
           e->row < w->row + w->rows;
}

/** Whether the reach on which a part lies is visited at an edge upstream. If not, *head is its first part. */
static bool is_visited_above(rivers_run *r, edge_part part, edge_part *head)
{
    *head = part;
    for (edge_part above; reach_part_above(r->net, *head, &above);) {
        *head = above;
        if (is_in(r->cells, &above.edge) && touches(r, &above.edge))
            return true;
    }
    return false;
}

/** Visit the reaches on which the parts of an edge lie, and which no edge upstream visits. */
static result visit_edge(rivers_run *r, const ter_river_edge *edge)
{
    result res = result_done();
    for (int part = 0; part <= edge->n_changes && res.kind == RESULT_DONE; part++) {
        edge_part head;
        if (is_visited_above(r, (edge_part){*edge, part}, &head))
            continue;
        res = reach_follow(r->net, head, r->spacing, &r->reach);
        if (res.kind == RESULT_DONE)
            res = visit_reach(r);
    }
    return res;
}

static result visit_cells(rivers_run *r, const ter_river_window *square, double share)
{
    result res = result_done();
    for (int64_t row = 0; row < square->rows && res.kind == RESULT_DONE; row++) {
        if (!work_goes_on(&r->request->events, r->request->path, share))
            return result_of(RESULT_INTERRUPTED, "interrupted; nothing was written");
        for (int64_t column = 0; column < square->columns && res.kind == RESULT_DONE; column++) {
            ter_river_edge edge;
            if (river_net_find(r->net, square->column + column, square->row + row, &edge) && touches(r, &edge))
                res = visit_edge(r, &edge);
            if (res.kind == RESULT_DONE)
                res = *river_net_state(r->net);
        }
    }
    return res;
}

/* ---- squares ---- */

/** The squares of a window of cells: their sides lie on those of tiles, and the outer ones are cut. */
typedef struct square_grid {
    int64_t west, north;   /* tiles */
    int64_t columns, rows; /* squares */
} square_grid;

static square_grid grid_of(const ter_river_window *w)
{
    square_grid g = {net_tile_of(w->column), net_tile_of(w->row), 0, 0};
    g.columns = (net_tile_of(w->column + w->columns - 1) - g.west) / RIVERS_SQUARE_COLUMNS + 1;
    g.rows = (net_tile_of(w->row + w->rows - 1) - g.north) / RIVERS_SQUARE_ROWS + 1;
    return g;
}

int64_t rivers_squares(const ter_river_window *cells)
{
    const square_grid g = grid_of(cells);
    return g.columns * g.rows;
}

/** The cells from `west` to `east` and from `north` to `south`, without the last ones, that lie in a window. */
static ter_river_window part_of(const ter_river_window *w, int64_t west, int64_t north, int64_t east, int64_t south)
{
    const int64_t last_column = w->column + w->columns, last_row = w->row + w->rows;
    west = west > w->column ? west : w->column;
    north = north > w->row ? north : w->row;
    return (ter_river_window){west, north, (int)((east < last_column ? east : last_column) - west),
                              (int)((south < last_row ? south : last_row) - north)};
}

/** Make the tiles of a square and those around it, and visit its reaches. */
static result visit_square(rivers_run *r, const square_grid *g, int64_t n)
{
    const int64_t west = (g->west + n % g->columns * RIVERS_SQUARE_COLUMNS) * NET_TILE,
                  north = (g->north + n / g->columns * RIVERS_SQUARE_ROWS) * NET_TILE,
                  east = west + RIVERS_SQUARE_COLUMNS * NET_TILE, south = north + RIVERS_SQUARE_ROWS * NET_TILE;
    const ter_river_window square = part_of(r->cells, west, north, east, south),
                           around =
                               part_of(r->cells, west - NET_TILE, north - NET_TILE, east + NET_TILE, south + NET_TILE);
    const double all = (double)(g->columns * g->rows), before = r->visits->share, rest = 1.0 - before;
    const double begun = before + rest * (double)n / all, loaded = before + rest * ((double)n + 0.8) / all;
    const result res = river_net_load(r->net, &around, true, begun, loaded);
    return res.kind == RESULT_DONE ? visit_cells(r, &square, loaded) : res;
}

result rivers_visit(const rivers_request *request, const ter_river_window *cells, river_net *net,
                    const rivers_visits *visits)
{
    rivers_run r = {.request = request, .visits = visits, .cells = cells, .net = net, .rect = rivers_rect(request)};
    const square_grid grid = grid_of(cells);
    result res = result_done();
    r.spacing = ter_world_params(request->world)->spacing;
    for (int64_t n = visits->begin; n < grid.columns * grid.rows && res.kind == RESULT_DONE; n++) {
        res = visit_square(&r, &grid, n);
        if (res.kind == RESULT_DONE && visits->end)
            res = visits->end(visits->user, n + 1);
    }
    free(r.reach.points);
    free(r.points);
    return res;
}
