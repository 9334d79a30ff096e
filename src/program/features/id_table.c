/* id_table.c - keeps ids at the first free entry behind their hash; the table doubles when it is half full. */
#include "program/features/id_table.h"

#include <stdlib.h>

static id_entry *entry_of(id_entry *entries, size_t room, int64_t id)
{
    size_t n = (size_t)((uint64_t)id * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (room - 1);
    while (entries[n].id != INT64_MIN && entries[n].id != id)
        n = (n + 1) & (room - 1);
    return &entries[n];
}

static bool grow(id_table *t)
{
    const size_t room = t->room ? 2 * t->room : 1024;
    id_entry *entries = malloc(room * sizeof *entries);
    if (!entries)
        return false;
    for (size_t n = 0; n < room; n++)
        entries[n] = (id_entry){INT64_MIN, 0};
    for (size_t n = 0; n < t->room; n++)
        if (t->entries[n].id != INT64_MIN)
            *entry_of(entries, room, t->entries[n].id) = t->entries[n];
    free(t->entries);
    t->entries = entries;
    t->room = room;
    return true;
}

id_entry *id_table_find(id_table *table, int64_t id, bool *is_new)
{
    if (2 * table->count >= table->room && !grow(table))
        return NULL;
    id_entry *e = entry_of(table->entries, table->room, id);
    const bool is_added = e->id == INT64_MIN;
    if (is_added) {
        *e = (id_entry){id, 0};
        table->count++;
    }
    if (is_new)
        *is_new = is_added;
    return e;
}

void id_table_free(id_table *table)
{
    free(table->entries);
}
