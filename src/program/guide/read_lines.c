/* read_lines.c - reads lines of any format by OGR. */
#include "program/guide/guide_readers.h"

#ifdef TER_HAVE_GDAL

#include <cpl_conv.h>
#include <gdal.h>
#include <math.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>
#include <string.h>

/** Silence the messages of GDAL. */
static void be_quiet(CPLErr class, CPLErrorNum number, const char *message)
{
    (void)class, (void)number, (void)message;
}

/** A layer that is read. */
typedef struct line_layer {
    const char *path;
    OGRLayerH layer;
    OGRCoordinateTransformationH transformation; /* to the guide's coordinate system; NULL: none */
    int width;                                   /* index of the attribute; -1: there is none */
    guide_lines *out;
} line_layer;

static result add_line(const line_layer *l, OGRGeometryH line, double width)
{
    const int count = OGR_G_GetPointCount(line);
    if (count < 2)
        return result_done();
    double *places = guide_lines_add(l->out, count, width);
    if (!places)
        return result_of(RESULT_FAILED, "no memory for '%s'", l->path);
    for (int n = 0; n < count; n++) {
        double x = OGR_G_GetX(line, n), y = OGR_G_GetY(line, n);
        if (l->transformation && !OCTTransform(l->transformation, 1, &x, &y, NULL))
            return result_of(RESULT_FILE, "a place of '%s' has no coordinates in the guide's system: %.17g,%.17g",
                             l->path, OGR_G_GetX(line, n), OGR_G_GetY(line, n));
        places[2 * n] = x;
        places[2 * n + 1] = y;
    }
    return result_done();
}

/** Add the lines of a geometry. Points and areas are left out. */
static result add_geometry(const line_layer *l, OGRGeometryH geometry, double width)
{
    const OGRwkbGeometryType type = geometry ? wkbFlatten(OGR_G_GetGeometryType(geometry)) : wkbUnknown;
    result res = result_done();
    if (type == wkbLineString)
        return add_line(l, geometry, width);
    if (type != wkbMultiLineString && type != wkbGeometryCollection)
        return res;
    for (int n = 0; n < OGR_G_GetGeometryCount(geometry) && res.kind == RESULT_DONE; n++)
        res = add_geometry(l, OGR_G_GetGeometryRef(geometry, n), width);
    return res;
}

static result read_features(const line_layer *l)
{
    result res = result_done();
    OGRFeatureH feature;
    OGR_L_ResetReading(l->layer);
    while (res.kind == RESULT_DONE && (feature = OGR_L_GetNextFeature(l->layer)) != NULL) {
        const bool has_width = l->width >= 0 && OGR_F_IsFieldSetAndNotNull(feature, l->width);
        const double width = has_width ? OGR_F_GetFieldAsDouble(feature, l->width) : 0.0;
        res = add_geometry(l, OGR_F_GetGeometryRef(feature), width);
        OGR_F_Destroy(feature);
    }
    return res;
}

/** Whether the numbers of a layer are too large for degrees. OGR takes all GeoJSON for degrees; larger numbers are
 * coordinates of the guide. */
static bool is_beyond_degrees(OGRLayerH layer)
{
    OGREnvelope box;
    return OGR_L_GetExtent(layer, &box, 1) == OGRERR_NONE &&
           (box.MinX < -180.0 || box.MaxX > 180.0 || box.MinY < -90.0 || box.MaxY > 90.0);
}

/** Set the transformation of a layer to a coordinate system of the EPSG. */
static result find_transformation(line_layer *l, OGRSpatialReferenceH from, int epsg)
{
    OGRSpatialReferenceH to = OSRNewSpatialReference(NULL);
    if (OSRImportFromEPSG(to, epsg) == OGRERR_NONE) {
        OSRSetAxisMappingStrategy(to, OAMS_TRADITIONAL_GIS_ORDER);
        OSRSetAxisMappingStrategy(from, OAMS_TRADITIONAL_GIS_ORDER);
        l->transformation = OSRIsSame(from, to) ? NULL : OCTNewCoordinateTransformation(from, to);
        if (l->transformation || OSRIsSame(from, to)) {
            OSRDestroySpatialReference(to);
            return result_done();
        }
    }
    OSRDestroySpatialReference(to);
    return result_of(RESULT_FILE, "'%s' cannot be brought to EPSG:%d, the system of the guide: %.300s", l->path, epsg,
                     CPLGetLastErrorMsg());
}

static result read_layer(const char *path, OGRLayerH layer, const guide_crs *crs, guide_lines *out)
{
    line_layer l = {path, layer, NULL, OGR_FD_GetFieldIndex(OGR_L_GetLayerDefn(layer), "width"), out};
    OGRSpatialReferenceH from = OGR_L_GetSpatialRef(layer);
    result res = result_done();
    if (OGR_L_GetFeatureCount(layer, 1) == 0)
        return res;
    if (from && OSRIsGeographic(from) && is_beyond_degrees(layer))
        from = NULL;
    if (from && crs->epsg > 0)
        res = find_transformation(&l, from, crs->epsg);
    else if (from && OSRIsGeographic(from))
        res =
            result_of(RESULT_FILE,
                      "'%s' has coordinates in degrees, and the guide has no coordinate system; expected metres", path);
    if (res.kind == RESULT_DONE)
        res = read_features(&l);
    if (l.transformation)
        OCTDestroyCoordinateTransformation(l.transformation);
    return res;
}

result guide_read_lines(const char *path, const guide_crs *crs, guide_lines *out)
{
    result res = result_done();
    CPLPushErrorHandler(be_quiet);
    GDALAllRegister();
    GDALDatasetH set = GDALOpenEx(path, GDAL_OF_VECTOR | GDAL_OF_READONLY, NULL, NULL, NULL);
    if (!set)
        res = result_of(RESULT_FILE, "cannot read lines of '%s': %.300s", path, CPLGetLastErrorMsg());
    for (int n = 0; set && n < GDALDatasetGetLayerCount(set) && res.kind == RESULT_DONE; n++)
        res = read_layer(path, GDALDatasetGetLayer(set, n), crs, out);
    if (set)
        GDALClose(set);
    CPLPopErrorHandler();
    return res;
}

#else

result guide_read_lines(const char *path, const guide_crs *crs, guide_lines *out)
{
    (void)crs, (void)out;
    return result_of(RESULT_FILE, "cannot read lines of '%s': this build has no GDAL (libgdal-dev was missing)", path);
}

#endif
