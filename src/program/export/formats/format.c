/* format.c - the table of formats. */
#include "program/export/formats/format.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "program/file/path_name.h"

#ifdef TER_HAVE_PNG
#define LACKS_PNG false
#else
#define LACKS_PNG true
#endif
#ifdef TER_HAVE_TIFF
#define LACKS_TIFF false
#else
#define LACKS_TIFF true
#endif
#ifdef TER_HAVE_EXR
#define LACKS_EXR false
#else
#define LACKS_EXR true
#endif

/* Limits of readers. GDAL allows fewer than 2^31 bytes for a row of 16-bit samples. libpng allows a million pixels a
 * side, in every program that does not raise this limit. MuJoCo counts the bytes of a height field in an int. Readers
 * of OpenEXR hold whole rows in memory. */
enum {
    RAW_SIDE_MAX = INT32_MAX / 2,
    TIFF_SIDE_MAX = INT32_MAX,
    PNG_SIDE_MAX = 1000000,
    ASC_SIDE_MAX = 1 << 20,
    EXR_SIDE_MAX = 1 << 22,
    MAP_SIDE_MAX = 16384,
    MESH_SIDE_MAX = 4097,
    HFIELD_SAMPLES_MAX = (INT32_MAX - 8) / 4
};

/* Fields that all formats of one kind of file share. */
#define PNG_FILE                                                                                                       \
    .ending = "png", .side_max = PNG_SIDE_MAX, .world_ending = "pgw", .is_missing = LACKS_PNG, .package = "libpng"
#define TIFF_FILE                                                                                                      \
    .ending = "tif", .alternative_ending = "tiff", .side_max = TIFF_SIDE_MAX, .needs_seeking = true,                   \
    .has_place = true, .is_missing = LACKS_TIFF, .package = "libtiff or libgeotiff"
#define MESH_FILE .bits = 32, .side_max = MESH_SIDE_MAX, .is_mesh = true, .apron = 1

const export_format export_formats[EXPORT_FORMATS] = {
    [EXPORT_R32] = {.name = "r32",
                    .ending = "r32",
                    .help = "raw 32-bit floats, metres",
                    .bits = 32,
                    .envi_type = 4,
                    .side_max = RAW_SIDE_MAX,
                    .is_raw = true},
    [EXPORT_R16] = {.name = "r16",
                    .ending = "r16",
                    .help = "raw 16-bit unsigned integers over --range",
                    .bits = 16,
                    .envi_type = 12,
                    .side_max = RAW_SIDE_MAX,
                    .is_raw = true},
    [EXPORT_PNG16] = {.name = "png16",
                      .help = "PNG, 16-bit gray over --range; NAME.pgw beside it gives its place",
                      .bits = 16,
                      PNG_FILE},
    [EXPORT_TIFF] = {.name = "tiff",
                     .help = "GeoTIFF, 32-bit floats, metres; tiled, deflate, BigTIFF from 4 GB; VTK's own reader "
                             "misreads tiled floats",
                     .bits = 32,
                     TIFF_FILE},
    [EXPORT_TIFF16] = {.name = "tiff16",
                       .help = "the same, 16-bit unsigned integers over --range, with scale and offset",
                       .bits = 16,
                       TIFF_FILE},
    [EXPORT_COG] = {.name = "cog",
                    .help = "cloud-optimised GeoTIFF, 32-bit floats, metres; its overviews are the land's own coarser "
                            "levels of detail",
                    .bits = 32,
                    TIFF_FILE},
    [EXPORT_EXR] = {.name = "exr",
                    .ending = "exr",
                    .help = "OpenEXR, 32-bit floats, metres; scan lines, ZIP; Godot before 4 makes half floats of them",
                    .bits = 32,
                    .side_max = EXR_SIDE_MAX,
                    .needs_seeking = true,
                    .is_missing = LACKS_EXR,
                    .package = "OpenEXR"},
    [EXPORT_ASC] = {.name = "asc",
                    .ending = "asc",
                    .help = "Arc ASCII grid: heights in metres as text; large and slow, but every program reads it",
                    .bits = 32,
                    .side_max = ASC_SIDE_MAX,
                    .has_place = true},
    [EXPORT_PGM] = {.name = "pgm",
                    .ending = "pgm",
                    .help = "PGM, 16-bit gray over --range: for pipes",
                    .bits = 16,
                    .side_max = RAW_SIDE_MAX,
                    .is_raw = true},
    [EXPORT_MAP] = {.name = "map",
                    .ending = "png",
                    .help = "a picture, PNG: shaded relief with rivers, lakes and a legend, a pixel for each sample",
                    .bits = 24,
                    .side_max = MAP_SIDE_MAX,
                    .world_ending = "pgw",
                    .package = "libpng or stb"},
    [EXPORT_HFIELD] = {.name = "hfield",
                       .ending = "hfield",
                       .help =
                           "MuJoCo's binary height field: rows, columns, 32-bit floats, metres, the southern row first",
                       .bits = 32,
                       .side_max = INT32_MAX,
                       .samples_max = HFIELD_SAMPLES_MAX,
                       .is_from_south = true,
                       .is_raw = true},
    [EXPORT_GLB] = {.name = "glb",
                    .ending = "glb",
                    .help = "glTF 2.0 in one file, a mesh in metres, y up; --texture: with the map's colours",
                    MESH_FILE},
    [EXPORT_STL] = {.name = "stl",
                    .ending = "stl",
                    .help = "binary STL, a mesh in metres, z up; --solid: a solid for printing",
                    MESH_FILE},
    [EXPORT_OBJ] = {.name = "obj", .ending = "obj", .help = "Wavefront OBJ, a mesh in metres, y up", MESH_FILE},
    [EXPORT_RGB8] = {.name = "rgb8", .help = "PNG, red, green and blue of 8 bits", .bits = 8, .channels = 3, PNG_FILE},
    [EXPORT_RGB16] =
        {.name = "rgb16", .help = "PNG, red, green and blue of 16 bits", .bits = 16, .channels = 3, PNG_FILE},
    [EXPORT_RGBA8] =
        {.name = "rgba8", .help = "PNG, red, green, blue and alpha of 8 bits", .bits = 8, .channels = 4, PNG_FILE},
    [EXPORT_GRAY8] = {.name = "gray8", .help = "PNG, gray of 8 bits", .bits = 8, .channels = 1, PNG_FILE},
};

const char *const export_format_names[EXPORT_FORMATS_NAMED + 1] = {
    "r32", "r16", "png16", "tiff", "tiff16", "cog", "exr", "asc", "pgm", "map", "hfield", "glb", "stl", "obj", NULL};

size_t export_format_sample_bytes(const export_format *format)
{
    return (size_t)format->bits / 8 * (size_t)(format->channels ? format->channels : 1);
}

bool export_format_is_scaled(const export_format *format)
{
    return format->bits == 16 && format->channels == 0;
}

bool export_format_fits_layer(const export_format *format, export_layer_id id)
{
    const bool is_of_heights =
        format->is_mesh || format == &export_formats[EXPORT_MAP] || format == &export_formats[EXPORT_HFIELD];
    return format->channels == export_layers[id].channels && (!is_of_heights || id == EXPORT_HEIGHT);
}

static const char *ending_of(const char *path)
{
    const char *dot = path_dot(path);
    return *dot ? dot + 1 : dot;
}

static bool has_ending(const export_format *format, const char *ending)
{
    return strcasecmp(format->ending, ending) == 0 ||
           (format->alternative_ending && strcasecmp(format->alternative_ending, ending) == 0);
}

const export_format *export_format_named(const char *name)
{
    for (int id = 0; id < EXPORT_FORMATS; id++)
        if (strcmp(export_formats[id].name, name) == 0)
            return &export_formats[id];
    return NULL;
}

export_format_id export_format_of_name(const char *path)
{
    for (int id = 0; id < EXPORT_FORMATS; id++)
        if (has_ending(&export_formats[id], ending_of(path)))
            return (export_format_id)id;
    return EXPORT_FORMATS;
}

bool export_format_fits_name(export_format_id id, const char *path)
{
    return export_format_of_name(path) == EXPORT_FORMATS || has_ending(&export_formats[id], ending_of(path));
}

/** Whether an earlier format has the same ending: "tiff" and "tiff16" do. */
static bool shares_ending(int id)
{
    for (int n = 0; n < id; n++)
        if (strcmp(export_formats[n].ending, export_formats[id].ending) == 0)
            return true;
    return false;
}

void export_formats_list_endings(char *text, size_t size)
{
    size_t used = 0;
    for (int id = 0; id < EXPORT_FORMATS && used < size; id++)
        if (!shares_ending(id))
            used += (size_t)snprintf(text + used, size - used, "%s.%s", id ? ", " : "", export_formats[id].ending);
}

void export_formats_print(void)
{
    printf("\nFormats; without --format the ending of FILE decides, else r32\n");
    for (int id = 0; id < EXPORT_FORMATS_NAMED; id++) {
        const export_format *f = &export_formats[id];
        char endings[32];
        snprintf(endings, sizeof endings, ".%s%s%s", f->ending, f->alternative_ending ? " ." : "",
                 f->alternative_ending ? f->alternative_ending : "");
        printf("  %-8s %-11s %s\n", f->name, endings, f->help);
    }
}
