/* map_rivers.h - joins the pixels beside rivers of a far map to lines.
 *
 * On a far map (lod 10 and coarser) a pixel has one sample, which is a mean. Such a sample has the drained area of a
 * river only if the river is less than about half a pixel away. Drawn pixel by pixel, rivers would therefore have gaps.
 * The drained area grows downstream, so each pixel is joined to a near pixel with a larger area, and the last pixel to
 * the sea or lake near it. */
#ifndef TERRANE_PROGRAM_PICTURE_MAP_RIVERS_H
#define TERRANE_PROGRAM_PICTURE_MAP_RIVERS_H

#include "program/picture/map_water.h"
#include "program/picture/picture.h"

/** Draw the rivers of a map whose samples are means into `line` of its water. Does nothing on other maps.
 *
 *  map      the map's pixels
 *  heights  map->width * map->height metres
 *  water    map->width * map->height entries; map_water_compute must have filled all of them
 *  Errors   RESULT_FAILED no memory; RESULT_INTERRUPTED
 */
result map_rivers_join(const ter_params *world, const ter_rect *map, const float *heights, map_water *water,
                       const picture_progress *progress);

#endif
