/* layers.c - names, units and meanings of the layers, and the layers that a world has. */
#include "library/world/world.h"

typedef struct layer_texts {
    const char *name, *unit, *meaning;
} layer_texts;

static const layer_texts texts[TER_LAYER_COUNT] = {
#define TER_LAYER_TEXTS(layer, name, unit, meaning) [layer] = {name, unit, meaning},
    TER_LAYER_LIST(TER_LAYER_TEXTS)
#undef TER_LAYER_TEXTS
};

static const char *const biomes[TER_BIOME_COUNT] = {
#define TER_BIOME_NAMES(biome, name) [biome] = name,
    TER_BIOME_LIST(TER_BIOME_NAMES)
#undef TER_BIOME_NAMES
};

static int exists(ter_layer layer)
{
    return (unsigned)layer < TER_LAYER_COUNT;
}

const char *ter_layer_name(ter_layer layer)
{
    return exists(layer) ? texts[layer].name : NULL;
}

const char *ter_layer_unit(ter_layer layer)
{
    return exists(layer) ? texts[layer].unit : NULL;
}

const char *ter_layer_meaning(ter_layer layer)
{
    return exists(layer) ? texts[layer].meaning : NULL;
}

const char *ter_biome_name(ter_biome biome)
{
    return (unsigned)biome < TER_BIOME_COUNT ? biomes[biome] : NULL;
}

int ter_world_has_layer(const ter_world *world, ter_layer layer)
{
    return exists(layer) && (layer == TER_LAYER_HEIGHT || world->params.basis == TER_BASIS_FLUVIAL);
}
