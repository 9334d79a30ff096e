/* suggest.c - compares words by their edit distance. */
#include "program/cli/suggest.h"

#include <stdbool.h>
#include <string.h>

enum { WORD_MAX = 31 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/** Edit distance of two words of at most WORD_MAX bytes. */
static size_t edit_distance(const char *a, size_t n_a, const char *b, size_t n_b)
{
    size_t d[WORD_MAX + 1][WORD_MAX + 1];
    for (size_t i = 0; i <= n_a; i++)
        d[i][0] = i;
    for (size_t j = 0; j <= n_b; j++)
        d[0][j] = j;
    for (size_t i = 1; i <= n_a; i++)
        for (size_t j = 1; j <= n_b; j++) {
            d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[n_a][n_b];
}

suggestion suggest_for(const char *unknown)
{
    return (suggestion){.unknown = unknown};
}

void suggest_try(suggestion *search, const char *known)
{
    const size_t n_unknown = strlen(search->unknown), n_known = strlen(known);
    if (n_unknown > WORD_MAX || n_known > WORD_MAX || n_unknown < 2)
        return;
    const size_t most = n_unknown < 3 ? 1 : least(1 + n_unknown / 4, n_known - (n_known > 0));
    const bool is_prefix = n_unknown > 2 && strncmp(known, search->unknown, n_unknown) == 0;
    const size_t distance = is_prefix ? 1 : edit_distance(search->unknown, n_unknown, known, n_known);
    if (distance > most || (search->nearest && distance >= search->distance))
        return;
    search->nearest = known;
    search->distance = distance;
}
