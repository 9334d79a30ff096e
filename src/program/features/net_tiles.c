/* net_tiles.c - a table of tiles, from which those that were not used for the longest time are dropped. */
#include "program/features/net_tiles.h"

#include <stdlib.h>

#include "library/core/grow.h"
#include "program/core/tasks.h"

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

void net_tiles_free(net_tiles *s)
{
    for (size_t n = 0; n < s->room; n++)
        free_tile(s->tiles[n]);
    for (size_t n = 0; n < s->n_rims; n++)
        free(s->rim[n]);
    free(s->tiles);
    free(s->rim);
    id_table_free(&s->rims);
}

void *net_tiles_fail(net_tiles *s, result res)
{
    if (s->state.kind == RESULT_DONE)
        s->state = res;
    return NULL;
}

static void *fail_memory(net_tiles *s)
{
    return net_tiles_fail(s, result_of(RESULT_FAILED, "out of memory"));
}

/* ---- the table ---- */

static net_tile **slot_of(net_tile **tiles, size_t room, int64_t column, int64_t row)
{
    uint64_t hash = ((uint64_t)column * UINT64_C(0x9e3779b97f4a7c15)) ^ ((uint64_t)row * UINT64_C(0xc2b2ae3d27d4eb4f));
    hash ^= hash >> 29;
    for (size_t n = (size_t)hash & (room - 1);; n = (n + 1) & (room - 1))
        if (!tiles[n] || (tiles[n]->column == column && tiles[n]->row == row))
            return &tiles[n];
}

/** Double the table when it is half full. Returns false when there is no memory. */
static bool grow(net_tiles *s)
{
    if (2 * s->count < s->room)
        return true;
    const size_t room = s->room ? 2 * s->room : 64;
    net_tile **tiles = calloc(room, sizeof(net_tile *));
    if (!tiles)
        return false;
    for (size_t n = 0; n < s->room; n++)
        if (s->tiles[n])
            *slot_of(tiles, room, s->tiles[n]->column, s->tiles[n]->row) = s->tiles[n];
    free(s->tiles);
    s->tiles = tiles;
    s->room = room;
    return true;
}

static net_tile *tile_at(const net_tiles *s, int64_t column, int64_t row)
{
    return s->room ? *slot_of(s->tiles, s->room, column, row) : NULL;
}

net_tile *net_tiles_in_memory(const net_tiles *s, int64_t column, int64_t row)
{
    return tile_at(s, net_tile_of(column), net_tile_of(row));
}

/** Take a tile out of the table, and move the entries behind it to where they are found now. */
static void take_out(net_tiles *s, const net_tile *t)
{
    size_t n = (size_t)(slot_of(s->tiles, s->room, t->column, t->row) - s->tiles);
    s->tiles[n] = NULL;
    s->count--;
    for (n = (n + 1) & (s->room - 1); s->tiles[n]; n = (n + 1) & (s->room - 1)) {
        net_tile *moved = s->tiles[n];
        s->tiles[n] = NULL;
        *slot_of(s->tiles, s->room, moved->column, moved->row) = moved;
    }
}

/* ---- what stays of a dropped tile ---- */

/** Index in a tile of the n-th outer cell: north, south, west, east. Each corner comes twice. */
static int rim_cell(int n)
{
    enum { LAST = NET_TILE - 1 };
    const int along = n % NET_TILE, side = n / NET_TILE;
    return side == 0   ? along
           : side == 1 ? LAST * NET_TILE + along
           : side == 2 ? along * NET_TILE
                       : along * NET_TILE + LAST;
}

static id_entry *rim_entry(net_tiles *s, int64_t tile_column, int64_t tile_row)
{
    return id_table_find(&s->rims, (int64_t)(((uint64_t)tile_row << 32) + (uint32_t)(uint64_t)tile_column), NULL);
}

/** The rim of a tile, added if it is missing. NULL: no memory. */
static net_rim *add_rim(net_tiles *s, const net_tile *t)
{
    id_entry *e = rim_entry(s, t->column, t->row);
    if (e && e->number > 0)
        return s->rim[e->number - 1];
    net_rim **rims = ter_grow(s->rim, &s->rim_room, s->n_rims + 1, sizeof(net_rim *));
    if (rims)
        s->rim = rims;
    net_rim *rim = e && rims ? malloc(sizeof *rim) : NULL;
    if (!rim)
        return NULL;
    s->rim[s->n_rims++] = rim;
    e->number = (int64_t)s->n_rims;
    return rim;
}

/** Keep what is known about the edges in the outer cells. Returns false when there is no memory. */
static bool keep_rim(net_tiles *s, const net_tile *t)
{
    net_rim *rim = add_rim(s, t);
    for (int n = 0; rim && n < 4 * NET_TILE; n++) {
        const int edge = t->at[rim_cell(n)];
        rim->order[n] = edge < 0 ? 0 : t->order[edge];
        rim->mouth[n] = edge < 0 ? TER_EDGE_NONE : t->mouth[edge];
    }
    return rim != NULL;
}

/** Give a tile that is made again what its rim knows. Returns false when there is no memory. */
static bool recall_rim(net_tiles *s, const net_tile *t)
{
    if (s->n_rims == 0)
        return true;
    const id_entry *e = rim_entry(s, t->column, t->row);
    if (!e || e->number == 0)
        return e != NULL;
    const net_rim *rim = s->rim[e->number - 1];
    for (int n = 0; n < 4 * NET_TILE; n++) {
        const int edge = t->at[rim_cell(n)];
        if (edge >= 0) {
            t->order[edge] = rim->order[n];
            t->mouth[edge] = rim->mouth[n];
        }
    }
    return true;
}

void net_tiles_note_mouth(net_tiles *s, const ter_river_edge *edge, int64_t mouth)
{
    const int64_t column = net_tile_of(edge->column), row = net_tile_of(edge->row);
    const net_tile *t = tile_at(s, column, row);
    if (t)
        t->mouth[t->at[net_tile_cell(t, edge->column, edge->row)]] = mouth;
    const id_entry *e = t || s->n_rims == 0 ? NULL : rim_entry(s, column, row);
    const int cell = (int)((edge->row - row * NET_TILE) * NET_TILE + edge->column - column * NET_TILE);
    for (int n = 0; e && e->number > 0 && n < 4 * NET_TILE; n++)
        if (rim_cell(n) == cell)
            s->rim[e->number - 1]->mouth[n] = mouth;
}

/** Drop the tile that was not used for the longest time. Returns false when there is no memory. */
static bool drop_oldest(net_tiles *s)
{
    net_tile *oldest = NULL;
    for (size_t n = 0; n < s->room; n++)
        if (s->tiles[n] && (!oldest || s->tiles[n]->used < oldest->used))
            oldest = s->tiles[n];
    if (!oldest || !keep_rim(s, oldest))
        return false;
    take_out(s, oldest);
    free_tile(oldest);
    return true;
}

/* ---- making tiles ---- */

/** Index the edges of a tile by their cells. Returns false when there is no memory. */
static bool index_tile(net_tile *t)
{
    size_t count;
    const ter_river_edge *edges = ter_river_edges_list(t->edges, &count);
    t->at = malloc(NET_TILE * NET_TILE * sizeof *t->at);
    t->order = calloc(count + 1, 1);
    t->mouth = malloc((count + 1) * sizeof *t->mouth);
    if (!t->at || !t->order || !t->mouth)
        return false;
    for (int n = 0; n < NET_TILE * NET_TILE; n++)
        t->at[n] = -1;
    for (size_t n = 0; n < count; n++) {
        t->at[net_tile_cell(t, edges[n].column, edges[n].row)] = (int)n;
        t->mouth[n] = TER_EDGE_NONE;
    }
    return true;
}

/** Make a tile that is not in the table yet. Any thread. */
static net_tile *make_tile(const net_tiles *s, int64_t column, int64_t row, bool has_points, result *res)
{
    const ter_river_edges_options options = {TER_SIZED(ter_river_edges_options),
                                             .cells = {column * NET_TILE, row * NET_TILE, NET_TILE, NET_TILE},
                                             .min_area_m2 = s->options.min_area_m2,
                                             .has_points = has_points,
                                             .point_distance = s->options.point_distance,
                                             .is_cancelled = s->options.is_cancelled,
                                             .user = s->options.cancel_user};
    net_tile *t = calloc(1, sizeof *t);
    if (t) {
        t->column = column;
        t->row = row;
        const ter_status status = ter_river_edges_create(s->options.world, &options, &t->edges);
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

/** Add a tile to the table, and drop another one if there are too many. */
static net_tile *add_tile(net_tiles *s, net_tile *t)
{
    const bool is_full = s->options.most_tiles > 0 && s->count >= (size_t)s->options.most_tiles;
    if (!grow(s) || (is_full && !drop_oldest(s)) || !recall_rim(s, t)) {
        free_tile(t);
        return fail_memory(s);
    }
    *slot_of(s->tiles, s->room, t->column, t->row) = t;
    s->count++;
    t->used = ++s->time;
    return t;
}

static bool is_drawn(const net_tiles *s, int64_t column, int64_t row)
{
    const ter_river_window *w = &s->drawn;
    return w->columns > 0 && column >= net_tile_of(w->column) && column <= net_tile_of(w->column + w->columns - 1) &&
           row >= net_tile_of(w->row) && row <= net_tile_of(w->row + w->rows - 1);
}

net_tile *net_tiles_of_cell(net_tiles *s, int64_t column, int64_t row)
{
    const int64_t tile_column = net_tile_of(column), tile_row = net_tile_of(row);
    net_tile *t = tile_at(s, tile_column, tile_row);
    if (t)
        t->used = ++s->time;
    if (t || s->state.kind != RESULT_DONE)
        return t;
    result res = result_done();
    if (!work_goes_on(&s->options.events, s->options.path, s->share))
        return net_tiles_fail(s, result_of(RESULT_INTERRUPTED, "interrupted; nothing was written"));
    t = make_tile(s, tile_column, tile_row, is_drawn(s, tile_column, tile_row), &res);
    return t ? add_tile(s, t) : net_tiles_fail(s, res);
}

bool net_tiles_draw(net_tiles *s, net_tile *t)
{
    result res = result_done();
    if (t->drawn)
        return true;
    net_tile *again = make_tile(s, t->column, t->row, true, &res);
    if (!again) {
        net_tiles_fail(s, res);
        return false;
    }
    t->drawn = again->edges;
    again->edges = again->drawn = NULL;
    free_tile(again);
    return true;
}

/* ---- the tiles of a window ---- */

enum { BATCH = 16 };

/** Tiles that are made at the same time. */
typedef struct tile_batch {
    net_tiles *tiles;
    bool has_points;
    int64_t column[BATCH], row[BATCH];
    net_tile *made[BATCH];
    result results[BATCH];
    int count;
} tile_batch;

static void make_task(void *user, int64_t n)
{
    tile_batch *b = user;
    b->results[n] = result_done();
    b->made[n] = make_tile(b->tiles, b->column[n], b->row[n], b->has_points, &b->results[n]);
}

/** Make the tiles of a batch, and add them. */
static result load_batch(tile_batch *b)
{
    result res = result_done();
    tasks_run(b->count, make_task, b);
    for (int n = 0; n < b->count; n++) {
        if (b->made[n])
            add_tile(b->tiles, b->made[n]);
        else if (res.kind == RESULT_DONE)
            res = b->results[n];
    }
    b->count = 0;
    return res.kind == RESULT_DONE ? b->tiles->state : res;
}

result net_tiles_load(net_tiles *s, const ter_river_window *cells, bool has_points, double share_from, double share_to)
{
    tile_batch b = {.tiles = s, .has_points = has_points};
    const int64_t west = net_tile_of(cells->column), north = net_tile_of(cells->row);
    const int64_t columns = net_tile_of(cells->column + cells->columns - 1) - west + 1;
    const int64_t all = columns * (net_tile_of(cells->row + cells->rows - 1) - north + 1);
    result res = result_done();
    s->drawn = has_points ? *cells : (ter_river_window){0};
    for (int64_t n = 0; n < all; n++) { /* the tiles that are there must not be dropped for the new ones */
        net_tile *t = tile_at(s, west + n % columns, north + n / columns);
        if (t)
            t->used = ++s->time;
    }
    for (int64_t n = 0; n < all && res.kind == RESULT_DONE; n++) {
        if (tile_at(s, west + n % columns, north + n / columns))
            continue;
        b.column[b.count] = west + n % columns;
        b.row[b.count++] = north + n / columns;
        if (b.count == 1 && !work_goes_on(&s->options.events, s->options.path,
                                          share_from + (share_to - share_from) * (double)n / (double)all))
            res = result_of(RESULT_INTERRUPTED, "interrupted; nothing was written");
        else if (b.count == BATCH)
            res = load_batch(&b);
    }
    if (res.kind == RESULT_DONE && b.count > 0)
        res = load_batch(&b);
    s->share = share_to;
    return res;
}
