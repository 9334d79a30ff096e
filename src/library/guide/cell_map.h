/* cell_map.h - a hash table that stores numbers for single cells anywhere in the plane. Its slots have the form of the
 * tails in a guide's tables. */
#ifndef TERRANE_GUIDE_CELL_MAP_H
#define TERRANE_GUIDE_CELL_MAP_H

#include <stdbool.h>

#include "library/fluvial/guide.h"

/** A map. All members of an empty map are zero. */
typedef struct guide_cell_map {
    ter_guide_tail *slots; /* `room` entries, a power of two, or NULL */
    size_t room, count;
} guide_cell_map;

/** Find the slot of a cell; NULL if there is none. It is valid until the next guide_cell_map_add. */
ter_guide_tail *guide_cell_map_find(const guide_cell_map *map, int64_t x, int64_t y);

/** Find the slot of a cell, or add one. A new slot has area 0 and z 1e30. Returns NULL when there is no memory. */
ter_guide_tail *guide_cell_map_add(guide_cell_map *map, int64_t x, int64_t y);

void guide_cell_map_free(guide_cell_map *map);

#endif
