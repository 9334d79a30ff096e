/* guide_lines.h - lines of rivers that are read from files, and their places in the world. */
#ifndef TERRANE_PROGRAM_GUIDE_GUIDE_LINES_H
#define TERRANE_PROGRAM_GUIDE_GUIDE_LINES_H

#include "program/guide/guide_raster.h"

/** Lines of rivers. At first all zero. */
typedef struct guide_lines {
    ter_guide_river *rivers; /* `count` rivers, each with places that are freed with free() */
    int count, room;
} guide_lines;

/** Append a line. Returns room for the x and z of `vertices` vertices; NULL when there is no memory. */
double *guide_lines_add(guide_lines *lines, int vertices, double width);

void guide_lines_free(guide_lines *lines);

/** Read the rivers of a guide, in metres of the world.
 *
 *  If the guide's file has coordinates, the lines have the same ones, or are transformed to its coordinate system. Else
 *  they have those of the world: x to the east, -z to the north, metres.
 *
 *  options  how options of a guide begin in errors, as in guide_hooks
 *  raster   the guide's heights
 *  at       m; place of the middle of its pixel (0, 0)
 *  spacing  m; distance of its pixels
 *  out      freed with guide_lines_free, also on error
 *  Errors   RESULT_FILE the file cannot be read, or has no lines; RESULT_FAILED no memory
 */
result guide_lines_of_file(const char *path, const char *options, const guide_raster *raster, const int64_t at[2],
                           double spacing, guide_lines *out);

#endif
