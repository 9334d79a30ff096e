/* fluvial_region.c - regions made and kept. */
#include "generate/cpu/fluvial_region.h"

#include <stdlib.h>
#include <string.h>

#include "generate/cpu/fluvial_memory.h"

enum {
    REGION_CELLS = 8,       /* multiples on which edges lie */
    REGION_CELLS_MAX = 4096 /* cells of a region that is kept beside others; larger ones take each other's place */
};

struct ter_fluvial_region {
    ter_fluvial f;
    ter_window cells; /* without width: nothing is kept here */
    ter_fluvial_job job;
    ter_fluvial_memory memory;
    uint64_t used;
};

static ter_window aligned(ter_window w)
{
    const int64_t mask = ~(int64_t)(REGION_CELLS - 1);
    return ter_window_between(w.x & mask, w.y & mask, (w.x + w.width - 1) | ~mask, (w.y + w.height - 1) | ~mask);
}

/** Whether a region has the land of a world; ter_fluvial has no gaps between its members. */
static bool is_of(const ter_fluvial_region *r, const ter_fluvial *f)
{
    return memcmp(&r->f, f, sizeof *f) == 0;
}

static bool make(ter_fluvial_region *r, const ter_fluvial_kernels *kernels, const ter_fluvial *f, ter_window cells)
{
    r->cells.width = 0;
    r->job.f = *f;
    ter_arena arena = {NULL, 0};
    ter_plan_drainage(cells, &arena, &r->job);
    if (!ter_fluvial_reserve(&r->memory, arena.bytes))
        return false;
    arena = (ter_arena){r->memory.at, 0};
    ter_plan_drainage(cells, &arena, &r->job);
    kernels->network(&r->job);
    r->f = *f;
    r->cells = cells;
    return true;
}

/** The region to give up for a new one. */
static ter_fluvial_region *oldest(const ter_fluvial_regions *regions, bool is_large)
{
    ter_fluvial_region *found = &regions->region[0];
    for (int n = 1; n < regions->count - 1 && !is_large; n++)
        if (regions->region[n].used < found->used)
            found = &regions->region[n];
    return is_large ? &regions->region[regions->count - 1] : found;
}

const ter_fluvial_job *ter_fluvial_region_of(ter_fluvial_regions *regions, const ter_fluvial_kernels *kernels, const ter_fluvial *f,
                                             ter_window cells)
{
    if (!regions->region)
        regions->region = calloc((size_t)regions->count, sizeof *regions->region);
    if (!regions->region)
        return NULL;
    ter_fluvial_region *found = NULL;
    for (int n = 0; n < regions->count && !found; n++)
        if (regions->region[n].cells.width > 0 && ter_window_contains(regions->region[n].cells, cells) &&
            is_of(&regions->region[n], f))
            found = &regions->region[n];
    if (!found) {
        const ter_window wanted = aligned(cells);
        const bool is_large = (int64_t)wanted.width * wanted.height > REGION_CELLS_MAX;
        found = oldest(regions, is_large);
        if (!make(found, kernels, f, is_large ? cells : wanted))
            return NULL;
    }
    found->used = ++regions->clock;
    return &found->job;
}

void ter_fluvial_regions_free(ter_fluvial_regions *regions)
{
    for (int n = 0; n < regions->count && regions->region; n++)
        free(regions->region[n].memory.at);
    free(regions->region);
    regions->region = NULL;
}
