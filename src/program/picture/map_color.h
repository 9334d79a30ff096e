/* map_color.h - the colours of land and sea in maps. */
#ifndef TERRANE_PROGRAM_PICTURE_MAP_COLOR_H
#define TERRANE_PROGRAM_PICTURE_MAP_COLOR_H

#include <stdint.h>

#include "program/surface/look.h"

/** Linear colour of a map.
 *
 *  over_sea_m  height over the sea; negative: the colour is that of sea of this depth
 *  steep       steepness of land, 0..1
 */
void map_color(const look *look, double over_sea_m, double steep, double color[3]);

/** Convert a linear component to eight bits of sRGB. */
uint8_t map_color_srgb(double linear);

#endif
