/* map_climate.h - styles of maps, and the colours of maps of the climate. */
#ifndef TERRANE_PROGRAM_PICTURE_MAP_CLIMATE_H
#define TERRANE_PROGRAM_PICTURE_MAP_CLIMATE_H

#include "terrane/terrane.h"

/** What colours of land mean. The sea has the colours of its depth in all styles. */
typedef enum map_style {
    MAP_RELIEF,  /* height and steepness, in the colours of the world's look */
    MAP_CLIMATE, /* temperature, precipitation and snow: about as land looks from far above */
    MAP_BIOME,   /* one colour for each biome */
    MAP_STYLES
} map_style;

/** Names of the styles, NULL-terminated. */
extern const char *const map_style_names[MAP_STYLES + 1];

/** Layers that colours of the climate are made from. */
enum { MAP_TEMPERATURE, MAP_PRECIPITATION, MAP_SNOW, MAP_CLASS, MAP_CLIMATE_LAYERS };
extern const ter_layer map_climate_layers[MAP_CLIMATE_LAYERS];

/** Linear colour of land in a style other than MAP_RELIEF.
 *
 *  climate  numbers of the layers of map_climate_layers
 */
void map_climate_color(map_style style, const float climate[MAP_CLIMATE_LAYERS], double color[3]);

#endif
