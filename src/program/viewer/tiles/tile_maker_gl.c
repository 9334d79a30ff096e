/* tile_maker_gl.c - lets the generator write into GL buffers: those of the slots, or the staging buffer. From the
 * staging buffer tiles are copied to slots, and a shader computes their narrow rivers. */
#include "program/viewer/tiles/tile_maker_gl.h"

ter_status tile_maker_share_buffers(tile_maker *m)
{
    ter_status status = ter_gl_buffer_register(m->generator, tile_store_buffer(m->store), &m->heights);
    if (status == TER_OK && m->has_water)
        status = ter_gl_buffer_register(m->generator, tile_store_water_buffer(m->store), &m->water);
    if (status == TER_OK && m->has_water)
        status = ter_gl_buffer_register(m->generator, tile_store_staging_buffer(m->store), &m->staging);
    if (status != TER_OK)
        tile_maker_release_buffers(m);
    return status;
}

/** Map the buffers of the slots; water too if one of the worlds has it. */
static result map_slots(tile_maker *m)
{
    size_t bytes;
    m->mapped = (layer_arrays){{0}};
    ter_status status = ter_gl_buffer_map(m->heights, NULL, &m->mapped.at[TER_LAYER_HEIGHT], &bytes);
    if (status == TER_OK && tile_maker_has_rivers(m)) {
        status = ter_gl_buffer_map(m->water, NULL, &m->mapped.at[TER_LAYER_WATER], &bytes);
        if (status != TER_OK)
            ter_gl_buffer_unmap(m->heights, NULL);
    }
    if (status != TER_OK)
        m->mapped = (layer_arrays){{0}};
    return result_of_library(status, "tiles");
}

static ter_status unmap(tile_maker *m)
{
    ter_status water = TER_OK, heights = TER_OK;
    if (m->mapped.at[TER_LAYER_WATER])
        water = ter_gl_buffer_unmap(m->water, NULL);
    if (m->mapped.at[TER_LAYER_HEIGHT])
        heights = ter_gl_buffer_unmap(m->heights, NULL);
    m->mapped = (layer_arrays){{0}};
    return heights != TER_OK ? heights : water;
}

static result unmap_slots(tile_maker *m)
{
    return result_of_library(unmap(m), "tiles");
}

/** Slots as a target of the generator. */
static ter_target target_of(const layer_arrays *arrays, const uint32_t *slots, ter_output outputs[TER_LAYER_COUNT])
{
    const tile_layout layout = {TILE_SAMPLES, TILE_SAMPLES, TILE_SAMPLES, TILE_FLOATS, slots};
    ter_target target = fill_target(outputs, fill_outputs(arrays, outputs), &layout);
    target.memory = TER_MEMORY_DEVICE;
    return target;
}

/* ---- into slots ---- */

static ter_status make_in_slots(tile_maker *m, const tile_batch *b)
{
    const tile_layout layout = {TILE_SAMPLES, TILE_SAMPLES, TILE_SAMPLES, TILE_FLOATS, b->slots};
    const layer_arrays heights = {.at = {[TER_LAYER_HEIGHT] = m->mapped.at[TER_LAYER_HEIGHT]}};
    return fill_tiles_device(m->generator, m->land->world, (tile_span){b->tiles, b->count}, &layout, &heights, NULL);
}

static void take_nothing(tile_maker *m, const tile_batch *b)
{
    (void)m, (void)b;
}

/* ---- into the staging buffer ---- */

static result map_staging(tile_maker *m)
{
    size_t bytes;
    const ter_status status =
        ter_gl_buffer_map(m->staging, ter_generator_stream(m->generator), &m->mapped_staging, &bytes);
    if (status != TER_OK)
        m->mapped_staging = NULL;
    return result_of_library(status, "tiles");
}

static ter_status make_in_staging(tile_maker *m, const tile_batch *b)
{
    const tile_layout layout = {TILE_SAMPLES, TILE_SAMPLES, TILE_SAMPLES, TILE_FLOATS, NULL};
    const size_t layer = (size_t)STAGING_TILES * TILE_FLOATS;
    float *staging[STAGING_LAYERS];
    for (int n = 0; n < STAGING_LAYERS; n++)
        staging[n] = m->mapped_staging + (size_t)n * layer;
    const layer_arrays out = tile_maker_layers(m, staging);
    return fill_tiles_device(m->generator, m->land->world, (tile_span){b->tiles, b->count}, &layout, &out,
                             ter_generator_stream(m->generator));
}

static result unmap_staging(tile_maker *m)
{
    if (!m->mapped_staging)
        return result_done();
    m->mapped_staging = NULL;
    return result_of_library(ter_gl_buffer_unmap(m->staging, ter_generator_stream(m->generator)), "tiles");
}

static void take_staged(tile_maker *m, const tile_batch *b)
{
    tile_store_copy_staging(m->store, b->slots, b->count);
    tile_maker_find_rivers(m, b);
}

void tile_maker_release_buffers(tile_maker *m)
{
    (void)unmap_staging(m);
    ter_gl_buffer_unregister(m->heights);
    ter_gl_buffer_unregister(m->water);
    ter_gl_buffer_unregister(m->staging);
    m->heights = m->water = m->staging = NULL;
}

/* ---- morphs ---- */

/** Unmap the slots after work that ended with `status`. Returns the first error. */
static ter_status unmap_after(tile_maker *m, ter_status status)
{
    const ter_status unmapped = unmap(m);
    return status != TER_OK ? status : unmapped;
}

static ter_status load_shown(tile_maker *m, ter_morph *morph, tile_list tiles)
{
    ter_output outputs[TER_LAYER_COUNT];
    if (map_slots(m).kind != RESULT_DONE)
        return TER_EDEVICE; /* ter_error_detail has the reason */
    const ter_target made = target_of(&m->mapped, tiles.slots, outputs);
    const ter_morph_source source = {TER_SIZED(ter_morph_source), .world = m->land->world, .held = tiles.slots,
                                     .count = tiles.count, .made = &made};
    return unmap_after(m, ter_morph_load(morph, &source));
}

static ter_status blend_list(const tile_maker *m, ter_morph *morph, const ter_blend *blend, tile_list list)
{
    ter_output outputs[TER_LAYER_COUNT];
    const ter_target target = target_of(&m->mapped, list.slots, outputs);
    const ter_morph_tiles tiles = {TER_SIZED(ter_morph_tiles), ter_world_params(m->land->world)->levels, list.tiles,
                                   list.slots, list.count};
    return ter_morph_blend(morph, blend, &tiles, &target);
}

static ter_status blend(tile_maker *m, ter_morph *morph, tile_list tiles, tile_list final)
{
    const ter_blend at_end = landscape_blend_in(m->land, m->land->seconds);
    if (tiles.count + final.count == 0)
        return TER_OK;
    if (map_slots(m).kind != RESULT_DONE)
        return TER_EDEVICE;
    ter_status status = blend_list(m, morph, &m->land->blend, tiles);
    if (status == TER_OK)
        status = blend_list(m, morph, &at_end, final);
    return unmap_after(m, status);
}

const tile_maker_table tile_maker_direct = {.begin = map_slots,
                                            .make = make_in_slots,
                                            .end = unmap_slots,
                                            .take = take_nothing,
                                            .load_shown = load_shown,
                                            .blend = blend};

const tile_maker_table tile_maker_staging = {.begin = map_staging,
                                             .make = make_in_staging,
                                             .end = unmap_staging,
                                             .take = take_staged,
                                             .load_shown = load_shown,
                                             .blend = blend};
