/* trace.c - gives samples to GDAL's contour and polygonise algorithms, whose layers are kept in memory. */
#include "program/features/trace.h"

#ifdef TER_HAVE_GDAL

#include <cpl_conv.h>
#include <cpl_string.h>
#include <gdal.h>
#include <gdal_alg.h>
#include <ogr_api.h>
#include <stdlib.h>

/** A raster, and a layer that gets its lines or outlines. */
typedef struct tracing {
    GDALDatasetH raster, vectors;
    GDALRasterBandH band;
    OGRLayerH layer;
} tracing;

static result failure(const char *what)
{
    return result_of(RESULT_FAILED, "%s: GDAL says: %.300s", what, CPLGetLastErrorMsg());
}

static void tracing_close(tracing *t)
{
    if (t->raster)
        GDALClose(t->raster);
    if (t->vectors)
        GDALClose(t->vectors);
}

/** Open the caller's samples as a raster, and a layer with two fields of numbers. */
static result tracing_open(tracing *t, trace_raster raster, const void *samples, GDALDataType type,
                           OGRwkbGeometryType shape)
{
    char name[256], at[64];
    GDALAllRegister();
    at[CPLPrintPointer(at, (void *)samples, sizeof at - 1)] = 0;
    snprintf(name, sizeof name, "MEM:::DATAPOINTER=%s,PIXELS=%d,LINES=%d,DATATYPE=%s", at, raster.width, raster.height,
             GDALGetDataTypeName(type));
    t->raster = GDALOpen(name, GA_ReadOnly);
    t->vectors = GDALCreate(GDALGetDriverByName("Memory"), "", 0, 0, 0, GDT_Unknown, NULL);
    if (!t->raster || !t->vectors)
        return failure("cannot open samples");
    double places[6] = {-0.5, 1.0, 0.0, -0.5, 0.0, 1.0};
    GDALSetGeoTransform(t->raster, places);
    t->band = GDALGetRasterBand(t->raster, 1);
    t->layer = GDALDatasetCreateLayer(t->vectors, "traced", NULL, shape, NULL);
    for (int n = 0; n < 2 && t->layer; n++) {
        OGRFieldDefnH field = OGR_Fld_Create(n == 0 ? "first" : "second", OFTReal);
        OGR_L_CreateField(t->layer, field, 1);
        OGR_Fld_Destroy(field);
    }
    return t->layer ? result_done() : failure("cannot make a layer");
}

/* ---- geometries ---- */

/** Points of a line or a ring; free them. NULL when there is no memory. */
static double *points_of(OGRGeometryH line, size_t *count)
{
    *count = (size_t)OGR_G_GetPointCount(line);
    double *points = malloc(3 * (*count + 1) * sizeof *points);
    if (points)
        OGR_G_GetPoints(line, points, 3 * sizeof *points, points + 1, 3 * sizeof *points, points + 2,
                        3 * sizeof *points);
    return points;
}

static void free_rings(vector_ring *rings, size_t count)
{
    for (size_t n = 0; n < count; n++)
        free(rings[n].points);
    free(rings);
}

static result visit_polygon(OGRGeometryH polygon, int64_t value, trace_polygon visit, void *user)
{
    const size_t count = (size_t)OGR_G_GetGeometryCount(polygon);
    vector_ring *rings = calloc(count + 1, sizeof *rings);
    bool is_read = rings != NULL;
    for (size_t n = 0; n < count && is_read; n++) {
        rings[n].is_hole = n > 0;
        rings[n].points = points_of(OGR_G_GetGeometryRef(polygon, (int)n), &rings[n].count);
        is_read = rings[n].points != NULL;
    }
    const result res = !is_read    ? result_of(RESULT_FAILED, "out of memory")
                       : count > 0 ? visit(user, value, rings, count)
                                   : result_done();
    if (rings)
        free_rings(rings, count);
    return res;
}

/** Visit the parts of a polygon or of several ones. */
static result visit_polygons(OGRGeometryH geometry, int64_t value, trace_polygon visit, void *user)
{
    if (OGR_GT_Flatten(OGR_G_GetGeometryType(geometry)) == wkbPolygon)
        return visit_polygon(geometry, value, visit, user);
    result res = result_done();
    for (int n = 0; n < OGR_G_GetGeometryCount(geometry) && res.kind == RESULT_DONE; n++)
        res = visit_polygon(OGR_G_GetGeometryRef(geometry, n), value, visit, user);
    return res;
}

/* ---- features of the layer ---- */

/** What gets the lines or the polygons. */
typedef struct trace_visit {
    trace_line line;
    trace_polygon polygon;
    void *user;
    int field;     /* of the numbers of polygons */
    double low;    /* polygons whose number is not greater are left out */
    bool is_value; /* the visitor of polygons gets the number; otherwise 0 */
} trace_visit;

static result visit_line(const trace_visit *v, OGRFeatureH f)
{
    size_t count;
    const double level = OGR_F_GetFieldAsDouble(f, 1);
    double *points = points_of(OGR_F_GetGeometryRef(f), &count);
    for (size_t n = 0; points && n < count; n++)
        points[3 * n + 2] = level;
    const result res = points ? v->line(v->user, level, points, count) : result_of(RESULT_FAILED, "out of memory");
    free(points);
    return res;
}

static result visit_region(const trace_visit *v, OGRFeatureH f)
{
    const double value = OGR_F_GetFieldAsDouble(f, v->field);
    if (!(value > v->low))
        return result_done();
    return visit_polygons(OGR_F_GetGeometryRef(f), v->is_value ? (int64_t)value : 0, v->polygon, v->user);
}

/** Visit the features of the layer, and close the tracing. made: the result of making the layer */
static result tracing_finish(tracing *t, result made, const trace_visit *v)
{
    OGRFeatureH f;
    result res = made;
    if (res.kind == RESULT_DONE)
        OGR_L_ResetReading(t->layer);
    while (res.kind == RESULT_DONE && (f = OGR_L_GetNextFeature(t->layer))) {
        res = v->line ? visit_line(v, f) : visit_region(v, f);
        OGR_F_Destroy(f);
    }
    tracing_close(t);
    return res;
}

/* ---- tracing ---- */

/** Add a number to a list of GDAL's options. */
static char **add_number(char **options, const char *name, double value)
{
    return CSLSetNameValue(options, name, CPLSPrintf("%.17g", value));
}

/** Make contour lines, or polygons between levels. options: are freed */
static result make_contours(const tracing *t, char **options, const char *what)
{
    const CPLErr error = GDALContourGenerateEx(t->band, t->layer, options, NULL, NULL);
    CSLDestroy(options);
    return error == CE_None ? result_done() : failure(what);
}

result trace_contours(trace_raster raster, const float *samples, double interval, trace_line visit, void *user)
{
    const trace_visit v = {.line = visit, .user = user};
    tracing t = {0};
    result res = tracing_open(&t, raster, samples, GDT_Float32, wkbLineString);
    if (res.kind == RESULT_DONE) {
        char **options = add_number(NULL, "LEVEL_INTERVAL", interval);
        options = CSLAddString(CSLAddString(options, "ID_FIELD=0"), "ELEV_FIELD=1");
        res = make_contours(&t, options, "contours");
    }
    return tracing_finish(&t, res, &v);
}

result trace_above(trace_raster raster, const float *samples, double level, trace_polygon visit, void *user)
{
    /* GDAL 3.6 gives the lower polygons a wrong least height, but the right greatest height, which is field 1 */
    const trace_visit v = {.polygon = visit, .user = user, .field = 1, .low = level};
    tracing t = {0};
    result res = tracing_open(&t, raster, samples, GDT_Float32, wkbMultiPolygon);
    if (res.kind == RESULT_DONE) {
        char **options = add_number(NULL, "FIXED_LEVELS", level);
        options = CSLAddString(CSLAddString(options, "ELEV_FIELD_MIN=0"), "ELEV_FIELD_MAX=1");
        res = make_contours(&t, CSLAddString(options, "POLYGONIZE=YES"), "outlines");
    }
    return tracing_finish(&t, res, &v);
}

result trace_regions(trace_raster raster, const int32_t *numbers, trace_polygon visit, void *user)
{
    const trace_visit v = {.polygon = visit, .user = user, .is_value = true};
    tracing t = {0};
    result res = tracing_open(&t, raster, numbers, GDT_Int32, wkbPolygon);
    if (res.kind == RESULT_DONE && GDALPolygonize(t.band, NULL, t.layer, 0, NULL, NULL, NULL) != CE_None)
        res = failure("regions");
    return tracing_finish(&t, res, &v);
}

#else

static result no_gdal(void)
{
    return result_of(RESULT_USAGE, "this build traces no lines (GDAL was missing: libgdal-dev)");
}

result trace_contours(trace_raster raster, const float *samples, double interval, trace_line visit, void *user)
{
    (void)raster, (void)samples, (void)interval, (void)visit, (void)user;
    return no_gdal();
}

result trace_above(trace_raster raster, const float *samples, double level, trace_polygon visit, void *user)
{
    (void)raster, (void)samples, (void)level, (void)visit, (void)user;
    return no_gdal();
}

result trace_regions(trace_raster raster, const int32_t *numbers, trace_polygon visit, void *user)
{
    (void)raster, (void)numbers, (void)visit, (void)user;
    return no_gdal();
}

#endif
