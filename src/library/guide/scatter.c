/* scatter.c - takes points of a lattice in the world's plane, over the guide and its rim, and adds each to the sums of
 * the cell in which its place lies.
 *
 * The warp has no inverse, so points are brought to cells, and not cells to points. The warp is made at knots a few
 * points apart, and is linear between them; only the choice of a cell depends on it. Blocks of points are summed by
 * themselves and then added to the cells.
 */
#include "library/guide/scatter.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "library/fluvial/plan.h"

enum {
    BLOCK = 128,  /* points; side of a block */
    HALO_MAX = 8, /* points around a block, for slopes */
    SIDE = BLOCK + 2 * HALO_MAX,
    PER_KNOT = 8, /* points between knots of the warp: one cell */
    MARGIN = 3    /* cells around those with points */
};

/** The warp at a knot, and the bend of the line at which the guide ends in its rim. */
typedef struct warp_knot {
    float east, south; /* lattice steps */
    float bend;        /* 0..1; where the guide ends: 0 at the outer edge of its rim, 1 in the middle of the rim */
} warp_knot;

typedef struct scatter {
    guide_making *m;
    int64_t first_x, first_y; /* in points from the middle of the guide's first pixel */
    int columns, rows;        /* points */
    int per_knot;             /* points */
    int knot_columns, knot_rows;
    warp_knot *knots;
    pthread_mutex_t lock; /* of m->sums */
    atomic_int has_failed;
} scatter;

/* ---- the warp ---- */

/** Number of octaves of the warp that are made at knots: those whose pitch is at least half the spacing of the knots.
 */
static int octaves_of(const scatter *s)
{
    const int64_t knot = s->per_knot * s->m->point;
    int count = 1;
    while (count < TER_WARP_OCTAVES && INT64_C(262144) >> count >= knot)
        count++;
    return count;
}

/** Octave of the warp with the smallest pitch that is at least the width of the rim. */
static int bend_octave(const scatter *s)
{
    int m = 7;
    while (m > 0 && (float)(1 << (TER_WARP_SHIFT - m)) < s->m->rim)
        m--;
    return m;
}

static float bend_at(const ter_fluvial_job *job, int octave, int64_t x, int64_t y)
{
    float broad[TER_FIELD_CHANNELS], fine[TER_FIELD_CHANNELS];
    ter_spline(job->warp_at[octave], job->warp[octave], TER_WARP_SHIFT - octave, ter_warp_channels(octave), x, y,
               broad);
    ter_spline(job->warp_at[octave + 1], job->warp[octave + 1], TER_WARP_SHIFT - octave - 1,
               ter_warp_channels(octave + 1), x, y, fine);
    return 0.5f * (1.0f + ter_clamp(1.6f * broad[0] + 0.8f * fine[0], -1.0f, 1.0f));
}

static int64_t world_x(const scatter *s, int64_t point)
{
    return s->m->raster.x + (s->first_x + point) * s->m->point;
}

static int64_t world_y(const scatter *s, int64_t point)
{
    return s->m->raster.y + (s->first_y + point) * s->m->point;
}

/** Make one row of knots. */
static void make_knots(void *user, int thread, int64_t row)
{
    (void)thread;
    scatter *s = user;
    const int bend = bend_octave(s), octaves = octaves_of(s), used = octaves > bend + 2 ? octaves : bend + 2;
    const int64_t y = world_y(s, row * s->per_knot), x0 = world_x(s, 0);
    const int64_t x1 = world_x(s, (int64_t)(s->knot_columns - 1) * s->per_knot);
    ter_fluvial_job *job = calloc(1, sizeof *job);
    ter_arena size = {NULL, 0}, arena = {NULL, 0};
    if (job) {
        for (int m = 0; m < used; m++)
            job->warp_at[m] = ter_spline_window(x0, y, x1, y, TER_WARP_SHIFT - m);
        job->f = s->m->f;
        ter_place_warp(&size, job);
        arena.base = malloc(size.bytes);
    }
    if (!arena.base || ter_is_cancelled(&s->m->cancel)) {
        atomic_store(&s->has_failed, 1);
        free(arena.base);
        free(job);
        return;
    }
    char *memory = arena.base;
    ter_place_warp(&arena, job);
    for (int m = 0; m < used; m++)
        for (int j = 0; j < job->warp_at[m].height; j++)
            for (int i = 0; i < job->warp_at[m].width; i++)
                ter_make_warp_knot(job, m, i, j);
    for (int i = 0; i < s->knot_columns; i++) {
        float shift[TER_SHIFTS];
        const int64_t x = world_x(s, (int64_t)i * s->per_knot);
        ter_warp_octaves(job, octaves, x, y, shift);
        s->knots[row * s->knot_columns + i] = (warp_knot){shift[0], shift[1], bend_at(job, bend, x, y)};
    }
    free(memory);
    free(job);
}

/** Cells in which the places of all knots lie, with a margin. Places between knots lie between the places of the knots.
 */
static ter_window cells_of_knots(const scatter *s)
{
    const int shift = 24 - s->m->level;
    int64_t x0 = INT64_MAX, y0 = INT64_MAX, x1 = INT64_MIN, y1 = INT64_MIN;
    for (int j = 0; j < s->knot_rows; j++)
        for (int i = 0; i < s->knot_columns; i++) {
            const warp_knot *k = &s->knots[(size_t)j * (size_t)s->knot_columns + (size_t)i];
            const int64_t wx = world_x(s, (int64_t)i * s->per_knot), wy = world_y(s, (int64_t)j * s->per_knot);
            const float warp[2] = {k->east, k->south};
            const int64_t x = ter_place_x(wx, wy, warp) >> shift, y = ter_place_y(wx, wy, warp) >> shift;
            x0 = x < x0 ? x : x0;
            x1 = x > x1 ? x : x1;
            y0 = y < y0 ? y : y0;
            y1 = y > y1 ? y : y1;
        }
    return ter_window_between(x0 - MARGIN, y0 - MARGIN, x1 + MARGIN, y1 + MARGIN);
}

/* ---- points ---- */

/** A block of points. */
typedef struct point_block {
    int64_t x, y; /* its first point, in points from scatter.first_x */
    int columns, rows;
    float height[SIDE][SIDE]; /* of the surface; the first point of the block lies at [reach][reach] */
    float away[BLOCK][BLOCK]; /* lattice steps; distance to the guide */
} point_block;

/** Find where a point lies in the raster along one axis. Returns the pixel; share: receives the share of the way to the
 * next pixel */
static int pixel_of(const guide_making *m, int64_t point, float *share)
{
    const double u = (double)(point * m->point) / m->raster.spacing + (double)m->raster.pad;
    const double pixel = floor(u);
    *share = (float)(u - pixel);
    return (int)pixel;
}

static void make_surface(const scatter *s, point_block *b)
{
    const guide_making *m = s->m;
    const int halo = m->reach_points;
    for (int j = 0; j < b->rows + 2 * halo; j++) {
        float south;
        const int row = pixel_of(m, s->first_y + b->y + j - halo, &south);
        for (int i = 0; i < b->columns + 2 * halo; i++) {
            float east;
            const int column = pixel_of(m, s->first_x + b->x + i - halo, &east);
            b->height[j][i] = guide_raster_height(&m->raster, column, row, east, south);
            if (j >= halo && i >= halo && j < halo + b->rows && i < halo + b->columns)
                b->away[j - halo][i - halo] =
                    guide_raster_away(&m->raster, column, row, east, south) * (float)m->raster.spacing;
        }
    }
}

/** Interpolate linearly at (a, b) in the square with these corners. a, b: 0..1, from the west and the north */
static float in_square(float nw, float ne, float sw, float se, float a, float b)
{
    const float north = ter_fma(a, ne - nw, nw), south = ter_fma(a, se - sw, sw);
    return ter_fma(b, south - north, north);
}

/** Interpolate the warp and the bend of the border linearly between knots, at point (x, y). */
static warp_knot warp_between(const scatter *s, int64_t x, int64_t y)
{
    const int64_t u = x / s->per_knot, v = y / s->per_knot;
    const float a = (float)(x - u * s->per_knot) / (float)s->per_knot,
                b = (float)(y - v * s->per_knot) / (float)s->per_knot;
    const warp_knot *n = &s->knots[v * s->knot_columns + u], *t = n + s->knot_columns;
    return (warp_knot){.east = in_square(n[0].east, n[1].east, t[0].east, t[1].east, a, b),
                       .south = in_square(n[0].south, n[1].south, t[0].south, t[1].south, a, b),
                       .bend = in_square(n[0].bend, n[1].bend, t[0].bend, t[1].bend, a, b)};
}

/** Share of the guide at a point of its rim. The line where it ends is bent, and lies outside the guide's pixels. */
static float share_at(const guide_making *m, float away, float bend)
{
    const float inside = 1.0f - away / m->rim;
    return ter_smooth_step(2.0f * (inside - 0.5f * bend));
}

static float slope_at(const guide_making *m, const point_block *b, int i, int j)
{
    const int r = m->reach_points;
    const float dx = (b->height[j + r][i + 2 * r] - b->height[j + r][i]) * 0.5f / m->reach;
    const float dy = (b->height[j + 2 * r][i + r] - b->height[j][i + r]) * 0.5f / m->reach;
    return ter_length(dx, dy);
}

/** Add one point to the sums of its cell. x, y: its place from the corner of the cell */
static void add_point(const guide_making *m, float z, float slope, float share, uint32_t x, uint32_t y,
                      guide_sums *sums)
{
    const bool is_lower =
        sums->count == 0 || z < sums->low || (z == sums->low && (y < sums->y || (y == sums->y && x < sums->x)));
    if (is_lower) {
        sums->low = z;
        sums->x = x;
        sums->y = y;
    }
    sums->top = sums->count == 0 ? z : ter_max(sums->top, z);
    sums->count++;
    sums->height += (int32_t)rintf(z * 16.0f);
    sums->slope += (int32_t)rintf(ter_min(slope, 16.0f) * 4096.0f);
    sums->share += (int32_t)rintf(share * 1024.0f);
    if (z >= m->f.sea) {
        sums->land++;
        sums->over += (int32_t)rintf((z - m->f.sea) * 16.0f);
    }
}

/** Add sums to those of the same cell. */
static void join(const guide_sums *from, guide_sums *to)
{
    const guide_sums before = *to;
    if (from->count == 0)
        return;
    if (before.count == 0) {
        *to = *from;
        return;
    }
    if (from->low < before.low ||
        (from->low == before.low && (from->y < before.y || (from->y == before.y && from->x < before.x)))) {
        to->low = from->low;
        to->x = from->x;
        to->y = from->y;
    }
    to->top = ter_max(before.top, from->top);
    to->count += from->count;
    to->height += from->height;
    to->slope += from->slope;
    to->share += from->share;
    to->land += from->land;
    to->over += from->over;
}

/** Sums over the points of a block, for a window of cells. rasters: NULL without any */
typedef struct window_sums {
    ter_window at;
    guide_sums *points;
    guide_raster_sums *rasters;
} window_sums;

static void join_window(scatter *s, const window_sums *from)
{
    const ter_window at = from->at;
    pthread_mutex_lock(&s->lock);
    for (int y = 0; y < at.height; y++)
        for (int x = 0; x < at.width; x++) {
            const int k = y * at.width + x, to = ter_window_index(s->m->at, at.x + x, at.y + y);
            join(&from->points[k], &s->m->sums[to]);
            for (int n = 0; n < GUIDE_SUMMED && from->rasters; n++)
                s->m->raster_sums[to].of[n] += from->rasters[k].of[n];
        }
    pthread_mutex_unlock(&s->lock);
}

/** Add the values of the rasters at a point of the block to the sums of its cell. */
static void add_rasters(const scatter *s, int64_t point_x, int64_t point_y, guide_raster_sums *sums)
{
    const guide_making *m = s->m;
    float east, south;
    const int row = pixel_of(m, s->first_y + point_y, &south), column = pixel_of(m, s->first_x + point_x, &east);
    for (int n = 0; n < GUIDE_SUMMED; n++) {
        if (!m->beside[n].z)
            continue;
        const float most = n == TER_GUIDE_RELIEF ? (float)TER_GUIDE_RELIEF_MAX : 1.0f;
        const float value = ter_clamp(guide_raster_height(&m->beside[n], column, row, east, south), 0.0f, most);
        sums->of[n] += (int32_t)rintf(value * 256.0f);
    }
}

/** Find the place of each point of a block. x, y, bend: receive one number for each point; the high bits of x and y are
 * the cell. Returns the window of these cells. */
static ter_window place_points(const scatter *s, const point_block *b, int64_t *x, int64_t *y, float *bend)
{
    const int shift = 24 - s->m->level;
    int64_t x0 = INT64_MAX, y0 = INT64_MAX, x1 = INT64_MIN, y1 = INT64_MIN;
    for (int j = 0; j < b->rows; j++)
        for (int i = 0; i < b->columns; i++, x++, y++, bend++) {
            const warp_knot k = warp_between(s, b->x + i, b->y + j);
            const float warp[2] = {k.east, k.south};
            const int64_t wx = world_x(s, b->x + i), wy = world_y(s, b->y + j);
            *x = ter_place_x(wx, wy, warp);
            *y = ter_place_y(wx, wy, warp);
            *bend = k.bend;
            x0 = *x < x0 ? *x : x0;
            x1 = *x > x1 ? *x : x1;
            y0 = *y < y0 ? *y : y0;
            y1 = *y > y1 ? *y : y1;
        }
    return ter_window_between(x0 >> shift, y0 >> shift, x1 >> shift, y1 >> shift);
}

/** Scratch of a block. */
typedef struct block_scratch {
    point_block block;
    int64_t x[BLOCK * BLOCK], y[BLOCK * BLOCK];
    float bend[BLOCK * BLOCK];
} block_scratch;

static bool sum_block(scatter *s, block_scratch *scratch)
{
    const guide_making *m = s->m;
    const point_block *b = &scratch->block;
    const int64_t mask = ((int64_t)1 << (24 - m->level)) - 1;
    make_surface(s, &scratch->block);
    const ter_window at = place_points(s, b, scratch->x, scratch->y, scratch->bend);
    const size_t count = (size_t)at.width * (size_t)at.height;
    const window_sums sums = {.at = at,
                              .points = calloc(count, sizeof *sums.points),
                              .rasters = m->has_rasters ? calloc(count, sizeof *sums.rasters) : NULL};
    if (!sums.points || (m->has_rasters && !sums.rasters)) {
        free(sums.points);
        free(sums.rasters);
        return false;
    }
    for (int j = 0, n = 0; j < b->rows; j++)
        for (int i = 0; i < b->columns; i++, n++) {
            const float share = share_at(m, b->away[j][i], scratch->bend[n]);
            const int64_t x = scratch->x[n], y = scratch->y[n];
            const int cell = ter_window_index(at, x >> (24 - m->level), y >> (24 - m->level));
            add_point(m, b->height[j + m->reach_points][i + m->reach_points], slope_at(m, b, i, j), share,
                      (uint32_t)(x & mask), (uint32_t)(y & mask), &sums.points[cell]);
            if (sums.rasters)
                add_rasters(s, b->x + i, b->y + j, &sums.rasters[cell]);
        }
    join_window(s, &sums);
    free(sums.points);
    free(sums.rasters);
    return true;
}

static int block_columns(const scatter *s)
{
    return (s->columns + BLOCK - 1) / BLOCK;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static void make_block(void *user, int thread, int64_t n)
{
    (void)thread;
    scatter *s = user;
    block_scratch *scratch = malloc(sizeof *scratch);
    bool is_made = scratch && !ter_is_cancelled(&s->m->cancel);
    if (is_made) {
        point_block *b = &scratch->block;
        b->x = n % block_columns(s) * BLOCK;
        b->y = n / block_columns(s) * BLOCK;
        b->columns = least(s->columns - (int)b->x, BLOCK);
        b->rows = least(s->rows - (int)b->y, BLOCK);
        is_made = sum_block(s, scratch);
    }
    if (!is_made)
        atomic_store(&s->has_failed, 1);
    free(scratch);
}

/* ---- all points ---- */

/** Number of points along an axis with `pixels` pixels. first: receives the first point */
static int points_of(const guide_making *m, int pixels, int64_t *first)
{
    const double beyond = 0.5 * m->raster.spacing + (double)m->rim, step = (double)m->point;
    *first = (int64_t)ceil(-beyond / step);
    return (int)((int64_t)floor(((double)(pixels - 1) * m->raster.spacing + beyond) / step) - *first + 1);
}

static ter_status failure(const scatter *s)
{
    const ter_status status = ter_check_cancelled(&s->m->cancel);
    return status == TER_OK ? guide_no_memory(s->m) : status;
}

static ter_status too_many_cells(const guide_making *m, int64_t columns, int64_t rows)
{
    return ter_fail(TER_EINVAL,
                    "the guide has about %lld x %lld cells of level %d, expected at most %d: use a lower level or a "
                    "smaller raster",
                    (long long)columns, (long long)rows, m->level, GUIDE_CELLS_MAX);
}

static ter_status run(scatter *s)
{
    guide_making *m = s->m;
    const int64_t per_cell = m->cell / m->point;
    if (s->columns / per_cell > GUIDE_CELLS_MAX / (s->rows / per_cell + 1))
        return too_many_cells(m, s->columns / per_cell, s->rows / per_cell);
    s->knots = malloc((size_t)s->knot_columns * (size_t)s->knot_rows * sizeof *s->knots);
    if (!s->knots)
        return guide_no_memory(m);
    ter_team_run(m->team, s->knot_rows, make_knots, s);
    if (atomic_load(&s->has_failed))
        return failure(s);
    m->at = cells_of_knots(s);
    if ((int64_t)m->at.width * m->at.height > GUIDE_CELLS_MAX)
        return too_many_cells(m, m->at.width, m->at.height);
    m->sums = calloc(guide_cell_count(m), sizeof *m->sums);
    m->raster_sums = m->has_rasters ? calloc(guide_cell_count(m), sizeof *m->raster_sums) : NULL;
    if (!m->sums || (m->has_rasters && !m->raster_sums))
        return guide_no_memory(m);
    const int64_t blocks = (int64_t)block_columns(s) * ((s->rows + BLOCK - 1) / BLOCK);
    ter_team_run(m->team, blocks, make_block, s);
    return atomic_load(&s->has_failed) ? failure(s) : TER_OK;
}

ter_status guide_scatter(guide_making *m)
{
    scatter s = {.m = m};
    s.columns = points_of(m, m->raster.width - 2 * m->raster.pad, &s.first_x);
    s.rows = points_of(m, m->raster.height - 2 * m->raster.pad, &s.first_y);
    s.per_knot = PER_KNOT;
    s.knot_columns = (s.columns - 1) / s.per_knot + 2;
    s.knot_rows = (s.rows - 1) / s.per_knot + 2;
    atomic_init(&s.has_failed, 0);
    if (pthread_mutex_init(&s.lock, NULL) != 0)
        return guide_no_memory(m);
    const ter_status status = run(&s);
    pthread_mutex_destroy(&s.lock);
    free(s.knots);
    return status;
}
