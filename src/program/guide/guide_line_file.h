/* guide_line_file.h - reads the rivers of a guide, and brings them to the coordinates of the world. */
#ifndef TERRANE_PROGRAM_GUIDE_GUIDE_LINE_FILE_H
#define TERRANE_PROGRAM_GUIDE_GUIDE_LINE_FILE_H

#include "program/guide/guide_lines.h"
#include "program/guide/guide_raster.h"

/** Read the rivers of a guide, in metres of the world.
 *
 *  If the guide's file is georeferenced, lines are read in its coordinates; lines in another coordinate system are
 *  transformed to that of the guide. Otherwise coordinates are those of the world: x to the east, -z to the north,
 *  metres.
 *
 *  options  how options of a guide begin in errors, as in guide_hooks
 *  raster   the guide's heights
 *  at       m; place of the middle of its pixel (0, 0)
 *  spacing  m; distance between its pixels
 *  out      freed with guide_lines_free, also on error
 *  Errors   RESULT_FILE the file cannot be read, or has no lines; RESULT_FAILED no memory
 */
result guide_lines_of_file(const char *path, const char *options, const guide_raster *raster, const int64_t at[2],
                           double spacing, guide_lines *out);

#endif
