/* suggest.h - "did you mean": the nearest of the words that are known. */
#ifndef TERRANE_PROGRAM_CLI_SUGGEST_H
#define TERRANE_PROGRAM_CLI_SUGGEST_H

#include <stddef.h>

/** The search for the word nearest to one that is not known. */
typedef struct suggestion {
    const char *unknown;
    const char *nearest; /* NULL while no word is near enough to have been meant */
    size_t distance;
} suggestion;

/** Begin a search. */
suggestion suggest_for(const char *unknown);

/** Look at a word that is known, and keep it when it is nearer than those before. It stays the caller's and must
 * outlive the search.
 *
 *  Source  the optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours
 */
void suggest_try(suggestion *search, const char *known);

#endif
