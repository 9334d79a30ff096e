/* sample_spool.h - all heights of a rectangle, in a file, so that features are traced row after row in little memory.
 * The file is temporary, or FILE.part, which an interrupted export keeps and goes on with. */
#ifndef TERRANE_PROGRAM_FEATURES_SAMPLE_SPOOL_H
#define TERRANE_PROGRAM_FEATURES_SAMPLE_SPOOL_H

#include <stdbool.h>
#include <stdint.h>

#include "program/core/result.h"

enum { SPOOL_SIDE_MAX = 1 << 18 }; /* samples */

typedef struct sample_spool sample_spool;

/** How a spool is opened. */
typedef struct sample_spool_options {
    const char *path;      /* of the complete file */
    const char *text;      /* one line that describes the samples, for FILE.part; NULL: a temporary file */
    int64_t width, height; /* samples */
    bool may_replace;      /* the part of another export */
} sample_spool_options;

/** Open a spool. A part that is there is read and compared with its checksums.
 *
 *  Errors  RESULT_FILE no space on the disk, or the part belongs to another export, program or process; RESULT_FAILED
 */
result sample_spool_open(const sample_spool_options *options, sample_spool **out);

/** Number of rows in a strip; the last strip may have fewer. */
int64_t sample_spool_strip_rows(const sample_spool *spool);

/** Number of rows that are there. */
int64_t sample_spool_rows(const sample_spool *spool);

/** Memory for the next strip, row after row; fill it, and add it. */
float *sample_spool_next(sample_spool *spool);
result sample_spool_add(sample_spool *spool);

/** Read a row, which stays valid until a row of a third strip is read. Rows are read one after another, or those
 * shortly before. Errors RESULT_FILE */
result sample_spool_row(sample_spool *spool, int64_t row, const float **out);

/** Name of the file. */
const char *sample_spool_name(const sample_spool *spool);

/** Close the spool. Its file is removed, unless it is the part of an incomplete file. NULL is allowed. */
void sample_spool_close(sample_spool *spool, bool is_complete);

#endif
