/* file_samples.h - strips of heights as blocks of a file's samples: its layer, order of rows, scaling. */
#ifndef TERRANE_PROGRAM_EXPORT_WRITE_FILE_SAMPLES_H
#define TERRANE_PROGRAM_EXPORT_WRITE_FILE_SAMPLES_H

#include "program/core/events.h"
#include "program/export/formats/codec.h"
#include "program/export/sidecar/sidecar.h"
#include "program/export/write/strips.h"

/** What is asked of strips for the files of a tile, which are all of one size and one order of rows; the caller adds
 * their rectangles. */
strips_request samples_request(const export_file *const files[], int n_files, const ter_world *world);

/** Samples of a block that are not a strip's own values. All zero is one to begin with; free it. */
typedef struct sample_buffer {
    void *bytes;
    size_t size;
} sample_buffer;

void sample_buffer_free(sample_buffer *buffer);

/** A strip as a block of its file, which lies in the strip or in the buffer: valid until either is used again.
 * `rows_before` rows of the file are there already, and the rectangle is what comes after them. `pulse` is asked now
 * and then. Errors OUTCOME_FAILED no memory; OUTCOME_INTERRUPTED */
outcome samples_block(const export_file *file, int64_t rows_before, const strip *strip, const export_pulse *pulse,
                      sample_buffer *buffer, block *block, file_facts *facts);

#endif
