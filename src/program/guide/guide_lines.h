/* guide_lines.h - lines of rivers in memory. */
#ifndef TERRANE_PROGRAM_GUIDE_GUIDE_LINES_H
#define TERRANE_PROGRAM_GUIDE_GUIDE_LINES_H

#include "terrane/terrane.h"

/** Lines of rivers. At first all zero. */
typedef struct guide_lines {
    ter_guide_river *rivers; /* `count` rivers, each with places that are freed with free() */
    int count;
    size_t room;
} guide_lines;

/** Append a line. Returns room for the x and z of `vertices` vertices; NULL when there is no memory. */
double *guide_lines_add(guide_lines *lines, int vertices, double width);

void guide_lines_free(guide_lines *lines);

#endif
