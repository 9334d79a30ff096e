/* thalwegs.c - computes the area that drains through each pixel, and makes lines along the pixels with large areas.
 *
 *     A mouth is the last pixel of a river, which ends there or flows into a larger river:
 *
 *          \      /
 *           \    x <- mouth of a tributary; its line goes one pixel further
 *            \  /
 *             |
 *             x <- mouth of the main river
 */
#include "library/guide/thalwegs.h"

#include <math.h>
#include <stdlib.h>

#include "library/core/grow.h"

#define CELLS_LEAST  1.0  /* a river drains at least this many cells */
#define PIXELS_LEAST 12.0 /* and this many pixels */

enum {
    SMOOTHINGS = 2, /* rounds of smoothing of a line, which is made of steps in eight directions */
    VERTICES_LEAST = 3
};

typedef struct thalwegs {
    const guide_making *m;
    const guide_pixel_flood *f;
    uint32_t *area;         /* pixels that drain through a pixel */
    uint32_t least;         /* least area of a river, pixels */
    unsigned char *is_lake; /* 1 at pixels of depressions that may remain lakes: no lines there; or NULL */
    double *places;         /* of one line */
    size_t room;            /* vertices */
} thalwegs;

static void find_areas(thalwegs *t)
{
    const guide_pixel_flood *f = t->f;
    for (size_t n = 0; n < guide_pixel_count(f); n++)
        t->area[n] = 1;
    for (size_t n = guide_pixel_count(f); n-- > 0;) {
        const uint32_t k = f->order[n];
        if (f->to[k] != TER_SINK)
            t->area[guide_pixel_beside(f, k, f->to[k])] += t->area[k];
    }
}

static bool is_river(const thalwegs *t, uint32_t pixel)
{
    return t->area[pixel] >= t->least && !(t->is_lake && t->is_lake[pixel]);
}

/** Find the depressions that may remain lakes. Returns false when there is no memory. */
static bool find_lakes(thalwegs *t)
{
    const size_t count = guide_pixel_count(t->f);
    const double deep = t->m->guide->options.lakes;
    if (deep <= 0.0)
        return true;
    unsigned char *is_found = calloc(count, 1);
    uint32_t *pixels = malloc(count * sizeof *pixels);
    t->is_lake = calloc(count, 1);
    for (uint32_t k = 0; k < (uint32_t)count && is_found && pixels && t->is_lake; k++) {
        if (is_found[k] || !guide_is_under_water(t->f, k))
            continue;
        const guide_basin basin = guide_find_basin(t->f, k, is_found, pixels);
        for (size_t n = 0; n < basin.count && (double)basin.depth >= deep; n++)
            t->is_lake[pixels[n]] = 1;
    }
    const bool is_made = is_found && pixels && t->is_lake;
    free(is_found);
    free(pixels);
    return is_made;
}

/** The pixel with the largest river that flows into a pixel; -1: there is none. */
static int64_t main_inflow(const thalwegs *t, uint32_t pixel)
{
    int64_t best = -1;
    for (int d = 0; d < 8; d++) {
        const int64_t q = guide_pixel_beside(t->f, pixel, d);
        if (q >= 0 && t->f->to[q] == ((d + 4) & 7) && is_river(t, (uint32_t)q) &&
            (best < 0 || t->area[q] > t->area[best]))
            best = q;
    }
    return best;
}

/** Whether a line ends at a pixel of a river. */
static bool is_mouth(const thalwegs *t, uint32_t pixel)
{
    if (!is_river(t, pixel) || t->f->to[pixel] == TER_SINK)
        return false;
    const uint32_t below = (uint32_t)guide_pixel_beside(t->f, pixel, t->f->to[pixel]);
    return t->f->to[below] == TER_SINK || !is_river(t, below) || main_inflow(t, below) != (int64_t)pixel;
}

static bool add_vertex(thalwegs *t, size_t n, uint32_t pixel)
{
    const guide_raster *r = t->f->raster;
    double *places = ter_grow(t->places, &t->room, n + 1, 2 * sizeof *places);
    if (!places)
        return false;
    t->places = places;
    t->places[2 * n] = (double)r->x + (double)(pixel % (uint32_t)t->f->width) * r->spacing;
    t->places[2 * n + 1] = (double)r->y + (double)(pixel / (uint32_t)t->f->width) * r->spacing;
    return true;
}

/** Smooth a line, and reverse it. */
static void finish_line(double *p, size_t count)
{
    for (int round = 0; round < SMOOTHINGS; round++) {
        double before[2] = {p[0], p[1]};
        for (size_t n = 1; n + 1 < count; n++)
            for (int axis = 0; axis < 2; axis++) {
                const double own = p[2 * n + (size_t)axis];
                p[2 * n + (size_t)axis] = 0.25 * (before[axis] + p[2 * n + 2 + (size_t)axis]) + 0.5 * own;
                before[axis] = own;
            }
    }
    for (size_t n = 0; n < count / 2; n++)
        for (size_t axis = 0; axis < 2; axis++) {
            const size_t a = 2 * n + axis, b = 2 * (count - 1 - n) + axis;
            const double place = p[a];
            p[a] = p[b];
            p[b] = place;
        }
}

/** Make the line of a river from its spring down to the pixel after its mouth, in t->places. Returns the number of
 * vertices, 0 when there is no memory. */
static size_t make_line(thalwegs *t, uint32_t mouth)
{
    size_t count = 0;
    int64_t pixel = guide_pixel_beside(t->f, mouth, t->f->to[mouth]);
    if (!add_vertex(t, count++, (uint32_t)pixel))
        return 0;
    for (pixel = mouth; pixel >= 0; pixel = main_inflow(t, (uint32_t)pixel))
        if (!add_vertex(t, count++, (uint32_t)pixel))
            return 0;
    finish_line(t->places, count);
    return count;
}

/** Compare keys of mouths: larger rivers come first; of equal rivers, that with the lower pixel. */
static int compare_keys(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x < y) - (x > y);
}

static uint64_t *list_mouths(const thalwegs *t, size_t *count)
{
    const uint32_t pixels = (uint32_t)guide_pixel_count(t->f);
    size_t n = 0;
    for (uint32_t k = 0; k < pixels; k++)
        n += is_mouth(t, k);
    uint64_t *keys = malloc((n + 1) * sizeof *keys);
    *count = 0;
    for (uint32_t k = 0; k < pixels && keys; k++)
        if (is_mouth(t, k))
            keys[(*count)++] = (uint64_t)t->area[k] << 32 | (UINT32_MAX - k);
    if (keys)
        qsort(keys, *count, sizeof *keys, compare_keys);
    return keys;
}

ter_status guide_follow_thalwegs(const guide_making *m, const guide_pixel_flood *f,
                                 bool (*walk)(void *user, const double *places, int count), void *user)
{
    const double cell = (double)m->cell / f->raster->spacing;
    thalwegs t = {.m = m, .f = f, .least = (uint32_t)ceil(fmax(CELLS_LEAST * cell * cell, PIXELS_LEAST))};
    size_t count = 0;
    t.area = malloc(guide_pixel_count(f) * sizeof *t.area);
    uint64_t *mouths = NULL;
    if (t.area && find_lakes(&t)) {
        find_areas(&t);
        mouths = list_mouths(&t, &count);
    }
    bool is_made = mouths != NULL;
    for (size_t n = 0; n < count && is_made; n++) {
        const size_t vertices = make_line(&t, UINT32_MAX - (uint32_t)mouths[n]);
        is_made = vertices > 0 && (vertices < VERTICES_LEAST || walk(user, t.places, (int)vertices));
    }
    free(t.area);
    free(t.is_lake);
    free(t.places);
    free(mouths);
    if (is_made)
        return TER_OK;
    const ter_status status = ter_check_cancelled(&m->cancel);
    return status == TER_OK ? guide_no_memory(m) : status;
}
