/* river_net.c - keeps tiles of edges in a table, and walks from edge to edge. */
#include "program/features/river_net.h"

#include <stdlib.h>

#include "library/core/grow.h"
#include "program/core/tasks.h"

/** A tile. */
typedef struct net_tile {
    int64_t column, row;            /* in tiles */
    ter_river_edges *edges, *drawn; /* drawn: the edges with points; NULL: not made yet; may be equal to `edges` */
    int *at;                        /* for each cell, the index of the edge that begins there; -1: none begins there */
    unsigned char *order;           /* of each edge; 0: not known */
    const ter_river_edge **mouth;   /* of each edge; NULL: not known */
} net_tile;

struct river_net {
    river_net_options options;
    net_tile **tiles; /* a hash table; NULL: a free entry */
    size_t room, count;
    result state;
};

river_net *river_net_create(const river_net_options *options)
{
    river_net *net = calloc(1, sizeof *net);
    if (net)
        net->options = *options;
    return net;
}

static void free_tile(net_tile *t)
{
    if (!t)
        return;
    if (t->drawn != t->edges)
        ter_river_edges_destroy(t->drawn);
    ter_river_edges_destroy(t->edges);
    free(t->at);
    free(t->order);
    free(t->mouth);
    free(t);
}

void river_net_destroy(river_net *net)
{
    if (!net)
        return;
    for (size_t n = 0; n < net->room; n++)
        free_tile(net->tiles[n]);
    free(net->tiles);
    free(net);
}

const result *river_net_state(const river_net *net)
{
    return &net->state;
}

static void *fail(river_net *net, result res)
{
    if (net->state.kind == RESULT_DONE)
        net->state = res;
    return NULL;
}

/* ---- the table of tiles ---- */

static net_tile **slot_of(net_tile **tiles, size_t room, int64_t column, int64_t row)
{
    uint64_t hash = ((uint64_t)column * UINT64_C(0x9e3779b97f4a7c15)) ^ ((uint64_t)row * UINT64_C(0xc2b2ae3d27d4eb4f));
    hash ^= hash >> 29;
    for (size_t n = (size_t)hash & (room - 1);; n = (n + 1) & (room - 1))
        if (!tiles[n] || (tiles[n]->column == column && tiles[n]->row == row))
            return &tiles[n];
}

/** Double the table when it is half full. Returns false when there is no memory. */
static bool grow(river_net *net)
{
    if (2 * net->count < net->room)
        return true;
    const size_t room = net->room ? 2 * net->room : 64;
    net_tile **tiles = calloc(room, sizeof(net_tile *));
    if (!tiles)
        return false;
    for (size_t n = 0; n < net->room; n++)
        if (net->tiles[n])
            *slot_of(tiles, room, net->tiles[n]->column, net->tiles[n]->row) = net->tiles[n];
    free(net->tiles);
    net->tiles = tiles;
    net->room = room;
    return true;
}

static net_tile *tile_at(const river_net *net, int64_t column, int64_t row)
{
    return net->room ? *slot_of(net->tiles, net->room, column, row) : NULL;
}

/* ---- making tiles ---- */

/** Index the edges of a tile by their cells. Returns false when there is no memory. */
static bool index_tile(net_tile *t)
{
    size_t count;
    const ter_river_edge *edges = ter_river_edges_list(t->edges, &count);
    t->at = malloc(NET_TILE * NET_TILE * sizeof *t->at);
    t->order = calloc(count + 1, 1);
    t->mouth = calloc(count + 1, sizeof(const ter_river_edge *));
    if (!t->at || !t->order || !t->mouth)
        return false;
    for (int n = 0; n < NET_TILE * NET_TILE; n++)
        t->at[n] = -1;
    for (size_t n = 0; n < count; n++)
        t->at[(edges[n].row - t->row * NET_TILE) * NET_TILE + edges[n].column - t->column * NET_TILE] = (int)n;
    return true;
}

/** Make a tile that is not in the table yet. Any thread. */
static net_tile *make_tile(const river_net *net, int64_t column, int64_t row, bool has_points, result *res)
{
    const ter_river_edges_options options = {TER_SIZED(ter_river_edges_options),
                                             .cells = {column * NET_TILE, row * NET_TILE, NET_TILE, NET_TILE},
                                             .min_area_m2 = net->options.min_area_m2,
                                             .has_points = has_points,
                                             .point_distance = net->options.point_distance,
                                             .is_cancelled = net->options.is_cancelled,
                                             .user = net->options.cancel_user};
    net_tile *t = calloc(1, sizeof *t);
    if (t) {
        t->column = column;
        t->row = row;
        const ter_status status = ter_river_edges_create(net->options.world, &options, &t->edges);
        if (status == TER_ECANCELLED)
            *res = result_of(RESULT_INTERRUPTED, "interrupted; nothing was written");
        else if (status != TER_OK)
            *res = result_of_library(status, "rivers");
        t->drawn = has_points ? t->edges : NULL;
        if (status == TER_OK && index_tile(t))
            return t;
    }
    if (res->kind == RESULT_DONE)
        *res = result_of(RESULT_FAILED, "out of memory");
    free_tile(t);
    return NULL;
}

/** Add a tile to the table. */
static net_tile *add_tile(river_net *net, net_tile *t)
{
    if (!grow(net)) {
        free_tile(t);
        return fail(net, result_of(RESULT_FAILED, "out of memory"));
    }
    *slot_of(net->tiles, net->room, t->column, t->row) = t;
    net->count++;
    return t;
}

static int64_t tile_of(int64_t cell)
{
    return cell >= 0 ? cell / NET_TILE : -((-cell + NET_TILE - 1) / NET_TILE);
}

/** The tile of a cell, made if it is missing. */
static net_tile *tile_of_cell(river_net *net, int64_t column, int64_t row)
{
    net_tile *t = tile_at(net, tile_of(column), tile_of(row));
    if (t || net->state.kind != RESULT_DONE)
        return t;
    result res = result_done();
    if (!work_goes_on(&net->options.events, net->options.path, 1.0))
        return fail(net, result_of(RESULT_INTERRUPTED, "interrupted; nothing was written"));
    t = make_tile(net, tile_of(column), tile_of(row), false, &res);
    return t ? add_tile(net, t) : fail(net, res);
}

/* ---- the tiles of a window ---- */

enum { BATCH = 16 };

/** Tiles that are made at the same time. */
typedef struct tile_batch {
    river_net *net;
    int64_t columns[BATCH], rows[BATCH];
    int count;
    net_tile *made[BATCH];
    result results[BATCH];
} tile_batch;

static void make_task(void *user, int64_t n)
{
    tile_batch *b = user;
    b->results[n] = result_done();
    b->made[n] = make_tile(b->net, b->columns[n], b->rows[n], true, &b->results[n]);
}

/** Make the tiles of a batch, add them, and empty the batch. */
static result load_batch(river_net *net, tile_batch *b)
{
    result res = result_done();
    tasks_run(b->count, make_task, b);
    for (int n = 0; n < b->count; n++) {
        if (b->made[n])
            add_tile(net, b->made[n]);
        else if (res.kind == RESULT_DONE)
            res = b->results[n];
    }
    b->count = 0;
    return res.kind == RESULT_DONE ? net->state : res;
}

result river_net_load(river_net *net, const ter_river_window *cells, double share)
{
    const int64_t west = tile_of(cells->column), north = tile_of(cells->row),
                  columns = tile_of(cells->column + cells->columns - 1) - west + 1,
                  all = columns * (tile_of(cells->row + cells->rows - 1) - north + 1);
    tile_batch b = {.net = net};
    result res = result_done();
    for (int64_t n = 0; n < all && res.kind == RESULT_DONE; n++) {
        const int64_t column = west + n % columns, row = north + n / columns;
        if (!tile_at(net, column, row)) {
            b.columns[b.count] = column;
            b.rows[b.count++] = row;
        }
        if (b.count == 0 || (b.count < BATCH && n + 1 < all))
            continue;
        if (!work_goes_on(&net->options.events, net->options.path, share * (double)(n + 1 - b.count) / (double)all))
            return result_of(RESULT_INTERRUPTED, "interrupted; nothing was written");
        res = load_batch(net, &b);
    }
    return res;
}

/* ---- edges ---- */

/** The tile of an edge, and its index in the tile. */
static net_tile *place_of(river_net *net, const ter_river_edge *edge, int *index)
{
    net_tile *t = tile_of_cell(net, edge->column, edge->row);
    if (t)
        *index = t->at[(edge->row - t->row * NET_TILE) * NET_TILE + edge->column - t->column * NET_TILE];
    return t;
}

/** The edge of a cell of a tile. t: may be NULL */
static const ter_river_edge *edge_in(const net_tile *t, int64_t column, int64_t row)
{
    size_t count;
    const int n = t ? t->at[(row - t->row * NET_TILE) * NET_TILE + column - t->column * NET_TILE] : -1;
    return n < 0 ? NULL : ter_river_edges_list(t->edges, &count) + n;
}

const ter_river_edge *river_net_find(river_net *net, int64_t column, int64_t row)
{
    return edge_in(tile_of_cell(net, column, row), column, row);
}

/** The cell, column and row, of the edge that an edge flows into. An id has the last 32 bits of both numbers, and the
 * cells are neighbours. */
static void cell_below(const ter_river_edge *edge, int64_t cell[2])
{
    const uint64_t to = (uint64_t)edge->to;
    cell[0] = edge->column + (int32_t)((uint32_t)to - (uint32_t)edge->column);
    cell[1] = edge->row + (int32_t)((uint32_t)(to >> 32) - (uint32_t)edge->row);
}

const ter_river_edge *river_net_below(river_net *net, const ter_river_edge *edge)
{
    int64_t cell[2];
    cell_below(edge, cell);
    return edge->end == TER_EDGE_GOES_ON ? river_net_find(net, cell[0], cell[1]) : NULL;
}

const ter_river_edge *river_net_below_made(const river_net *net, const ter_river_edge *edge)
{
    int64_t cell[2];
    cell_below(edge, cell);
    if (edge->end != TER_EDGE_GOES_ON)
        return NULL;
    return edge_in(tile_at(net, tile_of(cell[0]), tile_of(cell[1])), cell[0], cell[1]);
}

bool river_net_visit(const river_net *net, river_net_visitor visit, void *user)
{
    for (size_t n = 0; n < net->room; n++) {
        size_t n_edges, n_points;
        if (!net->tiles[n] || !net->tiles[n]->drawn)
            continue;
        const ter_river_edge *edges = ter_river_edges_list(net->tiles[n]->drawn, &n_edges);
        const ter_river_point *points = ter_river_edges_points(net->tiles[n]->drawn, &n_points);
        for (size_t k = 0; k < n_edges; k++)
            if (!visit(user, &edges[k], points + edges[k].first_point))
                return false;
    }
    return true;
}

int river_net_inflows(river_net *net, const ter_river_edge *edge, const ter_river_edge *inflows[8])
{
    int count = 0;
    for (int n = 0; n < 9; n++) {
        const ter_river_edge *e = n == 4 ? NULL : river_net_find(net, edge->column + n % 3 - 1, edge->row + n / 3 - 1);
        if (e && e->to == edge->id)
            inflows[count++] = e;
    }
    return count;
}

/** Make the points of a tile that was made without them. Its edges stay where they are, because callers keep them. */
static bool draw_tile(river_net *net, net_tile *t)
{
    result res = result_done();
    if (t->drawn)
        return true;
    net_tile *again = make_tile(net, t->column, t->row, true, &res);
    if (!again) {
        fail(net, res);
        return false;
    }
    t->drawn = again->edges;
    again->edges = again->drawn = NULL;
    free_tile(again);
    return true;
}

const ter_river_point *river_net_points(river_net *net, const ter_river_edge *edge, size_t *count)
{
    int index = 0;
    size_t n_edges, n_points;
    net_tile *t = place_of(net, edge, &index);
    if (!t || !draw_tile(net, t))
        return NULL;
    const ter_river_edge *e = ter_river_edges_list(t->drawn, &n_edges) + index;
    *count = e->n_points;
    return ter_river_edges_points(t->drawn, &n_points) + e->first_point;
}

/* ---- along the rivers ---- */

/** Order of an edge, computed from the orders of its inflows. Returns 0 if the order of an inflow is not known;
 * unknown: receives that inflow. */
static int order_above(river_net *net, const ter_river_edge *edge, const ter_river_edge **unknown)
{
    const ter_river_edge *inflows[8];
    const int count = river_net_inflows(net, edge, inflows);
    int most = 0, n_most = 0;
    for (int n = 0; n < count; n++) {
        int index = 0;
        const net_tile *t = place_of(net, inflows[n], &index);
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

/** Edges that wait for the order of others. */
typedef struct edge_stack {
    const ter_river_edge **at;
    size_t count, room;
} edge_stack;

static bool push(edge_stack *s, const ter_river_edge *edge)
{
    const ter_river_edge **at = ter_grow(s->at, &s->room, s->count + 1, sizeof(void *));
    if (!at)
        return false;
    s->at = at;
    s->at[s->count++] = edge;
    return true;
}

/** Find the order of the last edge on the stack, and remove it. If an inflow's order must be found first, push that
 * inflow onto the stack. */
static void find_order(river_net *net, edge_stack *s)
{
    const ter_river_edge *edge = s->at[s->count - 1], *unknown = NULL;
    const int order = order_above(net, edge, &unknown);
    int index = 0;
    net_tile *t = place_of(net, edge, &index);
    if (order > 0 && t) {
        t->order[index] = (unsigned char)order;
        s->count--;
    } else if (!unknown || !push(s, unknown)) {
        fail(net, result_of(RESULT_FAILED, "out of memory"));
    }
}

int river_net_order(river_net *net, const ter_river_edge *edge)
{
    edge_stack s = {NULL, 0, 0};
    int index = 0;
    const net_tile *t = place_of(net, edge, &index);
    if (t && t->order[index] == 0) {
        if (!push(&s, edge))
            fail(net, result_of(RESULT_FAILED, "out of memory"));
        while (s.count > 0 && net->state.kind == RESULT_DONE)
            find_order(net, &s);
        free(s.at);
    }
    return t ? t->order[index] : 0;
}

const ter_river_edge *river_net_mouth(river_net *net, const ter_river_edge *edge)
{
    const ter_river_edge *last = edge;
    int index = 0;
    for (const ter_river_edge *e = edge; e; e = river_net_below(net, e)) {
        const net_tile *t = place_of(net, e, &index);
        last = t && t->mouth[index] ? t->mouth[index] : e;
        if (last != e || !t)
            break;
    }
    for (const ter_river_edge *e = edge; e && net->state.kind == RESULT_DONE; e = river_net_below(net, e)) {
        const net_tile *t = place_of(net, e, &index);
        if (!t || t->mouth[index])
            break;
        t->mouth[index] = last;
    }
    return last;
}
