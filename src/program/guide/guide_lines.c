/* guide_lines.c - grows and frees lists of lines. */
#include "program/guide/guide_lines.h"

#include <stdlib.h>

double *guide_lines_add(guide_lines *lines, int vertices, double width)
{
    if (lines->count == lines->room) {
        const int room = lines->room > 0 ? 2 * lines->room : 64;
        ter_guide_river *more = realloc(lines->rivers, (size_t)room * sizeof *more);
        if (!more)
            return NULL;
        lines->rivers = more;
        lines->room = room;
    }
    double *places = calloc(2 * (size_t)vertices, sizeof *places);
    if (places)
        lines->rivers[lines->count++] = (ter_guide_river){places, vertices, width};
    return places;
}

void guide_lines_free(guide_lines *lines)
{
    for (int n = 0; n < lines->count; n++)
        free((void *)lines->rivers[n].places);
    free(lines->rivers);
    *lines = (guide_lines){NULL};
}
