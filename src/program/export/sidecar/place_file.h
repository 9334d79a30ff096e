/* place_file.h - the file beside a file that tells GDAL and QGIS its place, where the format cannot say it: FILE.hdr,
 * an ENVI header, beside raw FILEs; NAME.pgw, a world file, beside NAME.png. */
#ifndef TERRANE_PROGRAM_EXPORT_SIDECAR_PLACE_FILE_H
#define TERRANE_PROGRAM_EXPORT_SIDECAR_PLACE_FILE_H

#include "program/export/formats/export_file.h"

enum { PLACE_FILE_TEXT = 1024 };

/** Its name; empty for formats that need none, for pictures whose first row is the southern one, and for pictures under
 * a name with another ending than the format's. */
void place_file_name(const char *path, const export_file *file, char name[1040]);

/** Its text. Returns the part that marks one that may be replaced by it: of a header that it is terrane's, of a world
 * file all. */
const char *place_file_text(const export_file *file, char text[PLACE_FILE_TEXT]);

#endif
