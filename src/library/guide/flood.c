/* flood.c - floods the network of a guide, finds depressions and makes lakes of some of them, and breaches the others.
 */
#include "library/guide/flood.h"

#include "library/core/grow.h"
#include "library/guide/forced.h"
#include "library/guide/heap.h"

enum { LAKE_CELLS = 4 }; /* smaller lakes are too small for the network */

#define LAKE_ROOM 1.0f /* m; rivers from outside must come in at least this much above a lake */

/** A depression of the surface. */
typedef struct depression {
    uint32_t sill; /* the cell over which it spills */
    float level;   /* m; height of the sill */
    float depth;   /* m; greatest depth */
    int32_t cells;
    int may_be_lake;
} depression;

typedef struct flood {
    guide_network *n;
    guide_heap heap;
    unsigned char *is_seen;
    float *level;     /* m; lowest level at which water leaves a cell */
    int32_t *inside;  /* depression of a cell, or -1 */
    uint32_t *popped; /* cells in the order of the flood */
    size_t n_popped;
    depression *depressions;
    size_t n_depressions, room;
} flood;

static bool allocate(flood *f)
{
    const size_t count = f->n->count;
    f->is_seen = calloc(count, 1);
    f->level = malloc(count * sizeof *f->level);
    f->inside = malloc(count * sizeof *f->inside);
    f->popped = malloc(count * sizeof *f->popped);
    if (!f->is_seen || !f->level || !f->inside || !f->popped)
        return false;
    for (size_t k = 0; k < count; k++)
        f->inside[k] = -1;
    return true;
}

static void free_flood(flood *f)
{
    free(f->heap.key);
    free(f->is_seen);
    free(f->level);
    free(f->inside);
    free(f->popped);
    free(f->depressions);
}

/** Begin at outlets, at cells below the sea, and where basins end. */
static bool begin(flood *f)
{
    guide_network *n = f->n;
    for (size_t k = 0; k < n->count; k++) {
        const bool is_outlet = guide_is_fixed(n, k) && !(n->state[k] & GUIDE_RETURNS);
        const bool is_sea = guide_is_active(n, k) && n->z[k] < n->m->f.sea;
        const bool is_end = n->state[k] & GUIDE_END;
        if (!guide_is_fixed(n, k) && !is_sea && !is_end)
            continue;
        f->is_seen[k] = 1;
        f->level[k] = n->z[k];
        if ((is_outlet || is_sea || is_end) && !guide_heap_push(&f->heap, n->z[k], (uint32_t)k))
            return false;
    }
    return true;
}

/** A new depression that spills over cell p. Returns its number, -1 when there is no memory. */
static int32_t add_depression(flood *f, uint32_t p)
{
    depression *more = ter_grow(f->depressions, &f->room, f->n_depressions + 1, sizeof *more);
    if (!more)
        return -1;
    f->depressions = more;
    f->depressions[f->n_depressions] = (depression){p, f->level[p], 0.0f, 0, 1};
    return (int32_t)f->n_depressions++;
}

/** Add cell q, which the flood reached from cell p, to a depression. */
static bool add_to_depression(flood *f, uint32_t p, size_t q)
{
    const guide_network *n = f->n;
    const bool goes_on =
        f->inside[p] >= 0 && n->z[p] < f->level[p] && f->depressions[f->inside[p]].level == f->level[p];
    f->inside[q] = goes_on ? f->inside[p] : add_depression(f, p);
    if (f->inside[q] < 0)
        return false;
    depression *d = &f->depressions[f->inside[q]];
    if (!guide_is_on_line(n, q)) { /* the land is cut down along lines, so no lake remains there */
        d->cells++;
        d->depth = ter_max(d->depth, d->level - n->z[q]);
    }
    if (guide_cells(n->m)[q].share < 1.0f || n->limit[q] < d->level + LAKE_ROOM)
        d->may_be_lake = 0;
    return true;
}

/** Let the flood reach cell q from cell p, which lies in direction `back` of q. */
static bool reach(flood *f, uint32_t p, size_t q, int back)
{
    guide_network *n = f->n;
    f->is_seen[q] = 1;
    n->parent[q] = (int8_t)back;
    f->level[q] = ter_max(n->z[q], f->level[p]);
    if (n->z[q] < f->level[p] && !add_to_depression(f, p, q))
        return false;
    return guide_heap_push(&f->heap, n->z[q], (uint32_t)q);
}

/** Let the flood go on from cell p to its neighbours. It follows lines from their lower ends. */
static bool spread(flood *f, uint32_t p)
{
    guide_network *n = f->n;
    for (int d = 0; d < 8; d++) {
        const size_t q = p + (size_t)n->off[d];
        const int back = (d + 4) & 7;
        if (q >= n->count || !guide_is_active(n, q) || f->is_seen[q] || guide_crosses(n, q, back) ||
            (guide_is_fixed(n, p) && n->to[p] == d) || (guide_is_on_line(n, q) && n->to[q] != back))
            continue;
        if (!reach(f, p, q, back))
            return false;
    }
    return true;
}

/** Whether the flood may go from cell p to the cell in direction `d` of it. */
static bool may_reach(const flood *f, size_t p, int d)
{
    const guide_network *n = f->n;
    if (!f->is_seen[p] || (n->state[p] & GUIDE_RETURNS))
        return false;
    return guide_is_active(n, p) || (guide_is_fixed(n, p) && n->to[p] != d);
}

/** Flood until no further cell can be reached. Returns false when there is no memory. */
static bool spread_all(flood *f)
{
    bool is_made = true;
    while (is_made && f->heap.count > 0) {
        const uint32_t p = guide_heap_pop(&f->heap);
        f->popped[f->n_popped++] = p;
        is_made = spread(f, p);
    }
    return is_made;
}

/** Find the cells that lines shut in and that lie beside the flood. order: receives them, the lowest first */
static bool find_shut_in(const flood *f, guide_heap *order)
{
    const guide_network *n = f->n;
    bool is_made = true;
    for (size_t q = 0; q < n->count && is_made; q++) {
        bool is_beside = false;
        for (int back = 0; back < 8 && guide_is_active(n, q) && !f->is_seen[q] && !is_beside; back++)
            is_beside = may_reach(f, q + (size_t)n->off[back], (back + 4) & 7);
        if (is_beside)
            is_made = guide_heap_push(order, n->z[q], (uint32_t)q);
    }
    return is_made;
}

/** Let the flood reach a cell that lines shut in, from the cell in direction `back`. */
static bool open_to(flood *f, size_t q, int back)
{
    const size_t p = q + (size_t)f->n->off[back];
    if (!may_reach(f, p, (back + 4) & 7))
        return true;
    guide_release_cell(f->n, q);
    return guide_crosses(f->n, q, back) || (reach(f, (uint32_t)p, q, back) && spread_all(f));
}

/** Open the cells of a queue, from the lowest one on. Returns false when there is no memory. */
static bool open_all(flood *f, guide_heap *order)
{
    bool is_made = true;
    while (is_made && order->count > 0) {
        const uint32_t q = guide_heap_pop(order);
        for (int back = 0; back < 8 && is_made && !f->is_seen[q]; back++)
            is_made = open_to(f, q, back);
    }
    return is_made;
}

/** Let the flood reach cells that lines shut in. A cell beside the flood gives up the direction of its line, if it has
 * one, and the flood goes on from there before another cell is opened. So lines are opened at few of their cells. */
static bool reach_shut_in(flood *f)
{
    guide_heap order = {0};
    size_t n_before;
    bool is_made;
    do {
        n_before = f->n_popped;
        is_made = find_shut_in(f, &order) && open_all(f, &order);
    } while (is_made && f->n_popped > n_before);
    free(order.key);
    return is_made;
}

/** Whether a depression is deep and large enough for a lake. deep: m; least depth */
static bool is_large(const guide_network *n, const depression *d, float deep)
{
    return d->may_be_lake && d->cells >= LAKE_CELLS && d->depth >= deep && d->level > n->m->f.sea;
}

/** Make lakes of depressions that are deep and large. */
static void choose_lakes(flood *f)
{
    guide_network *n = f->n;
    const float deep = (float)n->m->guide->options.lakes;
    n->n_lakes = 0;
    if (deep <= 0.0f)
        return;
    for (size_t k = 0; k < f->n_depressions; k++) {
        depression *d = &f->depressions[k];
        d->may_be_lake = is_large(n, d, deep);
        n->n_lakes += (size_t)d->may_be_lake;
    }
    for (size_t k = 0; k < n->count; k++)
        if (f->inside[k] >= 0 && f->depressions[f->inside[k]].may_be_lake)
            n->sill[k] = (int32_t)f->depressions[f->inside[k]].sill;
}

/** Lower cell p below cell k. A fixed cell is not lowered below its limit. */
static void lower(guide_network *n, size_t k, size_t p)
{
    const float most = n->z[k] - n->step;
    if (n->z[p] <= most)
        return;
    n->z[p] = guide_is_fixed(n, p) ? ter_min(n->z[p], ter_max(most, n->limit[p])) : most;
}

/** Breach along the flood's way, and fill where outlets may not be lowered. */
static void breach(flood *f)
{
    guide_network *n = f->n;
    for (size_t k = 0; k < n->count; k++)
        if (guide_is_lake(n, k))
            n->z[k] = n->z[n->sill[k]];
    for (size_t i = f->n_popped; i-- > 0;) {
        const size_t k = f->popped[i];
        if (n->parent[k] == TER_SINK || guide_is_lake(n, k))
            continue;
        const size_t p = k + (size_t)n->off[n->parent[k]];
        if (!guide_is_lake(n, p))
            lower(n, k, p);
    }
    for (size_t i = 0; i < f->n_popped; i++) {
        const size_t k = f->popped[i];
        if (guide_is_active(n, k) && n->parent[k] != TER_SINK)
            n->z[k] = ter_max(n->z[k], n->z[k + (size_t)n->off[n->parent[k]]] + n->step);
    }
}

/** Flood all cells. Returns false when there is no memory. */
static bool run(flood *f)
{
    return allocate(f) && begin(f) && spread_all(f) && (!f->n->line_area || reach_shut_in(f));
}

ter_status guide_flood(guide_network *n)
{
    flood f = {.n = n};
    const ter_status status = run(&f) ? TER_OK : guide_no_memory(n->m);
    if (status == TER_OK) {
        choose_lakes(&f);
        breach(&f);
    }
    free_flood(&f);
    return status;
}
