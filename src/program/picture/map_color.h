/* map_color.h - the colours of maps. */
#ifndef TERRANE_PROGRAM_PICTURE_MAP_COLOR_H
#define TERRANE_PROGRAM_PICTURE_MAP_COLOR_H

#include <stdint.h>

#include "program/surface/look.h"

/** Linear colour of land at a height over the sea, metres, and a slope's steepness 0..1, or of the sea by its depth. */
void map_color(const look *look, double over_sea_m, double steep, double color[3]);

/** A linear component as eight bits of sRGB. */
uint8_t map_color_srgb(double linear);

#endif
