/* terrane/layers.h - layers: the values that a world has at each point, such as height and water. */
#ifndef TERRANE_LAYERS_H
#define TERRANE_LAYERS_H

#include "terrane/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Layer: name on the command line and in files, unit ("" for a share of 0..1), meaning. One list makes the enum and its
 * texts. Areas, distances and slopes take the spacing of the world into account: they are in m2, m and m/m, not in
 * lattice steps. Flow belongs to channels, not to points: every point of a hillside has the flow of the channel that it
 * drains to, not the area that drains through the point itself. */
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
      "altitude of the hilltops in the area around a sample of an overview; the height for a sample that is a point")

/** A layer: one number for each point. Basis fluvial has all layers, the other bases have only the height. Later
 *  versions add layers at the end. */
typedef enum ter_layer {
#define TER_LAYER_ENUM(name, text, unit, meaning) name,
    TER_LAYER_LIST(TER_LAYER_ENUM)
#undef TER_LAYER_ENUM
        TER_LAYER_COUNT
} ter_layer;

/** Name of a layer as the command line spells it; static, NULL when `layer` is out of range. */
TER_API const char *ter_layer_name(ter_layer layer);

/** Unit of a layer: "m", "m2", "m/m", or "" for a share of 0..1; static, NULL when `layer` is out of range. */
TER_API const char *ter_layer_unit(ter_layer layer);

/** What a layer holds, in a few words; static, NULL when `layer` is out of range. */
TER_API const char *ter_layer_meaning(ter_layer layer);

/** Whether a world has a layer: 1 or 0. */
TER_API int ter_world_has_layer(const ter_world *world, ter_layer layer);

#ifdef __cplusplus
}
#endif

#endif
