/* lots.c - groups blocks into lots by the points of their broadest octave, and then lots by the cells of their
 * networks.
 */
#include "library/fluvial/cpu/lots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "library/fluvial/window_groups.h"

enum {
    OCTAVE_POINTS_MAX = 1 << 15, /* greatest number of points of a shared octave: 2 MB */
    NETWORK_CELLS_MAX = 1 << 15, /* greatest number of cells of a shared network: 15 MB */
    LOTS_A_THREAD = 4            /* lots for each thread if there are enough blocks */
};

/** State of the search for lots. */
typedef struct lots_search {
    const ter_fluvial *f;
    const ter_lattice *blocks;
    ter_window *windows; /* at first points of the octave of each block, then cells of each lot */
    ter_window_group *groups;
    ter_fluvial_lots *lots;
    size_t blocks_max; /* greatest number of blocks of a lot */
} lots_search;

/** Cost of an octave over a window, in points of the ground. */
static double octave_cost(const void *user, ter_window around, size_t count)
{
    const lots_search *s = user;
    if (count > 1 && (count > s->blocks_max || ter_window_count(around) > OCTAVE_POINTS_MAX))
        return INFINITY;
    ter_fluvial_job job;
    ter_plan_shared_octave(s->f, around, &job);
    double cost = 0.0;
    for (int g = 0; g < job.n_grounds; g++)
        cost += (double)ter_window_count(job.ground[g].points.at);
    return cost;
}

/** Cost of a network over a window, in nodes. A node of the last level, with its channel and pieces, costs four times
 * as much as other nodes. */
static double network_cost(const void *user, ter_window around, size_t count)
{
    (void)user;
    if (count > 1 && ter_window_count(around) > NETWORK_CELLS_MAX)
        return INFINITY;
    ter_arena none = {NULL, 0};
    ter_fluvial_job job;
    ter_plan_drainage(around, &none, &job);
    double cost = 3.0 * (double)ter_window_count(job.node_at[TER_NETWORK_LAST]);
    for (int n = 0; n < TER_NETWORK_LEVELS; n++)
        cost += (double)ter_window_count(job.node_at[n]);
    return cost;
}

static ter_window window_of(const void *user, size_t n)
{
    return ((const lots_search *)user)->windows[n];
}

static void set_group(void *user, size_t n, const ter_window_group *group)
{
    ((lots_search *)user)->groups[n] = *group;
}

/** Put the blocks that can share the octave into lots. Each other block becomes a lot of its own. */
static void find_lots(lots_search *s, size_t count)
{
    ter_fluvial_lots *lots = s->lots;
    size_t n_sharing = 0, n_alone = count;
    ter_fluvial_job job;
    for (size_t n = 0; n < count; n++) {
        ter_plan_windows(s->f, s->blocks[n], &job);
        s->windows[n] = job.octave[0].points.at;
        lots->order[ter_may_share_octave(&job) ? n_sharing++ : --n_alone] = n;
    }
    const ter_grouping grouping = {window_of, octave_cost, set_group, s};
    lots->n_lots = ter_group_windows(&grouping, lots->order, n_sharing);
    for (size_t n = 0; n < lots->n_lots; n++) {
        const ter_window_group *g = &s->groups[n];
        lots->lot[n] = (ter_fluvial_lot){.first = g->first, .count = g->count};
        if (g->count > 1)
            lots->lot[n].points = g->at;
    }
    for (size_t n = n_sharing; n < count; n++)
        lots->lot[lots->n_lots++] = (ter_fluvial_lot){.first = n, .count = 1};
}

/** Warp a point of the world to its place in the network's plane. x, y: m */
static void warped_place(const ter_fluvial *f, int64_t x, int64_t y, int64_t place[2])
{
    enum { KNOTS = 16 };
    float knots[TER_WARP_OCTAVES][4 * KNOTS], warp[TER_SHIFTS];
    ter_fluvial_job job;
    job.f = *f;
    for (int m = 0; m < TER_WARP_OCTAVES; m++) {
        job.warp_at[m] = ter_spline_window(x, y, x, y, TER_WARP_SHIFT - m);
        job.warp[m] = knots[m];
        for (int k = 0; k < KNOTS; k++)
            ter_make_warp_knot(&job, m, k % 4, k / 4);
    }
    ter_warp_at(&job, x, y, warp);
    place[0] = ter_place_x(x, y, warp);
    place[1] = ter_place_y(x, y, warp);
}

/** Guess the cells over which a rectangle of the world lies: the window around the places of its corners and its
 * middle, with a margin. */
static ter_window guess_cells(const ter_fluvial *f, int64_t x0, int64_t y0, int64_t x1, int64_t y1)
{
    /* The margin covers what the warp does between the five places: some cells, and a share of the window's side. */
    enum { MARGIN_CELLS = 3, MARGIN_SHARE = 16 };
    int64_t low[2] = {INT64_MAX, INT64_MAX}, high[2] = {INT64_MIN, INT64_MIN};
    for (int n = 0; n < 5; n++) {
        int64_t place[2];
        warped_place(f,
                     n == 4  ? x0 + (x1 - x0) / 2
                     : n & 1 ? x1
                             : x0,
                     n == 4  ? y0 + (y1 - y0) / 2
                     : n & 2 ? y1
                             : y0,
                     place);
        for (int c = 0; c < 2; c++) {
            low[c] = place[c] < low[c] ? place[c] : low[c];
            high[c] = place[c] > high[c] ? place[c] : high[c];
        }
    }
    const ter_window cells = ter_window_between(low[0] >> TER_CELL_SHIFT, low[1] >> TER_CELL_SHIFT,
                                                high[0] >> TER_CELL_SHIFT, high[1] >> TER_CELL_SHIFT);
    const int side = cells.width > cells.height ? cells.width : cells.height;
    return side > 1 ? ter_window_grown(cells, MARGIN_CELLS + side / MARGIN_SHARE) : cells;
}

/** Task n: guess the cells of lot n. */
static void guess_lot(void *user, int thread, int64_t n)
{
    const lots_search *s = user;
    const ter_fluvial_lot *lot = &s->lots->lot[n];
    ter_fluvial_job job;
    (void)thread;
    if (lot->points.width > 0)
        ter_plan_shared_octave(s->f, lot->points, &job);
    else
        ter_plan_windows(s->f, s->blocks[s->lots->order[lot->first]], &job);
    int64_t x0 = INT64_MAX, y0 = INT64_MAX, x1 = INT64_MIN, y1 = INT64_MIN;
    for (int g = 0; g < job.n_grounds; g++) {
        const ter_lattice *p = &job.ground[g].points;
        const int64_t last_x = (p->at.x + p->at.width - 1) * p->step, last_y = (p->at.y + p->at.height - 1) * p->step;
        x0 = p->at.x * p->step < x0 ? p->at.x * p->step : x0;
        y0 = p->at.y * p->step < y0 ? p->at.y * p->step : y0;
        x1 = last_x > x1 ? last_x : x1;
        y1 = last_y > y1 ? last_y : y1;
    }
    s->windows[n] = guess_cells(s->f, x0, y0, x1, y1);
}

/** Reorder the lots, so that those that share a network follow each other. from: the lots in their present order;
 * order: scratch */
static void order_lots(lots_search *s, const ter_fluvial_lot *from, size_t *order)
{
    const size_t count = s->lots->n_lots;
    for (size_t n = 0; n < count; n++)
        order[n] = n;
    const ter_grouping grouping = {window_of, network_cost, set_group, s};
    const size_t n_networks = ter_group_windows(&grouping, order, count);
    for (size_t n = 0; n < n_networks; n++)
        for (size_t k = s->groups[n].first; k < s->groups[n].first + s->groups[n].count; k++) {
            s->lots->lot[k] = from[order[k]];
            if (s->groups[n].count > 1 || s->lots->lot[k].count > 1)
                s->lots->lot[k].cells = s->groups[n].at;
        }
}

ter_status ter_fluvial_lots_find(const ter_cpu_state *cpu, const ter_fluvial *f, const ter_lattice *blocks,
                                 size_t count, ter_fluvial_lots *out)
{
    lots_search s = {.f = f, .blocks = blocks, .lots = out};
    s.blocks_max = count / (size_t)(LOTS_A_THREAD * ter_team_size(cpu->team)) + 1;
    out->lot = calloc(count, sizeof *out->lot);
    out->order = calloc(count, sizeof *out->order);
    s.windows = calloc(count, sizeof *s.windows);
    s.groups = calloc(count, sizeof *s.groups);
    ter_fluvial_lot *lots = calloc(count, sizeof *lots);
    size_t *order = calloc(count, sizeof *order);
    ter_status status = TER_OK;
    if (!out->lot || !out->order || !s.windows || !s.groups || !lots || !order) {
        status = ter_fail(TER_ENOMEM, "no memory for %zu blocks", count);
    } else {
        find_lots(&s, count);
        status = ter_cpu_run(cpu, (int64_t)out->n_lots, guess_lot, &s);
        memcpy(lots, out->lot, out->n_lots * sizeof *lots);
        if (status == TER_OK)
            order_lots(&s, lots, order);
    }
    free(s.windows);
    free(s.groups);
    free(lots);
    free(order);
    return status;
}

void ter_fluvial_lots_free(ter_fluvial_lots *lots)
{
    free(lots->lot);
    free(lots->order);
}
