/* heap.h - a priority queue of cells. The lowest cell comes first; of cells with the same height, the one with the
 * least index. */
#ifndef TERRANE_GUIDE_HEAP_H
#define TERRANE_GUIDE_HEAP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "library/core/grow.h"

/** A heap. All members of an empty heap are zero. */
typedef struct guide_heap {
    uint64_t *key; /* the height in the high half, the index in the low half */
    size_t count, room;
} guide_heap;

/** Key whose order is that of heights. */
static inline uint64_t guide_heap_key(float z, uint32_t cell)
{
    uint32_t bits;
    memcpy(&bits, &z, sizeof bits);
    bits = bits >> 31 ? ~bits : bits | UINT32_C(0x80000000);
    return (uint64_t)bits << 32 | cell;
}

/** Add a cell. Returns false when there is no memory. */
static inline bool guide_heap_push(guide_heap *heap, float z, uint32_t cell)
{
    uint64_t *key = ter_grow(heap->key, &heap->room, heap->count + 1, sizeof *key);
    if (!key)
        return false;
    heap->key = key;
    const uint64_t added = guide_heap_key(z, cell);
    size_t at = heap->count++;
    for (; at > 0 && heap->key[(at - 1) / 2] > added; at = (at - 1) / 2)
        heap->key[at] = heap->key[(at - 1) / 2];
    heap->key[at] = added;
    return true;
}

/** Take the first cell of a heap that is not empty. */
static inline uint32_t guide_heap_pop(guide_heap *heap)
{
    const uint32_t first = (uint32_t)heap->key[0];
    const uint64_t last = heap->key[--heap->count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= heap->count)
            break;
        child += child + 1 < heap->count && heap->key[child + 1] < heap->key[child];
        if (heap->key[child] >= last)
            break;
        heap->key[at] = heap->key[child];
        at = child;
    }
    heap->key[at] = last;
    return first;
}

#endif
