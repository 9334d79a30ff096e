/* morph_blend.c - ter_morph_blend: blends heights and water of a morph's two landscapes, into device memory or host
 * memory. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "library/core/sized_struct.h"
#include "library/generator/checks.h"
#include "library/generator/morph.h"
#include "library/morph/blend.h"

ter_status ter_blend_check(const ter_blend *blend)
{
    const int64_t limit = TER_COORDINATE_MAX;
    if (blend->x < -limit || blend->x > limit || blend->z < -limit || blend->z > limit)
        return ter_fail(TER_EINVAL, "a blend from x %lld, z %lld, expected lattice coordinates from -2^46 to 2^46",
                        (long long)blend->x, (long long)blend->z);
    if (!isfinite((float)blend->along_x) || !isfinite((float)blend->along_z) || !isfinite((float)blend->begun))
        return ter_fail(TER_EINVAL, "a blend with along_x %g, along_z %g, begun %g, expected finite numbers",
                        blend->along_x, blend->along_z, blend->begun);
    return TER_OK;
}

static ter_status check_levels(int levels)
{
    if (levels < 1 || levels > TER_LEVELS_MAX)
        return ter_fail(TER_EINVAL, "levels is %d, expected 1 to %d", levels, TER_LEVELS_MAX);
    return TER_OK;
}

static ter_status check_morph_tiles(const ter_morph *morph, const ter_morph_tiles *tiles)
{
    TER_REQUIRE_ARRAY(tiles->tiles, tiles->count);
    TER_REQUIRE_ARRAY(tiles->held, tiles->count);
    ter_status status = check_levels(tiles->levels);
    if (status == TER_OK)
        status = ter_morph_check_slots(morph, tiles->held, tiles->count);
    for (size_t n = 0; n < tiles->count && status == TER_OK; n++) {
        const ter_tile *tile = &tiles->tiles[n];
        const ter_rect rect = {tile->level, tile->i, tile->j, morph->width, morph->height};
        status = ter_lattice_check(tiles->levels, &rect);
    }
    return status;
}

/** Place of a tile, in the form that backends take. Tile and origin lie in the world, so distances are below 2^52
 * parts. */
static ter_blend_tile place_tile(const ter_tile *tile, int levels, const ter_blend *blend)
{
    const int shift = levels + TER_FINE_LODS - tile->level;
    return (ter_blend_tile){.dx = tile->i * (INT64_C(1) << shift) - blend->x * TER_BLEND_PARTS,
                            .dz = tile->j * (INT64_C(1) << shift) - blend->z * TER_BLEND_PARTS,
                            .shift = shift};
}

/** List tiles in the form that backends take. */
static void list_tiles(const ter_morph_tiles *tiles, const ter_blend *blend, const uint32_t *slots,
                       ter_blend_tile *list)
{
    for (size_t n = 0; n < tiles->count; n++) {
        list[n] = place_tile(&tiles->tiles[n], tiles->levels, blend);
        list[n].held = tiles->held[n];
        list[n].slot = slots ? slots[n] : (uint32_t)n;
    }
}

/** Check that a morph can write the requested layers. */
static ter_status check_morph_layers(const ter_morph *morph, const ter_arrays *out)
{
    if (out->is_u16)
        return ter_fail(TER_EINVAL, "16-bit samples of a morph, expected floats");
    TER_REQUIRE_NAMED(out->floats.at[TER_LAYER_HEIGHT], "target: the layer height");
    if (out->floats.at[TER_LAYER_WATER] && !morph->water[0])
        return ter_fail(TER_EINVAL, "layer water of a morph of heights, expected one that has_water");
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
        if (out->floats.at[layer] && layer != TER_LAYER_HEIGHT && layer != TER_LAYER_WATER)
            return ter_fail(TER_EINVAL, "layer %s of a morph, expected height and water",
                            ter_layer_name((ter_layer)layer));
    if (out->memory == TER_MEMORY_DEVICE && !morph->generator->backend->fill_device)
        return ter_fail(TER_ENOBACKEND, "backend %s has no device memory", morph->generator->backend->name);
    return TER_OK;
}

/** Blend into the backend's memory. */
static ter_status blend_tiles(ter_morph *morph, const ter_blend *blend, const ter_morph_tiles *tiles,
                              const ter_tile_layout *layout, const ter_arrays *out)
{
    ter_blend_tile *list = calloc(tiles->count, sizeof *list);
    if (!list)
        return ter_fail(TER_ENOMEM, "no memory for %zu tiles", tiles->count);
    list_tiles(tiles, blend, layout->slots, list);
    const ter_blend_work work = {.tiles = list,
                                 .count = tiles->count,
                                 .from = morph->heights[0],
                                 .to = morph->heights[1],
                                 .from_water = morph->is_dry[0] ? NULL : morph->water[0],
                                 .to_water = morph->is_dry[1] ? NULL : morph->water[1],
                                 .out = out->floats.at[TER_LAYER_HEIGHT],
                                 .out_water = out->floats.at[TER_LAYER_WATER],
                                 .width = morph->width,
                                 .height = morph->height,
                                 .row_stride = layout->row_stride,
                                 .slot_stride = layout->slot_stride,
                                 .along_x = (float)blend->along_x,
                                 .along_z = (float)blend->along_z,
                                 .begun = (float)blend->begun,
                                 .from_sea = morph->sea[0],
                                 .to_sea = morph->sea[1]};
    const ter_status status = morph->generator->backend->blend(morph->generator->state, &work, out->stream);
    free(list);
    return status;
}

/** Reserve memory for `count` blended tiles that are to be copied to the host. */
static ter_status reserve_blended(ter_morph *morph, size_t count)
{
    const ter_backend_table *backend = morph->generator->backend;
    const size_t tile = (size_t)morph->width * (size_t)morph->height;
    ter_status status = TER_OK;
    if (count <= morph->n_blended)
        return TER_OK;
    if (count > TER_SAMPLES_MAX / tile)
        return ter_fail(TER_EINVAL, "%zu tiles of %d x %d points need more memory than can be addressed", count,
                        morph->width, morph->height);
    morph->n_blended = 0;
    for (int n = 0; n < 2; n++) {
        backend->memory_destroy(morph->generator->state, morph->blended[n]);
        morph->blended[n] = NULL;
    }
    for (int n = 0; n < (morph->water[0] ? 2 : 1) && status == TER_OK; n++)
        status =
            backend->memory_create(morph->generator->state, count * tile * sizeof(float), (void **)&morph->blended[n]);
    morph->n_blended = status == TER_OK ? count : 0;
    return status;
}

/** Copy a layer of blended tiles to the caller's layout. The tiles lie without gaps in the backend's memory. */
static ter_status read_blended(const ter_morph *morph, const float *blended, const ter_tile_layout *layout,
                               size_t count, float *out)
{
    const ter_backend_table *backend = morph->generator->backend;
    const size_t width = (size_t)layout->width, tile = width * (size_t)layout->height;
    const bool has_gaps = layout->slots || layout->row_stride != width || layout->slot_stride != tile;
    if (!has_gaps)
        return backend->memory_read(morph->generator->state, blended, count * tile * sizeof(float), out);
    float *packed = malloc(count * tile * sizeof *packed);
    if (!packed)
        return ter_fail(TER_ENOMEM, "no memory for %zu tiles", count);
    const ter_status status =
        backend->memory_read(morph->generator->state, blended, count * tile * sizeof(float), packed);
    for (size_t n = 0; n < count && status == TER_OK; n++)
        for (size_t row = 0; row < (size_t)layout->height; row++)
            memcpy(out + (layout->slots ? layout->slots[n] : n) * layout->slot_stride + row * layout->row_stride,
                   packed + n * tile + row * width, width * sizeof *out);
    free(packed);
    return status;
}

/** Blend into device memory, and copy the result to the host. */
static ter_status blend_and_read(ter_morph *morph, const ter_blend *blend, const ter_morph_tiles *tiles,
                                 const ter_tile_layout *layout, const ter_arrays *out)
{
    const size_t width = (size_t)morph->width;
    const ter_tile_layout packed = {.width = morph->width,
                                    .height = morph->height,
                                    .row_stride = width,
                                    .slot_stride = width * (size_t)morph->height};
    const float *const wanted_water = out->floats.at[TER_LAYER_WATER];
    ter_status status = reserve_blended(morph, tiles->count);
    const ter_arrays blended = {
        .floats.at = {
            [TER_LAYER_HEIGHT] = morph->blended[0], [TER_LAYER_WATER] = wanted_water ? morph->blended[1] : NULL}};
    if (status == TER_OK)
        status = blend_tiles(morph, blend, tiles, &packed, &blended);
    for (int layer = 0; layer < TER_LAYER_COUNT && status == TER_OK; layer++)
        if (blended.floats.at[layer])
            status = read_blended(morph, blended.floats.at[layer], layout, tiles->count, out->floats.at[layer]);
    return status;
}

ter_status ter_morph_blend(ter_morph *morph, const ter_blend *blend, const ter_morph_tiles *caller_tiles,
                           const ter_target *target)
{
    TER_REQUIRE(morph);
    TER_REQUIRE(blend);
    TER_REQUIRE_NAMED(caller_tiles, "tiles");
    TER_REQUIRE(target);
    ter_morph_tiles tiles = {TER_SIZED(ter_morph_tiles)};
    TER_READ_STRUCT(&tiles, caller_tiles, ter_morph_tiles);
    ter_tile_run run = {.count = tiles.count, .layout = {.width = morph->width, .height = morph->height}};
    ter_arrays out;
    ter_status status = ter_target_read(target, &run, &out);
    if (status == TER_OK && run.count > 0)
        status = check_morph_layers(morph, &out);
    if (status == TER_OK)
        status = ter_layout_check(&run.layout, run.count);
    if (status == TER_OK)
        status = ter_blend_check(blend);
    if (status == TER_OK)
        status = check_morph_tiles(morph, &tiles);
    if (status != TER_OK || run.count == 0)
        return status;
    return out.memory == TER_MEMORY_HOST && morph->generator->backend->memory_read
               ? blend_and_read(morph, blend, &tiles, &run.layout, &out)
               : blend_tiles(morph, blend, &tiles, &run.layout, &out);
}

double ter_blend_at(const ter_blend *blend, double x, double z)
{
    return (double)ter_blend_share((float)(x - (double)blend->x), (float)(z - (double)blend->z), (float)blend->along_x,
                                   (float)blend->along_z, (float)blend->begun);
}

ter_status ter_blend_phase_over(const ter_blend *blend, int levels, const ter_rect *rect, ter_blend_phase *out)
{
    TER_REQUIRE(blend);
    TER_REQUIRE(rect);
    TER_REQUIRE(out);
    ter_status status = check_levels(levels);
    if (status == TER_OK)
        status = ter_blend_check(blend);
    if (status == TER_OK)
        status = ter_lattice_check(levels, rect);
    if (status != TER_OK)
        return status;
    const ter_tile tile = {rect->level, rect->i, rect->j};
    const ter_blend_tile place = place_tile(&tile, levels, blend);
    const int64_t width = (int64_t)(rect->width - 1) * (INT64_C(1) << place.shift),
                  height = (int64_t)(rect->height - 1) * (INT64_C(1) << place.shift);
    int n_before = 0, n_after = 0;
    for (int n = 0; n < 4; n++) {
        const float front =
            ter_blend_front(ter_blend_steps(place.dx + (n & 1) * width), ter_blend_steps(place.dz + (n >> 1) * height),
                            (float)blend->along_x, (float)blend->along_z, (float)blend->begun);
        n_before += front <= 0.0f;
        n_after += front >= 1.0f;
    }
    *out = n_before == 4 ? TER_BLEND_BEFORE : n_after == 4 ? TER_BLEND_AFTER : TER_BLEND_WITHIN;
    return TER_OK;
}
