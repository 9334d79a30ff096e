/* codec.h - how a format's samples become bytes of a file and come back: what every format implements. */
#ifndef TERRANE_PROGRAM_EXPORT_FORMATS_CODEC_H
#define TERRANE_PROGRAM_EXPORT_FORMATS_CODEC_H

#include <stdbool.h>
#include <stddef.h>

#include "program/core/events.h"
#include "program/export/formats/export_file.h"
#include "program/file/output_file.h"

/** A rectangle of samples on their way into or out of a file: float or uint16_t, in the machine's byte order, in the
 * order of the file's rows. */
typedef struct block {
    unsigned char *first; /* sample (column, row) */
    ptrdiff_t stride;     /* bytes from a row to the next in the file */
    int64_t column, row;  /* in the file */
    int64_t width, rows;
    int apron; /* samples around it that can be read, to all sides */
} block;

typedef struct codec {
    int64_t
        rows_multiple; /* blocks have so many rows, or a multiple, but for the last; they come in the order of rows */
    bool may_cut_rows; /* blocks may be narrower than the file, at multiples of rows_multiple; else they are whole rows
                        */

    /** Begin a file of which `out` has no byte yet, or, for raw formats, some rows. */
    outcome (*open)(const export_file *file, output_file *out, void **state);
    outcome (*write)(void *state, const block *block);
    /** Write what comes after the samples; where that takes long, `pulse` is asked. Errors OUTCOME_INTERRUPTED too */
    outcome (*finish)(void *state, const export_pulse *pulse);
    /** Free, finished or not; NULL is allowed. */
    void (*close)(void *state);

    /** Open a file for a comparison with what `write` and `finish` would put into it: a codec whose samples cannot be
     * read back has this instead of a reader. `finish` returns OUTCOME_FAILED with the first difference. Errors
     * OUTCOME_FILE */
    outcome (*open_comparison)(const export_file *file, const char *path, void **state);

    /** Open a file for reading and check that it holds what `file` says. Errors OUTCOME_FILE */
    outcome (*open_reader)(const export_file *file, const char *path, void **state);
    /** Fill a block. Blocks come in the same order. */
    outcome (*read)(void *state, const block *block);
    void (*close_reader)(void *state);
} codec;

#endif
