/* read_gdal.c - reads rasters of any format by GDAL. */
#include "program/guide/guide_readers.h"

#ifdef TER_HAVE_GDAL

#include <cpl_conv.h>
#include <gdal.h>
#include <math.h>
#include <ogr_srs_api.h>
#include <string.h>

/** Silence GDAL's own messages. The last one is read with CPLGetLastErrorMsg. */
static void be_quiet(CPLErr class, CPLErrorNum number, const char *message)
{
    (void)class, (void)number, (void)message;
}

/** Refuse coordinates in degrees: a degree has not the same length in all directions. */
static result check_units(const char *path, GDALDatasetH set)
{
    OGRSpatialReferenceH crs = GDALGetSpatialRef(set);
    if (!crs || !OSRIsGeographic(crs))
        return result_done();
    return result_of(RESULT_FILE,
                     "'%s' has coordinates in degrees, expected metres; reproject it: gdalwarp -t_srs EPSG:326ZZ -r "
                     "cubic IN OUT.tif, with ZZ the UTM zone from 01 to 60 (327ZZ in the south)",
                     path);
}

/** Spacing of the pixels in metres. A raster without a place in the world has none. */
static result read_spacing(const char *path, GDALDatasetH set, guide_raster *out)
{
    double t[6];
    if (GDALGetGeoTransform(set, t) != CE_None)
        return result_done();
    OGRSpatialReferenceH crs = GDALGetSpatialRef(set);
    const double metre = crs && OSRIsProjected(crs) ? OSRGetLinearUnits(crs, NULL) : 1.0;
    if (t[2] != 0.0 || t[4] != 0.0 || !(t[1] > 0.0) || !(fabs(fabs(t[5]) - t[1]) <= 0.01 * t[1]))
        return result_of(RESULT_FILE,
                         "pixels of '%s' are turned, or not square (%g x %g), expected squares to the north; resample "
                         "it: gdalwarp -tr M M IN OUT.tif",
                         path, t[1], fabs(t[5]));
    out->spacing = t[1] * metre;
    return result_done();
}

/** Turn a raster whose first row is the southern one. */
static void flip(GDALDatasetH set, guide_raster *out)
{
    double t[6];
    if (GDALGetGeoTransform(set, t) != CE_None || t[5] <= 0.0)
        return;
    for (int y = 0; y < out->rows / 2; y++)
        for (int x = 0; x < out->cols; x++) {
            float *a = out->numbers + (size_t)y * (size_t)out->cols + (size_t)x;
            float *b = out->numbers + (size_t)(out->rows - 1 - y) * (size_t)out->cols + (size_t)x;
            const float other = *a;
            *a = *b;
            *b = other;
        }
}

static result read_band(const char *path, GDALDatasetH set, guide_raster *out)
{
    GDALRasterBandH band = GDALGetRasterBand(set, 1);
    int has_no_data = 0;
    const double no_data = GDALGetRasterNoDataValue(band, &has_no_data);
    const GDALDataType type = GDALGetRasterDataType(band);
    if (GDALRasterIO(band, GF_Read, 0, 0, out->cols, out->rows, out->numbers, out->cols, out->rows, GDT_Float32, 0,
                     0) != CE_None)
        return result_of(RESULT_FILE, "cannot read '%s': %.300s", path, CPLGetLastErrorMsg());
    for (size_t n = 0; n < (size_t)out->cols * (size_t)out->rows && has_no_data; n++)
        if ((double)out->numbers[n] == no_data || out->numbers[n] == (float)no_data)
            out->numbers[n] = NAN;
    const char *driver = GDALGetDriverShortName(GDALGetDatasetDriver(set));
    out->greatest = type == GDT_Byte ? 255.0 : type == GDT_UInt16 ? 65535.0 : 1.0;
    out->is_picture = type == GDT_Byte || (type == GDT_UInt16 && strcmp(driver, "PNG") == 0);
    return result_done();
}

result guide_read_gdal(const char *path, guide_raster *out)
{
    CPLPushErrorHandler(be_quiet);
    GDALAllRegister();
    GDALDatasetH set = GDALOpen(path, GA_ReadOnly);
    result res = set ? check_units(path, set)
                     : result_of(RESULT_FILE, "cannot read '%s' as a raster: %.300s", path, CPLGetLastErrorMsg());
    if (res.kind == RESULT_DONE && GDALGetRasterCount(set) < 1)
        res = result_of(RESULT_FILE, "'%s' has no raster band", path);
    if (res.kind == RESULT_DONE)
        res = read_spacing(path, set, out);
    if (res.kind == RESULT_DONE)
        res = guide_raster_allocate(path, GDALGetRasterXSize(set), GDALGetRasterYSize(set), out);
    if (res.kind == RESULT_DONE)
        res = read_band(path, set, out);
    if (res.kind == RESULT_DONE)
        flip(set, out);
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
