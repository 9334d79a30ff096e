/* beside.h - reads the rasters that a guide has beside its heights, and resamples them to its pixels. */
#ifndef TERRANE_PROGRAM_GUIDE_BESIDE_H
#define TERRANE_PROGRAM_GUIDE_BESIDE_H

#include "program/guide/guide_raster.h"
#include "terrane/terrane.h"

/** Read a raster beside the heights of a guide.
 *
 *  The raster may differ from the guide in number and spacing of pixels. If both files have a place, the raster
 *  lies there: .r32 files with sidecars in the world, georeferenced files in their coordinate system. Otherwise both
 *  rasters are taken to cover the same area. Values are interpolated linearly between pixels. Numbers of a picture
 * become 0 to 1, or 0 to 2 for a relief; those of temperature and precipitation are not scaled.
 *
 *  options  how options of a guide begin in errors, as in guide_hooks
 *  guide    the heights
 *  out      receives cols * rows values at the guide's pixels, NaN outside the raster; free it with free(), also on
 *           error
 *  Errors   RESULT_FILE the file cannot be read; RESULT_USAGE the raster has no value within the guide, or is in
 *           another coordinate system; RESULT_FAILED no memory
 */
result guide_raster_beside(ter_guide_raster raster, const char *path, const char *options, const guide_raster *guide,
                           float **out);

/** The same for a raster that is in memory. The raster does not change. */
result guide_raster_brought(ter_guide_raster raster, const guide_raster *given, const char *options,
                            const guide_raster *guide, float **out);

#endif
