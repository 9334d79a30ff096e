/* guide_request.c - makes guides from files. */
#include "program/guide/guide_request.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/guide/beside.h"
#include "program/guide/guide_file.h"
#include "program/guide/guide_line_file.h"

/** A guide that this process has opened. */
typedef struct open_guide {
    struct open_guide *next;
    guide_request request; /* as the caller gave it */
    guide_request used;    /* with the place and the spacing that were used */
    guide_crs crs;
    ter_guide *guide;
} open_guide;

static open_guide *open_guides;
static guide_hooks hooks = {.options = "--guide-"};

void guide_request_default(guide_request *request)
{
    *request = (guide_request){.range = {NAN, NAN}, .vertical = 1.0};
}

void guide_set_hooks(const guide_hooks *given)
{
    hooks = *given;
}

static bool is_same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/** Whether two names of files are equal; NULL: there is no file. */
static bool is_same_file(const char *a, const char *b)
{
    return !a || !b ? a == b : strcmp(a, b) == 0;
}

static bool has_same_rasters(const guide_request *a, const guide_request *b)
{
    bool is = true;
    for (int k = 0; k < TER_GUIDE_RASTER_COUNT && is; k++)
        is = is_same_file(a->rasters[k], b->rasters[k]);
    return is;
}

static bool is_same(const guide_request *a, const guide_request *b)
{
    return strcmp(a->file, b->file) == 0 && a->has_place == b->has_place &&
           (!a->has_place || memcmp(a->at, b->at, sizeof a->at) == 0) && a->spacing == b->spacing &&
           is_same_number(a->range[0], b->range[0]) && is_same_number(a->range[1], b->range[1]) &&
           a->vertical == b->vertical && a->level == b->level && a->surround == b->surround && a->lakes == b->lakes &&
           a->endorheic == b->endorheic && a->rim == b->rim && a->rough == b->rough && a->steep == b->steep &&
           has_same_rasters(a, b) && is_same_file(a->rivers, b->rivers);
}

char *guide_request_path(guide_request *r, const char *const *file)
{
    if (file == &r->rivers)
        return r->river_path;
    return file == &r->file ? r->path : r->raster_paths[file - r->rasters];
}

/** Turn the numbers of a raster into metres. */
static result scale(const guide_request *r, const char *label, const guide_hooks *h, guide_raster *raster)
{
    const bool has_range = !isnan(r->range[0]);
    const double most = fmax(fabs(r->range[0]), fabs(r->range[1])) * r->vertical;
    if (has_range && !(most <= TER_GUIDE_HEIGHT_MAX))
        return result_of(RESULT_USAGE, "%srange is %g,%g, expected heights of at most %g m, up or down", h->options,
                         r->range[0], r->range[1], TER_GUIDE_HEIGHT_MAX);
    if (raster->is_picture && !has_range)
        return result_of(RESULT_USAGE,
                         "%s is a picture whose numbers are no metres: %srange LO,HI says which heights its darkest "
                         "and brightest number stand for",
                         label, h->options);
    const double low = has_range ? r->range[0] : 0.0;
    const double unit = has_range ? (r->range[1] - r->range[0]) / raster->greatest : 1.0;
    for (size_t n = 0; n < (size_t)raster->cols * (size_t)raster->rows; n++)
        raster->numbers[n] = (float)((low + unit * (double)raster->numbers[n]) * r->vertical);
    return result_done();
}

/** Set spacing and place of a request, from the file where it has none. */
static result complete(guide_request *r, const char *label, const guide_hooks *h, const guide_raster *raster)
{
    if (r->spacing == 0.0)
        r->spacing = raster->spacing;
    if (r->spacing == 0.0)
        return result_of(RESULT_USAGE, "%s does not say how far its pixels are apart: %sspacing M says it", label,
                         h->options);
    if (r->has_place)
        return result_done();
    const double x = (double)h->home[0] - 0.5 * (raster->cols - 1) * r->spacing;
    const double z = (double)h->home[1] - 0.5 * (raster->rows - 1) * r->spacing;
    r->at[0] = llrint(raster->has_place ? raster->x : x);
    r->at[1] = llrint(raster->has_place ? raster->z : z);
    r->has_place = true;
    return result_done();
}

static result create(const guide_request *r, const char *label, const guide_raster *raster, const float *const *values,
                     const guide_lines *rivers, const guide_hooks *h, ter_guide **out)
{
    ter_guide_options options = {TER_SIZED(ter_guide_options),
                                 .heights = raster->numbers,
                                 .cols = raster->cols,
                                 .rows = raster->rows,
                                 .x = (double)r->at[0],
                                 .z = (double)r->at[1],
                                 .spacing = r->spacing,
                                 .rim = r->rim,
                                 .level = r->level,
                                 .rough = r->rough,
                                 .steep = r->steep,
                                 .lakes = r->lakes,
                                 .rivers = rivers->rivers,
                                 .n_rivers = rivers->count,
                                 .endorheic = r->endorheic,
                                 .surround = (ter_guide_surround)r->surround,
                                 .threads = h->threads,
                                 .is_cancelled = h->is_cancelled,
                                 .progress = h->progress,
                                 .user = h->user};
    for (int k = 0; k < TER_GUIDE_RASTER_COUNT; k++)
        options.rasters[k] = values[k];
    return result_of_library(ter_guide_create(&options, out), label);
}

/** Bring the rasters beside the heights to the guide's pixels. values: receives them; NULL where there is none */
static result bring_rasters(const guide_request *r, const guide_arrays *arrays, const guide_hooks *h,
                            const guide_raster *raster, float *values[TER_GUIDE_RASTER_COUNT])
{
    result res = result_done();
    for (int k = 0; k < TER_GUIDE_RASTER_COUNT && res.kind == RESULT_DONE; k++) {
        if (arrays && arrays->rasters[k])
            res = guide_raster_brought((ter_guide_raster)k, arrays->rasters[k], h->options, raster, &values[k]);
        else if (r->rasters[k])
            res = guide_raster_beside((ter_guide_raster)k, r->rasters[k], h->options, raster, &values[k]);
    }
    return res;
}

result guide_create(guide_request *r, const char *label, guide_raster *raster, const guide_arrays *arrays,
                    const guide_hooks *h, ter_guide **out)
{
    guide_lines lines = {NULL};
    const guide_lines *rivers = arrays && arrays->rivers ? arrays->rivers : &lines;
    float *values[TER_GUIDE_RASTER_COUNT] = {NULL};
    result res = complete(r, label, h, raster);
    if (res.kind == RESULT_DONE)
        res = scale(r, label, h, raster);
    if (res.kind == RESULT_DONE)
        res = bring_rasters(r, arrays, h, raster, values);
    if (res.kind == RESULT_DONE && r->rivers && rivers == &lines)
        res = guide_lines_of_file(r->rivers, h->options, raster, r->at, r->spacing, &lines);
    if (res.kind == RESULT_DONE)
        res = create(r, label, raster, (const float *const *)values, rivers, h, out);
    guide_lines_free(&lines);
    for (int k = 0; k < TER_GUIDE_RASTER_COUNT; k++)
        free(values[k]);
    return res;
}

static open_guide *find(const guide_request *request)
{
    open_guide *o = open_guides;
    while (o && !is_same(&o->request, request))
        o = o->next;
    return o;
}

/** Copy a request, whose names of files may lie in memory of the other one. */
static void copy(const guide_request *from, guide_request *to)
{
    *to = *from;
    snprintf(to->path, sizeof to->path, "%s", from->file);
    to->file = to->path;
    for (int k = 0; k < TER_GUIDE_RASTER_COUNT; k++)
        if (from->rasters[k]) {
            snprintf(to->raster_paths[k], sizeof to->raster_paths[k], "%s", from->rasters[k]);
            to->rasters[k] = to->raster_paths[k];
        }
    if (from->rivers) {
        snprintf(to->river_path, sizeof to->river_path, "%s", from->rivers);
        to->rivers = to->river_path;
    }
}

result guide_open(const guide_request *request, const char *label, const ter_guide **out)
{
    guide_raster raster = {NULL};
    char name[GUIDE_PATH + 64];
    *out = NULL;
    if (!request->file)
        return result_done();
    const open_guide *known = find(request);
    if (known) {
        *out = known->guide;
        return result_done();
    }
    bool is_long = strlen(request->file) >= GUIDE_PATH || (request->rivers && strlen(request->rivers) >= GUIDE_PATH);
    for (int k = 0; k < TER_GUIDE_RASTER_COUNT; k++)
        is_long = is_long || (request->rasters[k] && strlen(request->rasters[k]) >= GUIDE_PATH);
    if (is_long)
        return result_of(RESULT_USAGE, "%s: the name of a file is too long", label);
    open_guide *made = calloc(1, sizeof *made);
    if (!made)
        return result_of(RESULT_FAILED, "out of memory");
    copy(request, &made->request);
    copy(request, &made->used);
    snprintf(name, sizeof name, "%s '%s'", label, request->file);
    result res = guide_raster_read(request->file, &raster);
    if (res.kind == RESULT_DONE)
        res = guide_create(&made->used, name, &raster, NULL, &hooks, &made->guide);
    made->crs = raster.crs;
    free(raster.numbers);
    if (res.kind != RESULT_DONE) {
        free(made);
        return res;
    }
    made->next = open_guides;
    open_guides = made;
    *out = made->guide;
    return res;
}

static const open_guide *find_guide(const ter_guide *guide)
{
    const open_guide *o = open_guides;
    while (o && o->guide != guide)
        o = o->next;
    return o;
}

const guide_request *guide_request_of(const ter_guide *guide)
{
    const open_guide *o = find_guide(guide);
    return o ? &o->used : NULL;
}

const guide_crs *guide_crs_of(const ter_guide *guide)
{
    const open_guide *o = find_guide(guide);
    return o && o->crs.epsg > 0 && o->crs.spacing == o->used.spacing ? &o->crs : NULL;
}
