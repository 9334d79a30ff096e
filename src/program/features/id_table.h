/* id_table.h - a hash table of ids, each with a number. */
#ifndef TERRANE_PROGRAM_FEATURES_ID_TABLE_H
#define TERRANE_PROGRAM_FEATURES_ID_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** An id, and the number that the user of the table gives it; 0 at first. */
typedef struct id_entry {
    int64_t id; /* INT64_MIN: free */
    int64_t number;
} id_entry;

/** A table; at first all members are 0. */
typedef struct id_table {
    id_entry *entries;
    size_t room, count;
} id_table;

/** Find an id, or add it. is_new: receives whether it was added; may be NULL. Returns NULL when there is no memory.
 * The entry is valid until the next call. */
id_entry *id_table_find(id_table *table, int64_t id, bool *is_new);

void id_table_free(id_table *table);

#endif
