/* plan.h - plans the windows that a rectangle depends on, from the samples up to the root of the network, and places
 * their arrays in memory. */
#ifndef TERRANE_FLUVIAL_PLAN_H
#define TERRANE_FLUVIAL_PLAN_H

#include "library/fluvial/surface.h"

/** A piece of memory that arrays are cut from. Without a base only the size is counted. */
typedef struct ter_arena {
    char *base;
    size_t bytes;
} ter_arena;

TER_FN void *ter_arena_cut(ter_arena *arena, size_t bytes)
{
    void *at = arena->base ? arena->base + arena->bytes : (char *)0;
    arena->bytes += (bytes + 63) & ~(size_t)63;
    return at;
}

TER_FN size_t ter_window_count(ter_window w)
{
    return (size_t)w.width * (size_t)w.height;
}

/** Find the ground plan whose lattice has the spacing of `points`, or add one, and widen it so that it contains the
 * points. Returns its index. */
TER_FN int ter_plan_ground(ter_fluvial_job *job, ter_lattice points)
{
    int n = 0;
    while (n < job->n_grounds && job->ground[n].points.step != points.step)
        n++;
    if (n == job->n_grounds) {
        job->ground[n].points = points;
        job->n_grounds++;
    } else {
        job->ground[n].points.at = ter_window_united(job->ground[n].points.at, points.at);
    }
    return n;
}

/** Plan the lattices of octave n, and of the grounds that it reads. Returns the corners of its cells.
 *
 *  box  points at which the octave is needed; finer points interpolate it with ter_halved
 */
TER_FN ter_lattice ter_plan_octave(ter_fluvial_job *job, int n, ter_lattice box)
{
    const ter_lattice last = job->fine[job->n_fine - 1];
    ter_octave_plan *o = &job->octave[n];
    const int cell = ter_octave_cell(n), step = ter_octave_step(n) > last.step ? ter_octave_step(n) : last.step;
    o->octave = n;
    o->points = ter_lattice_ancestors(box, step);
    o->coarse[0] = ter_lattice_ancestors(o->points, 2 * cell);
    o->corners = ter_lattice_cover(o->coarse[0], cell, (TER_PHASE_ROUNDS + 1) * cell);
    o->cells = o->corners.at;
    o->cells.width--;
    o->cells.height--;
    o->n_halvings = 0;
    for (int s = cell; s >= o->points.step; s /= 2)
        o->coarse[++o->n_halvings] = ter_lattice_ancestors(o->points, s);
    o->corners_ground = ter_plan_ground(job, o->corners);
    o->points_ground = ter_plan_ground(job, ter_lattice_ancestors(o->points, TER_GROUND_STEP));
    return o->corners;
}

/** Plan the lattices of all octaves, from the finest one to the broadest. */
TER_FN void ter_plan_octaves(ter_fluvial_job *job)
{
    const ter_lattice last = job->fine[job->n_fine - 1];
    ter_lattice box = last;
    job->n_octaves = 0;
    while (job->n_octaves < TER_OCTAVES && last.step < 2 * ter_octave_cell(job->n_octaves))
        job->n_octaves++;
    for (int n = job->n_octaves - 1; n >= 0; n--)
        box = ter_plan_octave(job, n, box);
}

/** Plan the knots of the warp for all grounds. */
TER_FN void ter_plan_warps(ter_fluvial_job *job)
{
    int64_t x0 = INT64_MAX, y0 = INT64_MAX, x1 = INT64_MIN, y1 = INT64_MIN;
    for (int g = 0; g < job->n_grounds; g++) {
        const ter_lattice c = ter_lattice_cover(job->ground[g].points, TER_GROUND_STEP, 0);
        const int64_t ex = c.at.x + c.at.width - 1, ey = c.at.y + c.at.height - 1;
        x0 = c.at.x < x0 ? c.at.x : x0;
        y0 = c.at.y < y0 ? c.at.y : y0;
        x1 = ex > x1 ? ex : x1;
        y1 = ey > y1 ? ey : y1;
    }
    for (int m = 0; m < TER_WARP_OCTAVES; m++)
        job->warp_at[m] = ter_spline_window(x0 * TER_GROUND_STEP, y0 * TER_GROUND_STEP, x1 * TER_GROUND_STEP,
                                            y1 * TER_GROUND_STEP, TER_WARP_SHIFT - m);
}

/** Plan the lattices of the places of samples, from that of the ground down to spacing TER_PLACE_STEP. */
TER_FN void ter_plan_places(ter_fluvial_job *job)
{
    ter_place_plan *p = &job->places;
    const ter_lattice last =
        job->points.step < TER_PLACE_STEP ? ter_lattice_cover(job->points, TER_PLACE_STEP, 0) : job->points;
    p->count = 0;
    for (int step = last.step < TER_GROUND_STEP ? TER_GROUND_STEP : last.step; step >= last.step; step /= 2)
        p->at[p->count++] = ter_lattice_ancestors(last, step);
    p->at[0] = job->ground[0].points;
}

/** Plan all windows in the world's plane.
 *
 *  points  the requested points, points.step = 2^lod metres apart
 *  job     receives the plan; windows that this level of detail does not need are empty
 */
TER_FN void ter_plan_windows(const ter_fluvial *f, ter_lattice points, ter_fluvial_job *job)
{
    memset(job, 0, sizeof *job);
    job->f = *f;
    job->points = points;
    job->fine[0] = points;
    job->n_fine = 1;
    while (job->fine[job->n_fine - 1].step < TER_FORM_STEP) {
        job->fine[job->n_fine] = ter_lattice_parents(job->fine[job->n_fine - 1]);
        job->n_fine++;
    }
    const ter_lattice last = job->fine[job->n_fine - 1];
    ter_plan_ground(job, ter_lattice_ancestors(last, TER_GROUND_STEP));
    ter_plan_octaves(job);
    ter_plan_places(job);
    ter_plan_warps(job);
}

/** Plan the broadest octave of gullies, and the ground at its points, for blocks that take both from this job by
 * ter_share_octave.
 *
 *  points  at which the octave is wanted, TER_SHARED_STEP metres apart
 */
TER_FN void ter_plan_shared_octave(const ter_fluvial *f, ter_window points, ter_fluvial_job *job)
{
    memset(job, 0, sizeof *job);
    job->f = *f;
    job->points.at = points;
    job->points.step = TER_SHARED_STEP;
    job->fine[0] = job->points;
    job->n_fine = 1;
    job->n_octaves = 1;
    ter_plan_ground(job, job->points);
    ter_plan_octave(job, 0, job->points);
    ter_plan_warps(job);
}

/** Whether a planned job may take the broadest octave, and the ground at the points of that octave, from another job.
 * Then the job itself begins with the next octave, on that ground. */
TER_FN int ter_may_share_octave(const ter_fluvial_job *job)
{
    return job->n_octaves > 1;
}

/** Let a planned job take the broadest octave and its ground from another job, whose points include all points of the
 * planned job. */
TER_FN void ter_share_octave(const ter_fluvial_job *shared, ter_fluvial_job *job)
{
    job->first_octave = 1;
    job->ground[0] = shared->ground[0];
    job->places.at[0] = shared->ground[0].points;
    job->octave[0].points = shared->octave[0].points;
    job->octave[0].carved = shared->octave[0].carved;
    job->n_grounds = 0;
    memset(job->warp_at, 0, sizeof job->warp_at);
}

/** Place the arrays of the warp's knots. */
TER_FN void ter_place_warp(ter_arena *arena, ter_fluvial_job *job)
{
    for (int m = 0; m < TER_WARP_OCTAVES; m++)
        job->warp[m] = (float *)ter_arena_cut(arena, ter_window_count(job->warp_at[m]) * (size_t)ter_warp_channels(m) *
                                                         sizeof(float));
}

/** Place the arrays of the grounds, and of the places of samples. */
TER_FN void ter_place_grounds(ter_arena *arena, ter_fluvial_job *job)
{
    for (int g = 0; g < job->n_grounds; g++) {
        ter_ground_plan *plan = &job->ground[g];
        const size_t count = ter_window_count(plan->points.at);
        plan->warp = (float *)ter_arena_cut(arena, count * TER_SHIFTS * sizeof(float));
        plan->ground = (ter_ground *)ter_arena_cut(arena, count * sizeof(ter_ground));
    }
    job->places.shift[0] = job->ground[0].warp;
    for (int n = 1; n < job->places.count; n++)
        job->places.shift[n] =
            (float *)ter_arena_cut(arena, ter_window_count(job->places.at[n].at) * 2 * sizeof(float));
}

/** First part of a plan: everything in the world's plane. The arrays of the grounds, and those that the passes up to
 * the places need, are placed in the arena. */
TER_FN void ter_plan_points(const ter_fluvial *f, ter_lattice points, ter_arena *arena, ter_fluvial_job *job)
{
    ter_plan_windows(f, points, job);
    ter_place_grounds(arena, job);
    ter_place_warp(arena, job);
}

/** Cells of the last level in which the places of a lattice's points lie. shift: the warp there,
 * `stride` numbers for each point */
TER_FN ter_window ter_cells_of_places(const ter_lattice *points, const float *shift, int stride)
{
    int64_t low_x = INT64_MAX, low_y = INT64_MAX, high_x = INT64_MIN, high_y = INT64_MIN;
    const ter_window at = points->at;
    for (int y = 0; y < at.height; y++)
        for (int x = 0; x < at.width; x++, shift += stride) {
            const int64_t world_x = (at.x + x) * points->step, world_y = (at.y + y) * points->step;
            const int64_t px = ter_place_x(world_x, world_y, shift), py = ter_place_y(world_x, world_y, shift);
            low_x = px < low_x ? px : low_x;
            high_x = px > high_x ? px : high_x;
            low_y = py < low_y ? py : low_y;
            high_y = py > high_y ? py : high_y;
        }
    return ter_window_between(low_x >> TER_CELL_SHIFT, low_y >> TER_CELL_SHIFT, high_x >> TER_CELL_SHIFT,
                              high_y >> TER_CELL_SHIFT);
}

/** Cells in which the places of all points of a job lie: the points of its grounds, which surround its samples. If the
 * grounds belong to another job, these are only the cells of the samples. */
TER_FN ter_window ter_plan_cells(const ter_fluvial_job *job)
{
    const ter_place_plan *p = &job->places;
    if (job->n_grounds == 0)
        return ter_cells_of_places(&p->at[p->count - 1], p->shift[p->count - 1], p->count > 1 ? 2 : TER_SHIFTS);
    ter_window cells = ter_cells_of_places(&job->ground[0].points, job->ground[0].warp, TER_SHIFTS);
    for (int g = 1; g < job->n_grounds; g++)
        cells = ter_window_united(cells, ter_cells_of_places(&job->ground[g].points, job->ground[g].warp, TER_SHIFTS));
    return cells;
}

/** The cells that a window of cells needs of the next coarser level. margin: coarser cells on each side */
TER_FN ter_window ter_coarser_window(ter_window w, int margin)
{
    return ter_window_grown(ter_window_between(w.x >> 1, w.y >> 1, (w.x + w.width - 1) >> 1, (w.y + w.height - 1) >> 1),
                            margin);
}

/** Places of the network's plane: x0 <= x <= x1, y0 <= y <= y1; empty where x1 < x0. */
typedef struct ter_places {
    int64_t x0, y0, x1, y1;
} ter_places;

/** Places at which octave m of the fields is wanted: those of the nodes of all levels that use it, and of the knots of
 * the provinces. */
TER_FN ter_places ter_field_places(const ter_fluvial_job *job, int m)
{
    enum { CHILDREN = 6 }; /* children lie at most this many cells outside their level's window */
    const int64_t knot = (int64_t)1 << TER_KNOT_SHIFT;
    ter_places p = {INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN};
    if (job->province_at.width > 0) {
        p.x0 = job->province_at.x * knot;
        p.y0 = job->province_at.y * knot;
        p.x1 = p.x0 + (job->province_at.width - 1) * knot;
        p.y1 = p.y0 + (job->province_at.height - 1) * knot;
    }
    for (int level = 0; level < 5 && level <= job->last; level++) {
        if (m >= ter_node_octaves(level))
            continue;
        const ter_window at = ter_window_grown(job->node_at[level], level > 0 ? CHILDREN : 0);
        const int64_t cell = (int64_t)1 << (24 - level), ex = (at.x + at.width) * cell, ey = (at.y + at.height) * cell;
        p.x0 = at.x * cell < p.x0 ? at.x * cell : p.x0;
        p.y0 = at.y * cell < p.y0 ? at.y * cell : p.y0;
        p.x1 = ex > p.x1 ? ex : p.x1;
        p.y1 = ey > p.y1 ? ey : p.y1;
    }
    return p;
}

/** Knots of the fields' octave m. Those of continents reach as far as the knots of their sums. */
TER_FN ter_window ter_plan_field(const ter_fluvial_job *job, int m)
{
    ter_places p = ter_field_places(job, m);
    if (p.x1 < p.x0) {
        const ter_window none = {0, 0, 0, 0};
        return none;
    }
    if (m < TER_CONTINENT_OCTAVES) {
        const ter_window at = job->continent_at;
        const int64_t knot = (int64_t)1 << TER_CONTINENT_SHIFT;
        const ter_places knots = {at.x * knot, at.y * knot, (at.x + at.width - 1) * knot,
                                  (at.y + at.height - 1) * knot};
        p = knots;
    }
    return ter_spline_window(p.x0, p.y0, p.x1, p.y1, TER_FIELD_SHIFT - m);
}

/** Knots of the sums of continents. */
TER_FN ter_window ter_plan_continents(const ter_fluvial_job *job)
{
    const ter_places p = ter_field_places(job, 0);
    return ter_window_between(p.x0 >> TER_CONTINENT_SHIFT, p.y0 >> TER_CONTINENT_SHIFT,
                              (p.x1 >> TER_CONTINENT_SHIFT) + 1, (p.y1 >> TER_CONTINENT_SHIFT) + 1);
}

/** Place the arrays of the fields' knots and of the provinces. */
TER_FN void ter_place_provinces(ter_arena *arena, ter_fluvial_job *job)
{
    job->province =
        (float *)ter_arena_cut(arena, ter_window_count(job->province_at) * TER_PROVINCE_BETWEEN * sizeof(float));
    job->continent =
        (float *)ter_arena_cut(arena, ter_window_count(job->continent_at) * TER_FIELD_CHANNELS * sizeof(float));
    for (int m = 0; m < TER_FIELD_OCTAVES; m++)
        job->field[m] =
            (float *)ter_arena_cut(arena, ter_window_count(job->field_at[m]) * TER_FIELD_CHANNELS * sizeof(float));
}

enum {
    TER_PROVINCE_LEVEL = 5, /* from this level on, nodes take their provinces from knots */
    TER_PROVINCE_MARGIN = 6 /* knots around the nodes of that level */
};

/** Number of cells of level n - 1 that nodes of level n need on each side of their own coarser cell. */
TER_FN int ter_coarser_margin(int n)
{
    return n > 1 ? TER_REFINE_MARGIN : TER_ROOT_MARGIN;
}

/** Plan the windows of the nodes of a level and of the coarser levels that it needs, and of the provinces.
 *
 *  last   the level, at least 0
 *  nodes  window of the wanted nodes of that level, with a margin of nodes whose areas will not be known
 */
TER_FN void ter_plan_nodes(int last, ter_window nodes, ter_fluvial_job *job)
{
    job->last = last;
    job->node_at[last] = nodes;
    for (int n = last; n > 0; n--)
        job->node_at[n - 1] = ter_coarser_window(job->node_at[n], ter_coarser_margin(n));
    if (last >= TER_PROVINCE_LEVEL)
        job->province_at = ter_window_grown(job->node_at[TER_PROVINCE_LEVEL], TER_PROVINCE_MARGIN);
    job->continent_at = ter_plan_continents(job);
    for (int m = 0; m < TER_FIELD_OCTAVES; m++)
        job->field_at[m] = ter_plan_field(job, m);
}

/** Place the arrays of the nodes of all levels. */
TER_FN void ter_place_nodes(ter_arena *arena, ter_fluvial_job *job)
{
    size_t nodes[2] = {0, 0}, edges = 0;
    for (int n = 0; n <= job->last; n++) {
        const size_t count = ter_window_count(job->node_at[n]);
        nodes[n & 1] = count > nodes[n & 1] ? count : nodes[n & 1];
        if (n < job->last && count > edges)
            edges = count;
    }
    job->node[0] = (ter_node *)ter_arena_cut(arena, nodes[0] * sizeof(ter_node));
    job->node[1] = (ter_node *)ter_arena_cut(arena, nodes[1] * sizeof(ter_node));
    job->child = (ter_node *)ter_arena_cut(arena, 4 * edges * sizeof(ter_node));
    job->edge = (ter_link *)ter_arena_cut(arena, edges * sizeof(ter_link));
    for (int n = 0; n < 2; n++)
        job->root[n] = (float *)ter_arena_cut(arena, ter_window_count(job->node_at[0]) * 2 * sizeof(float));
}

/** Place the arrays of the channels of the last level and of their pieces. */
TER_FN void ter_place_channels(ter_arena *arena, ter_fluvial_job *job)
{
    const size_t last = ter_window_count(job->node_at[TER_NETWORK_LAST]), pieces = ter_window_count(job->piece_at);
    for (int n = 0; n < 2; n++)
        job->place[n] = (ter_spot *)ter_arena_cut(arena, last * sizeof(ter_spot));
    for (int t = 0; t < TER_MEANDER_OCTAVES; t++)
        job->meander[t] = (float *)ter_arena_cut(arena, ter_window_count(job->meander_at[t]) * 2 * sizeof(float));
    job->channel = (ter_channel *)ter_arena_cut(arena, last * sizeof(ter_channel));
    job->piece = (ter_piece *)ter_arena_cut(arena, pieces * TER_PIECES * sizeof(ter_piece));
    job->reach = (ter_reach *)ter_arena_cut(arena, pieces * TER_REACHES * sizeof(ter_reach));
    job->piece_bounds = (float *)ter_arena_cut(arena, pieces * TER_PIECE_BOUNDS * sizeof(float));
    job->course = (unsigned char *)ter_arena_cut(arena, pieces);
}

/** Plan the windows of the network, and place its arrays.
 *
 *  cells  cells of the last level in which all places lie: ter_plan_cells of all grounds
 */
TER_FN void ter_plan_drainage(ter_window cells, ter_arena *arena, ter_fluvial_job *job)
{
    job->piece_at = ter_window_grown(cells, TER_GROUND_CELLS);
    ter_plan_nodes(TER_NETWORK_LAST, ter_window_grown(job->piece_at, TER_CHANNEL_MARGIN), job);
    const ter_window channels = ter_window_grown(job->piece_at, TER_MEANDER_CELLS);
    const int64_t cell = (int64_t)1 << TER_CELL_SHIFT;
    for (int t = 0; t < TER_MEANDER_OCTAVES; t++)
        job->meander_at[t] =
            ter_spline_window(channels.x * cell, channels.y * cell, (channels.x + channels.width) * cell - 1,
                              (channels.y + channels.height) * cell - 1, TER_MEANDER_SHIFT - t);
    ter_place_provinces(arena, job);
    ter_place_nodes(arena, job);
    ter_place_channels(arena, job);
}

/** Let a job use the network of another job, whose cells include all cells of this job. */
TER_FN void ter_share_network(const ter_fluvial_job *network, ter_fluvial_job *job)
{
    job->province_at = network->province_at;
    job->province = network->province;
    job->piece_at = network->piece_at;
    job->piece = network->piece;
    job->reach = network->reach;
    job->piece_bounds = network->piece_bounds;
    job->course = network->course;
}

/** Place the arrays of the gullies, and of the heights of the lattices from fine[first] on.
 *
 *  octaves  All arrays of octaves below this number are placed. Octaves from this number on get no `carved`, and no
 *           `seen` at their finest lattice.
 */
TER_FN void ter_place_surface(int first, int octaves, ter_arena *arena, ter_fluvial_job *job)
{
    for (int n = job->first_octave; n < job->n_octaves; n++) {
        ter_octave_plan *o = &job->octave[n];
        const int halvings = n < octaves ? o->n_halvings : o->n_halvings - 1;
        for (int k = 0; k < 2; k++) {
            o->gully[k] = (ter_gully *)ter_arena_cut(arena, ter_window_count(o->cells) * sizeof(ter_gully));
            size_t most = 0;
            for (int d = k; d <= halvings; d += 2)
                most = ter_window_count(o->coarse[d].at) > most ? ter_window_count(o->coarse[d].at) : most;
            o->seen[k] = (float *)ter_arena_cut(arena, most * sizeof(float));
        }
        if (n < octaves)
            o->carved = (ter_carved *)ter_arena_cut(arena, ter_window_count(o->points.at) * sizeof(ter_carved));
    }
    for (int k = 0; k < 2; k++) {
        size_t most = 0;
        for (int n = k; n < job->n_fine; n += 2)
            most = n >= first && ter_window_count(job->fine[n].at) > most ? ter_window_count(job->fine[n].at) : most;
        job->height[k] = (float *)ter_arena_cut(arena, most * sizeof(float));
    }
}

/** Second part of a plan: the network and everything after it. The arena may differ from that of the first part. */
TER_FN void ter_plan_network(ter_window cells, ter_arena *arena, ter_fluvial_job *job)
{
    ter_plan_drainage(cells, arena, job);
    ter_place_surface(0, job->n_octaves, arena, job);
}

#endif
