/* morph.c - ter_morph: the heights of two landscapes for a set of tile slots, in the generator's memory. */
#include <math.h>
#include <stdlib.h>

#include "generate/blend.h"
#include "generate/generator.h"

struct ter_morph {
    ter_generator *generator;
    size_t n_slots;
    int width, height;
    float *heights[2]; /* of the backend's memory: n_slots tiles each */
    float *blended;    /* of the backend's memory, when it is not the host's: n_blended tiles on their way to the host */
    size_t n_blended;
};

static ter_status check_size(size_t n_slots, int width, int height)
{
    const int side = TER_MORPH_SIDE_MAX;
    if (n_slots == 0 || n_slots > UINT32_MAX)
        return ter_fail(TER_EINVAL, "a morph of %zu tiles, expected 1 to 2^32 - 1", n_slots);
    if (width < 1 || height < 1 || width > side || height > side)
        return ter_fail(TER_EINVAL, "a morph of tiles of %d x %d points, expected 1 to %d a side", width, height, side);
    if (n_slots > TER_SAMPLES_MAX / ((size_t)width * (size_t)height))
        return ter_fail(TER_EINVAL, "a morph of %zu tiles of %d x %d points is more than memory can be addressed for", n_slots,
                        width, height);
    return TER_OK;
}

ter_status ter_morph_create(ter_generator *generator, size_t n_slots, int width, int height, ter_morph **out)
{
    TER_REQUIRE(generator);
    TER_REQUIRE(out);
    ter_status status = check_size(n_slots, width, height);
    if (status != TER_OK)
        return status;
    ter_morph *morph = calloc(1, sizeof *morph);
    if (!morph)
        return ter_fail(TER_ENOMEM, "no memory for a morph");
    *morph = (ter_morph){.generator = generator, .n_slots = n_slots, .width = width, .height = height};
    const size_t bytes = n_slots * (size_t)width * (size_t)height * sizeof(float);
    for (int n = 0; n < 2 && status == TER_OK; n++)
        status = generator->backend->memory_create(generator->state, bytes, (void **)&morph->heights[n]);
    if (status != TER_OK) {
        ter_morph_destroy(morph);
        return status;
    }
    *out = morph;
    return TER_OK;
}

void ter_morph_destroy(ter_morph *morph)
{
    if (!morph)
        return;
    for (int n = 0; n < 2; n++)
        morph->generator->backend->memory_destroy(morph->generator->state, morph->heights[n]);
    morph->generator->backend->memory_destroy(morph->generator->state, morph->blended);
    free(morph);
}

static ter_status check_slots(const ter_morph *morph, const uint32_t *held, size_t count)
{
    for (size_t n = 0; n < count; n++)
        if (held[n] >= morph->n_slots)
            return ter_fail(TER_EINVAL, "slot %u of a morph of %zu tiles", held[n], morph->n_slots);
    return TER_OK;
}

ter_status ter_morph_load(ter_morph *morph, int landscape, const ter_world *world, const ter_tile *tiles, const uint32_t *held,
                          size_t count, void *cuda_stream)
{
    TER_REQUIRE(morph);
    TER_REQUIRE(world);
    TER_REQUIRE_ARRAY(tiles, count);
    TER_REQUIRE_ARRAY(held, count);
    if (landscape != 0 && landscape != 1)
        return ter_fail(TER_EINVAL, "landscape %d of a morph, expected 0 or 1", landscape);
    const ter_status status = check_slots(morph, held, count);
    if (status != TER_OK)
        return status;
    const size_t tile = (size_t)morph->width * (size_t)morph->height;
    const ter_tile_layout layout = {morph->width, morph->height, (size_t)morph->width, tile, held};
    ter_generator *g = morph->generator;
    return g->backend->fill_tiles_device
               ? ter_generator_fill_tiles_device(g, world, tiles, count, &layout, morph->heights[landscape], cuda_stream)
               : ter_generator_fill_tiles(g, world, tiles, count, &layout, morph->heights[landscape]);
}

ter_status ter_blend_check(const ter_blend *blend)
{
    const int64_t limit = TER_COORDINATE_MAX;
    if (blend->x < -limit || blend->x > limit || blend->z < -limit || blend->z > limit)
        return ter_fail(TER_EINVAL, "a blend from x %lld, z %lld, expected lattice coordinates from -2^46 to 2^46",
                        (long long)blend->x, (long long)blend->z);
    if (!isfinite((float)blend->along_x) || !isfinite((float)blend->along_z) || !isfinite((float)blend->begun))
        return ter_fail(TER_EINVAL, "a blend along %g, %g begun by %g, expected finite numbers", blend->along_x, blend->along_z,
                        blend->begun);
    return TER_OK;
}

static ter_status check_morph_tiles(const ter_morph *morph, const ter_morph_tiles *tiles)
{
    TER_REQUIRE_ARRAY(tiles->tiles, tiles->count);
    TER_REQUIRE_ARRAY(tiles->held, tiles->count);
    if (tiles->levels < 1 || tiles->levels > TER_LEVELS_MAX)
        return ter_fail(TER_EINVAL, "levels is %d, expected 1 to %d", tiles->levels, TER_LEVELS_MAX);
    ter_status status = check_slots(morph, tiles->held, tiles->count);
    for (size_t n = 0; n < tiles->count && status == TER_OK; n++) {
        const ter_tile *tile = &tiles->tiles[n];
        const ter_rect rect = {tile->level, tile->i, tile->j, morph->width, morph->height};
        status = ter_lattice_check(tiles->levels, &rect);
    }
    return status;
}

/** The tiles as the backends see them. Tiles and origin lie in the world, so distances are below 2^48. */
static void list_tiles(const ter_morph_tiles *tiles, const ter_blend *blend, const uint32_t *slots, ter_blend_tile *list)
{
    for (size_t n = 0; n < tiles->count; n++) {
        const ter_tile *tile = &tiles->tiles[n];
        const int shift = tiles->levels - tile->level;
        list[n] = (ter_blend_tile){.dx = tile->i * (INT64_C(1) << shift) - blend->x,
                                   .dz = tile->j * (INT64_C(1) << shift) - blend->z,
                                   .shift = shift,
                                   .held = tiles->held[n],
                                   .slot = slots ? slots[n] : (uint32_t)n};
    }
}

static ter_status check_blend(const ter_morph *morph, const ter_blend *blend, const ter_morph_tiles *tiles,
                              const ter_tile_layout *layout)
{
    if (layout->width != morph->width || layout->height != morph->height)
        return ter_fail(TER_EINVAL, "a blend of tiles of %d x %d points, expected the morph's %d x %d", layout->width,
                        layout->height, morph->width, morph->height);
    ter_status status = ter_layout_check(layout, tiles->count);
    if (status == TER_OK)
        status = ter_blend_check(blend);
    return status == TER_OK ? check_morph_tiles(morph, tiles) : status;
}

ter_status ter_morph_blend(ter_morph *morph, const ter_blend *blend, const ter_morph_tiles *tiles, const ter_tile_layout *layout,
                           float *out, void *cuda_stream)
{
    TER_REQUIRE(morph);
    TER_REQUIRE(blend);
    TER_REQUIRE(tiles);
    TER_REQUIRE(layout);
    TER_REQUIRE_ARRAY(out, tiles->count);
    ter_status status = check_blend(morph, blend, tiles, layout);
    if (status != TER_OK || tiles->count == 0)
        return status;
    ter_blend_tile *list = calloc(tiles->count, sizeof *list);
    if (!list)
        return ter_fail(TER_ENOMEM, "no memory for %zu tiles", tiles->count);
    list_tiles(tiles, blend, layout->slots, list);
    const ter_blend_work work = {.tiles = list,
                                 .count = tiles->count,
                                 .from = morph->heights[0],
                                 .to = morph->heights[1],
                                 .out = out,
                                 .width = morph->width,
                                 .height = morph->height,
                                 .row_stride = layout->row_stride,
                                 .slot_stride = layout->slot_stride,
                                 .along_x = (float)blend->along_x,
                                 .along_z = (float)blend->along_z,
                                 .begun = (float)blend->begun};
    status = morph->generator->backend->blend(morph->generator->state, &work, cuda_stream);
    free(list);
    return status;
}

/** Make room for `count` tiles on their way to the host. */
static ter_status reserve_blended(ter_morph *morph, size_t count)
{
    const ter_backend_table *backend = morph->generator->backend;
    const size_t tile = (size_t)morph->width * (size_t)morph->height;
    if (count <= morph->n_blended)
        return TER_OK;
    backend->memory_destroy(morph->generator->state, morph->blended);
    morph->blended = NULL;
    morph->n_blended = 0;
    if (count > TER_SAMPLES_MAX / tile)
        return ter_fail(TER_EINVAL, "%zu tiles of %d x %d points are more than memory can be addressed for", count, morph->width,
                        morph->height);
    const ter_status status =
        backend->memory_create(morph->generator->state, count * tile * sizeof(float), (void **)&morph->blended);
    morph->n_blended = status == TER_OK ? count : 0;
    return status;
}

ter_status ter_morph_blend_host(ter_morph *morph, const ter_blend *blend, const ter_morph_tiles *tiles, float *out)
{
    TER_REQUIRE(morph);
    TER_REQUIRE(blend);
    TER_REQUIRE(tiles);
    TER_REQUIRE_ARRAY(out, tiles->count);
    const ter_backend_table *backend = morph->generator->backend;
    const size_t tile = (size_t)morph->width * (size_t)morph->height;
    const ter_tile_layout layout = {morph->width, morph->height, (size_t)morph->width, tile, NULL};
    if (!backend->memory_read)
        return ter_morph_blend(morph, blend, tiles, &layout, out, NULL);
    ter_status status = reserve_blended(morph, tiles->count);
    if (status == TER_OK)
        status = ter_morph_blend(morph, blend, tiles, &layout, morph->blended, NULL);
    if (status == TER_OK && tiles->count > 0)
        status = backend->memory_read(morph->generator->state, morph->blended, tiles->count * tile * sizeof(float), out);
    return status;
}

double ter_blend_at(const ter_blend *blend, double x, double z)
{
    return (double)ter_blend_share((float)(x - (double)blend->x), (float)(z - (double)blend->z), (float)blend->along_x,
                                   (float)blend->along_z, (float)blend->begun);
}
