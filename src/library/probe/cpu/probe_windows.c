/* probe_windows.c - stores squares of heights, called windows, of fluvial worlds. If no window has a requested cell, a
 * new one is made. If all WINDOWS windows are in use, the new window replaces the least recently used one.
 *
 * A window is identified by all values that its heights depend on, also the parameters of its world. So a world that
 * was freed is not confused with another world at the same address. A window starts at a multiple of its side. Coarse
 * windows have few cells, so that a window takes little more time than a point:
 *
 *     lattice steps between points    to 64    128    256 .. 2048    from 4096 on
 *     cells of a side                   64      32     16 ..    2         1
 */
#include "library/probe/cpu/probe_windows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIDE_MAX = 64, /* cells of a window's side */
    REACH = 4096,  /* lattice steps; greatest extent of a window of more than one cell */
    WINDOWS = 512, /* a flight at 500 m/s asks for places up to 25 km ahead, in about 400 windows of 64 m */
    REGIONS = 8
};

typedef struct probe_window {
    ter_fluvial f;
    bool is_made; /* false: the window is empty */
    int lod;
    int64_t i, j;
    uint64_t used;
    float heights[(SIDE_MAX + 1) * (SIDE_MAX + 1)];
} probe_window;

struct ter_probe_windows {
    const ter_fluvial_kernels *kernels;
    ter_fluvial_maker maker;
    bool is_over_water;
    float water[(SIDE_MAX + 1) * (SIDE_MAX + 1)]; /* water of the window that is being made */
    uint64_t clock;
    probe_window *window[WINDOWS]; /* memory is allocated at the first use */
};

ter_probe_windows *ter_probe_windows_create(const ter_fluvial_kernels *kernels, bool is_over_water)
{
    ter_probe_windows *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->kernels = kernels;
    w->is_over_water = is_over_water;
    w->maker.regions = ter_fluvial_regions_create(REGIONS);
    if (!w->maker.regions) {
        free(w);
        return NULL;
    }
    return w;
}

void ter_probe_windows_destroy(ter_probe_windows *w)
{
    if (!w)
        return;
    for (int n = 0; n < WINDOWS; n++)
        free(w->window[n]);
    ter_fluvial_maker_free(&w->maker);
    ter_fluvial_regions_destroy(w->maker.regions);
    free(w);
}

static int side_of(int lod)
{
    const int side = lod > 0 ? REACH >> lod : SIDE_MAX;
    return side > SIDE_MAX ? SIDE_MAX : side < 1 ? 1 : side;
}

/** The window that begins at (i, j). If there is none: the place of a new window, or the least recently used window,
 * emptied. */
static probe_window **find(ter_probe_windows *w, const ter_fluvial *f, int lod, int64_t i, int64_t j)
{
    probe_window **oldest = &w->window[0];
    for (int n = 0; n < WINDOWS; n++) {
        probe_window *at = w->window[n];
        if (!at)
            return &w->window[n];
        if (at->i == i && at->j == j && at->is_made && at->lod == lod && memcmp(&at->f, f, sizeof *f) == 0)
            return &w->window[n];
        if (at->used < (*oldest)->used)
            oldest = &w->window[n];
    }
    (*oldest)->is_made = false;
    return oldest;
}

static bool make(ter_probe_windows *w, const ter_fluvial *f, int lod, int64_t i, int64_t j, probe_window *at)
{
    const int points = side_of(lod) + 1;
    const ter_fluvial_output out = {.layer[TER_LAYER_HEIGHT] = at->heights,
                                    .layer[TER_LAYER_WATER] = w->is_over_water ? w->water : NULL,
                                    .stride = (size_t)points};
    const ter_window window = {i, j, points, points};
    if (!ter_fluvial_make_block(&w->maker, w->kernels, f, lod, window, &out, false))
        return false;
    for (int n = 0; w->is_over_water && n < points * points; n++)
        at->heights[n] = fmaxf(at->heights[n], w->water[n]); /* NaN if dry; fmaxf then returns the height */
    at->f = *f;
    at->lod = lod;
    at->is_made = true;
    at->i = i;
    at->j = j;
    return true;
}

bool ter_probe_windows_corners(ter_probe_windows *w, const ter_world *world, const ter_cell *c, int level_shift,
                               float corners[4])
{
    const int lod = world->params.levels - c->level - level_shift, side = side_of(lod);
    const int64_t mask = ~(int64_t)(side - 1), i = c->i & mask, j = c->j & mask;
    probe_window **slot = find(w, &world->fluvial, lod, i, j);
    if (!*slot)
        *slot = calloc(1, sizeof **slot);
    probe_window *at = *slot;
    if (!at || (!at->is_made && !make(w, &world->fluvial, lod, i, j, at)))
        return false;
    at->used = ++w->clock;
    const float *first = at->heights + (c->j - j) * (side + 1) + (c->i - i);
    for (int n = 0; n < 4; n++)
        corners[n] = first[(n >> 1) * (side + 1) + (n & 1)];
    return true;
}
