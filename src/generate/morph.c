/* morph.c - ter_morph: the heights of two landscapes for a set of tile slots, and their water, in the generator's memory. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "generate/blend.h"
#include "generate/generator.h"

struct ter_morph {
    ter_generator *generator;
    size_t n_slots;
    int width, height;
    float *heights[2]; /* of the backend's memory: n_slots tiles each */
    float *water[2];   /* the same; NULL: heights alone */
    bool is_dry[2];    /* the landscape has no water layer */
    float sea[2];      /* of the landscape, m */
    float
        *blended[2]; /* heights and water; of the backend's memory, when it is not the host's: n_blended tiles on their way to it */
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

/** Memory for tiles of both landscapes; both or none. */
static ter_status create_landscapes(const ter_morph *morph, float *out[2])
{
    const ter_backend_table *backend = morph->generator->backend;
    const size_t bytes = morph->n_slots * (size_t)morph->width * (size_t)morph->height * sizeof(float);
    float *made[2] = {NULL, NULL};
    ter_status status = TER_OK;
    for (int n = 0; n < 2 && status == TER_OK; n++)
        status = backend->memory_create(morph->generator->state, bytes, (void **)&made[n]);
    for (int n = 0; n < 2; n++)
        if (status == TER_OK)
            out[n] = made[n];
        else
            backend->memory_destroy(morph->generator->state, made[n]);
    return status;
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
    *morph = (ter_morph){.generator = generator, .n_slots = n_slots, .width = width, .height = height, .is_dry = {true, true}};
    status = create_landscapes(morph, morph->heights);
    if (status != TER_OK) {
        ter_morph_destroy(morph);
        return status;
    }
    *out = morph;
    return TER_OK;
}

ter_status ter_morph_add_water(ter_morph *morph)
{
    TER_REQUIRE(morph);
    return morph->water[0] ? TER_OK : create_landscapes(morph, morph->water);
}

void ter_morph_destroy(ter_morph *morph)
{
    if (!morph)
        return;
    const ter_backend_table *backend = morph->generator->backend;
    float *const memory[6] = {morph->heights[0], morph->heights[1], morph->water[0],
                              morph->water[1],   morph->blended[0], morph->blended[1]};
    for (int n = 0; n < 6; n++)
        backend->memory_destroy(morph->generator->state, memory[n]);
    free(morph);
}

static ter_status check_slots(const ter_morph *morph, const uint32_t *held, size_t count)
{
    for (size_t n = 0; n < count; n++)
        if (held[n] >= morph->n_slots)
            return ter_fail(TER_EINVAL, "slot %u of a morph of %zu tiles", held[n], morph->n_slots);
    return TER_OK;
}

/** Note whose heights a landscape has. What is known already is not written: another thread may be blending. */
static void note_world(ter_morph *morph, int landscape, const ter_world *world)
{
    const bool is_dry = !morph->water[landscape] || !ter_world_has_layer(world, TER_LAYER_WATER);
    const float sea = (float)ter_world_params(world)->sea;
    if (morph->is_dry[landscape] != is_dry)
        morph->is_dry[landscape] = is_dry;
    if (morph->sea[landscape] != sea)
        morph->sea[landscape] = sea;
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
    float *heights = morph->heights[landscape];
    const bool is_on_device = g->backend->fill_tiles_device != NULL;
    note_world(morph, landscape, world);
    if (morph->is_dry[landscape])
        return is_on_device ? ter_generator_fill_tiles_device(g, world, tiles, count, &layout, heights, cuda_stream)
                            : ter_generator_fill_tiles(g, world, tiles, count, &layout, heights);
    const ter_layers layers = {.at = {[TER_LAYER_HEIGHT] = heights, [TER_LAYER_WATER] = morph->water[landscape]}};
    return is_on_device ? ter_generator_fill_tiles_layers_device(g, world, tiles, count, &layout, &layers, cuda_stream)
                        : ter_generator_fill_tiles_layers(g, world, tiles, count, &layout, &layers);
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

/** The layers that a morph can write. */
static ter_status check_morph_layers(const ter_morph *morph, const ter_layers *out, size_t count)
{
    TER_REQUIRE_ARRAY(out->at[TER_LAYER_HEIGHT], count);
    if (out->at[TER_LAYER_WATER] && !morph->water[0])
        return ter_fail(TER_EINVAL, "layer water of a morph of heights, expected one after ter_morph_add_water");
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
        if (out->at[layer] && layer != TER_LAYER_HEIGHT && layer != TER_LAYER_WATER)
            return ter_fail(TER_EINVAL, "layer %s of a morph, expected height and water", ter_layer_name((ter_layer)layer));
    return TER_OK;
}

ter_status ter_morph_blend_layers(ter_morph *morph, const ter_blend *blend, const ter_morph_tiles *tiles,
                                  const ter_tile_layout *layout, const ter_layers *out, void *cuda_stream)
{
    TER_REQUIRE(morph);
    TER_REQUIRE(blend);
    TER_REQUIRE(tiles);
    TER_REQUIRE(layout);
    TER_REQUIRE(out);
    ter_status status = check_morph_layers(morph, out, tiles->count);
    if (status == TER_OK)
        status = check_blend(morph, blend, tiles, layout);
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
                                 .from_water = morph->is_dry[0] ? NULL : morph->water[0],
                                 .to_water = morph->is_dry[1] ? NULL : morph->water[1],
                                 .out = out->at[TER_LAYER_HEIGHT],
                                 .out_water = out->at[TER_LAYER_WATER],
                                 .width = morph->width,
                                 .height = morph->height,
                                 .row_stride = layout->row_stride,
                                 .slot_stride = layout->slot_stride,
                                 .along_x = (float)blend->along_x,
                                 .along_z = (float)blend->along_z,
                                 .begun = (float)blend->begun,
                                 .from_sea = morph->sea[0],
                                 .to_sea = morph->sea[1]};
    status = morph->generator->backend->blend(morph->generator->state, &work, cuda_stream);
    free(list);
    return status;
}

ter_status ter_morph_blend(ter_morph *morph, const ter_blend *blend, const ter_morph_tiles *tiles, const ter_tile_layout *layout,
                           float *out, void *cuda_stream)
{
    TER_REQUIRE(morph);
    TER_REQUIRE(blend);
    TER_REQUIRE(tiles);
    TER_REQUIRE(layout);
    TER_REQUIRE_ARRAY(out, tiles->count);
    const ter_layers layers = {.at = {[TER_LAYER_HEIGHT] = out}};
    return ter_morph_blend_layers(morph, blend, tiles, layout, &layers, cuda_stream);
}

/** Make room for `count` tiles on their way to the host. */
static ter_status reserve_blended(ter_morph *morph, size_t count)
{
    const ter_backend_table *backend = morph->generator->backend;
    const size_t tile = (size_t)morph->width * (size_t)morph->height;
    ter_status status = TER_OK;
    if (count <= morph->n_blended)
        return TER_OK;
    if (count > TER_SAMPLES_MAX / tile)
        return ter_fail(TER_EINVAL, "%zu tiles of %d x %d points are more than memory can be addressed for", count, morph->width,
                        morph->height);
    morph->n_blended = 0;
    for (int n = 0; n < 2; n++) {
        backend->memory_destroy(morph->generator->state, morph->blended[n]);
        morph->blended[n] = NULL;
    }
    for (int n = 0; n < (morph->water[0] ? 2 : 1) && status == TER_OK; n++)
        status = backend->memory_create(morph->generator->state, count * tile * sizeof(float), (void **)&morph->blended[n]);
    morph->n_blended = status == TER_OK ? count : 0;
    return status;
}

/** Blend into the device's memory, and copy. */
static ter_status blend_and_read(ter_morph *morph, const ter_blend *blend, const ter_morph_tiles *tiles,
                                 const ter_tile_layout *layout, const ter_layers *out)
{
    const ter_backend_table *backend = morph->generator->backend;
    const size_t bytes = tiles->count * layout->slot_stride * sizeof(float);
    ter_layers blended = {{0}};
    ter_status status = reserve_blended(morph, tiles->count);
    for (int n = 0; n < 2; n++)
        blended.at[n ? TER_LAYER_WATER : TER_LAYER_HEIGHT] =
            out->at[n ? TER_LAYER_WATER : TER_LAYER_HEIGHT] ? morph->blended[n] : NULL;
    if (status == TER_OK)
        status = ter_morph_blend_layers(morph, blend, tiles, layout, &blended, NULL);
    for (int layer = 0; layer < TER_LAYER_COUNT && status == TER_OK && bytes > 0; layer++)
        if (blended.at[layer])
            status = backend->memory_read(morph->generator->state, blended.at[layer], bytes, out->at[layer]);
    return status;
}

ter_status ter_morph_blend_layers_host(ter_morph *morph, const ter_blend *blend, const ter_morph_tiles *tiles,
                                       const ter_layers *out)
{
    TER_REQUIRE(morph);
    TER_REQUIRE(blend);
    TER_REQUIRE(tiles);
    TER_REQUIRE(out);
    const size_t tile = (size_t)morph->width * (size_t)morph->height;
    const ter_tile_layout layout = {morph->width, morph->height, (size_t)morph->width, tile, NULL};
    const ter_status status = check_morph_layers(morph, out, tiles->count);
    if (status != TER_OK || !morph->generator->backend->memory_read)
        return status == TER_OK ? ter_morph_blend_layers(morph, blend, tiles, &layout, out, NULL) : status;
    return blend_and_read(morph, blend, tiles, &layout, out);
}

ter_status ter_morph_blend_host(ter_morph *morph, const ter_blend *blend, const ter_morph_tiles *tiles, float *out)
{
    TER_REQUIRE(morph);
    TER_REQUIRE(blend);
    TER_REQUIRE(tiles);
    TER_REQUIRE_ARRAY(out, tiles->count);
    const ter_layers layers = {.at = {[TER_LAYER_HEIGHT] = out}};
    return ter_morph_blend_layers_host(morph, blend, tiles, &layers);
}

double ter_blend_at(const ter_blend *blend, double x, double z)
{
    return (double)ter_blend_share((float)(x - (double)blend->x), (float)(z - (double)blend->z), (float)blend->along_x,
                                   (float)blend->along_z, (float)blend->begun);
}
