/* georeference.c - checks what a file of a GIS says about its raster. */
#include "program/guide/georeference.h"

#include <math.h>

static result check_units(const char *path, const georeference *g)
{
    if (!g->is_in_degrees)
        return result_done();
    return result_of(RESULT_FILE,
                     "'%s' has coordinates in degrees, expected metres; reproject it: gdalwarp -t_srs EPSG:326ZZ -r "
                     "cubic IN OUT.tif, with ZZ the UTM zone from 01 to 60 (327ZZ in the south)",
                     path);
}

/** Check that pixels are squares with rows to the east. A raster without a transform passes. */
static result check_pixels(const char *path, const georeference *g)
{
    const double *t = g->transform;
    if (!g->has_transform)
        return result_done();
    if (t[2] == 0.0 && t[4] == 0.0 && t[1] > 0.0 && fabs(fabs(t[5]) - t[1]) <= 0.01 * t[1])
        return result_done();
    return result_of(RESULT_FILE,
                     "pixels of '%s' are turned, or not square (%g x %g), expected squares to the north; resample it: "
                     "gdalwarp -tr M M IN OUT.tif",
                     path, t[1], fabs(t[5]));
}

result georeference_check(const char *path, const georeference *g, guide_raster *out)
{
    const double *t = g->transform;
    result res = check_units(path, g);
    if (res.kind == RESULT_DONE)
        res = check_pixels(path, g);
    if (res.kind != RESULT_DONE || !g->has_transform)
        return res;
    out->spacing = t[1] * g->metres;
    out->crs = (guide_crs){.epsg = g->epsg,
                           .east = t[0] + 0.5 * t[1],
                           .north = t[3] + (t[5] < 0.0 ? 0.5 : out->rows - 0.5) * t[5],
                           .spacing = out->spacing,
                           .metres = g->metres};
    return res;
}

static void flip(guide_raster *raster)
{
    for (int y = 0; y < raster->rows / 2; y++)
        for (int x = 0; x < raster->cols; x++) {
            float *a = raster->numbers + (size_t)y * (size_t)raster->cols + (size_t)x;
            float *b = raster->numbers + (size_t)(raster->rows - 1 - y) * (size_t)raster->cols + (size_t)x;
            const float other = *a;
            *a = *b;
            *b = other;
        }
}

void georeference_apply(const georeference *g, guide_raster *raster)
{
    for (size_t n = 0; n < (size_t)raster->cols * (size_t)raster->rows && g->has_no_data; n++)
        if ((double)raster->numbers[n] == g->no_data || raster->numbers[n] == (float)g->no_data)
            raster->numbers[n] = NAN;
    if (g->has_transform && g->transform[5] > 0.0)
        flip(raster);
    raster->greatest = g->bits == 8 ? 255.0 : g->bits == 16 ? 65535.0 : 1.0;
    raster->is_picture = g->bits == 8 || (g->bits == 16 && g->is_image);
}
