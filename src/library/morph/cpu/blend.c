/* blend.c - blends heights and water of two landscapes, tile by tile. */
#include "library/core/cpu/state.h"
#include "library/fractal/cpu/row_kernels.h"
#include "library/morph/cpu/blend.h"

typedef struct blend_pass {
    const ter_row_kernels *kernels;
    const ter_blend_work *work;
} blend_pass;

static void blend_tile(void *user, int thread, int64_t n)
{
    const blend_pass *p = user;
    const ter_blend_work *w = p->work;
    const ter_blend_tile *tile = &w->tiles[n];
    const size_t points = (size_t)w->width * (size_t)w->height;
    const double dx = (double)tile->dx / TER_BLEND_PARTS;
    const double step = (double)(INT64_C(1) << tile->shift) / TER_BLEND_PARTS;
    (void)thread;
    for (int row = 0; row < w->height; row++) {
        const size_t first = tile->held * points + (size_t)row * (size_t)w->width;
        const float dz = ter_blend_steps(tile->dz + ((int64_t)row << tile->shift));
        const size_t out = tile->slot * w->slot_stride + (size_t)row * w->row_stride;
        p->kernels->blend(w, first, dx, step, dz, w->out + out);
        if (w->out_water)
            p->kernels->blend_water(w, first, dx, step, dz, w->out_water + out);
    }
}

ter_status ter_cpu_blend(void *state, const ter_blend_work *work, void *stream)
{
    const ter_cpu_state *cpu = state;
    blend_pass pass = {.kernels = cpu->kernels, .work = work};
    (void)stream;
    return ter_cpu_run(cpu, (int64_t)work->count, blend_tile, &pass);
}
