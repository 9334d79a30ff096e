/* tile_maker.c - functions that all methods share. */
#include "program/viewer/tiles/tile_maker.h"

#include <math.h>

bool tile_maker_is_shared(const tile_maker *m)
{
    return m->heights != NULL;
}

bool tile_maker_has_rivers(const tile_maker *m)
{
    return m->has_water && landscape_drains(m->land);
}

layer_arrays tile_maker_layers(const tile_maker *m, float *const staging[STAGING_LAYERS])
{
    const ter_params *p = ter_world_params(m->land->world);
    layer_arrays layers = {.at = {[TER_LAYER_HEIGHT] = staging[STAGING_HEIGHT]}};
    if (!m->has_water || !ter_world_has_layer(m->land->world, TER_LAYER_WATER))
        return layers;
    layers.at[TER_LAYER_WATER] = staging[STAGING_WATER];
    layers.at[TER_LAYER_FLOW] = staging[STAGING_FLOW];
    layers.at[TER_LAYER_SHORE] = staging[STAGING_SHORE];
    layers.at[TER_LAYER_GLACIER] = p->glaciers > 0.0 ? staging[STAGING_GLACIER] : NULL;
    layers.at[TER_LAYER_DRYNESS] = p->drought > 0.0 ? staging[STAGING_DRYNESS] : NULL;
    layers.at[TER_LAYER_SAND] = p->sand > 0.0 ? staging[STAGING_SAND] : NULL;
    return layers;
}

ter_tile tile_maker_tile(const tile_maker *m, tile_key key)
{
    const int level = ter_world_params(m->land->world)->levels + m->fine_lods - key.lod;
    return (ter_tile){level, key.i * TILE_QUADS - TILE_APRON, key.j * TILE_QUADS - TILE_APRON};
}

void tile_maker_find_rivers(tile_maker *m, const tile_batch *b)
{
    const ter_params *p = ter_world_params(m->land->world);
    float steps_m[TILE_BATCH_MAX];
    for (size_t n = 0; n < b->count; n++)
        steps_m[n] = (float)ldexp(p->spacing, b->keys[n].lod - m->fine_lods);
    const uint32_t covers = (p->glaciers > 0.0 ? STAGING_HAS_GLACIERS : 0u) |
                            (p->drought > 0.0 ? STAGING_HAS_DROUGHT : 0u) | (p->sand > 0.0 ? STAGING_HAS_SAND : 0u);
    tile_store_find_rivers(m->store, b->slots, steps_m, (float)p->spacing, covers, b->count);
}
