/* plain.c - makes nodes in tiles of 64 x 64 cells, and finds tiles by hashing. */
#include "library/guide/plain.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "library/fluvial/cpu/kernels.h"

enum { TILE_SHIFT = 6, TILE = 1 << TILE_SHIFT };

typedef struct plain_tile {
    int64_t x, y; /* in tiles */
    ter_node *nodes;
} plain_tile;

struct guide_plain {
    const guide_making *m;
    plain_tile *tiles; /* `room` entries, a power of two; nodes NULL: the entry is empty */
    size_t room, count;
    const plain_tile *last; /* the tile that was found last */
};

guide_plain *guide_plain_create(const guide_making *m)
{
    guide_plain *plain = calloc(1, sizeof *plain);
    if (!plain)
        return NULL;
    plain->m = m;
    plain->room = 64;
    plain->tiles = calloc(plain->room, sizeof *plain->tiles);
    if (plain->tiles)
        return plain;
    free(plain);
    return NULL;
}

void guide_plain_destroy(guide_plain *plain)
{
    if (!plain)
        return;
    for (size_t n = 0; n < plain->room; n++)
        free(plain->tiles[n].nodes);
    free(plain->tiles);
    free(plain);
}

/* ---- one tile ---- */

static void plan_tile(ter_window at, int level, ter_arena *arena, ter_fluvial_job *job)
{
    ter_plan_nodes(level, ter_window_grown(at, TER_AREA_MARGIN), job);
    ter_place_provinces(arena, job);
    ter_place_nodes(arena, job);
}

/** Nodes of a tile. Returns NULL when there is no memory. */
static ter_node *make_nodes(const guide_making *m, int64_t x, int64_t y)
{
    const ter_window at = {x * TILE, y * TILE, TILE, TILE};
    ter_fluvial_job *job = calloc(1, sizeof *job);
    ter_node *out = malloc((size_t)TILE * TILE * sizeof *out);
    ter_arena size = {NULL, 0}, arena = {NULL, 0};
    if (job) {
        job->f = m->f;
        job->f.guide_level = 0;
        plan_tile(at, m->level, &size, job);
        arena.base = malloc(size.bytes);
    }
    char *memory = arena.base;
    if (!memory || !out) {
        free(memory);
        free(job);
        free(out);
        return NULL;
    }
    plan_tile(at, m->level, &arena, job);
    m->kernels->provinces(job);
    m->kernels->nodes(job, &m->cancel);
    const ter_window from = job->node_at[m->level];
    for (int j = 0; j < TILE; j++)
        for (int i = 0; i < TILE; i++)
            out[j * TILE + i] = job->node[m->level & 1][ter_window_index(from, at.x + i, at.y + j)];
    free(memory);
    free(job);
    return out;
}

/* ---- finding tiles ---- */

static plain_tile *find(const guide_plain *plain, int64_t x, int64_t y)
{
    for (uint64_t n = ter_guide_hash(x, y);; n++) {
        plain_tile *tile = &plain->tiles[n & (plain->room - 1)];
        if (!tile->nodes || (tile->x == x && tile->y == y))
            return tile;
    }
}

/** Make room for `more` tiles. Returns false when there is no memory. */
static bool reserve(guide_plain *plain, size_t more)
{
    size_t room = plain->room;
    while (room < 2 * (plain->count + more))
        room *= 2;
    if (room == plain->room)
        return true;
    const guide_plain before = *plain;
    plain->tiles = calloc(room, sizeof *plain->tiles);
    if (!plain->tiles) {
        plain->tiles = before.tiles;
        return false;
    }
    plain->room = room;
    plain->last = NULL;
    for (size_t n = 0; n < before.room; n++)
        if (before.tiles[n].nodes)
            *find(plain, before.tiles[n].x, before.tiles[n].y) = before.tiles[n];
    free(before.tiles);
    return true;
}

const ter_node *guide_plain_node(guide_plain *plain, int64_t x, int64_t y)
{
    const int64_t tx = x >> TILE_SHIFT, ty = y >> TILE_SHIFT;
    if (!plain->last || plain->last->x != tx || plain->last->y != ty) {
        plain_tile *tile = find(plain, tx, ty);
        if (!tile->nodes) {
            if (ter_is_cancelled(&plain->m->cancel) || !reserve(plain, 1))
                return NULL;
            tile = find(plain, tx, ty);
            *tile = (plain_tile){tx, ty, make_nodes(plain->m, tx, ty)};
            if (!tile->nodes)
                return NULL;
            plain->count++;
        }
        plain->last = tile;
    }
    return &plain->last->nodes[(y & (TILE - 1)) * TILE + (x & (TILE - 1))];
}

/* ---- many tiles ---- */

typedef struct wanted_tiles {
    const guide_making *m;
    plain_tile *tiles;
    int count;
    atomic_int has_failed;
} wanted_tiles;

static void make_wanted(void *user, int thread, int64_t n)
{
    (void)thread;
    wanted_tiles *w = user;
    if (!ter_is_cancelled(&w->m->cancel))
        w->tiles[n].nodes = make_nodes(w->m, w->tiles[n].x, w->tiles[n].y);
    if (!w->tiles[n].nodes)
        atomic_store(&w->has_failed, 1);
}

/** Whether a tile has a cell of the mask. */
static bool is_wanted(ter_window at, const unsigned char *mask, int64_t tx, int64_t ty)
{
    for (int64_t y = ty * TILE; y < (ty + 1) * TILE; y++)
        for (int64_t x = tx * TILE; x < (tx + 1) * TILE; x++)
            if (ter_window_has(at, x, y) && mask[ter_window_index(at, x, y)])
                return true;
    return false;
}

ter_status guide_plain_prepare(guide_plain *plain, const unsigned char *mask)
{
    const guide_making *m = plain->m;
    const int64_t x0 = m->at.x >> TILE_SHIFT, x1 = (m->at.x + m->at.width - 1) >> TILE_SHIFT;
    const int64_t y0 = m->at.y >> TILE_SHIFT, y1 = (m->at.y + m->at.height - 1) >> TILE_SHIFT;
    wanted_tiles w = {.m = m};
    atomic_init(&w.has_failed, 0);
    w.tiles = calloc((size_t)((x1 - x0 + 1) * (y1 - y0 + 1)), sizeof *w.tiles);
    for (int64_t y = y0; y <= y1 && w.tiles; y++)
        for (int64_t x = x0; x <= x1; x++)
            if (is_wanted(m->at, mask, x, y))
                w.tiles[w.count++] = (plain_tile){x, y, NULL};
    if (!w.tiles || !reserve(plain, (size_t)w.count)) {
        free(w.tiles);
        return guide_no_memory(m);
    }
    ter_team_run(m->team, w.count, make_wanted, &w);
    for (int n = 0; n < w.count; n++)
        if (w.tiles[n].nodes) {
            *find(plain, w.tiles[n].x, w.tiles[n].y) = w.tiles[n];
            plain->count++;
        }
    free(w.tiles);
    if (!atomic_load(&w.has_failed))
        return TER_OK;
    const ter_status status = ter_check_cancelled(&m->cancel);
    return status == TER_OK ? guide_no_memory(m) : status;
}
