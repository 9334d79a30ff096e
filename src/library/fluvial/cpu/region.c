/* region.c - makes and caches regions. */
#include "library/fluvial/cpu/region.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "library/fluvial/cpu/memory.h"

enum {
    REGION_CELLS = 8,        /* edges of regions lie at multiples of this many cells */
    REGION_CELLS_WIDE = 96,  /* side of a region that overlaps a cached one */
    REGION_CELLS_MAX = 12544 /* more cells make a region large; a large region replaces another large one if it can */
};

struct ter_fluvial_region {
    ter_fluvial f;
    ter_window cells; /* width 0: the slot is empty */
    bool is_ready;    /* false while a thread makes the region */
    int n_users;
    ter_fluvial_job job;
    ter_fluvial_memory memory;
    uint64_t used; /* clock of the last use */
};

struct ter_fluvial_regions {
    pthread_mutex_t lock; /* guards everything except the job and the memory of a region in use */
    pthread_cond_t changed;
    int count;
    uint64_t clock;
    ter_fluvial_regions_made made;
    ter_fluvial_region region[];
};

ter_fluvial_regions *ter_fluvial_regions_create(int count)
{
    ter_fluvial_regions *r = calloc(1, sizeof *r + (size_t)count * sizeof r->region[0]);
    if (!r)
        return NULL;
    r->count = count;
    if (pthread_mutex_init(&r->lock, NULL) != 0) {
        free(r);
        return NULL;
    }
    if (pthread_cond_init(&r->changed, NULL) != 0) {
        pthread_mutex_destroy(&r->lock);
        free(r);
        return NULL;
    }
    return r;
}

void ter_fluvial_regions_destroy(ter_fluvial_regions *r)
{
    if (!r)
        return;
    for (int n = 0; n < r->count; n++)
        ter_aligned_free(r->region[n].memory.at);
    pthread_cond_destroy(&r->changed);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

static ter_window aligned(ter_window w)
{
    const int64_t mask = ~(int64_t)(REGION_CELLS - 1);
    return ter_window_between(w.x & mask, w.y & mask, (w.x + w.width - 1) | ~mask, (w.y + w.height - 1) | ~mask);
}

/** A window grown on all sides until it is REGION_CELLS_WIDE cells wide and high. */
static ter_window widened(ter_window w)
{
    const int x = w.width < REGION_CELLS_WIDE ? (REGION_CELLS_WIDE - w.width) / 2 : 0;
    const int y = w.height < REGION_CELLS_WIDE ? (REGION_CELLS_WIDE - w.height) / 2 : 0;
    return ter_window_between(w.x - x, w.y - y, w.x + w.width - 1 + x, w.y + w.height - 1 + y);
}

static bool is_large(ter_window w)
{
    return (int64_t)w.width * w.height > REGION_CELLS_MAX;
}

static bool overlaps(ter_window a, ter_window b)
{
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Whether a slot holds a region of a world, or one is being made in it. ter_fluvial has no padding. */
static bool holds_world(const ter_fluvial_region *r, const ter_fluvial *f)
{
    return r->cells.width > 0 && memcmp(&r->f, f, sizeof *f) == 0;
}

static ter_fluvial_region *find(ter_fluvial_regions *r, const ter_fluvial *f, ter_window cells)
{
    for (int n = 0; n < r->count; n++)
        if (holds_world(&r->region[n], f) && ter_window_contains(r->region[n].cells, cells))
            return &r->region[n];
    return NULL;
}

static bool overlaps_cached(const ter_fluvial_regions *r, const ter_fluvial *f, ter_window cells)
{
    for (int n = 0; n < r->count; n++)
        if (holds_world(&r->region[n], f) && r->region[n].is_ready && overlaps(r->region[n].cells, cells))
            return true;
    return false;
}

/** The slot to reuse: the least recently used one that no thread uses. A large region reuses the slot of another large
 * one if there is one, so that few are cached. */
static ter_fluvial_region *slot_to_reuse(ter_fluvial_regions *r, bool for_large)
{
    ter_fluvial_region *found = NULL, *found_large = NULL;
    for (int n = 0; n < r->count; n++) {
        ter_fluvial_region *at = &r->region[n];
        if (at->n_users > 0)
            continue;
        if (!found || at->used < found->used)
            found = at;
        if (is_large(at->cells) && (!found_large || at->used < found_large->used))
            found_large = at;
    }
    return for_large && found_large ? found_large : found;
}

/** Make the network of a region. The caller has marked the region as in use, so no other thread reuses its slot. */
static bool make(ter_fluvial_region *r, const ter_fluvial_kernels *kernels, const ter_cancel *cancel)
{
    r->job.f = r->f;
    ter_arena arena = {NULL, 0};
    ter_plan_drainage(r->cells, &arena, &r->job);
    if (!ter_fluvial_reserve(&r->memory, arena.bytes))
        return false;
    arena = (ter_arena){r->memory.at, 0};
    ter_plan_drainage(r->cells, &arena, &r->job);
    kernels->network(&r->job, cancel);
    return !ter_is_cancelled(cancel);
}

/** Choose the cells of a new region that contains some cells. */
static ter_window cells_to_make(const ter_fluvial_regions *r, const ter_fluvial *f, ter_window cells, ter_window around)
{
    if (ter_window_contains(around, cells))
        cells = around;
    if (is_large(aligned(cells)))
        return cells;
    return aligned(overlaps_cached(r, f, cells) ? widened(cells) : cells);
}

/** Make a region in the slot of an unused one. The caller holds the lock; it is released while the region is made. */
static ter_fluvial_region *replace(ter_fluvial_regions *r, const ter_fluvial_kernels *kernels, const ter_fluvial *f,
                                   ter_window cells, ter_window around, const ter_cancel *cancel)
{
    const ter_window wanted = cells_to_make(r, f, cells, around);
    ter_fluvial_region *at = slot_to_reuse(r, is_large(wanted));
    at->f = *f;
    at->cells = wanted;
    at->is_ready = false;
    at->n_users = 1;
    pthread_mutex_unlock(&r->lock);
    const bool is_made = make(at, kernels, cancel);
    pthread_mutex_lock(&r->lock);
    at->is_ready = is_made;
    if (is_made) {
        r->made.regions++;
        r->made.cells += ter_window_count(wanted);
    } else {
        at->cells.width = 0;
        at->n_users = 0;
    }
    pthread_cond_broadcast(&r->changed);
    return is_made ? at : NULL;
}

ter_fluvial_region *ter_fluvial_regions_take(ter_fluvial_regions *r, const ter_fluvial_kernels *kernels,
                                             const ter_fluvial *f, ter_window cells, ter_window around,
                                             const ter_cancel *cancel)
{
    pthread_mutex_lock(&r->lock);
    ter_fluvial_region *found = find(r, f, cells);
    while (found && !found->is_ready) {
        pthread_cond_wait(&r->changed, &r->lock);
        found = find(r, f, cells);
    }
    if (found)
        found->n_users++;
    else
        found = replace(r, kernels, f, cells, around, cancel);
    if (found)
        found->used = ++r->clock;
    pthread_mutex_unlock(&r->lock);
    return found;
}

const ter_fluvial_job *ter_fluvial_region_job(const ter_fluvial_region *region)
{
    return &region->job;
}

ter_fluvial_regions_made ter_fluvial_regions_count(const ter_fluvial_regions *r)
{
    return r->made;
}

void ter_fluvial_regions_leave(ter_fluvial_regions *r, ter_fluvial_region *region)
{
    pthread_mutex_lock(&r->lock);
    region->n_users--;
    pthread_mutex_unlock(&r->lock);
}
