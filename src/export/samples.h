/* samples.h - strips of heights as blocks of a file's samples. */
#ifndef TERRANE_EXPORT_SAMPLES_H
#define TERRANE_EXPORT_SAMPLES_H

#include "export/sidecar.h"
#include "export/strips.h"

/** What is asked of strips for files of one kind and size; the caller adds their rectangles. */
strips_request samples_request(const export_file *file, const ter_world *world);

/** A strip as a block of its file; heights of a normalised file are scaled in place. `rows_before` rows of the file are there
 *  already, and the rectangle is what comes after them. */
block samples_block(const export_file *file, int64_t rows_before, strip *strip, file_facts *facts);

#endif
