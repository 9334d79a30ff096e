/* place_file.h - the files that tell GDAL and QGIS where an exported file lies, for formats that cannot contain this
 * place themselves. The first one has the place: the ENVI header FILE.hdr of raw files, or the georeference file
 * NAME.pgw of NAME.png. GIS programs call NAME.pgw a world file; it is not a world file of terrane. The second one has
 * the coordinate system, if there is one and the first file has no room for it: FILE.aux.xml of pictures, NAME.prj of
 * Arc ASCII grids. */
#ifndef TERRANE_PROGRAM_EXPORT_SIDECAR_PLACE_FILE_H
#define TERRANE_PROGRAM_EXPORT_SIDECAR_PLACE_FILE_H

#include "program/export/formats/coordinate_system.h"
#include "program/export/formats/export_file.h"

enum {
    PLACE_FILES = 2, /* files that an exported file can have */
    PLACE_FILE_TEXT = COORDINATE_SYSTEM_TEXT + 1024
};

/** Make the name of the n-th file that belongs to the exported file `path`. The name is empty if there is no such file:
 * for formats that need none, for pictures whose first row is the southern one, and for pictures whose name does not
 * have the format's ending. */
void place_file_name(const char *path, const export_file *file, int n, char name[1040]);

/** Make the text of the n-th file. Returns the text that an existing file must contain if the new one may replace it:
 * the beginning of a header that terrane wrote, or the whole text of the new file. */
const char *place_file_text(const export_file *file, int n, char text[PLACE_FILE_TEXT]);

#endif
