/* feature_part.h - FILE.part: the lines that an interrupted export has made, square after square, with checksums. The
 * file itself is written from them when all are there.
 *
 * The part begins with a line that describes the export. Then come records: a line with its values and points, or the
 * end of a square with the checksum of all bytes before, so that every changed byte is noticed. What follows the last
 * undamaged end of a square is cut off. */
#ifndef TERRANE_PROGRAM_FEATURES_FEATURE_PART_H
#define TERRANE_PROGRAM_FEATURES_FEATURE_PART_H

#include "program/features/vector_file.h"

typedef struct feature_part feature_part;

/** How a part is opened. */
typedef struct feature_part_options {
    const char *path;           /* of the complete file */
    const char *text;           /* one line that describes the export */
    const vector_field *fields; /* of a line; must stay valid */
    int n_fields;
    bool may_replace; /* the part of another export */
} feature_part_options;

/** Called for each line. */
typedef result (*feature_part_line)(void *user, const double *points, size_t n_points, const vector_value *values);

/** Open the part, or begin it. A part that is there is read and compared with its checksums.
 *
 *  n_squares  receives the number of finished squares
 *  Errors     RESULT_FILE the part belongs to another export, program or process; RESULT_FAILED
 */
result feature_part_open(const feature_part_options *options, feature_part **out, int64_t *n_squares);

/** Append a line to the current square. */
result feature_part_add(feature_part *part, const double *points, size_t n_points, const vector_value *values);

/** End the current square. n_squares: number of finished squares with this one */
result feature_part_end_square(feature_part *part, int64_t n_squares);

/** Visit all lines of the finished squares. Errors of `visit`; RESULT_FILE */
result feature_part_read(feature_part *part, feature_part_line visit, void *user);

/** Name of the part. */
const char *feature_part_name(const feature_part *part);

/** Close the part, and remove it if the file is complete. NULL is allowed. */
void feature_part_close(feature_part *part, bool is_complete);

#endif
