/* climate_layers.h - the layers of the climate that a call wants, and the layers of the land that these are made from.
 */
#ifndef TERRANE_FLUVIAL_CLIMATE_LAYERS_H
#define TERRANE_FLUVIAL_CLIMATE_LAYERS_H

#include "library/core/layer_arrays.h"
#include "library/fluvial/climate.h"

/** The first layer of the climate that a call wants, or TER_LAYER_COUNT. */
static inline int ter_first_of_climate(const ter_layers *out)
{
    int layer = TER_LAND_LAYERS;
    while (layer < TER_LAYER_COUNT && !out->at[layer])
        layer++;
    return layer;
}

/** The layers of the land that a call needs. The climate needs heights. If the call does not want them, they are made
 * in the array of the first layer of the climate, where each height is read before a value of that layer replaces
 * it. */
static inline ter_layers ter_land_of(const ter_layers *out)
{
    const int first = ter_first_of_climate(out);
    ter_layers land = *out;
    for (int layer = TER_LAND_LAYERS; layer < TER_LAYER_COUNT; layer++)
        land.at[layer] = NULL;
    if (first < TER_LAYER_COUNT && !land.at[TER_LAYER_HEIGHT])
        land.at[TER_LAYER_HEIGHT] = out->at[first];
    return land;
}

#endif
