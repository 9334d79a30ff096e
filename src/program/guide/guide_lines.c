/* guide_lines.c - grows and frees lists of lines. */
#include "program/guide/guide_lines.h"

#include <stdlib.h>

#include "library/core/grow.h"

double *guide_lines_add(guide_lines *lines, int vertices, double width)
{
    ter_guide_river *rivers = ter_grow(lines->rivers, &lines->room, (size_t)lines->count + 1, sizeof *rivers);
    if (!rivers)
        return NULL;
    lines->rivers = rivers;
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
