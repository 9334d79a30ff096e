/* cell_heap.c - a binary heap of cells. */
#include "program/drainage/cell_heap.h"

#include <stdlib.h>

#include "library/core/grow.h"

static bool is_before(const reached_cell *a, const reached_cell *b)
{
    return a->level != b->level ? a->level < b->level : a->order < b->order;
}

bool cell_heap_add(cell_heap *heap, int32_t cell, float level)
{
    reached_cell *at = ter_grow(heap->at, &heap->room, heap->count + 1, sizeof *at);
    if (!at)
        return false;
    heap->at = at;
    const reached_cell added = {level, heap->order++, cell};
    size_t n = heap->count++;
    for (; n > 0 && is_before(&added, &heap->at[(n - 1) / 2]); n = (n - 1) / 2)
        heap->at[n] = heap->at[(n - 1) / 2];
    heap->at[n] = added;
    return true;
}

int32_t cell_heap_take(cell_heap *heap)
{
    const int32_t cell = heap->at[0].cell;
    const reached_cell last = heap->at[--heap->count];
    size_t n = 0;
    for (size_t child = 1; child < heap->count; child = 2 * n + 1) {
        child += child + 1 < heap->count && is_before(&heap->at[child + 1], &heap->at[child]);
        if (!is_before(&heap->at[child], &last))
            break;
        heap->at[n] = heap->at[child];
        n = child;
    }
    heap->at[n] = last;
    return cell;
}
