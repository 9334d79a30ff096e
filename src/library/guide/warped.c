/* warped.c - computes the warp at a few points. */
#include "library/guide/warped.h"

#include <stdlib.h>

#include "library/fluvial/node.h"
#include "library/fluvial/passes.h"

/** Octaves of the warp whose waves are no shorter than an eighth of a cell. */
static int octaves_of(const guide_making *m)
{
    int count = 1;
    while (count < TER_WARP_OCTAVES && INT64_C(262144) >> count >= m->point)
        count++;
    return count;
}

bool guide_warp_points(const guide_making *m, guide_points *p)
{
    int64_t x0 = p->x[0], x1 = p->x[0], y0 = p->y[0], y1 = p->y[0];
    for (int n = 1; n < p->count; n++) {
        x0 = p->x[n] < x0 ? p->x[n] : x0;
        x1 = p->x[n] > x1 ? p->x[n] : x1;
        y0 = p->y[n] < y0 ? p->y[n] : y0;
        y1 = p->y[n] > y1 ? p->y[n] : y1;
    }
    const int octaves = octaves_of(m);
    ter_fluvial_job *job = calloc(1, sizeof *job);
    ter_arena size = {NULL, 0}, arena = {NULL, 0};
    if (!job)
        return false;
    job->f = m->f;
    for (int o = 0; o < octaves; o++)
        job->warp_at[o] = ter_spline_window(x0, y0, x1, y1, TER_WARP_SHIFT - o);
    ter_place_warp(&size, job);
    char *memory = arena.base = malloc(size.bytes);
    if (memory) {
        ter_place_warp(&arena, job);
        for (int o = 0; o < octaves; o++)
            TER_LOOP(ter_make_warp_knot, o, job->warp_at[o].width, job->warp_at[o].height);
        for (int n = 0; n < p->count; n++) {
            float warp[TER_SHIFTS];
            ter_warp_octaves(job, octaves, p->x[n], p->y[n], warp);
            p->px[n] = ter_place_x(p->x[n], p->y[n], warp);
            p->py[n] = ter_place_y(p->x[n], p->y[n], warp);
        }
    }
    free(memory);
    free(job);
    return memory != NULL;
}
