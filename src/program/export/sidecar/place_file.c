/* place_file.c - makes names and texts of ENVI headers and georeference files. */
#include "program/export/sidecar/place_file.h"

#include <stdio.h>
#include <strings.h>

#include "program/export/formats/export_file.h"
#include "program/file/path_name.h"

void place_file_name(const char *path, const export_file *file, char name[1040])
{
    const export_format *format = file->format;
    const char *dot = path_dot(path);
    name[0] = '\0';
    if (format->envi_type)
        snprintf(name, 1040, "%s.hdr", path);
    else if (format->world_ending && !file->is_south_first && *dot && strcasecmp(dot + 1, format->ending) == 0)
        snprintf(name, 1040, "%.*s.%s", (int)(dot - path), path, format->world_ending);
}

/** Make an ENVI header. `map info` gives the outer corner of the first sample. Source: GDAL, driver ENVI */
static void envi_header(const export_file *file, char text[PLACE_FILE_TEXT])
{
    const export_place place = export_file_place(file);
    const double step = place.step;
    int n = snprintf(text, PLACE_FILE_TEXT,
                     "ENVI\ndescription = {terrane %s}\nsamples = %lld\nlines = %lld\nbands = 1\nheader offset = 0\n"
                     "file type = ENVI Standard\ndata type = %d\ninterleave = bsq\nbyte order = %d\n",
                     ter_version(), (long long)file->width, (long long)file->height, file->format->envi_type,
                     file->is_big_endian);
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

const char *place_file_text(const export_file *file, char text[PLACE_FILE_TEXT])
{
    if (!file->format->envi_type) {
        world_file(file, text);
        return text;
    }
    envi_header(file, text);
    return "ENVI\ndescription = {terrane";
}
