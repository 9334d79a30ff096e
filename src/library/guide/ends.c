/* ends.c - finds the depressions of a guide that get no outlet, and lets water end in them. */
#include "library/guide/ends.h"

#include <stdlib.h>

#include "library/core/grow.h"
#include "library/guide/forced.h"
#include "library/guide/warped.h"

/** Whether a depression is at least as deep as `deep`, and at least as large as a cell. */
static bool is_large(const guide_making *m, const guide_pixel_flood *f, const guide_basin *basin, double deep)
{
    const double cell = (double)m->cell / f->raster->spacing;
    return (double)basin->depth >= deep && (double)basin->count >= cell * cell;
}

static bool add_end(guide_making *m, guide_pixel_flood *f, const guide_basin *basin)
{
    uint32_t *ends = ter_grow(f->ends, &f->room_ends, f->n_ends + 1, sizeof *ends);
    if (!ends)
        return false;
    f->ends = ends;
    f->ends[f->n_ends] = basin->lowest;
    guide_pixel_end *more = ter_grow(m->pixel_ends, &m->room_pixel_ends, m->n_pixel_ends + 1, sizeof *more);
    if (!more)
        return false;
    m->pixel_ends = more;
    m->pixel_ends[m->n_pixel_ends++] = (guide_pixel_end){
        f->raster->x + (int64_t)rint((double)(basin->lowest % (uint32_t)f->width) * f->raster->spacing),
        f->raster->y + (int64_t)rint((double)(basin->lowest / (uint32_t)f->width) * f->raster->spacing), basin->depth};
    f->n_ends++;
    return true;
}

ter_status guide_find_pixel_ends(guide_making *m, guide_pixel_flood *f)
{
    const double deep = m->guide->options.endorheic;
    const size_t count = guide_pixel_count(f);
    if (deep <= 0.0)
        return TER_OK;
    unsigned char *is_found = calloc(count, 1);
    uint32_t *pixels = malloc(count * sizeof *pixels);
    bool is_made = is_found && pixels;
    for (uint32_t k = 0; k < (uint32_t)count && is_made; k++) {
        if (is_found[k] || !guide_is_under_water(f, k))
            continue;
        const guide_basin basin = guide_find_basin(f, k, is_found, pixels);
        if (is_large(m, f, &basin, deep))
            is_made = add_end(m, f, &basin);
    }
    free(is_found);
    free(pixels);
    if (!is_made)
        return guide_no_memory(m);
    return f->n_ends > 0 ? guide_flood_to_ends(m, f) : TER_OK;
}

ter_status guide_take_ends(guide_network *n)
{
    const guide_making *m = n->m;
    n->ends = malloc((m->n_pixel_ends + 1) * sizeof *n->ends);
    if (!n->ends)
        return guide_no_memory(m);
    for (size_t i = 0; i < m->n_pixel_ends; i++) {
        guide_points point = {.count = 1, .x = {m->pixel_ends[i].x}, .y = {m->pixel_ends[i].y}};
        if (!guide_warp_points(m, &point))
            return guide_no_memory(m);
        const int shift = 24 - m->level;
        const int64_t x = point.px[0] >> shift, y = point.py[0] >> shift;
        const size_t k = ter_window_has(m->at, x, y) ? (size_t)ter_window_index(m->at, x, y) : 0;
        if (!guide_is_active(n, k) || n->z[k] < m->f.sea || n->state[k] & GUIDE_END)
            continue;
        n->ends[n->n_ends++] = (guide_end){(uint32_t)k, m->pixel_ends[i].depth};
        guide_release_cell(n, k);
        n->state[k] |= GUIDE_END | GUIDE_SET;
    }
    return TER_OK;
}
