/* river_net.c - walks from edge to edge through the tiles of a network. */
#include "program/features/river_net.h"

#include <stdlib.h>

#include "library/core/grow.h"

struct river_net {
    net_tiles tiles;
};

river_net *river_net_create(const river_net_options *options)
{
    river_net *net = calloc(1, sizeof *net);
    if (net)
        net->tiles.options = *options;
    return net;
}

void river_net_destroy(river_net *net)
{
    if (!net)
        return;
    net_tiles_free(&net->tiles);
    free(net);
}

const result *river_net_state(const river_net *net)
{
    return &net->tiles.state;
}

result river_net_load(river_net *net, const ter_river_window *cells, bool has_points, double share_from,
                      double share_to)
{
    return net_tiles_load(&net->tiles, cells, has_points, share_from, share_to);
}

void river_net_note_share(river_net *net, double share)
{
    net->tiles.share = share;
}

void river_net_widen(river_net *net, int most_tiles)
{
    int *most = &net->tiles.options.most_tiles;
    *most = *most > 0 && *most < most_tiles ? most_tiles : *most;
}

static void fail_memory(river_net *net)
{
    net_tiles_fail(&net->tiles, result_of(RESULT_FAILED, "out of memory"));
}

/* ---- edges ---- */

/** The tile of an edge, valid until the next call, and its index in the tile. */
static net_tile *place_of(river_net *net, const ter_river_edge *edge, int *index)
{
    net_tile *t = net_tiles_of_cell(&net->tiles, edge->column, edge->row);
    if (t)
        *index = t->at[net_tile_cell(t, edge->column, edge->row)];
    return t;
}

/** The edge of a cell of a tile. t: may be NULL */
static const ter_river_edge *edge_in(const net_tile *t, int64_t column, int64_t row)
{
    size_t count;
    const int n = t ? t->at[net_tile_cell(t, column, row)] : -1;
    return n < 0 ? NULL : ter_river_edges_list(t->edges, &count) + n;
}

bool river_net_find(river_net *net, int64_t column, int64_t row, ter_river_edge *out)
{
    const ter_river_edge *e = edge_in(net_tiles_of_cell(&net->tiles, column, row), column, row);
    if (e)
        *out = *e;
    return e != NULL;
}

/** The cell, column and row, of the edge that an edge flows into. An id has the last 32 bits of both numbers, and the
 * cells are neighbours. */
static void cell_below(const ter_river_edge *edge, int64_t cell[2])
{
    const uint64_t to = (uint64_t)edge->to;
    cell[0] = edge->column + (int32_t)((uint32_t)to - (uint32_t)edge->column);
    cell[1] = edge->row + (int32_t)((uint32_t)(to >> 32) - (uint32_t)edge->row);
}

bool river_net_below(river_net *net, const ter_river_edge *edge, ter_river_edge *out)
{
    int64_t cell[2];
    cell_below(edge, cell);
    return edge->end == TER_EDGE_GOES_ON && river_net_find(net, cell[0], cell[1], out);
}

const ter_river_edge *river_net_below_made(const river_net *net, const ter_river_edge *edge)
{
    int64_t cell[2];
    cell_below(edge, cell);
    if (edge->end != TER_EDGE_GOES_ON)
        return NULL;
    return edge_in(net_tiles_in_memory(&net->tiles, cell[0], cell[1]), cell[0], cell[1]);
}

bool river_net_visit(const river_net *net, river_net_visitor visit, void *user)
{
    for (size_t n = 0; n < net->tiles.room; n++) {
        size_t n_edges, n_points;
        const net_tile *t = net->tiles.tiles[n];
        if (!t || !t->drawn)
            continue;
        const ter_river_edge *edges = ter_river_edges_list(t->drawn, &n_edges);
        const ter_river_point *points = ter_river_edges_points(t->drawn, &n_points);
        for (size_t k = 0; k < n_edges; k++)
            if (!visit(user, &edges[k], points + edges[k].first_point))
                return false;
    }
    return true;
}

int river_net_inflows(river_net *net, const ter_river_edge *edge, ter_river_edge inflows[8])
{
    int count = 0;
    for (int n = 0; n < 9; n++) {
        ter_river_edge e;
        if (n != 4 && river_net_find(net, edge->column + n % 3 - 1, edge->row + n / 3 - 1, &e) && e.to == edge->id)
            inflows[count++] = e;
    }
    return count;
}

const ter_river_point *river_net_points(river_net *net, const ter_river_edge *edge, size_t *count)
{
    int index = 0;
    size_t n_edges, n_points;
    net_tile *t = place_of(net, edge, &index);
    if (!t || !net_tiles_draw(&net->tiles, t))
        return NULL;
    const ter_river_edge *e = ter_river_edges_list(t->drawn, &n_edges) + index;
    *count = e->n_points;
    return ter_river_edges_points(t->drawn, &n_points) + e->first_point;
}

/* ---- orders ---- */

/** Order of an edge, computed from the orders of its inflows. Returns 0 if the order of an inflow is not known;
 * unknown: receives that inflow. */
static int order_above(river_net *net, const ter_river_edge *edge, ter_river_edge *unknown)
{
    ter_river_edge inflows[8];
    const int count = river_net_inflows(net, edge, inflows);
    int most = 0, n_most = 0;
    for (int n = 0; n < count; n++) {
        int index = 0;
        const net_tile *t = place_of(net, &inflows[n], &index);
        const int order = t ? t->order[index] : 0;
        if (order == 0) {
            *unknown = inflows[n];
            return 0;
        }
        n_most = order > most ? 1 : n_most + (order == most);
        most = order > most ? order : most;
    }
    return count == 0 ? 1 : most + (n_most > 1);
}

/** A list of edges. */
typedef struct edge_list {
    ter_river_edge *at;
    size_t count, room;
} edge_list;

static bool push(edge_list *s, const ter_river_edge *edge)
{
    ter_river_edge *at = ter_grow(s->at, &s->room, s->count + 1, sizeof *at);
    if (!at)
        return false;
    s->at = at;
    s->at[s->count++] = *edge;
    return true;
}

/** Find the order of the last edge on the list, and remove it. If an inflow's order must be found first, push that
 * inflow onto the list. */
static void find_order(river_net *net, edge_list *s)
{
    const ter_river_edge edge = s->at[s->count - 1];
    ter_river_edge unknown;
    const int order = order_above(net, &edge, &unknown);
    if (order == 0 && !push(s, &unknown))
        fail_memory(net);
    if (order == 0)
        return;
    int index = 0;
    net_tile *t = place_of(net, &edge, &index);
    if (t)
        t->order[index] = (unsigned char)order;
    s->count--;
}

/** The order of an edge if it is known, else 0. */
static int known_order(river_net *net, const ter_river_edge *edge)
{
    int index = 0;
    const net_tile *t = place_of(net, edge, &index);
    return t ? t->order[index] : 0;
}

int river_net_order(river_net *net, const ter_river_edge *edge)
{
    edge_list s = {NULL, 0, 0};
    const int known = known_order(net, edge);
    if (known > 0)
        return known;
    if (!push(&s, edge))
        fail_memory(net);
    while (s.count > 0 && river_net_state(net)->kind == RESULT_DONE)
        find_order(net, &s);
    free(s.at);
    return known_order(net, edge);
}

/* ---- mouths ---- */

/** Follow an edge down to its mouth, or to an edge whose mouth is known. Returns the number of the mouth. path:
 * receives the edges whose mouth was not known */
static int64_t find_mouth(river_net *net, const ter_river_edge *edge, river_net_number number, edge_list *path)
{
    ter_river_edge e = *edge;
    for (;;) {
        int index = 0;
        const net_tile *t = place_of(net, &e, &index);
        if (!t || t->mouth[index] != TER_EDGE_NONE)
            return t ? t->mouth[index] : TER_EDGE_NONE;
        if (!push(path, &e)) {
            fail_memory(net);
            return TER_EDGE_NONE;
        }
        if (!river_net_below(net, &e, &e))
            return number(net, &e);
    }
}

int64_t river_net_mouth(river_net *net, const ter_river_edge *edge, river_net_number number)
{
    edge_list path = {NULL, 0, 0};
    const int64_t mouth = find_mouth(net, edge, number, &path);
    for (size_t n = 0; n < path.count; n++)
        net_tiles_note_mouth(&net->tiles, &path.at[n], mouth);
    free(path.at);
    return mouth;
}
