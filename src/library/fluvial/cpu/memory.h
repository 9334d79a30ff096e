/* memory.h - memory that grows with the windows that are laid out in it. */
#ifndef TERRANE_FLUVIAL_CPU_MEMORY_H
#define TERRANE_FLUVIAL_CPU_MEMORY_H

#include <stdbool.h>
#include <stdlib.h>

typedef struct ter_fluvial_memory {
    void *at;
    size_t bytes;
} ter_fluvial_memory;

/** Make memory hold so many bytes, from a cache line on; what it held is lost. It grows by a quarter more than that:
 * the next window may be a little larger, and new pages cost more than what is made in them. False when there is none.
 */
static inline bool ter_fluvial_reserve(ter_fluvial_memory *memory, size_t bytes)
{
    if (bytes <= memory->bytes)
        return true;
    const size_t room = (bytes + bytes / 4 + 63) & ~(size_t)63;
    free(memory->at);
    memory->at = aligned_alloc(64, room);
    memory->bytes = memory->at ? room : 0;
    return memory->at != NULL;
}

#endif
