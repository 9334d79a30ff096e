/* beside.c - resamples the additional rasters of a guide to the pixels of its heights. */
#include "program/guide/beside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "program/guide/guide_file.h"

/** Where pixel n of the guide lies along an axis of a raster, in pixels of the raster: first + n * step. */
typedef struct axis {
    double first, step;
    int count; /* pixels of the raster */
} axis;

static axis same_land(int guide_pixels, int pixels)
{
    const double step = (double)pixels / guide_pixels;
    return (axis){0.5 * step - 0.5, step, pixels};
}

/** The axis of rasters whose first pixels lie at `guide_at` and `at`, in metres that grow to the east or to the south.
 */
static axis by_place(double guide_at, double guide_spacing, double at, double spacing, int pixels)
{
    return (axis){(guide_at - at) / spacing, guide_spacing / spacing, pixels};
}

/** Where the pixels of the guide lie in a raster. */
typedef struct pixel_map {
    axis columns, rows;
} pixel_map;

static pixel_map map_of(const guide_raster *r, const guide_raster *guide)
{
    const guide_crs *a = &guide->crs, *b = &r->crs;
    if (r->has_place && guide->has_place && r->spacing > 0.0 && guide->spacing > 0.0)
        return (pixel_map){by_place(guide->x, guide->spacing, r->x, r->spacing, r->cols),
                           by_place(guide->z, guide->spacing, r->z, r->spacing, r->rows)};
    if (a->spacing > 0.0 && b->spacing > 0.0)
        return (pixel_map){by_place(a->east * a->metres, a->spacing, b->east * b->metres, b->spacing, r->cols),
                           by_place(-a->north * a->metres, a->spacing, -b->north * b->metres, b->spacing, r->rows)};
    return (pixel_map){same_land(guide->cols, r->cols), same_land(guide->rows, r->rows)};
}

/** Check that two georeferenced files have the same coordinate system. A file without an EPSG number passes. */
static result check_system(const guide_raster *r, const char *label, const guide_raster *guide)
{
    if (r->crs.epsg == 0 || guide->crs.epsg == 0 || r->crs.epsg == guide->crs.epsg)
        return result_done();
    return result_of(RESULT_USAGE,
                     "%s is in EPSG:%d, expected EPSG:%d, the coordinate system of the guide; reproject it: gdalwarp "
                     "-t_srs EPSG:%d IN OUT.tif",
                     label, r->crs.epsg, guide->crs.epsg, guide->crs.epsg);
}

/** Pixel west or north of pixel n of the guide, and the share of the pixel after it. Returns false if the place lies
 * more than half a pixel outside. */
static bool find_pixel(const axis *a, int n, int *pixel, float *share)
{
    const double at = a->first + n * a->step;
    if (!(at >= -0.501 && at <= a->count - 0.499))
        return false;
    const double inside = fmin(fmax(at, 0.0), a->count - 1.0);
    *pixel = (int)fmin(floor(inside), fmax(a->count - 2.0, 0.0));
    *share = (float)(inside - *pixel);
    return true;
}

static float between(float a, float b, float share)
{
    return share <= 0.0f ? a : share >= 1.0f ? b : a + share * (b - a);
}

/** Value at a pixel of the guide. Not a number: outside, or beside pixels without data */
static float value_at(const guide_raster *r, const pixel_map *map, int x, int y)
{
    int column, row;
    float east, south;
    if (!find_pixel(&map->columns, x, &column, &east) || !find_pixel(&map->rows, y, &row, &south))
        return NAN;
    const float *nw = r->numbers + (size_t)row * (size_t)r->cols + (size_t)column;
    const float *sw = nw + (south > 0.0f ? r->cols : 0);
    const int next = east > 0.0f;
    return between(between(nw[0], nw[next], east), between(sw[0], sw[next], east), south);
}

static result fill(const guide_raster *r, double unit, const char *label, const guide_raster *guide, float *out)
{
    const pixel_map map = map_of(r, guide);
    size_t n_known = 0;
    for (int y = 0; y < guide->rows; y++)
        for (int x = 0; x < guide->cols; x++) {
            const float value = value_at(r, &map, x, y);
            out[(size_t)y * (size_t)guide->cols + (size_t)x] = (float)(unit * (double)value);
            n_known += !isnan(value);
        }
    return n_known > 0
               ? result_done()
               : result_of(RESULT_USAGE, "%s has no value within the guide, expected a raster of the same land", label);
}

/** Bring a raster to the guide's pixels. label: what it is, in errors */
static result bring(ter_guide_raster raster, const guide_raster *r, const char *label, const guide_raster *guide,
                    float **out)
{
    const double white = raster == TER_GUIDE_RELIEF ? 2.0 : 1.0;
    const bool is_climate = raster == TER_GUIDE_TEMPERATURE || raster == TER_GUIDE_PRECIPITATION;
    const result res = check_system(r, label, guide);
    if (res.kind != RESULT_DONE)
        return res;
    *out = malloc((size_t)guide->cols * (size_t)guide->rows * sizeof **out);
    return *out ? fill(r, r->is_picture && !is_climate ? white / r->greatest : 1.0, label, guide, *out)
                : result_of(RESULT_FAILED, "no memory for %s", label);
}

result guide_raster_beside(ter_guide_raster raster, const char *path, const char *options, const guide_raster *guide,
                           float **out)
{
    guide_raster r = {NULL};
    char label[RESULT_QUOTE + 64], quoted[RESULT_QUOTE];
    snprintf(label, sizeof label, "%s%s %s", options, ter_guide_raster_name(raster), result_quote(path, quoted));
    result res = guide_raster_read(path, &r);
    if (res.kind == RESULT_DONE)
        res = bring(raster, &r, label, guide, out);
    free(r.numbers);
    return res;
}

result guide_raster_brought(ter_guide_raster raster, const guide_raster *given, const char *options,
                            const guide_raster *guide, float **out)
{
    char label[64];
    snprintf(label, sizeof label, "%s%s", options, ter_guide_raster_name(raster));
    return bring(raster, given, label, guide, out);
}
