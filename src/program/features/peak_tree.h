/* peak_tree.h - finds peaks and their saddles from rows of heights, from north to south. Only peaks that
 * a later row can still connect stay in memory: those from which a way leads to the last row, not below the saddle. */
#ifndef TERRANE_PROGRAM_FEATURES_PEAK_TREE_H
#define TERRANE_PROGRAM_FEATURES_PEAK_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "program/core/result.h"

/** A peak: a sample without a higher neighbour. Of equal heights, that of the less number counts as the higher one. */
typedef struct peak {
    float height;
    int64_t at;      /* number of its sample, row * width + column */
    bool has_saddle; /* false: no way leads to higher ground without touching the sea */
    float saddle_m;  /* height of the saddle: the lowest sample of the highest way to higher ground */
    int64_t saddle;  /* number of its sample */
    bool is_cut;     /* the edge of the samples can be reached above the saddle */
} peak;

/** Called for each peak. */
typedef result (*peak_visit)(void *user, const peak *found);

typedef struct peak_tree peak_tree;

/** Begin a search.
 *
 *  sea      samples that are not higher do not count
 *  Returns  NULL when there is no memory
 */
peak_tree *peak_tree_create(int width, int64_t height, float sea, peak_visit visit, void *user);

/** Add the next row, and visit the peaks that are complete. Errors RESULT_FAILED; those of the visitor */
result peak_tree_add(peak_tree *tree, const float *row);

/** Free the search. NULL is allowed. */
void peak_tree_destroy(peak_tree *tree);

#endif
