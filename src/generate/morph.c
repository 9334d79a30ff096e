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

ter_status ter_morph_create(ter_generator *generator, size_t n_slots, int width, int height, ter_morph **out)
{
    if (n_slots == 0 || n_slots > UINT32_MAX || width < 1 || height < 1 || width > 65536 || height > 65536)
        return ter_fail(TER_EINVAL, "a morph of %zu tiles of %d x %d, expected at least one point and at most 65536 a side",
                        n_slots, width, height);
    ter_morph *morph = calloc(1, sizeof *morph);
    if (!morph)
        return ter_fail(TER_ENOMEM, "no memory for a morph");
    *morph = (ter_morph){.generator = generator, .n_slots = n_slots, .width = width, .height = height};
    const size_t bytes = n_slots * (size_t)width * (size_t)height * sizeof(float);
    for (int n = 0; n < 2; n++) {
        const ter_status status = generator->backend->memory_create(generator->state, bytes, (void **)&morph->heights[n]);
        if (status != TER_OK) {
            ter_morph_destroy(morph);
            return status;
        }
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

ter_status ter_morph_blend(ter_morph *morph, const ter_blend *blend, int levels, const ter_tile *tiles, const uint32_t *held,
                           size_t count, const ter_tile_layout *layout, float *out, void *cuda_stream)
{
    if (layout->width != morph->width || layout->height != morph->height || layout->row_stride < (size_t)morph->width ||
        layout->slot_stride < (size_t)(morph->height - 1) * layout->row_stride + (size_t)morph->width ||
        !isfinite(blend->along_x) || !isfinite(blend->along_z) || !isfinite(blend->begun))
        return ter_fail(TER_EINVAL, "a blend of tiles of %d x %d with strides of %zu, expected %d x %d and finite numbers",
                        layout->width, layout->height, layout->row_stride, morph->width, morph->height);
    ter_status status = check_slots(morph, held, count);
    if (status != TER_OK || count == 0)
        return status;
    ter_blend_tile *list = malloc(count * sizeof *list);
    if (!list)
        return ter_fail(TER_ENOMEM, "no memory for %zu tiles", count);
    for (size_t n = 0; n < count; n++) {
        const int shift = levels - tiles[n].level;
        if (shift < 0 || shift > TER_LEVELS_MAX) {
            free(list);
            return ter_fail(TER_EINVAL, "level %d of a tile, expected 0 to %d", tiles[n].level, levels);
        }
        list[n] = (ter_blend_tile){.dx = tiles[n].i * (INT64_C(1) << shift) - blend->x,
                                   .dz = tiles[n].j * (INT64_C(1) << shift) - blend->z,
                                   .shift = shift,
                                   .held = held[n],
                                   .slot = layout->slots ? layout->slots[n] : (uint32_t)n};
    }
    const ter_blend_work work = {.tiles = list,
                                 .count = count,
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

ter_status ter_morph_blend_host(ter_morph *morph, const ter_blend *blend, int levels, const ter_tile *tiles, const uint32_t *held,
                                size_t count, float *out)
{
    const ter_backend_table *backend = morph->generator->backend;
    const size_t tile = (size_t)morph->width * (size_t)morph->height;
    const ter_tile_layout layout = {morph->width, morph->height, (size_t)morph->width, tile, NULL};
    ter_status status = TER_OK;
    if (!backend->memory_read)
        return ter_morph_blend(morph, blend, levels, tiles, held, count, &layout, out, NULL);
    if (count > morph->n_blended) {
        backend->memory_destroy(morph->generator->state, morph->blended);
        morph->blended = NULL;
        status = backend->memory_create(morph->generator->state, count * tile * sizeof(float), (void **)&morph->blended);
        morph->n_blended = status == TER_OK ? count : 0;
    }
    if (status == TER_OK)
        status = ter_morph_blend(morph, blend, levels, tiles, held, count, &layout, morph->blended, NULL);
    if (status == TER_OK)
        status = backend->memory_read(morph->generator->state, morph->blended, count * tile * sizeof(float), out);
    return status;
}

double ter_blend_at(const ter_blend *blend, double x, double z)
{
    return (double)ter_blend_share((float)(x - (double)blend->x), (float)(z - (double)blend->z), (float)blend->along_x,
                                   (float)blend->along_z, (float)blend->begun);
}
