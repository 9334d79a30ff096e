/* rivers.c - walks through the cells of a rectangle, finds the reach on which each edge lies, and cuts it. */
#include "program/features/rivers.h"

#include <math.h>
#include <stdlib.h>

#include "library/core/grow.h"
#include "program/features/id_table.h"

/** The state of a visit. */
typedef struct rivers_run {
    const rivers_request *request;
    river_net *net;
    rivers_visitor visit;
    void *user;
    cut_rect rect;
    double spacing;
    reach reach;
    double *points; /* of a piece; its beds follow in the same memory */
    size_t room;
    id_table done; /* reaches that were visited */
} rivers_run;

cut_rect rivers_rect(const rivers_request *request)
{
    const ter_rect *r = &request->rect;
    const double step = ldexp(1.0, ter_world_params(request->world)->levels - r->level);
    return (cut_rect){(double)r->i * step, (double)r->j * step, (double)(r->i + r->width) * step,
                      (double)(r->j + r->height) * step};
}

result rivers_open(const rivers_request *request, double share, ter_river_window *cells, river_net **net)
{
    const ter_status status = ter_river_edges_window(request->world, &request->rect, cells);
    if (status != TER_OK)
        return result_of_library(status, "rivers");
    const river_net_options options = {.world = request->world,
                                       .min_area_m2 = request->min_area_m2,
                                       .point_distance = request->point_distance,
                                       .is_cancelled = request->is_cancelled,
                                       .cancel_user = request->cancel_user,
                                       .events = request->events,
                                       .path = request->path};
    *net = river_net_create(&options);
    return *net ? river_net_load(*net, cells, share) : result_of(RESULT_FAILED, "out of memory");
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
        res = r->visit(r->user, q, &piece, n);
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

/** Visit the reaches on which the parts of an edge lie. */
static result visit_edge(rivers_run *r, const ter_river_edge *edge)
{
    result res = result_done();
    for (int part = 0; part <= edge->n_changes && res.kind == RESULT_DONE; part++) {
        const edge_part head = reach_head(r->net, (edge_part){edge, part});
        bool is_new;
        if (!id_table_find(&r->done, reach_id(head), &is_new))
            return result_of(RESULT_FAILED, "out of memory");
        if (!is_new)
            continue;
        res = reach_follow(r->net, head, r->spacing, &r->reach);
        if (res.kind == RESULT_DONE)
            res = visit_reach(r);
    }
    return res;
}

static result visit_cells(rivers_run *r, const ter_river_window *cells, double share)
{
    result res = result_done();
    for (int64_t row = 0; row < cells->rows && res.kind == RESULT_DONE; row++) {
        if (!work_goes_on(&r->request->events, r->request->path, share + (1.0 - share) * (double)row / cells->rows))
            return result_of(RESULT_INTERRUPTED, "interrupted; nothing was written");
        for (int64_t column = 0; column < cells->columns && res.kind == RESULT_DONE; column++) {
            const ter_river_edge *edge = river_net_find(r->net, cells->column + column, cells->row + row);
            if (edge && touches(r, edge))
                res = visit_edge(r, edge);
            if (res.kind == RESULT_DONE)
                res = *river_net_state(r->net);
        }
    }
    return res;
}

result rivers_visit(const rivers_request *request, const ter_river_window *cells, river_net *net, double share,
                    rivers_visitor visit, void *user)
{
    rivers_run r = {.request = request, .net = net, .visit = visit, .user = user, .rect = rivers_rect(request)};
    r.spacing = ter_world_params(request->world)->spacing;
    const result res = visit_cells(&r, cells, share);
    free(r.reach.points);
    free(r.points);
    id_table_free(&r.done);
    return res;
}
