/* cell_heap.h - a heap of the cells of a grid that a flood has reached. The lowest cell is taken first. */
#ifndef TERRANE_PROGRAM_DRAINAGE_CELL_HEAP_H
#define TERRANE_PROGRAM_DRAINAGE_CELL_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A cell that has been reached. Cells with equal levels are taken in the order in which they were reached. */
typedef struct reached_cell {
    float level;
    int32_t order, cell;
} reached_cell;

/** A binary heap. Initialise with 0; free `at`. */
typedef struct cell_heap {
    reached_cell *at;
    size_t count, room;
    int32_t order;
} cell_heap;

/** Add a cell. Returns false when there is no memory. */
bool cell_heap_add(cell_heap *heap, int32_t cell, float level);

/** Take the lowest cell of a heap that is not empty. */
int32_t cell_heap_take(cell_heap *heap);

#endif
