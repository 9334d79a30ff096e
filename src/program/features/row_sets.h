/* row_sets.h - numbers of what is joined from row to row of samples: union and find, by Tarjan 1975. A number that was
 * joined to another one, or has ended, is used again after the row. */
#ifndef TERRANE_PROGRAM_FEATURES_ROW_SETS_H
#define TERRANE_PROGRAM_FEATURES_ROW_SETS_H

#include <stddef.h>
#include <stdint.h>

enum { ROW_SETS_NONE = -1 };

/** Sets. At first all members are 0. */
typedef struct row_sets {
    int32_t *parent; /* of each number: the number that it has been joined to; itself: none */
    size_t count, parent_room;
    int32_t *free; /* numbers that are not in use; there is room for all */
    size_t n_free, free_room;
    int32_t *leaving; /* numbers that are free after this row; there is room for all */
    size_t n_leaving, leaving_room;
} row_sets;

void row_sets_free(row_sets *sets);

/** Begin a set. Returns its number, less than `count`, or ROW_SETS_NONE when there is no memory. */
int32_t row_sets_add(row_sets *sets);

/** The number of the set to which a number has been joined. */
int32_t row_sets_find(row_sets *sets, int32_t number);

/** Join set `goes` to set `stays`: two different numbers from row_sets_find. */
void row_sets_join(row_sets *sets, int32_t stays, int32_t goes);

/** End a set. */
void row_sets_end(row_sets *sets, int32_t number);

/** End a row: numbers that were joined to others, or have ended, are free from now on. */
void row_sets_end_row(row_sets *sets);

#endif
