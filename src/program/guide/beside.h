/* beside.h - reads the rasters beside the heights of a guide, and brings them to its pixels. */
#ifndef TERRANE_PROGRAM_GUIDE_BESIDE_H
#define TERRANE_PROGRAM_GUIDE_BESIDE_H

#include "program/guide/guide_raster.h"
#include "terrane/terrane.h"

/** Read a raster beside the heights of a guide.
 *
 *  The raster may have other pixels than the guide. If both files have a place and a spacing, these count; else both
 *  rasters show the same land. Values between pixels are linear. A picture stands for 0 to 1, or for 0 to 2 if it is a
 *  relief; numbers of a climate count as they are.
 *
 *  options  how options of a guide begin in errors, as in guide_hooks
 *  guide    the heights
 *  out      receives cols * rows values of the guide's pixels, not a number outside of the raster; freed with free()
 *  Errors   RESULT_FILE the file cannot be read; RESULT_USAGE it has no value in the guide; RESULT_FAILED no memory
 */
result guide_raster_beside(ter_guide_raster raster, const char *path, const char *options, const guide_raster *guide,
                           float **out);

/** The same for a raster that is in memory. The raster does not change. */
result guide_raster_brought(ter_guide_raster raster, const guide_raster *given, const char *options,
                            const guide_raster *guide, float **out);

#endif
