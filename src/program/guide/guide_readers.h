/* guide_readers.h - readers of rasters and lines, one for each format. Numbers of `out` are freed by the caller, also
 * on error. Errors RESULT_FILE; RESULT_FAILED no memory */
#ifndef TERRANE_PROGRAM_GUIDE_GUIDE_READERS_H
#define TERRANE_PROGRAM_GUIDE_GUIDE_READERS_H

#include "program/guide/guide_lines.h"
#include "program/guide/guide_raster.h"

/** Arrays of NumPy. */
result guide_read_npy(const char *path, guide_raster *out);

/** Raw 32-bit floats with a sidecar. */
result guide_read_raw(const char *path, guide_raster *out);

/** Anything that GDAL reads. */
result guide_read_gdal(const char *path, guide_raster *out);

/** Lines from any file that OGR reads, with widths from the attribute `width`. Vertices are east and north, transformed
 * to the guide's coordinate system if it has one, else as in the file. out: lines are appended to it */
result guide_read_lines(const char *path, const guide_crs *crs, guide_lines *out);

#endif
