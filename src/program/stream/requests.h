/* requests.h - tiles that a view needs, in the order in which they should be generated. */
#ifndef TERRANE_PROGRAM_STREAM_REQUESTS_H
#define TERRANE_PROGRAM_STREAM_REQUESTS_H

#include <stdbool.h>
#include <stddef.h>

#include "program/stream/tile.h"

/** A tile to generate. */
typedef struct quadtree_request {
    tile_key key;
    double distance; /* metres */
    double due;   /* least travel of the camera, metres, before the tile is needed. In view a negative value means that
                     it is needed now. Out of view a penalty is added, and the value is never below 0. */
    bool is_seen; /* the current view needs the tile: it is late; false: prefetch */
    bool is_soon; /* needed within the next frames */
} quadtree_request;

/** Sort requests: late tiles first, then prefetches by due distance. Late tiles are ordered from coarse to fine,
 * because a finer tile is never drawn before its parent, then from near to far. */
void requests_sort(quadtree_request *requests, size_t count);

#endif
