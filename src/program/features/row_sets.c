/* row_sets.c - halves the way to the number of a set whenever it is walked. */
#include "program/features/row_sets.h"

#include <stdbool.h>
#include <stdlib.h>

#include "library/core/grow.h"

void row_sets_free(row_sets *s)
{
    free(s->parent);
    free(s->free);
    free(s->leaving);
}

/** Make room for a number in one of the arrays. Returns false when there is no memory. */
static bool reserve(int32_t **array, size_t *room, size_t count)
{
    int32_t *grown = ter_grow(*array, room, count, sizeof *grown);
    *array = grown ? grown : *array;
    return grown != NULL;
}

int32_t row_sets_add(row_sets *s)
{
    const size_t count = s->count + 1;
    if (s->n_free == 0) {
        if (!reserve(&s->parent, &s->parent_room, count) || !reserve(&s->free, &s->free_room, count) ||
            !reserve(&s->leaving, &s->leaving_room, count))
            return ROW_SETS_NONE;
        s->free[s->n_free++] = (int32_t)s->count++;
    }
    const int32_t number = s->free[--s->n_free];
    s->parent[number] = number;
    return number;
}

int32_t row_sets_find(row_sets *s, int32_t number)
{
    while (s->parent[number] != number) {
        s->parent[number] = s->parent[s->parent[number]];
        number = s->parent[number];
    }
    return number;
}

void row_sets_join(row_sets *s, int32_t stays, int32_t goes)
{
    s->parent[goes] = stays;
    row_sets_end(s, goes);
}

void row_sets_end(row_sets *s, int32_t number)
{
    s->leaving[s->n_leaving++] = number;
}

void row_sets_end_row(row_sets *s)
{
    for (; s->n_leaving > 0; s->n_leaving--)
        s->free[s->n_free++] = s->leaving[s->n_leaving - 1];
}
