/* georeference.h - checks what a georeferenced file says about its raster, and applies it to the numbers. The rules are
 * the same whether GDAL or rasterio has read the file. */
#ifndef TERRANE_PROGRAM_GUIDE_GEOREFERENCE_H
#define TERRANE_PROGRAM_GUIDE_GEOREFERENCE_H

#include "program/guide/guide_raster.h"

typedef struct georeference {
    bool has_transform;
    /* the corner of the raster and the way along rows and columns, in units of the coordinate system. Source: GDAL,
     * GDALDataset::GetGeoTransform */
    double transform[6];
    bool is_in_degrees;
    double metres; /* of a unit of the coordinate system */
    int epsg;      /* of a projected coordinate system; 0: none, or it has no number */
    bool has_no_data;
    double no_data;
    int bits;      /* 8 or 16: numbers are unsigned integers of so many bits; 0: another type */
    bool is_image; /* whether it is a format of pictures, in which integers of 16 bits are not metres */
} georeference;

/** Check that pixels are squares in metres with rows to the east, and set spacing and coordinate system of a raster.
 * Errors RESULT_FILE */
result georeference_check(const char *path, const georeference *g, guide_raster *out);

/** Replace the no-data value, turn a raster whose first row is the southern one, and say what its numbers are. */
void georeference_apply(const georeference *g, guide_raster *raster);

#endif
