/* place_file.h - the file that tells GDAL and QGIS where an exported file lies, for formats that cannot contain this
 * place themselves. It is the ENVI header FILE.hdr for raw files, and the georeference file NAME.pgw for NAME.png. GIS
 * programs call the latter a world file; it is no world file of terrane. */
#ifndef TERRANE_PROGRAM_EXPORT_SIDECAR_PLACE_FILE_H
#define TERRANE_PROGRAM_EXPORT_SIDECAR_PLACE_FILE_H

#include "program/export/formats/export_file.h"

enum { PLACE_FILE_TEXT = 1024 };

/** Make the name of the file that belongs to the exported file `path`. The name is empty if there is no such file: for
 * formats that need none, for pictures whose first row is the southern one, and for pictures whose name does not have
 * the format's ending. */
void place_file_name(const char *path, const export_file *file, char name[1040]);

/** Make the text of the file. Returns the text that an existing file must contain if the new one may replace it: the
 * beginning of a header that terrane wrote, or the whole text of the new georeference file. */
const char *place_file_text(const export_file *file, char text[PLACE_FILE_TEXT]);

#endif
