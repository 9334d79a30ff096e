/* codec.h - the functions that each format implements: they write samples to a file and read them back. */
#ifndef TERRANE_PROGRAM_EXPORT_FORMATS_CODEC_H
#define TERRANE_PROGRAM_EXPORT_FORMATS_CODEC_H

#include <stdbool.h>
#include <stdint.h>

#include "program/core/events.h"
#include "program/export/formats/block.h"
#include "program/export/formats/export_file.h"
#include "program/file/output_file.h"

typedef struct codec {
    int64_t rows_multiple; /* blocks come in order; the number of rows of each but the last is a multiple of this */
    bool may_cut_rows;     /* blocks may be narrower than the file, cut at multiples of rows_multiple */

    /** Begin a file. `out` is empty; for raw formats it may hold the first rows already. */
    result (*open)(const export_file *file, output_file *out, void **state);
    result (*write)(void *state, const block *block);
    /** For formats with overviews: describe overview number n of a file, from 1 on, as a file of its own. Returns false
     * if there are fewer. All overviews are written before the samples, the last one first. NULL: no overviews */
    bool (*overview)(const export_file *file, int n, export_file *overview);
    result (*write_overview)(void *state, int n, const block *block);
    /** Write the rest of the file after all samples. Long work calls `progress`. Errors RESULT_FILE; RESULT_FAILED;
     * RESULT_INTERRUPTED */
    result (*finish)(void *state, const work_progress *progress);
    /** Free the state, also if the file is not finished; NULL is allowed. */
    void (*close)(void *state);

    /** Open a file to compare its bytes with those that `write` and `finish` would write. A codec whose samples cannot
     * be read back has this function instead of a reader. `finish` returns RESULT_FAILED with the first difference.
     * Errors RESULT_FILE */
    result (*open_comparison)(const export_file *file, const char *path, void **state);

    /** Open a file for reading and check that it holds what `file` says. Errors RESULT_FILE */
    result (*open_reader)(const export_file *file, const char *path, void **state);
    /** Fill a block. Blocks come in the same order as for `write`. */
    result (*read)(void *state, const block *block);
    void (*close_reader)(void *state);
} codec;

#endif
