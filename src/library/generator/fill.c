/* fill.c - ter_fill: the backend of a generator fills memory with a region's samples. */
#include <stdlib.h>
#include <string.h>

#include "library/generator/checks.h"
#include "library/generator/cpu/simd.h"

enum { BAND_SAMPLES = 1 << 22 }; /* of a layer; made as floats and then quantised at a time: 16 MiB */

/** A fill whose arguments have been checked. */
typedef struct filling {
    ter_generator *generator;
    const ter_world *world;
    ter_tile_run run;
    ter_arrays arrays;
} filling;

/** Whether a fill is only of heights, at single points of one level. */
static bool is_of_points(const filling *f)
{
    const ter_tile_run *run = &f->run;
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
        if (layer != TER_LAYER_HEIGHT && f->arrays.floats.at[layer])
            return false;
    for (size_t n = 1; n < run->count; n++)
        if (run->tiles[n].level != run->tiles[0].level)
            return false;
    return run->count > 1 && run->layout.width == 1 && run->layout.height == 1 && run->layout.slot_stride == 1 &&
           !run->layout.slots;
}

static ter_status fill_points(const filling *f)
{
    const ter_tile_run *run = &f->run;
    int64_t(*points)[2] = malloc(run->count * sizeof *points);
    if (!points)
        return ter_fail(TER_ENOMEM, "no memory for %zu points", run->count);
    for (size_t n = 0; n < run->count; n++) {
        points[n][0] = run->tiles[n].i;
        points[n][1] = run->tiles[n].j;
    }
    const ter_status status =
        f->generator->backend->heights(f->generator->state, f->world, run->tiles[0].level, (const int64_t(*)[2])points,
                                       run->count, f->arrays.floats.at[TER_LAYER_HEIGHT]);
    free(points);
    return status;
}

static ter_status fill_floats(const filling *f)
{
    const ter_tile_run *run = &f->run;
    if (is_of_points(f))
        return fill_points(f);
    return f->generator->backend->fill_host(f->generator->state, f->world, run->tiles, run->count, &run->layout,
                                            &f->arrays.floats);
}

/** Quantise the rows of a band into their tile. */
static void quantise_band(const filling *f, int layer, const float *band, int rows, uint16_t *out)
{
    const ter_tile_layout *layout = &f->run.layout;
    for (int row = 0; row < rows; row++)
        ter_row_kernels_for(TER_SIMD_AUTO)
            ->quantise(&f->arrays.u16.quantiser[layer], band + (size_t)row * (size_t)layout->width,
                       (size_t)layout->width, out + (size_t)row * layout->row_stride);
}

/** Make rows of a tile as floats, and quantise them. */
static ter_status fill_band(const filling *f, size_t n, int first_row, int rows, const ter_layers *bands)
{
    const ter_tile_run *run = &f->run;
    const size_t slot = run->layout.slots ? run->layout.slots[n] : n;
    const ter_tile tile = {run->tiles[n].level, run->tiles[n].i, run->tiles[n].j + first_row};
    const ter_tile_layout layout = {
        .width = run->layout.width, .height = rows, .row_stride = (size_t)run->layout.width};
    const ter_status status = f->generator->backend->fill_host(f->generator->state, f->world, &tile, 1, &layout, bands);
    for (int layer = 0; layer < TER_LAYER_COUNT && status == TER_OK; layer++)
        if (bands->at[layer])
            quantise_band(f, layer, bands->at[layer], rows,
                          f->arrays.u16.at[layer] + slot * run->layout.slot_stride +
                              (size_t)first_row * run->layout.row_stride);
    return status;
}

static ter_status fill_host_u16(const filling *f)
{
    const ter_tile_layout *layout = &f->run.layout;
    const int fitting = BAND_SAMPLES / layout->width;
    const int band_rows = fitting < 1 ? 1 : fitting < layout->height ? fitting : layout->height;
    const size_t samples = (size_t)band_rows * (size_t)layout->width;
    ter_layers bands = {{0}};
    int n_layers = 0;
    float *memory = malloc(TER_LAYER_COUNT * samples * sizeof(float));
    if (!memory)
        return ter_fail(TER_ENOMEM, "no memory for %zu floats that are to be quantised", samples);
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
        if (f->arrays.u16.at[layer])
            bands.at[layer] = memory + (size_t)n_layers++ * samples;
    ter_status status = TER_OK;
    for (size_t n = 0; n < f->run.count && status == TER_OK; n++)
        for (int row = 0; row < layout->height && status == TER_OK; row += band_rows)
            status = fill_band(f, n, row, layout->height - row < band_rows ? layout->height - row : band_rows, &bands);
    free(memory);
    return status;
}

static ter_status fill_device(const filling *f)
{
    const ter_backend_table *backend = f->generator->backend;
    const ter_tile_run *run = &f->run;
    if (f->arrays.is_u16)
        return backend->fill_device_u16(f->generator->state, f->world, run->tiles, run->count, &run->layout,
                                        &f->arrays.u16, f->arrays.stream);
    return backend->fill_device(f->generator->state, f->world, run->tiles, run->count, &run->layout, &f->arrays.floats,
                                f->arrays.stream);
}

ter_status ter_fill(ter_generator *generator, const ter_world *world, const ter_region *region,
                    const ter_target *target)
{
    TER_REQUIRE(generator);
    TER_REQUIRE(world);
    TER_REQUIRE(region);
    TER_REQUIRE(target);
    filling f = {.generator = generator, .world = world};
    ter_status status = ter_region_read(region, world, &f.run);
    if (status == TER_OK)
        status = ter_target_read(target, &f.run, &f.arrays);
    if (status == TER_OK && f.arrays.memory == TER_MEMORY_DEVICE && !generator->backend->fill_device)
        status = ter_fail(TER_ENOBACKEND, "backend %s has no device memory", generator->backend->name);
    if (status == TER_OK)
        status = ter_arrays_check(world, &f.arrays);
    if (status == TER_OK)
        status = ter_begin_work(generator, ter_tiles_check(world, f.run.tiles, f.run.count, &f.run.layout));
    if (status != TER_OK || f.run.count == 0)
        return status;
    return f.arrays.memory == TER_MEMORY_DEVICE ? fill_device(&f)
           : f.arrays.is_u16                    ? fill_host_u16(&f)
                                                : fill_floats(&f);
}

ter_status ter_quantise_values(const float *values, size_t count, double lo, double hi, uint16_t *out)
{
    TER_REQUIRE_ARRAY(values, count);
    TER_REQUIRE_ARRAY(out, count);
    const ter_status status = ter_range_check(lo, hi);
    if (status != TER_OK)
        return status;
    const ter_quantiser quantiser = ter_quantiser_of(lo, hi);
    ter_row_kernels_for(TER_SIMD_AUTO)->quantise(&quantiser, values, count, out);
    return TER_OK;
}
