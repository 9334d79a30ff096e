/* place_file.h - the file that tells GDAL and QGIS where an exported file lies, for formats without georeference: the
 * ENVI header FILE.hdr for raw files, the world file NAME.pgw for NAME.png. */
#ifndef TERRANE_PROGRAM_EXPORT_SIDECAR_PLACE_FILE_H
#define TERRANE_PROGRAM_EXPORT_SIDECAR_PLACE_FILE_H

#include "program/export/formats/export_file.h"

enum { PLACE_FILE_TEXT = 1024 };

/** Make the name of this file. The name is empty if there is no such file: for formats that need none, for pictures
 * whose first row is the southern one, and for pictures whose name has not the format's ending. */
void place_file_name(const char *path, const export_file *file, char name[1040]);

/** Make the text of this file. Returns the mark of an existing file that the new one may replace: a header that terrane
 * wrote, or a world file with the same text. */
const char *place_file_text(const export_file *file, char text[PLACE_FILE_TEXT]);

#endif
