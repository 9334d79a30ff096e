/* grow.h - room for more elements in an array. */
#ifndef TERRANE_CORE_GROW_H
#define TERRANE_CORE_GROW_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/** Give an array room for at least `count` elements. If the array must grow, its room at least doubles, so that adding
 * elements one by one takes linear time.
 *
 *  array    from malloc or this function; NULL if *room is 0
 *  room     number of elements that have room
 *  size     bytes of an element
 *  Returns  the array, which may have moved. If there is no memory, or the bytes exceed PTRDIFF_MAX, NULL:
 *           then `array` and *room are as before, and the caller still owns the array
 */
static inline void *ter_grow(void *array, size_t *room, size_t count, size_t size)
{
    const size_t most = PTRDIFF_MAX / size, doubled = *room > most / 2 ? most : 2 * *room, few = 64;
    if (array && count <= *room)
        return array;
    if (count > most)
        return NULL;
    const size_t least = few < most ? few : most, wanted = doubled > count ? doubled : count;
    const size_t next = wanted > least ? wanted : least;
    void *grown = realloc(array, next * size);
    if (grown)
        *room = next;
    return grown;
}

#endif
