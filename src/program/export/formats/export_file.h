/* export_file.h - what follows from the description of one file: its rectangle, size and scale. */
#ifndef TERRANE_PROGRAM_EXPORT_FORMATS_EXPORT_FILE_H
#define TERRANE_PROGRAM_EXPORT_FORMATS_EXPORT_FILE_H

#include "program/export/formats/format.h"

enum { EXPORT_FILE_TEXT = 2048 };

/** The rectangle of a file. */
ter_rect export_file_rect(const export_file *file);

/** Bytes of a file's samples as they are, before compression. */
uint64_t export_file_bytes(const export_file *file);

/** Where a mesh lies in its set: metres from the set's north-western sample to the mesh's own, which its coordinates count from, in
 *  the mesh's axes. Coordinates are 32-bit floats, so that of a large set they would have no room for more. */
void export_file_mesh_place(const export_file *file, double place[3]);

/** The altitude so far under another, or, where floats have none between, the next one: what stands upright has an area. */
double export_file_under(float height_m, double depth_m);

/** Whether numbers are scaled over the range. */
bool export_file_is_scaled(const export_file *file);

/** Samples around a file's that it is made of. */
int export_file_apron(const export_file *file);

/** Whether a file is of water, or of what is derived from it. */
bool export_file_has_water(const export_file *file);

/** Whether a file follows from the world's look besides its heights. */
bool export_file_needs_look(const export_file *file);

/** The middle of a file, with at most `samples` samples and at least half as many, unless the whole has fewer: what is made to
 *  estimate the whole. */
export_file export_file_middle(const export_file *file, int64_t samples);

/** One line with all that the samples of a file follow from. Two files of the same line have the same samples. */
void export_file_describe(const export_file *file, char text[EXPORT_FILE_TEXT]);

#endif
