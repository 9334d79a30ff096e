/* lake_points.c - visits the edges of squares of the network, a band of squares at a time. */
#include "program/features/lake_points.h"

#include <math.h>
#include <stdlib.h>

#include "library/core/grow.h"

enum { SQUARE_CELLS = 192 }; /* of the network; its tiles, and those around it, are fewer than RIVERS_TILES */

void lake_points_free(lake_points *s)
{
    free(s->at);
}

bool lake_point_is_before(const lake_point *a, const lake_point *b)
{
    if (a->cell_row != b->cell_row)
        return a->cell_row < b->cell_row;
    if (a->cell_column != b->cell_column)
        return a->cell_column < b->cell_column;
    return a->index < b->index;
}

static int by_row(const void *a, const void *b)
{
    const lake_point *u = a, *v = b;
    if (u->row != v->row)
        return u->row < v->row ? -1 : 1;
    return lake_point_is_before(u, v) ? -1 : lake_point_is_before(v, u);
}

/* ---- edges ---- */

/** Add the points of an edge that lie in a lake and in the square. Returns false when there is no memory. */
static bool add_edge(lake_points *s, const feature_block *square, const ter_river_edge *edge)
{
    const feature_run *run = s->run;
    const double step = ldexp(1.0, run->job->lod);
    size_t count = 0;
    int part = 0;
    const ter_river_point *p = river_net_points(run->fine_net, edge, &count);
    for (size_t n = 0; p && n + 1 < count; n++) {
        part += n > 0 && p[n].water != p[n - 1].water && p[n].water != TER_EDGE_SEA;
        const double column = rint((p[n].x - run->job->x) / step) - (double)square->column;
        const double row = rint((p[n].z - run->job->z) / step) - (double)square->row;
        if (p[n].water != TER_EDGE_LAKE || column < 0.0 || row < 0.0 || column >= (double)square->columns ||
            row >= (double)square->rows)
            continue;
        lake_point *at = ter_grow(s->at, &s->room, s->count + 1, sizeof *at);
        if (!at)
            return false;
        s->at = at;
        s->at[s->count++] = (lake_point){(int32_t)(square->column + (int64_t)column),
                                         (int32_t)(square->row + (int64_t)row),
                                         p[n].level_m,
                                         (int32_t)n,
                                         part,
                                         edge->column,
                                         edge->row};
    }
    return true;
}

static result add_edges(lake_points *s, const feature_block *square, const ter_river_window *cells)
{
    river_net *net = s->run->fine_net;
    for (int64_t row = cells->row; row < cells->row + cells->rows; row++)
        for (int64_t column = cells->column; column < cells->column + cells->columns; column++) {
            ter_river_edge edge;
            if (river_net_find(net, column, row, &edge) && (edge.water == TER_EDGE_LAKE || edge.n_changes > 0) &&
                !add_edge(s, square, &edge))
                return result_of(RESULT_FAILED, "out of memory");
        }
    return *river_net_state(net);
}

/** Find the points in a square. A point belongs to the nearest sample, so the search reaches one sample further to the
 * north and to the west, but not beyond the rectangle. */
static result add_square(lake_points *s, const feature_block *square)
{
    const int64_t west = square->column > 0, north = square->row > 0;
    const feature_block block = {square->column - west, square->row - north, square->columns + west,
                                 square->rows + north};
    const double share = s->share * (double)square->row / s->run->raster.height;
    ter_river_window cells;
    result res = feature_cells(s->run, &block, &cells);
    if (res.kind == RESULT_DONE)
        res = river_net_load(s->run->fine_net, &cells, true, share, share);
    return res.kind == RESULT_DONE ? add_edges(s, square, &cells) : res;
}

/** Find the points of the next band of squares. */
static result add_band(lake_points *s)
{
    const trace_raster raster = s->run->raster;
    const int64_t side = feature_samples_along(s->run, SQUARE_CELLS), rest = raster.height - s->end;
    const int64_t rows = rest < side ? rest : side;
    result res = result_done();
    s->count = s->next = 0;
    for (int64_t column = 0; column < raster.width && res.kind == RESULT_DONE; column += side) {
        const int64_t more = raster.width - column;
        res = add_square(s, &(feature_block){column, s->end, more < side ? more : side, rows});
    }
    if (s->count > 0)
        qsort(s->at, s->count, sizeof *s->at, by_row);
    s->end += rows;
    return res;
}

result lake_points_of_row(lake_points *s, int64_t row, const lake_point **out, size_t *count)
{
    const result res = row < s->end ? result_done() : add_band(s);
    const size_t first = s->next;
    while (s->next < s->count && s->at[s->next].row == row)
        s->next++;
    *out = s->count > 0 ? s->at + first : NULL;
    *count = s->next - first;
    return res;
}

/* ---- facts ---- */

result lake_facts_find(const feature_run *run, const lake_point *p, lake_facts *out)
{
    ter_river_edge edge;
    bool leaves = false;
    *out = (lake_facts){0};
    if (river_net_find(run->net, p->cell_column, p->cell_row, &edge)) {
        out->has_id = true;
        out->id = reach_id(reach_lake_end(run->net, (edge_part){edge, p->part}, &out->has_outlet));
        out->outlet = out->id;
    }
    if (river_net_find(run->fine_net, p->cell_column, p->cell_row, &edge)) {
        const edge_part end = reach_lake_end(run->fine_net, (edge_part){edge, p->part}, &leaves);
        out->has_point = leaves && reach_part_start(run->fine_net, end, &out->point);
    }
    return river_net_state(run->fine_net)->kind == RESULT_DONE ? *river_net_state(run->net)
                                                               : *river_net_state(run->fine_net);
}
