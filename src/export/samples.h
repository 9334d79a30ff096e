/* samples.h - strips of heights as blocks of a file's samples. */
#ifndef TERRANE_EXPORT_SAMPLES_H
#define TERRANE_EXPORT_SAMPLES_H

#include "export/sidecar.h"
#include "export/strips.h"

/** Open the strips of files of one kind and size, whose rectangles are `rects`. */
outcome samples_open(const export_file *file, const ter_world *world, const ter_rect *rects, size_t n_rects,
                     ter_generator *const *generators, int n_generators, strips **out);

/** A strip as a block of its file; heights of a normalised file are scaled in place. `rows_before` rows of the file are there
 *  already, and the rectangle is what comes after them. */
block samples_block(const export_file *file, int64_t rows_before, strip *strip, file_facts *facts);

/** Range of heights of a whole request, in whole metres, measured where they are made.
 *
 *  go_on  called with the share done; returns false to interrupt
 */
outcome samples_measure(const export_file *whole, const ter_world *world, ter_generator *generator,
                        bool (*go_on)(void *user, double share), void *user, double range[2]);

#endif
