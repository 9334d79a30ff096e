/* vector_file.c - the formats of vector features, and their files by OGR. */
#include "program/features/vector_file.h"

#include <stdlib.h>
#include <string.h>

#include "program/core/system.h"
#include "program/file/commit.h"

const char *const vector_format_names[VECTOR_FORMATS + 1] = {"gpkg", "geojson", "geojsonseq", "fgb", NULL};

vector_format vector_format_of_name(const char *path)
{
    const char *dot = path ? strrchr(path, '.') : NULL;
    if (dot && (strcmp(dot, ".geojsonl") == 0 || strcmp(dot, ".geojsons") == 0))
        return VECTOR_GEOJSONSEQ;
    for (int n = 0; dot && n < VECTOR_FORMATS; n++)
        if (strcmp(dot + 1, vector_format_names[n]) == 0)
            return (vector_format)n;
    return VECTOR_FORMATS;
}

bool vector_format_has_layers(vector_format format)
{
    return format == VECTOR_GPKG;
}

#ifdef TER_HAVE_GDAL

#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>

static const OGRwkbGeometryType types[] = {
    [VECTOR_LINE] = wkbLineString25D, [VECTOR_POLYGONS] = wkbMultiPolygon25D, [VECTOR_POINT] = wkbPoint25D};
static const char *const drivers[VECTOR_FORMATS] = {"GPKG", "GeoJSON", "GeoJSONSeq", "FlatGeobuf"};

struct vector_file {
    output_file file;
    bool is_folder; /* whether it is a folder of tiles, of which `file` has only the path */
    bool has_features;
    GDALDatasetH set;
    OGRLayerH layer;
    OGRSpatialReferenceH crs; /* NULL: none */
    vector_shape shape;
    const vector_field *fields;
    int n_fields;
};

/** Silence GDAL's own messages. The last one is read with CPLGetLastErrorMsg. */
static void be_quiet(CPLErr class, CPLErrorNum number, const char *message)
{
    (void)class, (void)number, (void)message;
}

static result failure(const vector_file *file)
{
    return result_of(RESULT_FILE, "cannot write '%s': %.300s", file->file.path, CPLGetLastErrorMsg());
}

result vector_format_check(vector_format format)
{
    GDALAllRegister();
    GDALDriverH driver = GDALGetDriverByName(drivers[format]);
    if (driver && GDALGetMetadataItem(driver, GDAL_DCAP_CREATE, NULL))
        return result_done();
    return result_of(RESULT_USAGE, "format %s: this GDAL has no driver %s that writes", vector_format_names[format],
                     drivers[format]);
}

/** Set the coordinate system: that of an EPSG number, or a plane of metres that lies nowhere on the Earth, for the
 * formats that can hold it. Returns false if EPSG does not know the number. */
static bool set_crs(vector_file *f, vector_format format, int epsg)
{
    if (epsg == 0 && format != VECTOR_GPKG && format != VECTOR_FGB)
        return true;
    f->crs = OSRNewSpatialReference(epsg > 0 ? NULL : "LOCAL_CS[\"a world of Terrane\",UNIT[\"metre\",1]]");
    if (epsg > 0 && OSRImportFromEPSG(f->crs, epsg) != OGRERR_NONE)
        return false;
    OSRSetAxisMappingStrategy(f->crs, OAMS_TRADITIONAL_GIS_ORDER);
    return true;
}

/** Create the data set in place of the temporary file: GDAL writes only files that do not exist. */
static result create(vector_file *f, vector_format format, int epsg)
{
    if (!system_remove(f->file.temporary))
        return result_of_file("write", f->file.path);
    f->set = GDALCreate(GDALGetDriverByName(drivers[format]), f->file.temporary, 0, 0, 0, GDT_Unknown, NULL);
    if (!f->set)
        return failure(f);
    if (!set_crs(f, format, epsg))
        return failure(f);
    if (GDALDatasetTestCapability(f->set, ODsCTransactions) && GDALDatasetStartTransaction(f->set, 0) != OGRERR_NONE)
        return failure(f);
    return result_done();
}

result vector_file_open(const char *path, vector_format format, int epsg, bool replace, vector_file **out)
{
    vector_file *f = calloc(1, sizeof *f);
    if (!f)
        return result_of(RESULT_FAILED, "out of memory");
    result res = output_file_open_for_program(&f->file, path, replace);
    if (res.kind != RESULT_DONE) {
        free(f);
        return res;
    }
    CPLSetThreadLocalConfigOption("OGR_SQLITE_JOURNAL", "MEMORY"); /* no second file beside the temporary one */
    CPLPushErrorHandler(be_quiet);
    res = create(f, format, epsg);
    CPLPopErrorHandler();
    if (res.kind == RESULT_DONE)
        *out = f;
    else
        vector_file_discard(f);
    return res;
}

const char *vector_file_path(const vector_file *f)
{
    return f->file.path;
}

result vector_tiles_check(void)
{
    GDALAllRegister();
    GDALDriverH driver = GDALGetDriverByName("MVT");
    if (driver && GDALGetMetadataItem(driver, GDAL_DCAP_CREATE, NULL))
        return result_done();
    return result_of(RESULT_USAGE, "vector tiles: this GDAL has no driver MVT that writes");
}

result vector_file_open_tiles(const char *folder, const vector_tiles *tiles, vector_file **out)
{
    const result checked = vector_tiles_check();
    if (checked.kind != RESULT_DONE)
        return checked;
    vector_file *f = calloc(1, sizeof *f);
    if (!f)
        return result_of(RESULT_FAILED, "out of memory");
    f->is_folder = true;
    snprintf(f->file.path, sizeof f->file.path, "%s", folder);
    char **options = CSLSetNameValue(NULL, "FORMAT", "DIRECTORY");
    options = CSLSetNameValue(options, "COMPRESS", "NO");
    options = CSLSetNameValue(options, "MINZOOM", CPLSPrintf("%d", tiles->zooms[0]));
    options = CSLSetNameValue(options, "MAXZOOM", CPLSPrintf("%d", tiles->zooms[1]));
    options = CSLSetNameValue(options, "TILING_SCHEME",
                              CPLSPrintf("EPSG:3857,%.17g,%.17g,%.17g", tiles->west, tiles->north, tiles->side));
    CPLPushErrorHandler(be_quiet);
    f->set = GDALCreate(GDALGetDriverByName("MVT"), folder, 0, 0, 0, GDT_Unknown, options);
    const bool has_crs = set_crs(f, VECTOR_FGB, 3857); /* the driver takes no plane without a place on the Earth */
    const result res = f->set && has_crs ? result_done() : failure(f);
    CPLPopErrorHandler();
    CSLDestroy(options);
    if (res.kind == RESULT_DONE)
        *out = f;
    else
        vector_file_discard(f);
    return res;
}

result vector_folder_remove(const char *folder)
{
    VSIStatBufL facts;
    if (VSIStatL(folder, &facts) != 0 || VSIRmdirRecursive(folder) == 0)
        return result_done();
    return result_of_file("remove folder", folder);
}

static OGRFieldType type_of(vector_type type)
{
    return type == VECTOR_ID        ? OFTInteger64
           : type == VECTOR_INTEGER ? OFTInteger
           : type == VECTOR_REAL    ? OFTReal
                                    : OFTString;
}

static bool add_fields(vector_file *f)
{
    for (int n = 0; n < f->n_fields; n++) {
        OGRFieldDefnH field = OGR_Fld_Create(f->fields[n].name, type_of(f->fields[n].type));
        const OGRErr error = OGR_L_CreateField(f->layer, field, 1);
        OGR_Fld_Destroy(field);
        if (error != OGRERR_NONE)
            return false;
    }
    return true;
}

result vector_file_layer(vector_file *f, const char *name, vector_shape shape, const vector_field *fields, int n_fields)
{
    CPLPushErrorHandler(be_quiet);
    f->shape = shape;
    f->fields = fields;
    f->n_fields = n_fields;
    f->layer = GDALDatasetCreateLayer(f->set, name, f->crs, types[shape], NULL);
    const result res = f->layer && add_fields(f) ? result_done() : failure(f);
    CPLPopErrorHandler();
    return res;
}

static OGRGeometryH geometry_of(OGRwkbGeometryType type, const double *points, size_t n_points)
{
    OGRGeometryH geometry = OGR_G_CreateGeometry(type);
    for (size_t n = 0; n < n_points; n++)
        OGR_G_AddPoint(geometry, points[3 * n], points[3 * n + 1], points[3 * n + 2]);
    return geometry;
}

static OGRGeometryH polygons_of(const vector_ring *rings, size_t n_rings)
{
    OGRGeometryH all = OGR_G_CreateGeometry(wkbMultiPolygon25D), polygon = NULL;
    for (size_t n = 0; n < n_rings; n++) {
        if (!rings[n].is_hole || !polygon) {
            if (polygon)
                OGR_G_AddGeometryDirectly(all, polygon);
            polygon = OGR_G_CreateGeometry(wkbPolygon25D);
        }
        OGR_G_AddGeometryDirectly(polygon, geometry_of(wkbLinearRing, rings[n].points, rings[n].count));
    }
    if (polygon)
        OGR_G_AddGeometryDirectly(all, polygon);
    return all;
}

static void set_value(OGRFeatureH feature, int n, vector_type type, const vector_value *v)
{
    if (!v->is_set)
        OGR_F_SetFieldNull(feature, n);
    else if (type == VECTOR_TEXT)
        OGR_F_SetFieldString(feature, n, v->text);
    else if (type == VECTOR_REAL)
        OGR_F_SetFieldDouble(feature, n, v->real);
    else
        OGR_F_SetFieldInteger64(feature, n, v->integer);
}

/** Add a feature with a geometry. The feature owns the geometry, also after an error. */
static result add_feature(vector_file *f, OGRGeometryH geometry, const vector_value *values)
{
    CPLPushErrorHandler(be_quiet);
    OGRFeatureH feature = OGR_F_Create(OGR_L_GetLayerDefn(f->layer));
    for (int n = 0; n < f->n_fields; n++)
        set_value(feature, n, f->fields[n].type, &values[n]);
    OGR_F_SetGeometryDirectly(feature, geometry);
    const OGRErr error = OGR_L_CreateFeature(f->layer, feature);
    f->has_features |= error == OGRERR_NONE;
    const result res = error == OGRERR_NONE ? result_done() : failure(f);
    OGR_F_Destroy(feature);
    CPLPopErrorHandler();
    return res;
}

result vector_file_add(vector_file *f, const double *points, size_t n_points, const vector_value *values)
{
    return add_feature(f, geometry_of(types[f->shape], points, n_points), values);
}

result vector_file_add_polygons(vector_file *f, const vector_ring *rings, size_t n_rings, const vector_value *values)
{
    return add_feature(f, polygons_of(rings, n_rings), values);
}

/** Leave a folder of tiles without features as it is. GDAL 3.6 would never end to compute its bounds, so the data set
 * is not closed; only its temporary file is removed. */
static void leave_empty_folder(vector_file *f)
{
    char *file = CPLStrdup(CPLSPrintf("%s.temp.db", f->file.path));
    VSIUnlink(file);
    CPLFree(file);
    f->set = NULL;
}

/** Close the data set. Returns an error if its last bytes could not be written. */
static result close_set(vector_file *f)
{
    result res = result_done();
    if (f->is_folder && !f->has_features && f->set)
        leave_empty_folder(f);
    CPLPushErrorHandler(be_quiet);
    CPLErrorReset();
    if (f->set && GDALDatasetTestCapability(f->set, ODsCTransactions) &&
        GDALDatasetCommitTransaction(f->set) != OGRERR_NONE)
        res = failure(f);
    if (f->set)
        GDALClose(f->set);
    f->set = NULL;
    if (res.kind == RESULT_DONE && CPLGetLastErrorType() >= CE_Failure)
        res = failure(f);
    CPLPopErrorHandler();
    if (f->crs)
        OSRDestroySpatialReference(f->crs);
    f->crs = NULL;
    return res;
}

result vector_file_commit(vector_file *f)
{
    result res = close_set(f);
    if (res.kind == RESULT_DONE && !f->is_folder)
        res = output_file_commit(&f->file);
    else if (!f->is_folder)
        output_file_discard(&f->file);
    free(f);
    return res;
}

void vector_file_discard(vector_file *f)
{
    if (!f)
        return;
    if (f->set && GDALDatasetTestCapability(f->set, ODsCTransactions))
        GDALDatasetRollbackTransaction(f->set);
    close_set(f);
    if (!f->is_folder)
        output_file_discard(&f->file);
    free(f);
}

#else

static result no_gdal(vector_format format)
{
    return result_of(RESULT_USAGE, "format %s: this build writes no vectors (GDAL was missing: libgdal-dev)",
                     vector_format_names[format]);
}

result vector_format_check(vector_format format)
{
    return no_gdal(format);
}

result vector_file_open(const char *path, vector_format format, int epsg, bool replace, vector_file **out)
{
    (void)path, (void)epsg, (void)replace, (void)out;
    return no_gdal(format);
}

const char *vector_file_path(const vector_file *file)
{
    (void)file;
    return "";
}

result vector_tiles_check(void)
{
    return result_of(RESULT_USAGE, "vector tiles: this build writes no vectors (GDAL was missing: libgdal-dev)");
}

result vector_file_open_tiles(const char *folder, const vector_tiles *tiles, vector_file **out)
{
    (void)folder, (void)tiles, (void)out;
    return vector_tiles_check();
}

result vector_folder_remove(const char *folder)
{
    (void)folder;
    return result_done();
}

result vector_file_layer(vector_file *file, const char *name, vector_shape shape, const vector_field *fields,
                         int n_fields)
{
    (void)file, (void)name, (void)shape, (void)fields, (void)n_fields;
    return no_gdal(VECTOR_GPKG);
}

result vector_file_add(vector_file *file, const double *points, size_t n_points, const vector_value *values)
{
    (void)file, (void)points, (void)n_points, (void)values;
    return no_gdal(VECTOR_GPKG);
}

result vector_file_add_polygons(vector_file *file, const vector_ring *rings, size_t n_rings, const vector_value *values)
{
    (void)file, (void)rings, (void)n_rings, (void)values;
    return no_gdal(VECTOR_GPKG);
}

result vector_file_commit(vector_file *file)
{
    (void)file;
    return no_gdal(VECTOR_GPKG);
}

void vector_file_discard(vector_file *file)
{
    (void)file;
}

#endif
