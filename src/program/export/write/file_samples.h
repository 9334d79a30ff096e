/* file_samples.h - converts strips to blocks of a file's samples, in the file's layer, scale and order of rows. */
#ifndef TERRANE_PROGRAM_EXPORT_WRITE_FILE_SAMPLES_H
#define TERRANE_PROGRAM_EXPORT_WRITE_FILE_SAMPLES_H

#include "program/core/events.h"
#include "program/drainage/drained_area.h"
#include "program/export/formats/codec.h"
#include "program/export/sidecar/sidecar.h"
#include "program/export/write/strips.h"

/** Make the request for the strips of a tile's files, which have one size and one order of rows. The caller adds the
 * rectangles. The request points into `files`, which must stay valid as long as the request. */
strips_request samples_request(const export_file *const files[], int n_files, const ter_world *world);

/** Memory for samples that were converted from those of a strip. Initialise all members with 0, and free the memory
 * with sample_buffer_free. */
typedef struct sample_buffer {
    void *bytes;
    size_t size;
    const drained_area *drained; /* for files of export_file_is_drained; not freed */
} sample_buffer;

void sample_buffer_free(sample_buffer *buffer);

/** Convert a strip to a block of a file. The block's samples lie in the strip or in the buffer. They are valid until
 * the strip or the buffer is used again.
 *
 *  rows_before  rows that the file has already; the strip's rectangle begins after them
 *  progress     called every few tenths of a second
 *  facts        becomes the facts of the block
 *  Errors       RESULT_FAILED no memory; RESULT_INTERRUPTED
 */
result samples_block(const export_file *file, int64_t rows_before, const strip *strip, const work_progress *progress,
                     sample_buffer *buffer, block *block, file_facts *facts);

#endif
