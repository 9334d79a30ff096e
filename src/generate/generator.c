/* generator.c - ter_generator: checks arguments, chooses the backend, hands the work to its table. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "generate/cpu/simd.h"
#include "generate/generator.h"
#include "generate/place.h"

enum { TER_HISTOGRAM_BINS_MAX = 4096 };

struct ter_gl_buffer {
    const ter_backend_table *backend;
    void *resource;
};

struct ter_probe {
    const ter_backend_table *backend;
    void *state;
};

const char *ter_method_name(ter_method method)
{
    static const char *const names[TER_METHOD_COUNT] = {
        [TER_METHOD_TILED] = "tiled", [TER_METHOD_RECURSIVE] = "recursive", [TER_METHOD_SINGLE_PASS] = "single-pass"};
    return (unsigned)method < TER_METHOD_COUNT ? names[method] : NULL;
}

const char *ter_backend_name(ter_backend backend)
{
    const ter_backend_table *table = ter_backend_find(backend);
    if (table)
        return table->name;
    return backend == TER_BACKEND_CUDA ? "cuda" : "auto";
}

/* ---- life ---- */

/** Choose the backend for `wanted` and say why; NULL with the error detail set when it cannot run. */
static const ter_backend_table *choose_backend(ter_backend wanted, char *reason, size_t reason_size)
{
    char why[192];
    const int n_devices = wanted == TER_BACKEND_CPU ? 0 : ter_device_count(why, sizeof why);
    if (wanted == TER_BACKEND_CPU) {
        snprintf(reason, reason_size, "asked for");
        return ter_backend_find(TER_BACKEND_CPU);
    }
    if (n_devices > 0) {
        snprintf(reason, reason_size, "%s", wanted == TER_BACKEND_CUDA ? "asked for" : "a CUDA device is here");
        return ter_backend_find(TER_BACKEND_CUDA);
    }
    if (wanted == TER_BACKEND_CUDA) {
        ter_fail(TER_ENOBACKEND, "backend cuda cannot run: %s", why);
        return NULL;
    }
    snprintf(reason, reason_size, "no CUDA device: %s", why);
    return ter_backend_find(TER_BACKEND_CPU);
}

static ter_status check_options(const ter_generator_options *options)
{
    if ((unsigned)options->backend > TER_BACKEND_CUDA)
        return ter_fail(TER_EINVAL, "backend is %d, expected auto, cpu or cuda", (int)options->backend);
    if ((unsigned)options->method >= TER_METHOD_COUNT)
        return ter_fail(TER_EINVAL, "method is %d, expected tiled, recursive or single-pass", (int)options->method);
    if (options->threads < 0)
        return ter_fail(TER_EINVAL, "threads is %d, expected 0 (all cores) or more", options->threads);
    return TER_OK;
}

ter_status ter_generator_create(const ter_generator_options *options, ter_generator **out)
{
    static const ter_generator_options defaults = {0};
    if (!options)
        options = &defaults;
    ter_status status = check_options(options);
    if (status != TER_OK)
        return status;
    ter_generator *generator = calloc(1, sizeof *generator);
    if (!generator)
        return ter_fail(TER_ENOMEM, "no memory for a generator");
    generator->backend = choose_backend(options->backend, generator->reason, sizeof generator->reason);
    status = generator->backend ? generator->backend->create(options, &generator->state) : TER_ENOBACKEND;
    if (status != TER_OK) {
        free(generator);
        return status;
    }
    *out = generator;
    return TER_OK;
}

void ter_generator_destroy(ter_generator *generator)
{
    if (!generator)
        return;
    generator->backend->destroy(generator->state);
    free(generator);
}

ter_backend ter_generator_backend(const ter_generator *generator)
{
    return generator->backend->kind;
}

const char *ter_generator_reason(const ter_generator *generator)
{
    return generator->reason;
}

/* ---- filling ---- */

static ter_status check_tiles(const ter_world *world, const ter_tile *tiles, size_t count, const ter_tile_layout *layout)
{
    if (layout->width < 1 || layout->height < 1)
        return ter_fail(TER_EINVAL, "tiles of %d x %d points, expected at least 1 x 1", layout->width, layout->height);
    if (layout->row_stride < (size_t)layout->width)
        return ter_fail(TER_EINVAL, "row stride is %zu, expected at least the width, %d", layout->row_stride, layout->width);
    const size_t extent = (size_t)(layout->height - 1) * layout->row_stride + (size_t)layout->width;
    if (count > 1 && layout->slot_stride < extent)
        return ter_fail(TER_EINVAL, "slot stride is %zu, expected at least a tile's extent, %zu", layout->slot_stride, extent);
    for (size_t n = 0; n < count; n++) {
        const ter_status status = ter_world_check(world, tiles[n].level, tiles[n].i, tiles[n].j, layout->width, layout->height);
        if (status != TER_OK)
            return status;
    }
    return TER_OK;
}

ter_status ter_range_check(double lo, double hi)
{
    if (!(lo < hi) || !isfinite(hi - lo))
        return ter_fail(TER_EINVAL, "range %g .. %g m, expected a low end below the high end", lo, hi);
    return TER_OK;
}

ter_status ter_rect_as_tile(const ter_world *world, const ter_rect *rect, size_t stride, ter_tile *tile, ter_tile_layout *layout)
{
    const ter_status status = ter_world_check(world, rect->level, rect->i, rect->j, rect->width, rect->height);
    if (status != TER_OK)
        return status;
    if (rect->width > INT32_MAX || rect->height > INT32_MAX)
        return ter_fail(TER_EINVAL, "rectangle of %lld x %lld points, expected at most 2^31 - 1 a side", (long long)rect->width,
                        (long long)rect->height);
    *tile = (ter_tile){.level = rect->level, .i = rect->i, .j = rect->j};
    *layout = (ter_tile_layout){.width = (int)rect->width, .height = (int)rect->height, .row_stride = stride};
    return check_tiles(world, tile, 1, layout);
}

ter_status ter_generator_fill_tiles(ter_generator *generator, const ter_world *world, const ter_tile *tiles, size_t count,
                                    const ter_tile_layout *layout, float *out)
{
    const ter_status status = check_tiles(world, tiles, count, layout);
    if (status != TER_OK || count == 0)
        return status;
    return generator->backend->fill_tiles(generator->state, world, tiles, count, layout, out);
}

ter_status ter_generator_fill_tiles_device(ter_generator *generator, const ter_world *world, const ter_tile *tiles, size_t count,
                                           const ter_tile_layout *layout, float *out, void *cuda_stream)
{
    if (!generator->backend->fill_tiles_device)
        return ter_fail(TER_ENOBACKEND, "backend %s has no device memory", generator->backend->name);
    const ter_status status = check_tiles(world, tiles, count, layout);
    if (status != TER_OK || count == 0)
        return status;
    return generator->backend->fill_tiles_device(generator->state, world, tiles, count, layout, out, cuda_stream);
}

ter_status ter_generator_fill_tiles_device_u16(ter_generator *generator, const ter_world *world, const ter_tile *tiles,
                                               size_t count, const ter_tile_layout *layout, double lo, double hi, uint16_t *out,
                                               void *cuda_stream)
{
    if (!generator->backend->fill_tiles_device_u16)
        return ter_fail(TER_ENOBACKEND, "backend %s has no device memory", generator->backend->name);
    ter_status status = check_tiles(world, tiles, count, layout);
    if (status == TER_OK)
        status = ter_range_check(lo, hi);
    if (status != TER_OK || count == 0)
        return status;
    return generator->backend->fill_tiles_device_u16(generator->state, world, tiles, count, layout, lo, hi, out, cuda_stream);
}

ter_status ter_quantise_heights(const float *heights, size_t count, double lo, double hi, uint16_t *out)
{
    const ter_status status = ter_range_check(lo, hi);
    if (status != TER_OK)
        return status;
    const ter_quantiser q = ter_quantiser_of(lo, hi);
    ter_cpu_kernels_for(TER_SIMD_AUTO)->quantise(&q, heights, count, out);
    return TER_OK;
}

ter_status ter_generator_fill(ter_generator *generator, const ter_world *world, const ter_rect *rect, float *out, size_t stride)
{
    ter_tile tile;
    ter_tile_layout layout;
    const ter_status status = ter_rect_as_tile(world, rect, stride, &tile, &layout);
    if (status != TER_OK)
        return status;
    return generator->backend->fill_tiles(generator->state, world, &tile, 1, &layout, out);
}

ter_status ter_generator_fill_device(ter_generator *generator, const ter_world *world, const ter_rect *rect, float *out,
                                     size_t stride, void *cuda_stream)
{
    ter_tile tile;
    ter_tile_layout layout;
    const ter_status status = ter_rect_as_tile(world, rect, stride, &tile, &layout);
    if (status != TER_OK)
        return status;
    return ter_generator_fill_tiles_device(generator, world, &tile, 1, &layout, out, cuda_stream);
}

ter_status ter_generator_heights(ter_generator *generator, const ter_world *world, int level, const int64_t (*points)[2],
                                 size_t count, float *out)
{
    for (size_t n = 0; n < count; n++) {
        const ter_status status = ter_world_check(world, level, points[n][0], points[n][1], 1, 1);
        if (status != TER_OK)
            return status;
    }
    return count == 0 ? TER_OK : generator->backend->heights(generator->state, world, level, points, count, out);
}

ter_status ter_generator_statistics(ter_generator *generator, const ter_world *world, const ter_rect *rect, float lo, float hi,
                                    int bins, uint64_t *histogram, ter_statistics *out)
{
    const ter_status status = ter_world_check(world, rect->level, rect->i, rect->j, rect->width, rect->height);
    if (status != TER_OK)
        return status;
    if (bins < 0 || bins > TER_HISTOGRAM_BINS_MAX)
        return ter_fail(TER_EINVAL, "bins is %d, expected 0 to %d", bins, TER_HISTOGRAM_BINS_MAX);
    if (bins > 0 && (!(lo < hi) || !histogram))
        return ter_fail(TER_EINVAL, "histogram over %g .. %g m, expected an array and a low end below the high end", (double)lo,
                        (double)hi);
    return generator->backend->statistics(generator->state, world, rect, lo, hi, bins, histogram, out);
}

/* ---- OpenGL buffers ---- */

ter_status ter_gl_buffer_register(ter_generator *generator, unsigned int name, ter_gl_buffer **out)
{
    if (!generator->backend->gl_register)
        return ter_fail(TER_ENOBACKEND, "backend %s writes to host memory only", generator->backend->name);
    ter_gl_buffer *buffer = calloc(1, sizeof *buffer);
    if (!buffer)
        return ter_fail(TER_ENOMEM, "no memory for a GL buffer");
    buffer->backend = generator->backend;
    const ter_status status = buffer->backend->gl_register(generator->state, name, &buffer->resource);
    if (status != TER_OK) {
        free(buffer);
        return status;
    }
    *out = buffer;
    return TER_OK;
}

ter_status ter_gl_buffer_map(ter_gl_buffer *buffer, void *cuda_stream, float **out, size_t *bytes)
{
    return buffer->backend->gl_map(buffer->resource, cuda_stream, out, bytes);
}

ter_status ter_gl_buffer_unmap(ter_gl_buffer *buffer, void *cuda_stream)
{
    return buffer->backend->gl_unmap(buffer->resource, cuda_stream);
}

void ter_gl_buffer_unregister(ter_gl_buffer *buffer)
{
    if (!buffer)
        return;
    buffer->backend->gl_unregister(buffer->resource);
    free(buffer);
}

/* ---- host memory ---- */

ter_status ter_host_memory_create(ter_generator *generator, size_t bytes, void **out)
{
    if (generator->backend->host_memory_create)
        return generator->backend->host_memory_create(generator->state, bytes, out);
    *out = malloc(bytes);
    return *out ? TER_OK : ter_fail(TER_ENOMEM, "no memory for %zu bytes", bytes);
}

void ter_host_memory_destroy(ter_generator *generator, void *memory)
{
    if (memory && generator->backend->host_memory_destroy)
        generator->backend->host_memory_destroy(generator->state, memory);
    else
        free(memory);
}

/* ---- probe ---- */

ter_status ter_probe_create(ter_generator *generator, ter_probe **out)
{
    ter_probe *probe = calloc(1, sizeof *probe);
    if (!probe)
        return ter_fail(TER_ENOMEM, "no memory for a probe");
    probe->backend = generator->backend;
    const ter_status status = probe->backend->probe_create(generator->state, &probe->state);
    if (status != TER_OK) {
        free(probe);
        return status;
    }
    *out = probe;
    return TER_OK;
}

/** The four lattice points around a place lie in the world. */
static ter_status check_probe_point(const ter_world *world, const ter_probe_point *point)
{
    const double limit = (double)TER_COORDINATE_MAX;
    if (!(point->x >= -limit && point->x <= limit && point->z >= -limit && point->z <= limit))
        return ter_fail(TER_EINVAL, "probe at %g, %g leaves the world, which ends at lattice coordinates -2^46 and 2^46", point->x,
                        point->z);
    return ter_world_check(world, point->level, 0, 0, 1, 1);
}

static ter_status check_probe(const ter_world *world, const ter_probe_point *points, int count)
{
    if (count < 1 || count > TER_PROBE_POINTS_MAX)
        return ter_fail(TER_EINVAL, "%d probe points, expected 1 to %d", count, TER_PROBE_POINTS_MAX);
    for (int n = 0; n < count; n++) {
        const ter_status status = check_probe_point(world, &points[n]);
        if (status != TER_OK)
            return status;
        const float most = points[n].level > 0 ? 1.0f : 0.0f;
        if (!(points[n].coarser >= 0.0f && points[n].coarser <= most))
            return ter_fail(TER_EINVAL, "a share of %g of the level coarser than %d, expected 0 to %g", (double)points[n].coarser,
                            points[n].level, (double)most);
    }
    return TER_OK;
}

ter_status ter_probe_ask(ter_probe *probe, const ter_world *world, const ter_probe_point *points, int count, uint64_t ticket)
{
    const ter_status status = check_probe(world, points, count);
    const ter_place_blend alone = {.levels = world->params.levels};
    return status == TER_OK ? probe->backend->probe_ask(probe->state, world, NULL, &alone, points, count, ticket) : status;
}

ter_status ter_probe_ask_blend(ter_probe *probe, const ter_world *world, const ter_world *to, const ter_blend *blend,
                               const ter_probe_point *points, int count, uint64_t ticket)
{
    const ter_place_blend between = {.x = blend->x,
                                     .z = blend->z,
                                     .along_x = (float)blend->along_x,
                                     .along_z = (float)blend->along_z,
                                     .begun = (float)blend->begun,
                                     .level_shift = to->params.levels - world->params.levels,
                                     .levels = world->params.levels};
    ter_status status = check_probe(world, points, count);
    if (status == TER_OK && !(isfinite(between.along_x) && isfinite(between.along_z) && isfinite(between.begun)))
        status = ter_fail(TER_EINVAL, "a blend of numbers that are not finite");
    for (int n = 0; n < count && status == TER_OK; n++) {
        const int level = points[n].level - (points[n].coarser > 0.0f) + between.level_shift;
        status = ter_world_check(to, level, 0, 0, 1, 1);
    }
    return status == TER_OK ? probe->backend->probe_ask(probe->state, world, to, &between, points, count, ticket) : status;
}

ter_status ter_probe_answer(ter_probe *probe, uint64_t *ticket, int *count, float out_m[TER_PROBE_POINTS_MAX])
{
    return probe->backend->probe_answer(probe->state, ticket, count, out_m);
}

void ter_probe_destroy(ter_probe *probe)
{
    if (!probe)
        return;
    probe->backend->probe_destroy(probe->state);
    free(probe);
}
