/* map_water.h - rivers and lakes of a map: what the layers of a fluvial world say about the water of each pixel. */
#ifndef TERRANE_PROGRAM_PICTURE_MAP_WATER_H
#define TERRANE_PROGRAM_PICTURE_MAP_WATER_H

#include <stdbool.h>
#include <stdint.h>

#include "terrane/terrane.h"

/** Water of a pixel. A river is a line whose width follows from its drainage area. */
typedef struct map_water {
    uint16_t depth_dm; /* mean depth of the open water, 0.1 m */
    uint8_t open;      /* share of the pixel under lakes and broad rivers, of 255 */
    uint8_t line;      /* share under the line of a river, as far as the pixel's own samples know, of 255 */
    uint8_t reach;     /* how far that line surely covers the map around a point of the pixel, 1/64 pixel; 0: no line */
    int8_t point_x, point_y; /* that point, in quarters of a pixel from the middle */
} map_water;

/** Layers that the water of pixels is made of: those of its samples, two by two a pixel where the lattice is fine
 * enough. */
enum { MAP_HEIGHT, MAP_SURFACE, MAP_FLOW, MAP_SHORE, MAP_LAYERS };
extern const ter_layer map_water_layers[MAP_LAYERS];

/** Whether a world has rivers and lakes. */
bool map_water_is_in(const ter_params *world);

/** The rectangle of the samples of a block of pixels. None of it lies beyond the outermost pixels of `whole`, the map.
 */
ter_rect map_water_samples(const ter_params *world, const ter_rect *whole, const ter_rect *block);

/** Make heights and water of a block of pixels.
 *
 *  layers   of the block's samples, in the order of map_water_layers, row-major without gaps
 *  heights  of the map: whole->width * whole->height metres
 *  water    likewise
 */
void map_water_take(const ter_params *world, const ter_rect *whole, const ter_rect *block,
                    const float *const layers[MAP_LAYERS], float *heights, map_water *water);

/** Share of a pixel that lines of rivers cover, 0..1. */
double map_water_ink(const map_water *water, int width, int height, int x, int y);

/** The least area, m2, that the rivers drain which have lines on a map of so many metres a pixel. */
double map_water_least_area(const ter_params *world, double pixel_m);

#endif
