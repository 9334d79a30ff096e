/* morph.c - ter_morph: heights and water of two landscapes for a set of tile slots, in the generator's memory. */
#include "library/generator/morph.h"

#include <stdlib.h>
#include <string.h>

#include "library/core/sized_struct.h"
#include "library/generator/checks.h"
#include "library/morph/blend.h"

static ter_status check_size(size_t n_slots, int width, int height)
{
    const int side = TER_MORPH_SIDE_MAX;
    if (n_slots == 0 || n_slots > UINT32_MAX)
        return ter_fail(TER_EINVAL, "a morph of %zu tiles, expected 1 to 2^32 - 1", n_slots);
    if (width < 1 || height < 1 || width > side || height > side)
        return ter_fail(TER_EINVAL, "a morph of tiles of %d x %d points, expected 1 to %d a side", width, height, side);
    if (n_slots > TER_SAMPLES_MAX / ((size_t)width * (size_t)height))
        return ter_fail(TER_EINVAL, "a morph of %zu tiles of %d x %d points needs more memory than can be addressed",
                        n_slots, width, height);
    return TER_OK;
}

/** Allocate memory for tiles of both landscapes. If that fails, no memory stays allocated. */
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

ter_status ter_morph_create(ter_generator *generator, const ter_morph_options *caller_options, ter_morph **out)
{
    TER_REQUIRE(generator);
    TER_REQUIRE_NAMED(caller_options, "options");
    TER_REQUIRE(out);
    ter_morph_options options = {TER_SIZED(ter_morph_options)};
    TER_READ_STRUCT(&options, caller_options, ter_morph_options);
    ter_status status = check_size(options.n_slots, options.width, options.height);
    if (status != TER_OK)
        return status;
    ter_morph *morph = calloc(1, sizeof *morph);
    if (!morph)
        return ter_fail(TER_ENOMEM, "no memory for a morph");
    *morph = (ter_morph){.generator = generator,
                         .n_slots = options.n_slots,
                         .width = options.width,
                         .height = options.height,
                         .is_dry = {true, true}};
    status = create_landscapes(morph, morph->heights);
    if (status == TER_OK && options.has_water)
        status = create_landscapes(morph, morph->water);
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
    const ter_backend_table *backend = morph->generator->backend;
    float *const memory[6] = {morph->heights[0], morph->heights[1], morph->water[0],
                              morph->water[1],   morph->blended[0], morph->blended[1]};
    for (int n = 0; n < 6; n++)
        backend->memory_destroy(morph->generator->state, memory[n]);
    free(morph);
}

ter_status ter_morph_check_slots(const ter_morph *morph, const uint32_t *held, size_t count)
{
    for (size_t n = 0; n < count; n++)
        if (held[n] >= morph->n_slots)
            return ter_fail(TER_EINVAL, "slot %u of a morph of %zu tiles", held[n], morph->n_slots);
    return TER_OK;
}

static ter_status check_landscape(int landscape)
{
    return landscape == 0 || landscape == 1
               ? TER_OK
               : ter_fail(TER_EINVAL, "landscape %d of a morph, expected 0 or 1", landscape);
}

/** Note the world of a landscape. Unchanged values are not written, because another thread may be blending. */
static void note_world(ter_morph *morph, int landscape, const ter_world *world)
{
    const bool is_dry = !morph->water[landscape] || !ter_world_has_layer(world, TER_LAYER_WATER);
    const float sea = (float)ter_world_params(world)->sea;
    if (morph->is_dry[landscape] != is_dry)
        morph->is_dry[landscape] = is_dry;
    if (morph->sea[landscape] != sea)
        morph->sea[landscape] = sea;
}

/** Make the tiles of a source. */
static ter_status make_tiles(const ter_morph *morph, const ter_morph_source *source)
{
    const ter_generator *generator = source->generator ? source->generator : morph->generator;
    const ter_backend_table *backend = generator->backend;
    const size_t tile = (size_t)morph->width * (size_t)morph->height;
    const ter_tile_layout layout = {morph->width, morph->height, (size_t)morph->width, tile, source->held};
    const int landscape = source->landscape;
    const ter_layers layers = {.at = {[TER_LAYER_HEIGHT] = morph->heights[landscape],
                                      [TER_LAYER_WATER] = morph->is_dry[landscape] ? NULL : morph->water[landscape]}};
    ter_status status = ter_tiles_check(source->world, source->tiles, source->count, &layout);
    status = ter_begin_work(generator, status);
    if (status != TER_OK || source->count == 0)
        return status;
    return backend->fill_device
               ? backend->fill_device(generator->state, source->world, source->tiles, source->count, &layout, &layers,
                                      source->cuda_stream)
               : backend->fill_host(generator->state, source->world, source->tiles, source->count, &layout, &layers);
}

/** Copy a layer of tiles into a landscape's memory. */
static ter_status take_layer(const ter_morph *morph, const ter_tile_layout *layout, const float *in, float *out,
                             const uint32_t *held, size_t count, void *cuda_stream)
{
    const ter_backend_table *backend = morph->generator->backend;
    const size_t tile = (size_t)morph->width * (size_t)morph->height;
    const ter_copy_work work = {.from = in, .to = out, .layout = layout, .held = held, .count = count};
    if (backend->copy_tiles)
        return backend->copy_tiles(morph->generator->state, &work, cuda_stream);
    for (size_t n = 0; n < count; n++)
        for (size_t row = 0; row < (size_t)layout->height; row++)
            memcpy(out + held[n] * tile + row * (size_t)layout->width,
                   in + (layout->slots ? layout->slots[n] : n) * layout->slot_stride + row * layout->row_stride,
                   (size_t)layout->width * sizeof *in);
    return TER_OK;
}

/** Copy tiles that have been made already. */
static ter_status copy_tiles(const ter_morph *morph, const ter_morph_source *source)
{
    ter_tile_run run = {.count = source->count, .layout = {.width = morph->width, .height = morph->height}};
    ter_arrays made;
    const int landscape = source->landscape;
    TER_REQUIRE_NAMED(source->made, "source->tiles and source->made");
    ter_status status = ter_target_read(source->made, &run, &made);
    if (status == TER_OK && made.is_u16)
        status = ter_fail(TER_EINVAL, "16-bit samples for a morph, expected floats");
    if (status == TER_OK && made.memory == TER_MEMORY_DEVICE && !morph->generator->backend->fill_device)
        status = ter_fail(TER_ENOBACKEND, "backend %s has no device memory", morph->generator->backend->name);
    if (status == TER_OK)
        status = ter_layout_check(&run.layout, run.count);
    if (status != TER_OK || run.count == 0)
        return status;
    TER_REQUIRE_NAMED(made.floats.at[TER_LAYER_HEIGHT], "source->made: the layer height");
    if (!morph->is_dry[landscape])
        TER_REQUIRE_NAMED(made.floats.at[TER_LAYER_WATER], "source->made: the layer water");
    status = take_layer(morph, &run.layout, made.floats.at[TER_LAYER_HEIGHT], morph->heights[landscape], source->held,
                        source->count, source->cuda_stream);
    if (status != TER_OK || morph->is_dry[landscape])
        return status;
    return take_layer(morph, &run.layout, made.floats.at[TER_LAYER_WATER], morph->water[landscape], source->held,
                      source->count, source->cuda_stream);
}

ter_status ter_morph_load(ter_morph *morph, const ter_morph_source *caller_source)
{
    TER_REQUIRE(morph);
    TER_REQUIRE_NAMED(caller_source, "source");
    ter_morph_source source = {TER_SIZED(ter_morph_source)};
    TER_READ_STRUCT(&source, caller_source, ter_morph_source);
    TER_REQUIRE_NAMED(source.world, "source->world");
    if (source.count > 0)
        TER_REQUIRE_NAMED(source.held, "source->held");
    ter_status status = check_landscape(source.landscape);
    if (status == TER_OK && source.generator && source.generator->backend != morph->generator->backend)
        status = ter_fail(TER_EINVAL, "a generator of backend %s for a morph of backend %s",
                          source.generator->backend->name, morph->generator->backend->name);
    if (status == TER_OK)
        status = ter_morph_check_slots(morph, source.held, source.count);
    if (status != TER_OK || source.count == 0)
        return status;
    note_world(morph, source.landscape, source.world);
    return source.tiles ? make_tiles(morph, &source) : copy_tiles(morph, &source);
}
