/* pixel_flood.c - floods the pixels of a guide, and finds the direction in which each pixel drains. */
#include "library/guide/pixel_flood.h"

#include <stdlib.h>
#include <string.h>

#include "library/guide/heap.h"

enum { CANCEL_MASK = 0xfffff }; /* `cancel` is tested each time that this many pixels, plus one, have been flooded */

/** Whether water leaves the guide at a pixel. */
static bool is_way_out(const guide_pixel_flood *f, uint32_t pixel, float sea)
{
    const int x = (int)(pixel % (uint32_t)f->width), y = (int)(pixel / (uint32_t)f->width);
    const size_t k = guide_pixel_in_raster(f, pixel);
    return x == 0 || y == 0 || x == f->width - 1 || y == f->height - 1 || f->raster->away[k] > 0 ||
           f->raster->z[k] < sea;
}

/** Begin the flood at a pixel at which water leaves the guide or ends. */
static bool begin_at(guide_pixel_flood *f, guide_heap *heap, unsigned char *is_seen, uint32_t pixel)
{
    is_seen[pixel] = 1;
    f->level[pixel] = guide_pixel_height(f, pixel);
    f->to[pixel] = TER_SINK;
    return guide_heap_push(heap, f->level[pixel], pixel);
}

static bool begin(guide_pixel_flood *f, float sea, guide_heap *heap, unsigned char *is_seen)
{
    bool is_made = true;
    for (uint32_t k = 0; k < (uint32_t)guide_pixel_count(f) && is_made; k++)
        if (is_way_out(f, k, sea))
            is_made = begin_at(f, heap, is_seen, k);
    for (size_t n = 0; n < f->n_ends && is_made; n++)
        if (!is_seen[f->ends[n]])
            is_made = begin_at(f, heap, is_seen, f->ends[n]);
    return is_made;
}

/** Flood all pixels. Each pixel drains to the pixel from which the flood came. */
static bool spread(const guide_making *m, guide_pixel_flood *f, guide_heap *heap, unsigned char *is_seen)
{
    size_t n_popped = 0;
    bool is_made = true;
    while (is_made && heap->count > 0) {
        const uint32_t p = guide_heap_pop(heap);
        f->order[n_popped++] = p;
        if ((n_popped & CANCEL_MASK) == 0 && ter_is_cancelled(&m->cancel))
            return false;
        for (int d = 0; d < 8 && is_made; d++) {
            const int64_t q = guide_pixel_beside(f, p, d);
            if (q < 0 || is_seen[q])
                continue;
            is_seen[q] = 1;
            f->level[q] = ter_max(guide_pixel_height(f, (uint32_t)q), f->level[p]);
            f->to[q] = (uint8_t)((d + 4) & 7);
            is_made = guide_heap_push(heap, f->level[q], (uint32_t)q);
        }
    }
    return is_made;
}

/** Where a neighbour is lower on the flooded surface, let a pixel drain to the neighbour to which the surface falls
 * steepest. Lower pixels have been flooded earlier, so `order` remains valid. */
static void direct(guide_pixel_flood *f)
{
    for (uint32_t k = 0; k < (uint32_t)guide_pixel_count(f); k++) {
        float steepest = 0.0f;
        for (int d = 0; d < 8 && f->to[k] != TER_SINK; d++) {
            const int64_t q = guide_pixel_beside(f, k, d);
            if (q < 0)
                continue;
            const float fall = (f->level[k] - f->level[q]) * (d & 1 ? 0.70710678f : 1.0f);
            if (fall > steepest) {
                steepest = fall;
                f->to[k] = (uint8_t)d;
            }
        }
    }
}

static ter_status failure(const guide_making *m)
{
    const ter_status status = ter_check_cancelled(&m->cancel);
    return status == TER_OK ? guide_no_memory(m) : status;
}

ter_status guide_flood_to_ends(const guide_making *m, guide_pixel_flood *f)
{
    guide_heap heap = {NULL, 0, 0};
    unsigned char *is_seen = calloc(guide_pixel_count(f), 1);
    const bool is_made = is_seen && begin(f, m->f.sea, &heap, is_seen) && spread(m, f, &heap, is_seen);
    free(is_seen);
    free(heap.key);
    if (!is_made)
        return failure(m);
    direct(f);
    return TER_OK;
}

ter_status guide_flood_pixels(const guide_making *m, const guide_raster *raster, guide_pixel_flood *f)
{
    *f = (guide_pixel_flood){
        .raster = raster, .width = raster->width - 2 * raster->pad, .height = raster->height - 2 * raster->pad};
    const size_t count = guide_pixel_count(f);
    f->level = malloc(count * sizeof *f->level);
    f->to = malloc(count);
    f->order = malloc(count * sizeof *f->order);
    return f->level && f->to && f->order ? guide_flood_to_ends(m, f) : guide_no_memory(m);
}

void guide_pixel_flood_free(guide_pixel_flood *f)
{
    free(f->level);
    free(f->to);
    free(f->order);
    free(f->ends);
}

guide_basin guide_find_basin(const guide_pixel_flood *f, uint32_t first, unsigned char *is_found, uint32_t *pixels)
{
    guide_basin basin = {first, 0.0f, 0};
    size_t known = 0;
    pixels[known++] = first;
    is_found[first] = 1;
    for (; basin.count < known; basin.count++) {
        const uint32_t p = pixels[basin.count];
        basin.depth = ter_max(basin.depth, f->level[p] - guide_pixel_height(f, p));
        if (guide_pixel_height(f, p) < guide_pixel_height(f, basin.lowest))
            basin.lowest = p;
        for (int d = 0; d < 8; d++) {
            const int64_t q = guide_pixel_beside(f, p, d);
            if (q < 0 || is_found[q] || !guide_is_under_water(f, (uint32_t)q))
                continue;
            is_found[q] = 1;
            pixels[known++] = (uint32_t)q;
        }
    }
    return basin;
}
