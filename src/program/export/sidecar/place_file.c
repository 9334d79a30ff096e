/* place_file.c - makes names and texts of ENVI headers, georeference files, and files of coordinate systems. */
#include "program/export/sidecar/place_file.h"

#include <stdio.h>
#include <strings.h>

#include "program/export/formats/export_file.h"
#include "program/file/path_name.h"

void place_file_name(const char *path, const export_file *file, int n, char name[1040])
{
    const export_format *format = file->format;
    const char *dot = path_dot(path);
    const bool is_placed = !file->is_south_first && *dot && strcasecmp(dot + 1, format->ending) == 0,
               has_system = is_placed && export_file_place(file).epsg > 0;
    name[0] = '\0';
    if (n == 0 && format->envi_type)
        snprintf(name, 1040, "%s.hdr", path);
    else if (n == 0 && format->world_ending && is_placed)
        snprintf(name, 1040, "%.*s.%s", (int)(dot - path), path, format->world_ending);
    else if (n == 1 && format->world_ending && has_system)
        snprintf(name, 1040, "%s.aux.xml", path);
    else if (n == 1 && format == &export_formats[EXPORT_ASC] && has_system)
        snprintf(name, 1040, "%.*s.prj", (int)(dot - path), path);
}

/** Make an ENVI header. `map info` gives the outer corner of the first sample. Source: GDAL, driver ENVI */
static void envi_header(const export_file *file, char text[PLACE_FILE_TEXT])
{
    const export_place place = export_file_place(file);
    const double step = place.step;
    char system[COORDINATE_SYSTEM_TEXT];
    int n = snprintf(text, PLACE_FILE_TEXT,
                     "ENVI\ndescription = {terrane %s}\nsamples = %lld\nlines = %lld\nbands = 1\nheader offset = 0\n"
                     "file type = ENVI Standard\ndata type = %d\ninterleave = bsq\nbyte order = %d\n",
                     ter_version(), (long long)file->width, (long long)file->height, file->format->envi_type,
                     file->is_big_endian);
    if (!file->is_south_first && *coordinate_system_describe(place.epsg, system))
        n += snprintf(text + n, PLACE_FILE_TEXT - (size_t)n, "coordinate system string = {%s}\n", system);
    if (!file->is_south_first)
        n += snprintf(text + n, PLACE_FILE_TEXT - (size_t)n,
                      "map info = {Arbitrary, 1, 1, %.17g, %.17g, %.17g, %.17g, 0, units=Meters}\n",
                      place.east - step / 2, place.north + step / 2, step, step);
    if (export_format_is_scaled(file->format))
        n += snprintf(text + n, PLACE_FILE_TEXT - (size_t)n,
                      "data gain values = {%.17g}\ndata offset values = {%.17g}\n",
                      (file->range[1] - file->range[0]) / 65535.0, file->range[0]);
    if (export_layers[file->layer].has_no_data)
        n += snprintf(text + n, PLACE_FILE_TEXT - (size_t)n, "data ignore value = nan\n");
    snprintf(text + n, PLACE_FILE_TEXT - (size_t)n, "band names = {%s}\n", export_layers[file->layer].name);
}

/** Make a georeference file: the affine transform from columns and rows to metres east and north. The last two numbers
 * are the place of the first sample. Source: ESRI, World files for raster datasets */
static void world_file(const export_file *file, char text[PLACE_FILE_TEXT])
{
    const export_place place = export_file_place(file);
    snprintf(text, PLACE_FILE_TEXT, "%.17g\n0\n0\n%.17g\n%.17g\n%.17g\n", place.step, -place.step, place.east,
             0.0 + place.north);
}

/** Make the file of a coordinate system. Sources: GDAL, persistent auxiliary metadata; ESRI, .prj files */
static void system_file(const export_file *file, char text[PLACE_FILE_TEXT])
{
    const int epsg = export_file_place(file).epsg;
    if (file->format->world_ending)
        snprintf(text, PLACE_FILE_TEXT, "<PAMDataset>\n  <SRS>EPSG:%d</SRS>\n</PAMDataset>\n", epsg);
    else
        coordinate_system_describe(epsg, text);
}

const char *place_file_text(const export_file *file, int n, char text[PLACE_FILE_TEXT])
{
    if (n == 1) {
        system_file(file, text);
        return text;
    }
    if (!file->format->envi_type) {
        world_file(file, text);
        return text;
    }
    envi_header(file, text);
    return "ENVI\ndescription = {terrane";
}
