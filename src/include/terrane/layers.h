/* terrane/layers.h - layers: the values that a world has at each point, such as height and water. */
#ifndef TERRANE_LAYERS_H
#define TERRANE_LAYERS_H

#include "terrane/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Layer: name on the command line and in files, unit ("" for a share or a number of a class), meaning. One list makes
 * the enum and its texts. Areas, distances and slopes take the spacing of the world into account: they are in m2, m and
 * m/m, not in lattice steps. Flow belongs to channels, not to points: every point of a hillside has the flow of the
 * channel that it drains to, not the area that drains through the point itself. */
#define TER_LAYER_LIST(X)                                                                                              \
    X(TER_LAYER_HEIGHT, "height", "m", "altitude of the ground; under water that of the bed")                          \
    X(TER_LAYER_WATER, "water", "m",                                                                                   \
      "altitude of the water's surface: rivers, lakes, the sea; not a number where it is dry")                         \
    X(TER_LAYER_FLOW, "flow", "m2", "area drained by the channel to which the point drains; not flow accumulation")    \
    X(TER_LAYER_SHORE, "shore", "m", "distance to the middle of the channel that flow belongs to")                     \
    X(TER_LAYER_RELIEF, "relief", "m/m",                                                                               \
      "measure of the province's steepness; the slope of its hillsides is about half of this number")                  \
    X(TER_LAYER_PLAIN, "plain", "", "share of the province that is plain")                                             \
    X(TER_LAYER_PLATEAU, "plateau", "", "share of the province that is plateau")                                       \
    X(TER_LAYER_ICE, "ice", "", "how much ice has shaped the land, against water")                                     \
    X(TER_LAYER_DRYNESS, "dryness", "", "how dry the province is")                                                     \
    X(TER_LAYER_LAND, "land", "",                                                                                      \
      "share of land in the area around a sample of an overview; 0 or 1 for a sample that is a point")                 \
    X(TER_LAYER_TOP, "top", "m",                                                                                       \
      "altitude of the hilltops in the area around a sample of an overview; the height for a sample that is a point")  \
    X(TER_LAYER_GLACIER, "glacier", "m", "thickness of the ice under the height; 0 where there is no glacier")         \
    X(TER_LAYER_SAND, "sand", "m", "thickness of the sand of dunes under the height; 0 where there is none")           \
    X(TER_LAYER_TEMPERATURE, "temperature", "degC", "mean temperature of a year")                                      \
    X(TER_LAYER_TEMPERATURE_RANGE, "temperature-range", "K",                                                           \
      "difference between the mean temperatures of the warmest and of the coldest month")                              \
    X(TER_LAYER_PRECIPITATION, "precipitation", "mm", "precipitation of a year")                                       \
    X(TER_LAYER_PRECIPITATION_SEASON, "precipitation-season", "",                                                      \
      "when precipitation falls: -1 all in the cold half of the year, 0 evenly, 1 all in the warm half")               \
    X(TER_LAYER_BIOME, "biome", "", "number of the biome: the vegetation that temperature and rain allow")             \
    X(TER_LAYER_SNOW, "snow", "", "share of the year in which snow lies on the ground")

/** A layer: one number for each point. Basis fluvial has all layers, the other bases have only the height. Later
 *  versions add layers at the end. */
typedef enum ter_layer {
#define TER_LAYER_ENUM(name, text, unit, meaning) name,
    TER_LAYER_LIST(TER_LAYER_ENUM)
#undef TER_LAYER_ENUM
        TER_LAYER_COUNT
} ter_layer;

/* Biome: name. The number of a biome is its place in this list. */
#define TER_BIOME_LIST(X)                                                                                              \
    X(TER_BIOME_SEA, "sea")                                                                                            \
    X(TER_BIOME_ICE, "ice")                                                                                            \
    X(TER_BIOME_TUNDRA, "tundra")                                                                                      \
    X(TER_BIOME_TAIGA, "taiga")                                                                                        \
    X(TER_BIOME_COLD_DESERT, "cold desert")                                                                            \
    X(TER_BIOME_STEPPE, "steppe")                                                                                      \
    X(TER_BIOME_WOODLAND, "woodland")                                                                                  \
    X(TER_BIOME_TEMPERATE_FOREST, "temperate forest")                                                                  \
    X(TER_BIOME_TEMPERATE_RAIN_FOREST, "temperate rain forest")                                                        \
    X(TER_BIOME_HOT_DESERT, "hot desert")                                                                              \
    X(TER_BIOME_THORN_SCRUB, "thorn scrub")                                                                            \
    X(TER_BIOME_SAVANNA, "savanna")                                                                                    \
    X(TER_BIOME_RAIN_FOREST, "rain forest")

/** A biome, a value of TER_LAYER_BIOME. Later versions add biomes at the end. */
typedef enum ter_biome {
#define TER_BIOME_ENUM(name, text) name,
    TER_BIOME_LIST(TER_BIOME_ENUM)
#undef TER_BIOME_ENUM
        TER_BIOME_COUNT
} ter_biome;

/** Name of a biome; static, NULL when `biome` is out of range. */
TER_API const char *ter_biome_name(ter_biome biome);

/** Name of a layer as the command line spells it; static, NULL when `layer` is out of range. */
TER_API const char *ter_layer_name(ter_layer layer);

/** Unit of a layer: "m", "m2", "m/m", "degC", "K", "mm", or "" for a share or the number of a biome; static, NULL when
 * `layer` is out of range. */
TER_API const char *ter_layer_unit(ter_layer layer);

/** What a layer holds, in a few words; static, NULL when `layer` is out of range. */
TER_API const char *ter_layer_meaning(ter_layer layer);

/** Whether a world has a layer: 1 or 0. */
TER_API int ter_world_has_layer(const ter_world *world, ter_layer layer);

#ifdef __cplusplus
}
#endif

#endif
