/* map_water.h - finds rivers and lakes of a map from the layers of a fluvial world. */
#ifndef TERRANE_PROGRAM_PICTURE_MAP_WATER_H
#define TERRANE_PROGRAM_PICTURE_MAP_WATER_H

#include <stdbool.h>
#include <stdint.h>

#include "terrane/terrane.h"

/** Water of a pixel. Rivers are drawn as lines whose width depends on the drained area. */
typedef struct map_water {
    uint16_t depth_dm;       /* mean depth of the open water, 0.1 m */
    uint8_t open;            /* share of the pixel under lakes and broad rivers, 0..255 */
    uint8_t line;            /* share of the pixel under a river's line, by the pixel's own samples, 0..255 */
    uint8_t reach;           /* the line covers at least this radius around the point, 1/64 pixel; 0: no line */
    int8_t point_x, point_y; /* the point, quarters of a pixel from the pixel's centre */
    float area, shore_px;    /* on far maps: area drained by the river beside the pixel, m2, 0 for none; distance of
                                this river */
    int32_t river;           /* on far maps: index of the pixel in the list of map_rivers.c */
} map_water;

/** Layers from which the water of pixels is computed. */
enum { MAP_HEIGHT, MAP_SURFACE, MAP_FLOW, MAP_SHORE, MAP_DRYNESS, MAP_ICE, MAP_LAYERS };
extern const ter_layer map_water_layers[MAP_LAYERS];

/** Whether layer n of map_water_layers is needed in a world. Dryness is needed with drought, ice with glaciers. */
bool map_water_needs(const ter_params *world, int n);

/** Whether a world has rivers and lakes. */
bool world_has_rivers(const ter_params *world);

/** Whether a map is far: its pixels are of lod 10 or coarser. Each pixel then has one sample, which is a mean, and
 * map_rivers.h draws the lines of rivers. */
bool map_water_is_far(const ter_params *world, const ter_rect *map);

/** Half the width of a river's line, pixels. It grows from 0 where the river drains half of `least_area`, the result of
 * map_water_least_area. */
double map_water_half_width(double area, double least_area);

/** Samples a side of a pixel of a map: 2 for lod 1 to 9, whose pixels have samples of the next finer level; 1 for
 * others: the lattice has no finer level, or a sample is a mean and stands for its whole pixel. */
int map_water_samples_a_side(const ter_params *world, const ter_rect *map);

/** The rectangle of samples for a block of pixels of a map. Samples do not lie beyond the map's outermost pixels.
 *
 *  n  samples a side of a pixel: the number of map_water_samples_a_side; or 1, with which a map is made from a quarter
 *     of the samples and is less exact
 */
ter_rect map_water_samples(int n, const ter_rect *map, const ter_rect *block);

/** Compute heights and water of a block of pixels.
 *
 *  n        samples a side of a pixel, as for map_water_samples
 *  layers   the layers of the block's samples, in the order of map_water_layers, row-major without gaps; NULL: not
 *           needed
 *  heights  map->width * map->height metres; only the block is written
 *  water    map->width * map->height entries, one for each pixel; only the block is written
 */
void map_water_compute(const ter_params *world, int n, const ter_rect *map, const ter_rect *block,
                       const float *const layers[MAP_LAYERS], float *heights, map_water *water);

/** Share of a pixel that lines of rivers cover, 0..1. */
double map_water_ink(const map_water *water, int width, int height, int x, int y);

/** Least drained area, m2, of the rivers that have lines on a map with pixels of `pixel_m` metres. */
double map_water_least_area(const ter_params *world, double pixel_m);

#endif
