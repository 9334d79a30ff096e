/* generator.c - ter_generator: checks arguments, chooses the backend, hands the work to its table.
 *
 * Every argument of a public function is checked here or in the files beside; backends trust theirs.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library/generator/backends.h"
#include "library/generator/cpu/simd.h"
#include "library/generator/generator.h"
#include "library/world/height_sums.h"

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
    if (options->threads < 0 || options->threads > TER_THREADS_MAX)
        return ter_fail(TER_EINVAL, "threads is %d, expected 0 (all processors) to %d", options->threads,
                        TER_THREADS_MAX);
    return TER_OK;
}

/** Say in the reason how many threads the system refused. */
static void note_refused_threads(ter_generator *generator)
{
    int wanted = 0;
    const int n_threads = generator->backend->threads ? generator->backend->threads(generator->state, &wanted) : 0;
    const size_t length = strlen(generator->reason);
    if (n_threads < wanted)
        snprintf(generator->reason + length, sizeof generator->reason - length, "; the system allows %d of %d threads",
                 n_threads, wanted);
}

ter_status ter_generator_create(const ter_generator_options *options, ter_generator **out)
{
    static const ter_generator_options defaults = {0};
    TER_REQUIRE(out);
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
    note_refused_threads(generator);
    generator->cancel = (ter_cancel){options->is_cancelled, options->cancel_user};
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

int ter_generator_threads(const ter_generator *generator)
{
    int wanted;
    return generator->backend->threads ? generator->backend->threads(generator->state, &wanted) : 0;
}

const char *ter_generator_reason(const ter_generator *generator)
{
    return generator->reason;
}

/* ---- filling ---- */

/** Samples from a tile's first point to behind its last one. Errors TER_EINVAL beyond the address space */
static ter_status tile_extent(const ter_tile_layout *layout, size_t *extent)
{
    size_t rows;
    if (__builtin_mul_overflow((size_t)(layout->height - 1), layout->row_stride, &rows) ||
        __builtin_add_overflow(rows, (size_t)layout->width, extent) || *extent > TER_SAMPLES_MAX)
        return ter_fail(TER_EINVAL,
                        "tiles of %d rows with a row stride of %zu are more than memory can be addressed for",
                        layout->height, layout->row_stride);
    return TER_OK;
}

/** Every slot ends within the address space. */
static ter_status check_slots(const ter_tile_layout *layout, size_t count, size_t extent)
{
    size_t last = 0, first;
    for (size_t n = 0; layout->slots && n < count; n++)
        last = layout->slots[n] > last ? layout->slots[n] : last;
    if (!layout->slots && count > 0)
        last = count - 1;
    if (__builtin_mul_overflow(last, layout->slot_stride, &first) || first > TER_SAMPLES_MAX - extent)
        return ter_fail(TER_EINVAL, "slot %zu with a slot stride of %zu is beyond the memory that can be addressed",
                        last, layout->slot_stride);
    return TER_OK;
}

ter_status ter_layout_check(const ter_tile_layout *layout, size_t count)
{
    size_t extent = 0;
    if (layout->width < 1 || layout->height < 1)
        return ter_fail(TER_EINVAL, "tiles of %d x %d points, expected at least 1 x 1", layout->width, layout->height);
    if (layout->row_stride < (size_t)layout->width)
        return ter_fail(TER_EINVAL, "row stride is %zu, expected at least the width, %d", layout->row_stride,
                        layout->width);
    const ter_status status = tile_extent(layout, &extent);
    if (status != TER_OK)
        return status;
    if (count > 1 && layout->slot_stride < extent)
        return ter_fail(TER_EINVAL, "slot stride is %zu, expected at least a tile's extent, %zu", layout->slot_stride,
                        extent);
    return check_slots(layout, count, extent);
}

static ter_status check_tiles(const ter_world *world, const ter_tile *tiles, size_t count,
                              const ter_tile_layout *layout)
{
    ter_status status = ter_layout_check(layout, count);
    for (size_t n = 0; n < count && status == TER_OK; n++)
        status = ter_world_check(world, tiles[n].level, tiles[n].i, tiles[n].j, layout->width, layout->height);
    return status;
}

ter_status ter_range_check(double lo, double hi)
{
    if (!(lo < hi) || !isfinite(hi - lo))
        return ter_fail(TER_EINVAL, "range %g .. %g m, expected a low end below the high end", lo, hi);
    return TER_OK;
}

ter_status ter_rect_as_tile(const ter_world *world, const ter_rect *rect, size_t stride, ter_tile *tile,
                            ter_tile_layout *layout)
{
    const ter_status status = ter_world_check(world, rect->level, rect->i, rect->j, rect->width, rect->height);
    if (status != TER_OK)
        return status;
    if (rect->width > INT32_MAX || rect->height > INT32_MAX)
        return ter_fail(TER_EINVAL, "rectangle of %lld x %lld points, expected at most 2^31 - 1 a side",
                        (long long)rect->width, (long long)rect->height);
    *tile = (ter_tile){.level = rect->level, .i = rect->i, .j = rect->j};
    *layout = (ter_tile_layout){.width = (int)rect->width, .height = (int)rect->height, .row_stride = stride};
    return check_tiles(world, tile, 1, layout);
}

/** What follows a check of arguments: work begins unless the generator is cancelled. */
static ter_status begin_work(const ter_generator *generator, ter_status checked)
{
    return checked == TER_OK ? ter_check_cancelled(&generator->cancel) : checked;
}

ter_status ter_generator_fill_tiles(ter_generator *generator, const ter_world *world, const ter_tile *tiles,
                                    size_t count, const ter_tile_layout *layout, float *out)
{
    TER_REQUIRE(generator);
    TER_REQUIRE(world);
    TER_REQUIRE(layout);
    TER_REQUIRE_ARRAY(tiles, count);
    TER_REQUIRE_ARRAY(out, count);
    const ter_status status = begin_work(generator, check_tiles(world, tiles, count, layout));
    if (status != TER_OK || count == 0)
        return status;
    return generator->backend->fill_tiles(generator->state, world, tiles, count, layout, out);
}

ter_status ter_generator_fill_tiles_device(ter_generator *generator, const ter_world *world, const ter_tile *tiles,
                                           size_t count, const ter_tile_layout *layout, float *out, void *cuda_stream)
{
    TER_REQUIRE(generator);
    TER_REQUIRE(world);
    TER_REQUIRE(layout);
    TER_REQUIRE_ARRAY(tiles, count);
    TER_REQUIRE_ARRAY(out, count);
    if (!generator->backend->fill_tiles_device)
        return ter_fail(TER_ENOBACKEND, "backend %s has no device memory", generator->backend->name);
    const ter_status status = begin_work(generator, check_tiles(world, tiles, count, layout));
    if (status != TER_OK || count == 0)
        return status;
    return generator->backend->fill_tiles_device(generator->state, world, tiles, count, layout, out, cuda_stream);
}

ter_status ter_generator_fill_tiles_device_u16(ter_generator *generator, const ter_world *world, const ter_tile *tiles,
                                               size_t count, const ter_quantised_output *output, void *cuda_stream)
{
    TER_REQUIRE(generator);
    TER_REQUIRE(world);
    TER_REQUIRE(output);
    TER_REQUIRE_ARRAY(tiles, count);
    TER_REQUIRE(output->layout);
    TER_REQUIRE_ARRAY(output->samples, count);
    if (!generator->backend->fill_tiles_device_u16)
        return ter_fail(TER_ENOBACKEND, "backend %s has no device memory", generator->backend->name);
    ter_status status = check_tiles(world, tiles, count, output->layout);
    if (status == TER_OK)
        status = begin_work(generator, ter_range_check(output->lo, output->hi));
    if (status != TER_OK || count == 0)
        return status;
    return generator->backend->fill_tiles_device_u16(generator->state, world, tiles, count, output, cuda_stream);
}

ter_status ter_quantise_heights(const float *heights, size_t count, double lo, double hi, uint16_t *out)
{
    TER_REQUIRE_ARRAY(heights, count);
    TER_REQUIRE_ARRAY(out, count);
    const ter_status status = ter_range_check(lo, hi);
    if (status != TER_OK)
        return status;
    const ter_quantiser q = ter_quantiser_of(lo, hi);
    ter_row_kernels_for(TER_SIMD_AUTO)->quantise(&q, heights, count, out);
    return TER_OK;
}

ter_status ter_generator_fill(ter_generator *generator, const ter_world *world, const ter_rect *rect, float *out,
                              size_t stride)
{
    TER_REQUIRE(generator);
    TER_REQUIRE(world);
    TER_REQUIRE(rect);
    TER_REQUIRE(out);
    ter_tile tile;
    ter_tile_layout layout;
    const ter_status status = begin_work(generator, ter_rect_as_tile(world, rect, stride, &tile, &layout));
    if (status != TER_OK)
        return status;
    return generator->backend->fill_tiles(generator->state, world, &tile, 1, &layout, out);
}

/** Layers that a world has, at least one. */
static ter_status check_layers(const ter_world *world, const ter_layers *out)
{
    int n_layers = 0;
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++) {
        if (!out->at[layer])
            continue;
        n_layers++;
        if (!ter_world_has_layer(world, (ter_layer)layer))
            return ter_fail(TER_EINVAL,
                            "layer %s, expected a world of basis fluvial: other worlds have the layer height alone",
                            ter_layer_name((ter_layer)layer));
    }
    return n_layers > 0 ? TER_OK : ter_fail(TER_EINVAL, "no layer, expected at least one");
}

/** Fill tiles that have been checked. */
static ter_status fill_layers(ter_generator *generator, const ter_world *world, const ter_tile *tiles, size_t count,
                              const ter_tile_layout *layout, const ter_layers *out)
{
    const ter_backend_table *backend = generator->backend;
    const ter_status status = begin_work(generator, TER_OK);
    if (status != TER_OK)
        return status;
    if (world->params.basis == TER_BASIS_FLUVIAL && backend->fill_layers)
        return backend->fill_layers(generator->state, world, tiles, count, layout, out);
    return backend->fill_tiles(generator->state, world, tiles, count, layout, out->at[TER_LAYER_HEIGHT]);
}

ter_status ter_generator_fill_tiles_layers(ter_generator *generator, const ter_world *world, const ter_tile *tiles,
                                           size_t count, const ter_tile_layout *layout, const ter_layers *out)
{
    TER_REQUIRE(generator);
    TER_REQUIRE(world);
    TER_REQUIRE(layout);
    TER_REQUIRE(out);
    TER_REQUIRE_ARRAY(tiles, count);
    ter_status status = check_layers(world, out);
    if (status == TER_OK)
        status = check_tiles(world, tiles, count, layout);
    if (status != TER_OK || count == 0)
        return status;
    return fill_layers(generator, world, tiles, count, layout, out);
}

ter_status ter_generator_fill_tiles_layers_device(ter_generator *generator, const ter_world *world,
                                                  const ter_tile *tiles, size_t count, const ter_tile_layout *layout,
                                                  const ter_layers *out, void *cuda_stream)
{
    TER_REQUIRE(generator);
    TER_REQUIRE(world);
    TER_REQUIRE(layout);
    TER_REQUIRE(out);
    TER_REQUIRE_ARRAY(tiles, count);
    const ter_backend_table *backend = generator->backend;
    if (!backend->fill_tiles_device)
        return ter_fail(TER_ENOBACKEND, "backend %s has no device memory", backend->name);
    ter_status status = check_layers(world, out);
    if (status == TER_OK)
        status = begin_work(generator, check_tiles(world, tiles, count, layout));
    if (status != TER_OK || count == 0)
        return status;
    return world->params.basis == TER_BASIS_FLUVIAL
               ? backend->fill_layers_device(generator->state, world, tiles, count, layout, out, cuda_stream)
               : backend->fill_tiles_device(generator->state, world, tiles, count, layout, out->at[TER_LAYER_HEIGHT],
                                            cuda_stream);
}

ter_status ter_generator_wait(ter_generator *generator, void *cuda_stream)
{
    TER_REQUIRE(generator);
    const ter_backend_table *backend = generator->backend;
    return backend->wait ? backend->wait(generator->state, cuda_stream)
                         : ter_fail(TER_ENOBACKEND, "backend %s has no device memory", backend->name);
}

void *ter_generator_stream(const ter_generator *generator)
{
    return generator->backend->stream ? generator->backend->stream(generator->state) : NULL;
}

ter_status ter_generator_fill_layers(ter_generator *generator, const ter_world *world, const ter_rect *rect,
                                     const ter_layers *out, size_t stride)
{
    TER_REQUIRE(generator);
    TER_REQUIRE(world);
    TER_REQUIRE(rect);
    TER_REQUIRE(out);
    ter_tile tile;
    ter_tile_layout layout;
    ter_status status = check_layers(world, out);
    if (status == TER_OK)
        status = ter_rect_as_tile(world, rect, stride, &tile, &layout);
    return status == TER_OK ? fill_layers(generator, world, &tile, 1, &layout, out) : status;
}

ter_status ter_generator_fill_device(ter_generator *generator, const ter_world *world, const ter_rect *rect, float *out,
                                     size_t stride, void *cuda_stream)
{
    TER_REQUIRE(generator);
    TER_REQUIRE(world);
    TER_REQUIRE(rect);
    TER_REQUIRE(out);
    ter_tile tile;
    ter_tile_layout layout;
    const ter_status status = begin_work(generator, ter_rect_as_tile(world, rect, stride, &tile, &layout));
    if (status != TER_OK)
        return status;
    return ter_generator_fill_tiles_device(generator, world, &tile, 1, &layout, out, cuda_stream);
}

ter_status ter_generator_heights(ter_generator *generator, const ter_world *world, int level,
                                 const int64_t (*points)[2], size_t count, float *out)
{
    TER_REQUIRE(generator);
    TER_REQUIRE(world);
    TER_REQUIRE_ARRAY(points, count);
    TER_REQUIRE_ARRAY(out, count);
    ter_status status = TER_OK;
    for (size_t n = 0; n < count && status == TER_OK; n++)
        status = ter_world_check(world, level, points[n][0], points[n][1], 1, 1);
    status = begin_work(generator, status);
    return status != TER_OK || count == 0
               ? status
               : generator->backend->heights(generator->state, world, level, points, count, out);
}

/* ---- statistics ---- */

static ter_status check_histogram(const ter_histogram *histogram)
{
    if (histogram->bins < 1 || histogram->bins > TER_HISTOGRAM_BINS_MAX)
        return ter_fail(TER_EINVAL, "a histogram of %d bins, expected 1 to %d", histogram->bins,
                        TER_HISTOGRAM_BINS_MAX);
    if (!histogram->counts)
        return ter_fail(TER_EINVAL, "histogram->counts is NULL, expected %d counters", histogram->bins);
    return ter_range_check((double)histogram->lo, (double)histogram->hi);
}

ter_status ter_generator_statistics(ter_generator *generator, const ter_world *world, const ter_rect *rect,
                                    const ter_histogram *histogram, ter_statistics *out)
{
    TER_REQUIRE(generator);
    TER_REQUIRE(world);
    TER_REQUIRE(rect);
    TER_REQUIRE(out);
    ter_status status = ter_world_check(world, rect->level, rect->i, rect->j, rect->width, rect->height);
    if (status == TER_OK && (uint64_t)rect->width > TER_STATISTICS_COUNT_MAX / (uint64_t)rect->height)
        status = ter_fail(TER_EINVAL, "statistics of %lld x %lld points, expected at most 2^48 in all",
                          (long long)rect->width, (long long)rect->height);
    if (status == TER_OK && histogram)
        status = check_histogram(histogram);
    status = begin_work(generator, status);
    return status == TER_OK ? generator->backend->statistics(generator->state, world, rect, histogram, out) : status;
}

/* ---- host memory ---- */

ter_status ter_host_memory_create(ter_generator *generator, size_t bytes, void **out)
{
    TER_REQUIRE(generator);
    TER_REQUIRE(out);
    if (bytes == 0)
        return ter_fail(TER_EINVAL, "host memory of 0 bytes, expected at least 1");
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
