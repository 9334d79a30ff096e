/* world_file.h - the place of a picture that cannot say it itself: NAME.pgw beside NAME.png, six lines of text. */
#ifndef TERRANE_EXPORT_WORLD_FILE_H
#define TERRANE_EXPORT_WORLD_FILE_H

#include "export/codec.h"

/** Name of a file's world file; empty for formats that have none, for files whose first row is the southern one, and for names with
 *  another ending than the format's. */
void world_file_name(const char *path, const export_file *file, char name[1040]);

/** Its text. Source of the format: ESRI, World files for raster datasets */
void world_file_text(const export_file *file, char *text, size_t size);

#endif
