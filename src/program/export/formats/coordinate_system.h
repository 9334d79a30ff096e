/* coordinate_system.h - looks up coordinate systems of the Earth by their EPSG numbers, with GDAL and PROJ. */
#ifndef TERRANE_PROGRAM_EXPORT_FORMATS_COORDINATE_SYSTEM_H
#define TERRANE_PROGRAM_EXPORT_FORMATS_COORDINATE_SYSTEM_H

#include "program/core/result.h"

enum { COORDINATE_SYSTEM_TEXT = 4096 };

/** Find a projected coordinate system whose axes point to the east and to the north.
 *
 *  text    as --crs takes it: "EPSG:25832"
 *  epsg    receives the EPSG number of the system
 *  metres  receives the length of the system's unit, m
 *  Errors  RESULT_USAGE the system is unknown, is not projected, has other axes, or this build has no GDAL
 */
result coordinate_system_find(const char *text, int *epsg, double *metres);

/** Describe a system as text, in the well-known text of ESRI (WKT 1), which a .prj file has. Empty if the system is not
 * known, or if this build has no GDAL. Returns `text`. */
const char *coordinate_system_describe(int epsg, char text[COORDINATE_SYSTEM_TEXT]);

#endif
