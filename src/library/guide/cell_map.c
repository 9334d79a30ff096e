/* cell_map.c - a hash table of cells with linear probing. */
#include "library/guide/cell_map.h"

#include <stdlib.h>

static ter_guide_tail *probe(const guide_cell_map *map, int64_t x, int64_t y)
{
    for (uint64_t n = ter_guide_hash(x, y);; n++) {
        ter_guide_tail *slot = &map->slots[n & (map->room - 1)];
        if (slot->area < 0.0f || (slot->x == x && slot->y == y))
            return slot;
    }
}

ter_guide_tail *guide_cell_map_find(const guide_cell_map *map, int64_t x, int64_t y)
{
    ter_guide_tail *slot = map->room > 0 ? probe(map, x, y) : NULL;
    return slot && slot->area >= 0.0f ? slot : NULL;
}

static bool grow(guide_cell_map *map)
{
    const guide_cell_map before = *map;
    map->room = before.room > 0 ? 2 * before.room : 64;
    map->slots = malloc(map->room * sizeof *map->slots);
    if (!map->slots) {
        *map = before;
        return false;
    }
    for (size_t n = 0; n < map->room; n++)
        map->slots[n] = (ter_guide_tail){0, 0, -1.0f, 0.0f};
    for (size_t n = 0; n < before.room; n++)
        if (before.slots[n].area >= 0.0f)
            *probe(map, before.slots[n].x, before.slots[n].y) = before.slots[n];
    free(before.slots);
    return true;
}

ter_guide_tail *guide_cell_map_add(guide_cell_map *map, int64_t x, int64_t y)
{
    if (2 * (map->count + 1) > map->room && !grow(map))
        return NULL;
    ter_guide_tail *slot = probe(map, x, y);
    if (slot->area < 0.0f) {
        *slot = (ter_guide_tail){x, y, 0.0f, 1e30f};
        map->count++;
    }
    return slot;
}

void guide_cell_map_free(guide_cell_map *map)
{
    free(map->slots);
    *map = (guide_cell_map){NULL, 0, 0};
}
