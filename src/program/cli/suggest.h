/* suggest.h - finds the known word that is most similar to an unknown one, for "did you mean". */
#ifndef TERRANE_PROGRAM_CLI_SUGGEST_H
#define TERRANE_PROGRAM_CLI_SUGGEST_H

#include <stddef.h>

/** A search for the known word that is most similar to an unknown word. */
typedef struct suggestion {
    const char *unknown;
    const char *nearest; /* NULL while no known word is similar enough */
    size_t distance;
} suggestion;

/** Begin a search. */
suggestion suggest_for(const char *unknown);

/** Compare a known word with the unknown one, and keep it if it is similar enough and more similar than the words
 * before. The caller owns the word, which must outlive the search.
 *
 *  Source  the optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours
 */
void suggest_try(suggestion *search, const char *known);

#endif
