/* guide_file.h - reads a raster of any format. */
#ifndef TERRANE_PROGRAM_GUIDE_GUIDE_FILE_H
#define TERRANE_PROGRAM_GUIDE_GUIDE_FILE_H

#include "program/guide/guide_raster.h"

/** Read a raster by the ending of its name: .npy, .r32 with a sidecar, anything else by GDAL.
 *
 *  Errors  RESULT_FILE; RESULT_FAILED no memory
 */
result guide_raster_read(const char *path, guide_raster *out);

/** Whether guide_raster_read reads a file by GDAL, which this build may lack. */
bool guide_file_needs_gdal(const char *path);

#endif
