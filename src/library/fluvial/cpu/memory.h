/* memory.h - a buffer that grows on demand. */
#ifndef TERRANE_FLUVIAL_CPU_MEMORY_H
#define TERRANE_FLUVIAL_CPU_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "library/core/system.h"

typedef struct ter_fluvial_memory {
    void *at;
    size_t bytes;
} ter_fluvial_memory;

/** Grow a buffer to at least `bytes` bytes, aligned to a cache line. Its contents are lost when it grows. A quarter
 * more is allocated, because the next block may be a little larger, and touching new pages is slow. Returns false when
 * there is no memory. */
static inline bool ter_fluvial_reserve(ter_fluvial_memory *memory, size_t bytes)
{
    if (bytes <= memory->bytes)
        return true;
    const size_t room = (bytes + bytes / 4 + 63) & ~(size_t)63;
    ter_aligned_free(memory->at);
    memory->at = ter_aligned_alloc(64, room);
    memory->bytes = memory->at ? room : 0;
    return memory->at != NULL;
}

#endif
