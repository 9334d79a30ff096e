/* detail.c - makes the detail of a guide: the difference between the guide and the land without detail, at points of
 * the world.
 *
 * Between these points, the land has its own random detail. Rivers and lakes keep the heights that the network gives
 * them, so that all water still runs downhill. At water, and on the ground beside it that a river shapes, the detail is
 * therefore 0. From there on it grows with the distance.
 *
 *     river     bank, valley side        the guide's own land
 *     ~~~~~~~ ....................... ------------------------
 *      0              0               0 ... 1            share of the difference
 */
#include "library/guide/detail.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "library/fluvial/cpu/block.h"

enum {
    BLOCK = 128,            /* points; side of a task */
    SHIFT_MOST = 5,         /* points are at most 2^5 lattice steps apart, unless there would be more than COUNT_MOST */
    COUNT_MOST = 1 << 26,   /* greatest number of points */
    REGIONS = 3,            /* cached regions of the network in addition to one for each thread */
    UNIT = GUIDE_AWAY_UNIT, /* of distances, in a distance of points */
    FADE_PIXELS = 4,        /* pixels; the detail fades out over this distance from the guide's border, */
    FADE_LEAST = 256,       /* lattice steps; or over this distance if it is longer */
    INVERSIONS = 32         /* steps */
};

#define REACH_MOST  256.0f /* lattice steps; greatest half width of a river with the ground that it shapes */
#define NEAR_LEAST  16.0f  /* lattice steps; a point nearer than this to a bed always counts as a point of the river */
#define GROW_LEAST  48.0f  /* lattice steps; the detail grows to its full size over at least this distance */
#define GROW_POINTS 2.0f   /* spacings of the points; the same */
#define GROW_SLOPE  2.0f   /* differences of height; the same, so that no ledge is steep */
#define KEPT_POINTS 1.5f   /* in spacings of the points; reach of interpolation: no detail this far around water */

typedef struct detail_making {
    guide_making *m;
    ter_fluvial f; /* of the land without detail */
    const guide_raster *pixels;
    ter_guide_points points;
    float *value;
    uint16_t *away; /* REACH_MOST plus the distance from rivers and lakes, in 1/UNIT of the spacing of the points */
    ter_fluvial_maker *makers; /* one for each thread */
    atomic_int has_failed;
} detail_making;

/* ---- points ---- */

static double fade_of(const guide_raster *r)
{
    return fmax(FADE_PIXELS * r->spacing, FADE_LEAST);
}

static ter_window window_of(const guide_raster *r, int shift)
{
    const double fade = fade_of(r), step = (double)(1 << shift);
    const double east = (double)r->x + (r->width - 2 * r->pad - 1) * r->spacing,
                 south = (double)r->y + (r->height - 2 * r->pad - 1) * r->spacing;
    return ter_window_between((int64_t)floor(((double)r->x - fade) / step) - 2,
                              (int64_t)floor(((double)r->y - fade) / step) - 2, (int64_t)ceil((east + fade) / step) + 2,
                              (int64_t)ceil((south + fade) / step) + 2);
}

/** Choose points about as far apart as pixels, or farther apart if there would be too many. */
static ter_guide_points choose_points(const guide_raster *r)
{
    ter_guide_points p = {.shift = 0};
    while (p.shift < SHIFT_MOST && (double)(2 << p.shift) <= r->spacing)
        p.shift++;
    while (p.at = window_of(r, p.shift), (double)p.at.width * (double)p.at.height > COUNT_MOST)
        p.shift++;
    return p;
}

/* ---- the difference ---- */

/** The height whose ter_beach is z. */
static float before_beach(float z, float sea)
{
    const float y = z - sea;
    float h = y;
    for (int n = 0; n < INVERSIONS; n++)
        h = y + 27.0f * h / (h * h + 36.0f);
    return h + sea;
}

/** Where a point lies in the raster, along one axis. */
static int pixel_of(const guide_raster *r, int64_t place, int64_t first, float *share)
{
    const double u = (double)(place - first) / r->spacing + (double)r->pad, pixel = floor(u);
    *share = (float)(u - pixel);
    return (int)pixel;
}

/** Layers of the points of a block without detail. */
typedef struct block_layers {
    float height[BLOCK * BLOCK], water[BLOCK * BLOCK], flow[BLOCK * BLOCK], shore[BLOCK * BLOCK];
} block_layers;

/** Distance of a point at a river or lake, as in detail_making.away; UINT16_MAX - 7 for other points. */
static uint16_t begin_distance(const detail_making *d, const block_layers *l, int k)
{
    const ter_fluvial *f = &d->m->f;
    const float step = (float)(1 << d->points.shift);
    const float area = l->flow[k] / (f->spacing * f->spacing * TER_AREA), shore = l->shore[k] / f->spacing;
    const bool is_wet = !isnan(l->water[k]) && (l->height[k] >= f->sea || l->water[k] > f->sea);
    const bool is_near = area > TER_BROOK_AREA && shore <= ter_max(0.75f * step, NEAR_LEAST);
    if (!is_wet && !is_near)
        return UINT16_MAX - 7;
    const float width = area > TER_BROOK_AREA ? (TER_BROAD_LEAST + TER_BROAD_MORE) * ter_river_width(area) : 0.0f;
    const float reach = is_near ? width + ter_river_extent(width) : ter_river_extent(0.0f);
    return (uint16_t)(ter_max(REACH_MOST - reach, 0.0f) / step * UNIT);
}

static void take_block(const detail_making *d, ter_window at, const block_layers *l)
{
    const guide_raster *r = d->pixels;
    const int64_t step = (int64_t)1 << d->points.shift;
    for (int j = 0; j < at.height; j++) {
        float south;
        const int row = pixel_of(r, (at.y + j) * step, r->y, &south);
        for (int i = 0; i < at.width; i++) {
            float east;
            const int column = pixel_of(r, (at.x + i) * step, r->x, &east), k = j * at.width + i;
            const size_t to = (size_t)ter_window_index(d->points.at, at.x + i, at.y + j);
            const float away = guide_raster_away(r, column, row, east, south) * (float)r->spacing;
            const float share = 1.0f - ter_smooth_step(away / (float)fade_of(r)), sea = d->m->f.sea;
            const float own = guide_raster_height(r, column, row, east, south);
            d->value[to] = share * (before_beach(own, sea) - before_beach(l->height[k], sea));
            d->away[to] = begin_distance(d, l, k);
        }
    }
}

static void make_block(void *user, int thread, int64_t task)
{
    detail_making *d = user;
    const ter_window all = d->points.at;
    const int columns = (all.width + BLOCK - 1) / BLOCK, x = (int)(task % columns) * BLOCK,
              y = (int)(task / columns) * BLOCK;
    const ter_window at = {all.x + x, all.y + y, all.width - x < BLOCK ? all.width - x : BLOCK,
                           all.height - y < BLOCK ? all.height - y : BLOCK};
    block_layers *l = atomic_load(&d->has_failed) ? NULL : malloc(sizeof *l);
    ter_fluvial_output out = {.stride = (size_t)at.width};
    bool is_made = l != NULL;
    if (is_made) {
        out.layer[TER_LAYER_HEIGHT] = l->height;
        out.layer[TER_LAYER_WATER] = l->water;
        out.layer[TER_LAYER_FLOW] = l->flow;
        out.layer[TER_LAYER_SHORE] = l->shore;
        is_made = ter_fluvial_make_block(&d->makers[thread], d->m->kernels, &d->f, d->points.shift, at, &out, false);
    }
    if (is_made && !ter_is_cancelled(&d->m->cancel))
        take_block(d, at, l);
    else
        atomic_store(&d->has_failed, 1);
    free(l);
}

/** Compute the differences at all points, and the distances of points at rivers and lakes. */
static ter_status make_blocks(detail_making *d)
{
    const int threads = ter_team_size(d->m->team);
    const ter_window at = d->points.at;
    d->makers = calloc((size_t)threads, sizeof *d->makers);
    ter_fluvial_regions *regions = ter_fluvial_regions_create(threads + REGIONS);
    if (d->makers && regions) {
        for (int n = 0; n < threads; n++) {
            d->makers[n].regions = regions;
            d->makers[n].cancel = d->m->cancel;
        }
        ter_team_run(d->m->team, (int64_t)((at.width + BLOCK - 1) / BLOCK) * ((at.height + BLOCK - 1) / BLOCK),
                     make_block, d);
    }
    const bool is_made = d->makers && regions && !atomic_load(&d->has_failed);
    for (int n = 0; n < threads && d->makers; n++)
        ter_fluvial_maker_free(&d->makers[n]);
    free(d->makers);
    ter_fluvial_regions_destroy(regions);
    if (is_made)
        return TER_OK;
    const ter_status status = ter_check_cancelled(&d->m->cancel);
    return status == TER_OK ? guide_no_memory(d->m) : status;
}

/** Let the detail grow with distance from rivers and lakes. */
static void fade_at_water(const detail_making *d)
{
    const float step = (float)(1 << d->points.shift), unit = step / UNIT;
    const float kept = REACH_MOST + KEPT_POINTS * step, least = ter_max(GROW_LEAST, GROW_POINTS * step);
    guide_spread_distances(d->away, d->points.at.width, d->points.at.height);
    for (size_t k = 0; k < ter_window_count(d->points.at); k++) {
        const float grow = ter_max(least, GROW_SLOPE * fabsf(d->value[k]) / d->m->f.spacing);
        d->value[k] *= ter_smooth_step(((float)d->away[k] * unit - kept) / grow);
    }
}

ter_status guide_make_detail(guide_making *m, ter_guide_points *points, float **values)
{
    detail_making d = {.m = m, .f = m->f, .pixels = guide_pixels(m)};
    d.f.guide_detail = m->tables->has_bends ? TER_DETAIL_RIVERS : 0;

    *values = NULL;
    *points = d.points;
    if (!m->has_detail)
        return TER_OK;
    d.points = choose_points(d.pixels);
    const size_t count = ter_window_count(d.points.at);
    d.value = malloc(count * sizeof *d.value);
    d.away = malloc(count * sizeof *d.away);
    atomic_init(&d.has_failed, 0);
    const ter_status status = d.value && d.away ? make_blocks(&d) : guide_no_memory(m);
    if (status == TER_OK) {
        fade_at_water(&d);
        *points = d.points;
        *values = d.value;
    } else {
        free(d.value);
    }
    free(d.away);
    return status;
}
