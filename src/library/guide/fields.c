/* fields.c - computes the steepness of hillsides from the slopes of the guide, and changes the heights of level 0,
 * which the land outside the guide follows. */
#include "library/guide/fields.h"

#include <stdlib.h>
#include <string.h>

#include "library/fluvial/passes.h"

/* ---- relief ---- */

/** Share of the mean slope of land that the hillsides of its network have. Measured: docs/lab/2026-guide.md */
#define SLOPE_SHARE 0.7f

#define RELIEF_LEAST 0.03f
#define RELIEF_MOST  4.5f
#define ROUGH_FROM   600.0f /* m above the sea, from which on `rough` has its whole effect */

/** Smooth mean slopes with the weights 1 4 6 4 1 along rows or columns. Slopes below 0 mark cells without points, which
 * do not count. A cell gets -1 if no cell near it has points.
 *
 *  step  1 along rows, the width along columns
 */
static void smooth(const guide_making *m, int step, const float *from, float *to)
{
    static const float weight[5] = {1.0f, 4.0f, 6.0f, 4.0f, 1.0f};
    const int width = m->at.width, height = m->at.height;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int at = step == 1 ? x : y, count = step == 1 ? width : height;
            const size_t k = (size_t)y * (size_t)width + (size_t)x;
            float sum = 0.0f, weights = 0.0f;
            for (int n = -2; n <= 2; n++) {
                if (at + n < 0 || at + n >= count || from[(ptrdiff_t)k + n * step] < 0.0f)
                    continue;
                sum += weight[n + 2] * from[(ptrdiff_t)k + n * step];
                weights += weight[n + 2];
            }
            to[k] = weights > 0.0f ? sum / weights : -1.0f;
        }
}

/** Mean of a raster over the points of cell k; 0 if the cell has no points. */
static float raster_mean(const guide_making *m, size_t k, ter_guide_raster raster)
{
    const int32_t count = m->sums[k].count;
    return count > 0 ? (float)m->raster_sums[k].of[raster] / (float)count * (1.0f / 256.0f) : 0.0f;
}

/** Number of rounds of smoothing. Provinces are known at knots 4 km apart, so relief must not change much over shorter
 * distances.
 */
static int rounds_of(const guide_making *m)
{
    return m->level >= 8 ? 4 : m->level >= 7 ? 2 : 1;
}

static ter_status make_relief(guide_making *m)
{
    const size_t count = guide_cell_count(m);
    float *slope = malloc(count * sizeof *slope), *other = malloc(count * sizeof *other);
    ter_guide_cell *cells = guide_cells(m);
    const int level = m->reach_points == m->cell / m->point ? m->level - 1 : m->level;
    const double given = m->guide->options.steep;
    const float factor = 1.25f * SLOPE_SHARE * (given > 0.0 ? (float)given : 1.0f) / ter_hillslope_law(level);
    for (size_t n = 0; n < count && slope && other; n++)
        slope[n] = m->sums[n].count > 0 ? (float)m->sums[n].slope / (float)m->sums[n].count * (1.0f / 4096.0f) : -1.0f;
    for (int round = 0; round < rounds_of(m) && slope && other; round++) {
        smooth(m, 1, slope, other);
        smooth(m, m->at.width, other, slope);
    }
    for (size_t n = 0; n < count && slope && other; n++) {
        const float given_relief = m->beside[TER_GUIDE_RELIEF].z ? raster_mean(m, n, TER_GUIDE_RELIEF) : 1.0f;
        cells[n].relief = ter_clamp(factor * given_relief * ter_max(slope[n], 0.0f), RELIEF_LEAST, RELIEF_MOST);
        /* On low land, hillsides as steep as the seed's would rise far above the guide. */
        cells[n].rough = m->rough * ter_min(given_relief, 1.0f) *
                         ter_smooth_step((cells[n].height - m->f.sea) * (1.0f / ROUGH_FROM));
        if (cells[n].height < m->f.sea) { /* hillsides that rise from the bed of the sea would move the coast */
            cells[n].relief = RELIEF_LEAST;
            cells[n].rough = 0.0f;
            cells[n].plateau = 0;
        }
    }
    const bool is_made = slope && other;
    free(slope);
    free(other);
    return is_made ? TER_OK : guide_no_memory(m);
}

/* ---- heights and shares ---- */

static float mean_of(const guide_sums *s)
{
    return (float)s->height / (float)s->count * (1.0f / 16.0f);
}

/** Mean height of the cells with points around a cell without points, for interpolation; 0 if there are none. */
static float mean_around(const guide_making *m, int x, int y)
{
    float sum = 0.0f;
    int count = 0;
    for (int b = -1; b <= 1; b++)
        for (int a = -1; a <= 1; a++) {
            const int64_t cx = m->at.x + x + a, cy = m->at.y + y + b;
            if (!ter_window_has(m->at, cx, cy))
                continue;
            const guide_sums *s = &m->sums[ter_window_index(m->at, cx, cy)];
            sum += s->count > 0 ? mean_of(s) : 0.0f;
            count += s->count > 0;
        }
    return count > 0 ? sum / (float)count : 0.0f;
}

static void take_rasters(const guide_making *m, size_t k)
{
    ter_guide_cell *cell = guide_cells(m) + k;
    cell->plateau = (uint8_t)(raster_mean(m, k, TER_GUIDE_PLATEAU) * 255.0f + 0.5f);
    cell->dryness = (uint8_t)(raster_mean(m, k, TER_GUIDE_DRYNESS) * 255.0f + 0.5f);
    cell->ice = (uint8_t)(raster_mean(m, k, TER_GUIDE_ICE) * 255.0f + 0.5f);
}

ter_status guide_make_fields(guide_making *m)
{
    ter_guide_cell *cell = guide_cells(m);
    for (int y = 0; y < m->at.height; y++)
        for (int x = 0; x < m->at.width; x++, cell++) {
            const guide_sums *s = &m->sums[(size_t)y * (size_t)m->at.width + (size_t)x];
            cell->share = s->count > 0 ? (float)s->share / (float)s->count * (1.0f / 1024.0f) : 0.0f;
            cell->height = s->count > 0 ? mean_of(s) : mean_around(m, x, y);
        }
    for (size_t k = 0; k < guide_cell_count(m) && m->has_rasters; k++)
        take_rasters(m, k);
    return make_relief(m);
}

/* ---- level 0 ---- */

enum { RAISE_REACH = 4 }; /* cells of level 0 around the guide that follow it */

/** Sums of the cells of the guide in a cell of level 0. */
typedef struct root_sums {
    int64_t height; /* m / 16 */
    int64_t count;
    float low;
    float own;   /* m; height of the node without the guide */
    float raise; /* m */
    float cover; /* 0..1: share of the cell with points */
} root_sums;

ter_window guide_raise_window(const guide_making *m)
{
    const ter_window w = m->at;
    return ter_window_grown(ter_window_between(w.x >> m->level, w.y >> m->level, (w.x + w.width - 1) >> m->level,
                                               (w.y + w.height - 1) >> m->level),
                            RAISE_REACH + 1);
}

static void sum_roots(const guide_making *m, ter_window at, root_sums *roots)
{
    for (int n = 0; n < at.width * at.height; n++)
        roots[n] = (root_sums){.low = 1e30f};
    for (size_t n = 0; n < guide_cell_count(m); n++) {
        const guide_sums *s = &m->sums[n];
        const int64_t x = m->at.x + (int64_t)(n % (size_t)m->at.width),
                      y = m->at.y + (int64_t)(n / (size_t)m->at.width);
        root_sums *r = &roots[ter_window_index(at, x >> m->level, y >> m->level)];
        if (s->count == 0)
            continue;
        r->height += s->height;
        r->count += s->count;
        r->low = ter_min(r->low, s->low);
    }
}

/** Find the heights that the nodes of level 0 have without `raise`. Returns false when there is no memory. */
static bool find_heights(const guide_making *m, ter_window at, root_sums *roots)
{
    ter_fluvial_job *job = calloc(1, sizeof *job);
    ter_arena size = {NULL, 0}, arena = {NULL, 0};
    if (!job)
        return false;
    job->f = m->f;
    ter_plan_nodes(0, at, job);
    ter_place_provinces(&size, job);
    ter_place_nodes(&size, job);
    char *memory = arena.base = malloc(size.bytes);
    if (memory) {
        ter_place_provinces(&arena, job);
        ter_place_nodes(&arena, job);
        TER_PASSES_TO_PROVINCES(job, TER_LOOP);
        TER_LOOP(ter_make_root, 0, at.width, at.height);
        for (int n = 0; n < at.width * at.height; n++)
            roots[n].own = job->node[0][n].z;
    }
    free(memory);
    free(job);
    return memory != NULL;
}

/** Raise of cell (x, y), which is added to its height, metres. If the guide covers a quarter of the cell, it is the
 * cell's own raise; otherwise it is a mean of the raises of the cells around, which fades with distance. */
static float raise_at(ter_window at, const root_sums *roots, int x, int y)
{
    float sum = 0.0f, weights = 0.0f, nearest = 1e30f;
    const root_sums *own = &roots[y * at.width + x];
    if (own->cover >= 0.25f)
        return own->raise;
    for (int b = -RAISE_REACH; b <= RAISE_REACH; b++)
        for (int a = -RAISE_REACH; a <= RAISE_REACH; a++) {
            if (x + a < 0 || y + b < 0 || x + a >= at.width || y + b >= at.height)
                continue;
            const root_sums *r = own + b * at.width + a;
            if (r->count == 0)
                continue;
            const float square = (float)(a * a + b * b) + 0.25f, weight = r->cover / (square * square);
            sum += weight * r->raise;
            weights += weight;
            nearest = ter_min(nearest, square);
        }
    if (weights <= 0.0f)
        return 0.0f;
    return sum / weights * (1.0f - ter_smooth_step((ter_sqrt(nearest) - 0.5f) * (1.0f / RAISE_REACH)));
}

/** Set the raises of the cells that contain points of the guide. */
static void begin_raises(const guide_making *m, ter_window at, root_sums *roots)
{
    const float side = (float)(131072 / m->point), full = side * side;
    for (int n = 0; n < at.width * at.height; n++) {
        root_sums *r = &roots[n];
        if (r->count == 0)
            continue;
        const float mean = (float)r->height / (float)r->count * (1.0f / 16.0f);
        r->raise = r->low + 0.25f * (mean - r->low) - r->own;
        r->cover = ter_min((float)r->count / full, 1.0f);
    }
}

ter_status guide_make_raise(guide_making *m)
{
    const ter_window at = m->tables->raise;
    float *raise = (void *)((char *)m->tables + m->tables->raise_at);
    root_sums *roots = malloc((size_t)at.width * (size_t)at.height * sizeof *roots);
    memset(raise, 0, (size_t)at.width * (size_t)at.height * sizeof *raise);
    if (!roots)
        return guide_no_memory(m);
    sum_roots(m, at, roots);
    const bool is_made = find_heights(m, at, roots);
    begin_raises(m, at, roots);
    for (int y = 0; y < at.height && is_made; y++)
        for (int x = 0; x < at.width; x++) {
            const float own = roots[y * at.width + x].own;
            raise[y * at.width + x] =
                !m->tables->is_ocean ? raise_at(at, roots, x, y) : ter_min(TER_GUIDE_OCEAN - own, 0.0f);
        }
    free(roots);
    return is_made ? TER_OK : guide_no_memory(m);
}
