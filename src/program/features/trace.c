/* trace.c - gives samples to GDAL's contour generator, row after row. */
#include "program/features/trace.h"

#ifdef TER_HAVE_GDAL

#include <cpl_conv.h>
#include <gdal.h>
#include <gdal_alg.h>
#include <ogr_api.h>
#include <stdlib.h>

#include "library/core/grow.h"

static result failure(const char *what)
{
    return result_of(RESULT_FAILED, "%s: GDAL says: %.300s", what, CPLGetLastErrorMsg());
}

static result out_of_memory(void)
{
    return result_of(RESULT_FAILED, "out of memory");
}

/* ---- contour lines ---- */

static const double ONE_LEVEL = 1e9; /* m; an interval with one level among all heights and depths */

/** What gets the lines. */
typedef struct line_visit {
    trace_line line;
    void *user;
    double *points;
    size_t room;
    result res;
} line_visit;

/** A GDALContourWriter. GDAL cannot report its errors everywhere, so they are kept, and later lines are left out. */
static CPLErr write_line(double level, int count, double *x, double *y, void *user)
{
    line_visit *v = user;
    if (v->res.kind != RESULT_DONE)
        return CE_None;
    double *points = ter_grow(v->points, &v->room, (size_t)count, 3 * sizeof *points);
    v->points = points ? points : v->points;
    for (int n = 0; n < count && points; n++) {
        points[3 * n] = x[n] - 0.5; /* GDAL's coordinates are those of the corners of pixels */
        points[3 * n + 1] = y[n] - 0.5;
        points[3 * n + 2] = level;
    }
    v->res = points ? v->line(v->user, level, points, (size_t)count) : out_of_memory();
    return CE_None;
}

/** Give all rows to a generator of contours. line: memory for a row */
static result feed(const trace_source *source, GDALContourGeneratorH generator, double *line, const line_visit *v)
{
    enum { REPORT = 16 }; /* rows */
    result res = result_done();
    for (int row = 0; row < source->raster.height && res.kind == RESULT_DONE; row++) {
        const float *samples;
        res = row % REPORT == 0 ? source->goes_on(source->user, (double)row / source->raster.height) : res;
        if (res.kind == RESULT_DONE)
            res = source->row(source->user, row, &samples);
        for (int n = 0; n < source->raster.width && res.kind == RESULT_DONE; n++)
            line[n] = (double)samples[n];
        if (res.kind == RESULT_DONE && GDAL_CG_FeedLine(generator, line) != CE_None)
            res = failure("contours");
        if (res.kind == RESULT_DONE)
            res = v->res;
    }
    return res;
}

/** Find the lines at base + n * interval. */
static result trace_lines(const trace_source *source, double interval, double base, trace_line visit, void *user)
{
    const trace_raster raster = source->raster;
    line_visit v = {.line = visit, .user = user};
    double *line = malloc((size_t)raster.width * sizeof *line);
    GDALContourGeneratorH generator =
        line ? GDAL_CG_Create(raster.width, raster.height, FALSE, 0.0, interval, base, write_line, &v) : NULL;
    result res = generator ? feed(source, generator, line, &v) : out_of_memory();
    if (res.kind != RESULT_DONE && v.res.kind == RESULT_DONE)
        v.res = res; /* the generator's last lines are not wanted */
    if (generator)
        GDAL_CG_Destroy(generator); /* writes the lines that are not complete */
    free(line);
    free(v.points);
    return v.res;
}

result trace_contours(const trace_source *source, double interval, trace_line visit, void *user)
{
    return trace_lines(source, interval, 0.0, visit, user);
}

result trace_level(const trace_source *source, double level, trace_line visit, void *user)
{
    return trace_lines(source, ONE_LEVEL, level, visit, user);
}

#else

static result no_gdal(void)
{
    return result_of(RESULT_USAGE, "this build traces no lines (GDAL was missing: libgdal-dev)");
}

result trace_contours(const trace_source *source, double interval, trace_line visit, void *user)
{
    (void)source, (void)interval, (void)visit, (void)user;
    return no_gdal();
}

result trace_level(const trace_source *source, double level, trace_line visit, void *user)
{
    (void)source, (void)level, (void)visit, (void)user;
    return no_gdal();
}

#endif
