/* vrt.h - joins a set of tiles for GDAL: writes a file of GDAL's virtual format for each layer of numbers. */
#ifndef TERRANE_PROGRAM_EXPORT_MAPS_VRT_H
#define TERRANE_PROGRAM_EXPORT_MAPS_VRT_H

#include "program/export/job/plan.h"

/** Whether GDAL can join the tiles of at least one layer of a plan. It cannot join meshes, pictures, output to pipes,
 * and files whose first row is the southern one. */
bool vrt_is_possible(const export_plan *plan);

/** Whether GDAL can open all tiles as one raster: it counts the samples of a side in an int. */
bool vrt_fits(const export_plan *plan);

/** Check the names of the .vrt files: no pipe, device or folder may have such a name and, unless files may be replaced,
 * no file of another program or set. Errors RESULT_FILE */
result vrt_check(const export_plan *plan);

/** Write the .vrt files, in constant memory; existing files are replaced. Errors RESULT_FILE. Source: GDAL, driver VRT
 */
result vrt_write(const export_plan *plan);

/** Remove the .vrt files of an earlier export of the set for layers that can no longer be joined. Errors RESULT_FILE
 */
result vrt_remove(const export_plan *plan);

#endif
