/* single_pass.c - computes each point alone, from level 0 down, by ter_height_at of library/fractal/height.h, which is
 * the definition of a height. A window of 2 x 2 points (basis midpoint) or 6 x 6 points (smooth) stays in registers.
 * Points share no work, so this is the slowest method.
 */
#include "library/fractal/cpu/single_pass.h"

ter_status ter_cpu_single_pass(ter_cpu_state *cpu, const ter_cpu_batch *batch)
{
    return ter_cpu_batch_run(cpu, batch, 1, cpu->kernels->points);
}

enum { POINTS_PER_TASK = 64 };

typedef struct point_pass {
    const ter_row_kernels *kernels;
    const ter_field *f;
    int level;
    const int64_t (*points)[2];
    size_t count;
    float *out;
} point_pass;

static void make_points(void *user, int thread, int64_t task)
{
    const point_pass *p = user;
    const size_t first = (size_t)task * POINTS_PER_TASK;
    const size_t end = p->count - first < POINTS_PER_TASK ? p->count : first + POINTS_PER_TASK;
    (void)thread;
    for (size_t n = first; n < end; n++) {
        const ter_grid point = {
            .at = &p->out[n], .stride = 1, .i = p->points[n][0], .j = p->points[n][1], .width = 1, .height = 1};
        p->kernels->points(p->f, p->level, &point);
    }
}

ter_status ter_cpu_points(ter_cpu_state *cpu, const ter_field *f, int level, const int64_t (*points)[2], size_t count,
                          float *out)
{
    point_pass pass = {.kernels = cpu->kernels, .f = f, .level = level, .points = points, .count = count, .out = out};
    return ter_cpu_run(cpu, (int64_t)((count + POINTS_PER_TASK - 1) / POINTS_PER_TASK), make_points, &pass);
}
