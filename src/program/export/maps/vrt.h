/* vrt.h - a set of tiles as one picture: a file of GDAL's virtual format beside it, one for each layer of numbers. */
#ifndef TERRANE_PROGRAM_EXPORT_MAPS_VRT_H
#define TERRANE_PROGRAM_EXPORT_MAPS_VRT_H

#include "program/export/job/plan.h"

/** Whether GDAL can join tiles of a plan: not those of pipes, meshes and pictures, and not those whose first row is the
 * southern one. */
bool vrt_is_possible(const export_plan *plan);

/** Whether GDAL, which counts samples of a side in an int, can open all tiles as one picture. */
bool vrt_fits(const export_plan *plan);

/** Check that no file of another program, or of another set, has its name, unless it may be replaced, and no pipe,
 * device or folder. Errors OUTCOME_FILE */
outcome vrt_check(const export_plan *plan);

/** Write it, in constant memory; one that is there is replaced. Source of the format: GDAL, driver VRT */
outcome vrt_write(const export_plan *plan);

/** Remove those that an older set of the same names had, of layers whose tiles are joined no longer. Errors
 * OUTCOME_FILE */
outcome vrt_remove(const export_plan *plan);

#endif
