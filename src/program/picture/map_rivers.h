/* map_rivers.h - joins the pixels beside rivers of a far map to lines.
 *
 * Samples that are means know a river only within half a pixel, so that pixels alone would draw it as dashes. A river
 * drains more from pixel to pixel: each pixel is joined to one near it that drains more, and the last one to the sea
 * or the lake beside it. */
#ifndef TERRANE_PROGRAM_PICTURE_MAP_RIVERS_H
#define TERRANE_PROGRAM_PICTURE_MAP_RIVERS_H

#include "program/picture/map_water.h"
#include "program/picture/picture.h"

/** Draw the rivers of a map whose samples are means into `line` of its water. Does nothing on other maps.
 *
 *  map      the map's pixels
 *  heights  map->width * map->height metres
 *  water    likewise; all blocks have been computed
 *  Errors   RESULT_FAILED no memory; RESULT_INTERRUPTED
 */
result map_rivers_join(const ter_params *world, const ter_rect *map, const float *heights, map_water *water,
                       const picture_progress *progress);

#endif
