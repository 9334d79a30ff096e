/* cpu_backend.c - the CPU backend's table; creates and destroys its state. */
#include <stdio.h>
#include <stdlib.h>

#include "library/core/system.h"
#include "library/fluvial/cpu/fluvial.h"
#include "library/fractal/cpu/craters.h"
#include "library/fractal/cpu/recursive.h"
#include "library/fractal/cpu/single_pass.h"
#include "library/fractal/cpu/tiled.h"
#include "library/generator/backend.h"
#include "library/generator/cpu/simd.h"
#include "library/generator/cpu/statistics.h"
#include "library/morph/cpu/blend.h"
#include "library/probe/cpu/probe.h"

static int device_count(char *reason, size_t reason_size)
{
    snprintf(reason, reason_size, "the host");
    return 1;
}

static void destroy(void *state)
{
    ter_cpu_state *cpu = state;
    ter_cpu_fluvial_free(cpu);
    ter_team_destroy(cpu->team);
    ter_aligned_free(cpu->levels[0].at);
    ter_aligned_free(cpu->levels[1].at);
    ter_aligned_free(cpu->common.at);
    ter_aligned_free(cpu->scratch);
    free(cpu);
}

static ter_status set_up(ter_cpu_state *cpu, const ter_generator_options *options)
{
    const ter_status status =
        ter_team_create(options->threads > 0 ? options->threads : ter_team_processors(), &cpu->team);
    if (status != TER_OK)
        return status;
    const int n_threads = ter_team_size(cpu->team);
    cpu->scratch = ter_cpu_allocate((size_t)n_threads * TER_DESCENT_FLOATS);
    return cpu->scratch ? TER_OK : ter_fail(TER_ENOMEM, "no memory for the scratch of %d threads", n_threads);
}

static ter_status create(const ter_generator_options *options, void **state)
{
    const ter_row_kernels *kernels = ter_row_kernels_for(options->simd);
    if (!kernels)
        return TER_ENOBACKEND;
    ter_cpu_state *cpu = calloc(1, sizeof *cpu);
    if (!cpu)
        return ter_fail(TER_ENOMEM, "no memory for the CPU backend");
    cpu->kernels = kernels;
    cpu->method = options->method;
    cpu->cancel = (ter_cancel){options->is_cancelled, options->cancel_user};
    const ter_status status = set_up(cpu, options);
    if (status != TER_OK) {
        destroy(cpu);
        return status;
    }
    *state = cpu;
    return TER_OK;
}

static int threads(const void *state, int *wanted)
{
    const ter_team *team = ((const ter_cpu_state *)state)->team;
    *wanted = ter_team_wanted(team);
    return ter_team_size(team);
}

static ter_status fill_host(void *state, const ter_world *world, const ter_tile *tiles, size_t count,
                            const ter_tile_layout *layout, const ter_layers *out)
{
    ter_cpu_state *cpu = state;
    if (world->params.basis == TER_BASIS_FLUVIAL)
        return ter_cpu_fluvial(cpu, &world->fluvial, tiles, count, layout, out);
    const ter_cpu_batch batch = {
        .f = &world->field, .tiles = tiles, .count = count, .layout = layout, .out = out->at[TER_LAYER_HEIGHT]};
    if (cpu->method == TER_METHOD_SINGLE_PASS)
        return ter_cpu_single_pass(cpu, &batch);
    const ter_status status =
        cpu->method == TER_METHOD_RECURSIVE ? ter_cpu_recursive_batch(cpu, &batch) : ter_cpu_tiled(cpu, &batch);
    return status == TER_OK && world->field.craters.age > 0.0f ? ter_cpu_craters(cpu, &batch) : status;
}

static ter_status heights(void *state, const ter_world *world, int level, const int64_t (*points)[2], size_t count,
                          float *out)
{
    if (world->params.basis == TER_BASIS_FLUVIAL)
        return ter_cpu_fluvial_points(state, &world->fluvial, level, points, count, out);
    return ter_cpu_points(state, &world->field, level, points, count, out);
}

static ter_status memory_create(void *state, size_t bytes, void **memory)
{
    (void)state;
    *memory = ter_aligned_alloc(
        64, (bytes + 63) & ~(size_t)63); /* not zeroed, so that pages are allocated only when tiles are written */
    return *memory ? TER_OK : ter_fail(TER_ENOMEM, "no memory for %zu bytes of heights", bytes);
}

static void memory_destroy(void *state, void *memory)
{
    (void)state;
    ter_aligned_free(memory);
}

const ter_backend_table ter_backend_cpu = {
    .kind = TER_BACKEND_CPU,
    .name = "cpu",
    .device_count = device_count,
    .create = create,
    .destroy = destroy,
    .threads = threads,
    .fill_host = fill_host,
    .heights = heights,
    .statistics = ter_cpu_statistics,
    .memory_create = memory_create,
    .memory_destroy = memory_destroy,
    .blend = ter_cpu_blend,
    .probe_create = ter_cpu_probe_create,
    .probe_ask = ter_cpu_probe_ask,
    .probe_answer = ter_cpu_probe_answer,
    .probe_destroy = ter_cpu_probe_destroy,
};
