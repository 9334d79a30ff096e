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

/** Lines of anything that OGR reads, with widths of the attribute `width`. Vertices are east and north in the guide's
 * coordinate system, or as the file has them. out: lines are appended to it */
result guide_read_lines(const char *path, const guide_crs *crs, guide_lines *out);

#endif
