/* guide_request.c - makes guides of files. */
#include "program/guide/guide_request.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/guide/guide_file.h"

/** A guide that this process has opened. */
typedef struct open_guide {
    struct open_guide *next;
    guide_request request; /* as it was asked for */
    guide_request used;    /* with the place and the spacing that were used */
    ter_guide *guide;
} open_guide;

static open_guide *open_guides;
static guide_hooks hooks;

void guide_request_default(guide_request *request)
{
    *request = (guide_request){.range = {NAN, NAN}, .vertical = 1.0};
}

void guide_set_hooks(const guide_hooks *given)
{
    hooks = *given;
}

static int is_cancelled(void *user)
{
    (void)user;
    return hooks.is_cancelled && hooks.is_cancelled();
}

static void progress(void *user, double share)
{
    (void)user;
    if (hooks.progress)
        hooks.progress(share);
}

static bool is_same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool is_same(const guide_request *a, const guide_request *b)
{
    return strcmp(a->file, b->file) == 0 && a->has_place == b->has_place &&
           (!a->has_place || memcmp(a->at, b->at, sizeof a->at) == 0) && a->spacing == b->spacing &&
           is_same_number(a->range[0], b->range[0]) && is_same_number(a->range[1], b->range[1]) &&
           a->vertical == b->vertical && a->level == b->level && a->surround == b->surround && a->lakes == b->lakes &&
           a->rim == b->rim && a->rough == b->rough && a->steep == b->steep;
}

/** Turn the numbers of a raster into metres. */
static result scale(const guide_request *r, const char *label, guide_raster *raster)
{
    const bool has_range = !isnan(r->range[0]);
    if (raster->is_picture && !has_range)
        return result_of(RESULT_USAGE,
                         "%s '%s' is a picture whose numbers are no metres: --guide-range LO,HI says which heights its "
                         "darkest and brightest number stand for",
                         label, r->file);
    const double low = has_range ? r->range[0] : 0.0;
    const double unit = has_range ? (r->range[1] - r->range[0]) / raster->greatest : 1.0;
    for (size_t n = 0; n < (size_t)raster->cols * (size_t)raster->rows; n++)
        raster->numbers[n] = (float)((low + unit * (double)raster->numbers[n]) * r->vertical);
    return result_done();
}

/** Set spacing and place of a request, from the file where it has none. */
static result complete(guide_request *r, const char *label, const guide_raster *raster)
{
    if (r->spacing == 0.0)
        r->spacing = raster->spacing;
    if (r->spacing == 0.0)
        return result_of(RESULT_USAGE, "%s '%s' does not say how far its pixels are apart: --guide-spacing M says it",
                         label, r->file);
    if (r->has_place)
        return result_done();
    const double x = (double)hooks.home[0] - 0.5 * (raster->cols - 1) * r->spacing;
    const double z = (double)hooks.home[1] - 0.5 * (raster->rows - 1) * r->spacing;
    r->at[0] = llrint(raster->has_place ? raster->x : x);
    r->at[1] = llrint(raster->has_place ? raster->z : z);
    r->has_place = true;
    return result_done();
}

static result create(const guide_request *r, const guide_raster *raster, const char *label, ter_guide **out)
{
    const ter_guide_options options = {TER_SIZED(ter_guide_options),
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
                                       .surround = (ter_guide_surround)r->surround,
                                       .threads = hooks.threads,
                                       .is_cancelled = is_cancelled,
                                       .progress = progress};
    return result_of_library(ter_guide_create(&options, out), label);
}

static open_guide *find(const guide_request *request)
{
    open_guide *o = open_guides;
    while (o && !is_same(&o->request, request))
        o = o->next;
    return o;
}

/** Copy a request, whose file may lie in memory of the other one. */
static void copy(const guide_request *from, guide_request *to)
{
    *to = *from;
    snprintf(to->path, sizeof to->path, "%s", from->file);
    to->file = to->path;
}

result guide_open(const guide_request *request, const char *label, const ter_guide **out)
{
    guide_raster raster = {NULL};
    *out = NULL;
    if (!request->file)
        return result_done();
    const open_guide *known = find(request);
    if (known) {
        *out = known->guide;
        return result_done();
    }
    if (strlen(request->file) >= GUIDE_PATH)
        return result_of(RESULT_USAGE, "%s: the name of the file is too long", label);
    open_guide *made = calloc(1, sizeof *made);
    if (!made)
        return result_of(RESULT_FAILED, "out of memory");
    copy(request, &made->request);
    copy(request, &made->used);
    result res = guide_raster_read(request->file, &raster);
    if (res.kind == RESULT_DONE)
        res = complete(&made->used, label, &raster);
    if (res.kind == RESULT_DONE)
        res = scale(&made->used, label, &raster);
    if (res.kind == RESULT_DONE)
        res = create(&made->used, &raster, label, &made->guide);
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

const guide_request *guide_request_of(const ter_guide *guide)
{
    const open_guide *o = open_guides;
    while (o && o->guide != guide)
        o = o->next;
    return o ? &o->used : NULL;
}
