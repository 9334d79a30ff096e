/* map_cover.h - the colours of glaciers and sand in maps. */
#ifndef TERRANE_PROGRAM_PICTURE_MAP_COVER_H
#define TERRANE_PROGRAM_PICTURE_MAP_COVER_H

#include <stdbool.h>

#include "program/surface/look.h"
#include "terrane/terrane.h"

/** Layers of what covers the ground. */
enum { MAP_GLACIER, MAP_SAND, MAP_COVER_LAYERS };
extern const ter_layer map_cover_layers[MAP_COVER_LAYERS];

/** Whether a world has glaciers or sand. */
bool map_has_cover(const ter_params *world);

/** Blend glaciers and sand over a linear colour of land.
 *
 *  thick_m  numbers of the layers of map_cover_layers
 */
void map_blend_cover(const look *look, const float thick_m[MAP_COVER_LAYERS], double color[3]);

#endif
