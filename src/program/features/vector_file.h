/* vector_file.h - a file of vector features, written by OGR under a temporary name until it is complete. */
#ifndef TERRANE_PROGRAM_FEATURES_VECTOR_FILE_H
#define TERRANE_PROGRAM_FEATURES_VECTOR_FILE_H

#include "program/file/output_file.h"

/** Formats. */
typedef enum vector_format { VECTOR_GPKG, VECTOR_GEOJSON, VECTOR_GEOJSONSEQ, VECTOR_FGB, VECTOR_FORMATS } vector_format;

/** Names of the formats as the command line spells them; NULL-terminated. */
extern const char *const vector_format_names[VECTOR_FORMATS + 1];

/** The format of a file by the ending of its name; VECTOR_FORMATS: none. */
vector_format vector_format_of_name(const char *path);

/** Type of a field. */
typedef enum vector_type { VECTOR_ID, VECTOR_INTEGER, VECTOR_REAL, VECTOR_TEXT } vector_type;

typedef struct vector_field {
    const char *name;
    vector_type type;
} vector_field;

/** Shape of the features of a layer. */
typedef enum vector_shape { VECTOR_LINE, VECTOR_POLYGONS, VECTOR_POINT } vector_shape;

/** A closed ring of a polygon: its last point is its first one. */
typedef struct vector_ring {
    double *points; /* 3 numbers each: x, y, altitude */
    size_t count;
    bool is_hole; /* it is a hole in the last ring before it that is not a hole */
} vector_ring;

/** Value of a field. */
typedef struct vector_value {
    bool is_set; /* false: null */
    int64_t integer;
    double real;
    const char *text;
} vector_value;

/** A map of square tiles that vectors are cut into, in the coordinates of the features. */
typedef struct vector_tiles {
    double west, north; /* of the map */
    double side;        /* of the map, which is one tile at zoom 0 */
    int zooms[2];       /* least and greatest */
} vector_tiles;

typedef struct vector_file vector_file;

/** Check that this build and its GDAL can write a format. Errors RESULT_USAGE */
result vector_format_check(vector_format format);

/** Open a file.
 *
 *  epsg    of the coordinates; 0: none
 *  Errors  RESULT_FILE
 */
result vector_file_open(const char *path, vector_format format, int epsg, bool replace, vector_file **out);

/** The name that the file gets when it is complete. */
const char *vector_file_path(const vector_file *file);

/** Whether files of a format can have several layers. */
bool vector_format_has_layers(vector_format format);

/** Check that this build and its GDAL can write vector tiles. Errors RESULT_USAGE */
result vector_tiles_check(void);

/** Open a folder of Mapbox vector tiles, FOLDER/Z/X/Y.pbf, which must not exist yet. Its tiles are written by
 * vector_file_commit. Errors as vector_tiles_check; RESULT_FILE */
result vector_file_open_tiles(const char *folder, const vector_tiles *tiles, vector_file **out);

/** Remove a folder and everything in it, if it exists. Errors RESULT_FILE */
result vector_folder_remove(const char *folder);

/** Begin the next layer of a file. fields: must stay valid. */
result vector_file_layer(vector_file *file, const char *name, vector_shape shape, const vector_field *fields,
                         int n_fields);

/** Add a line to a layer of lines, or a point to a layer of points.
 *
 *  points  3 numbers each: x, y, altitude
 *  values  one for each field
 */
result vector_file_add(vector_file *file, const double *points, size_t n_points, const vector_value *values);

/** Add polygons as one feature. */
result vector_file_add_polygons(vector_file *file, const vector_ring *rings, size_t n_rings,
                                const vector_value *values);

/* Values. */
static inline vector_value vector_id(bool is_set, int64_t id)
{
    return (vector_value){.is_set = is_set, .integer = id};
}

static inline vector_value vector_integer(int64_t number)
{
    return (vector_value){.is_set = true, .integer = number};
}

static inline vector_value vector_real(double number)
{
    return (vector_value){.is_set = true, .real = number};
}

static inline vector_value vector_real_or_null(bool is_set, double number)
{
    return (vector_value){.is_set = is_set, .real = number};
}

static inline vector_value vector_text(const char *words)
{
    return (vector_value){.is_set = true, .text = words};
}

/** Complete the file, and give it its name. The file is freed in any case. */
result vector_file_commit(vector_file *file);

/** Remove an incomplete file, and free it. NULL is allowed. */
void vector_file_discard(vector_file *file);

#endif
