/* read_gdal.c - reads rasters of any format by GDAL. */
#include "program/guide/guide_readers.h"

#ifdef TER_HAVE_GDAL

#include <cpl_conv.h>
#include <gdal.h>
#include <ogr_srs_api.h>
#include <stdlib.h>
#include <string.h>

#include "program/guide/georeference.h"

/** Silence GDAL's own messages. The last one is read with CPLGetLastErrorMsg. */
static void be_quiet(CPLErr class, CPLErrorNum number, const char *message)
{
    (void)class, (void)number, (void)message;
}

/** EPSG's number of a coordinate system; 0: it has none. */
static int number_of(OGRSpatialReferenceH crs)
{
    const char *name = OSRGetAuthorityName(crs, "PROJCS"), *code = OSRGetAuthorityCode(crs, "PROJCS");
    const long number = name && code && strcmp(name, "EPSG") == 0 ? strtol(code, NULL, 10) : 0;
    return number > 0 && number < 32767 ? (int)number : 0; /* GeoTIFF has no room for others */
}

static georeference describe(GDALDatasetH set)
{
    georeference g = {.metres = 1.0};
    GDALRasterBandH band = GDALGetRasterBand(set, 1);
    OGRSpatialReferenceH crs = GDALGetSpatialRef(set);
    const GDALDataType type = GDALGetRasterDataType(band);
    int has_no_data = 0;
    g.has_transform = GDALGetGeoTransform(set, g.transform) == CE_None;
    g.is_in_degrees = crs && OSRIsGeographic(crs);
    if (crs && OSRIsProjected(crs)) {
        g.metres = OSRGetLinearUnits(crs, NULL);
        g.epsg = number_of(crs);
    }
    g.no_data = GDALGetRasterNoDataValue(band, &has_no_data);
    g.has_no_data = has_no_data;
    g.bits = type == GDT_Byte ? 8 : type == GDT_UInt16 ? 16 : 0;
    g.is_image = strcmp(GDALGetDriverShortName(GDALGetDatasetDriver(set)), "PNG") == 0;
    return g;
}

static result read_band(const char *path, GDALDatasetH set, guide_raster *out)
{
    if (GDALRasterIO(GDALGetRasterBand(set, 1), GF_Read, 0, 0, out->cols, out->rows, out->numbers, out->cols, out->rows,
                     GDT_Float32, 0, 0) == CE_None)
        return result_done();
    return result_of(RESULT_FILE, "cannot read '%s': %.300s", path, CPLGetLastErrorMsg());
}

static result read_set(const char *path, GDALDatasetH set, guide_raster *out)
{
    if (GDALGetRasterCount(set) < 1)
        return result_of(RESULT_FILE, "'%s' has no raster band", path);
    const georeference g = describe(set);
    result res = guide_raster_allocate(path, GDALGetRasterXSize(set), GDALGetRasterYSize(set), out);
    if (res.kind == RESULT_DONE)
        res = georeference_check(path, &g, out);
    if (res.kind == RESULT_DONE)
        res = read_band(path, set, out);
    if (res.kind == RESULT_DONE)
        georeference_apply(&g, out);
    return res;
}

result guide_read_gdal(const char *path, guide_raster *out)
{
    CPLPushErrorHandler(be_quiet);
    GDALAllRegister();
    GDALDatasetH set = GDALOpen(path, GA_ReadOnly);
    const result res = set ? read_set(path, set, out)
                           : result_of(RESULT_FILE, "cannot read '%s' as a raster: %.300s", path, CPLGetLastErrorMsg());
    if (set)
        GDALClose(set);
    CPLPopErrorHandler();
    return res;
}

#else

result guide_read_gdal(const char *path, guide_raster *out)
{
    (void)out;
    return result_of(RESULT_FILE,
                     "cannot read '%s': this build reads guides as .npy and .r32 alone (GDAL was missing: libgdal-dev)",
                     path);
}

#endif
