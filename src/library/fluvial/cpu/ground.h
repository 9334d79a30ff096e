/* ground.h - does the work of ter_make_ground for all points of a lattice. Pieces are listed for blocks of points, and
 * again for patches of 4 x 4 points. Then all points of a patch, one in each lane, go through the pieces of the patch's
 * list.
 *
 *     block of 512 m      pieces whose side may be the lowest or near the lowest somewhere in the block,
 *                         or whose lake may have its shore or its dam there
 *     patch of 128 m      pieces of the block's list for which this holds in the patch
 *
 * A piece that is not listed would change nothing: its side is too high at every point in the disc around the list's
 * points. Loops over lanes and over lists have no branches and one array for each number, so that the compiler makes
 * vector code of them.
 */
#ifndef TERRANE_FLUVIAL_CPU_GROUND_H
#define TERRANE_FLUVIAL_CPU_GROUND_H

#include <stdbool.h>

#include "library/fluvial/cpu/cell_boxes.h"

enum {
    FLUVIAL_PATCH_SIDE = 4,
    FLUVIAL_PATCH_POINTS = FLUVIAL_PATCH_SIDE * FLUVIAL_PATCH_SIDE,
    FLUVIAL_BLOCK_M = 512,
    FLUVIAL_BLOCK_POINTS = 256,
    FLUVIAL_CELLS_ACROSS = 2 * TER_GROUND_CELLS + 4, /* enough, because a block's points lie in a few cells */
    FLUVIAL_PIECES_MAX = FLUVIAL_CELLS_ACROSS * FLUVIAL_CELLS_ACROSS * TER_PIECES
};

/** Pieces whose places are relative to the corner of a cell near them, the origin of the list. */
typedef struct fluvial_list {
    int count;
    ter_piece piece[FLUVIAL_PIECES_MAX];
} fluvial_list;

/** Points of a block. */
typedef struct fluvial_points {
    int count;
    int64_t cell_x, cell_y;             /* the cell whose corner is the origin */
    size_t index[FLUVIAL_BLOCK_POINTS]; /* in the ground's lattice */
    ter_province_place place[FLUVIAL_BLOCK_POINTS];
    float patch[FLUVIAL_BLOCK_POINTS]; /* third number of the warp; see ter_ground_finish */
    /* place, units from the origin; values of the province */
    float x[FLUVIAL_BLOCK_POINTS], y[FLUVIAL_BLOCK_POINTS], top[FLUVIAL_BLOCK_POINTS], above[FLUVIAL_BLOCK_POINTS];
} fluvial_points;

/** A disc around points of a block. */
typedef struct fluvial_disc {
    float x, y, radius;
    float above; /* the points' least TER_PROVINCE_ABOVE */
} fluvial_disc;

/** Bounds of the sides of pieces in a disc (`low` to `near`). The members before them are numbers of the pieces, from
 * which the bounds are computed. */
typedef struct fluvial_bounds {
    float x[FLUVIAL_PIECES_MAX], y[FLUVIAL_PIECES_MAX], along_x[FLUVIAL_PIECES_MAX], along_y[FLUVIAL_PIECES_MAX];
    float inverse[FLUVIAL_PIECES_MAX], z[FLUVIAL_PIECES_MAX], dz[FLUVIAL_PIECES_MAX], past[FLUVIAL_PIECES_MAX];
    float narrow[FLUVIAL_PIECES_MAX], wide[FLUVIAL_PIECES_MAX], flat[FLUVIAL_PIECES_MAX], steep[FLUVIAL_PIECES_MAX];
    float lake[FLUVIAL_PIECES_MAX];
    float low[FLUVIAL_PIECES_MAX], high[FLUVIAL_PIECES_MAX], foot[FLUVIAL_PIECES_MAX], near[FLUVIAL_PIECES_MAX];
    bool has_shore[FLUVIAL_PIECES_MAX]; /* result of may_be_shore; false if the side does not reach the disc */
} fluvial_bounds;

/** Points of a patch, one in each lane. */
typedef struct fluvial_lanes {
    _Alignas(64) float x[FLUVIAL_PATCH_POINTS];
    float y[FLUVIAL_PATCH_POINTS], top[FLUVIAL_PATCH_POINTS], above[FLUVIAL_PATCH_POINTS];
    /* as in ter_ground_sum */
    float low[FLUVIAL_PATCH_POINTS], z[FLUVIAL_PATCH_POINTS], square[FLUVIAL_PATCH_POINTS], area[FLUVIAL_PATCH_POINTS];
    float reach[FLUVIAL_PATCH_POINTS], sum[FLUVIAL_PATCH_POINTS], raised[FLUVIAL_PATCH_POINTS];
    float level[FLUVIAL_PATCH_POINTS], drained[FLUVIAL_PATCH_POINTS];
    float high[FLUVIAL_PATCH_POINTS], lake[FLUVIAL_PATCH_POINTS], inside[FLUVIAL_PATCH_POINTS],
        dam[FLUVIAL_PATCH_POINTS];
} fluvial_lanes;

/** Scratch of a thread. */
typedef struct fluvial_scratch {
    fluvial_list block;
    fluvial_points points;
    fluvial_bounds bounds;                    /* of the block's pieces */
    int n_chosen, chosen[FLUVIAL_PIECES_MAX]; /* indices in the block's list of the pieces of the patch */
    fluvial_lanes lanes;
    /* sides of the chosen pieces at the lanes' points */
    float height[FLUVIAL_PIECES_MAX][FLUVIAL_PATCH_POINTS], z[FLUVIAL_PIECES_MAX][FLUVIAL_PATCH_POINTS];
    float slope[FLUVIAL_PIECES_MAX][FLUVIAL_PATCH_POINTS];
} fluvial_scratch;

/** Disc around `count` of the points. */
static fluvial_disc disc_of(const fluvial_points *p, const int *indices, int count)
{
    float x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY, above = 1.0f;
    for (int n = 0; n < count; n++) {
        const int k = indices[n];
        x0 = ter_min(x0, p->x[k]);
        x1 = ter_max(x1, p->x[k]);
        y0 = ter_min(y0, p->y[k]);
        y1 = ter_max(y1, p->y[k]);
        above = ter_min(above, p->above[k]);
    }
    const fluvial_disc d = {0.5f * (x0 + x1), 0.5f * (y0 + y1), 0.5f * ter_length(x1 - x0, y1 - y0) + 0.1f, above};
    return d;
}

/** Copy the numbers of the pieces from which bounds are computed. */
static void begin_bounds(const fluvial_list *list, fluvial_bounds *restrict b)
{
    for (int n = 0; n < list->count; n++) {
        const ter_piece *p = &list->piece[n];
        b->x[n] = p->x;
        b->y[n] = p->y;
        b->along_x[n] = p->along_x;
        b->along_y[n] = p->along_y;
        b->inverse[n] = p->inverse;
        b->z[n] = p->z;
        b->dz[n] = p->dz;
        b->past[n] = ter_sqrt(p->inverse) * ter_max(p->before, p->after);
        b->narrow[n] = ter_min(p->floor, p->floor + p->dfloor);
        b->wide[n] = ter_max(p->floor, p->floor + p->dfloor);
        b->flat[n] = ter_min(p->slope, p->slope + p->dslope);
        b->steep[n] = ter_max(p->slope, p->slope + p->dslope);
        b->lake[n] = p->lake;
    }
}

/** Compute bounds of the pieces' sides in a disc: low <= side <= high everywhere in it. low is TER_NO_SIDE if the side
 * reaches no part of the disc, high is TER_NO_SIDE if it does not reach all of it. */
static void bound_sides(fluvial_bounds *restrict b, int count, fluvial_disc d)
{
    for (int n = 0; n < count; n++) {
        ter_piece p = {0};
        p.along_x = b->along_x[n];
        p.along_y = b->along_y[n];
        p.inverse = b->inverse[n];
        float along;
        const float distance = ter_sqrt(ter_piece_distance(&p, d.x - b->x[n], d.y - b->y[n], &along));
        const float share = d.radius * ter_sqrt(p.inverse), t0 = ter_clamp(along - share, 0.0f, 1.0f),
                    t1 = ter_clamp(along + share, 0.0f, 1.0f);
        const float near = ter_max(distance - d.radius, 0.0f), far = distance + d.radius;
        const float z0 = ter_fma(t0, b->dz[n], b->z[n]), z1 = ter_fma(t1, b->dz[n], b->z[n]), foot = ter_min(z0, z1);
        const float low = foot + d.above * b->flat[n] * ter_valley_side(near, b->wide[n]) - 0.1f;
        const float beyond = ter_max(0.0f, far * far * (1.0f / (TER_CELL * TER_CELL)) - TER_SIDE_NEAR * TER_SIDE_NEAR) *
                             (1.0f / (TER_SIDE_FAR * TER_SIDE_FAR - TER_SIDE_NEAR * TER_SIDE_NEAR));
        const float high = ter_max(z0, z1) + far * b->past[n] + b->steep[n] * ter_valley_side(far, b->narrow[n]) +
                           8.0f * TER_CELL * beyond * beyond + 0.1f;
        b->foot[n] = foot;
        b->near[n] = near;
        b->low[n] = near < TER_SIDE_FAR * TER_CELL ? low : TER_NO_SIDE;
        b->high[n] = far < TER_SIDE_FAR * TER_CELL ? high : TER_NO_SIDE;
    }
}

/** Whether the shore or the dam of a piece's lake may lie in the disc; see ter_shore_over. */
static bool may_be_shore(const fluvial_bounds *b, int n, float above)
{
    if (!TER_IS_LAKE(b->lake[n]))
        return false;
    const float ring = b->foot[n] +
                       above * b->flat[n] * ter_valley_side(ter_max(b->near[n] - TER_SHORE_WIDTH, 0.0f), b->wide[n]) -
                       0.1f;
    return ter_min(ring, b->low[n] - TER_SHORE_WIDTH * b->steep[n]) < b->lake[n] + 1.0f + TER_DAM_FOOT;
}

/** Choose the pieces that can change a point in a disc. chosen: receives their indices. Returns their number. */
static int choose_pieces(fluvial_bounds *restrict b, int count, fluvial_disc d, int *restrict chosen)
{
    bound_sides(b, count, d);
    float high = TER_NO_SIDE, slack = 0.0f;
    for (int n = 0; n < count; n++)
        high = ter_min(high, b->high[n]);
    for (int n = 0; n < count; n++) {
        const float reach = ter_min(0.36f * TER_CELL * b->steep[n], 0.7f * (high - b->foot[n]));
        slack = ter_max(slack, b->low[n] <= high ? reach : 0.0f);
    }
    int n_chosen = 0;
    for (int n = 0; n < count; n++) {
        chosen[n_chosen] = n;
        b->has_shore[n] = b->low[n] < TER_NO_SIDE && may_be_shore(b, n, d.above);
        n_chosen += b->has_shore[n] || (b->low[n] < TER_NO_SIDE && b->low[n] <= high + slack);
    }
    return n_chosen;
}

/** List all pieces whose sides reach a disc, in the order of their nodes. Returns false when there are more than a list
 * holds. For the disc of a single point this never happens, because only pieces of at most 14 x 14 cells can reach it.
 */
static bool list_pieces(const ter_fluvial_job *job, const fluvial_points *points, const fluvial_disc *d,
                        fluvial_list *list)
{
    const float reach = TER_SIDE_FAR * TER_CELL + d->radius + 1.0f;
    const float far = reach + 1.0f; /* sums of floats are rounded in another order here than for a piece */
    int x0 = (int)floorf((d->x - d->radius) / TER_CELL) - TER_GROUND_CELLS,
        x1 = (int)floorf((d->x + d->radius) / TER_CELL) + TER_GROUND_CELLS;
    int y0 = (int)floorf((d->y - d->radius) / TER_CELL) - TER_GROUND_CELLS,
        y1 = (int)floorf((d->y + d->radius) / TER_CELL) + TER_GROUND_CELLS;
    const ter_window *at = &job->piece_at;
    const int first_x = (int)(at->x - points->cell_x), first_y = (int)(at->y - points->cell_y);
    x0 = x0 < first_x ? first_x : x0;
    y0 = y0 < first_y ? first_y : y0;
    x1 = x1 >= first_x + at->width ? first_x + at->width - 1 : x1;
    y1 = y1 >= first_y + at->height ? first_y + at->height - 1 : y1;
    list->count = 0;
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++) {
            const size_t cell = (size_t)(y - first_y) * (size_t)at->width + (size_t)(x - first_x);
            const ter_piece *p = job->piece + cell * TER_PIECES;
            if (job->course[cell] == TER_COURSE_NONE ||
                !is_box_in(&boxes_of(job, cell)->pieces, (float)x * TER_CELL - d->x, (float)y * TER_CELL - d->y, far))
                continue;
            for (int n = 0; n < TER_PIECES; n++) {
                const float px = p[n].x + (float)x * TER_CELL, py = p[n].y + (float)y * TER_CELL, ax = px - d->x,
                            ay = py - d->y;
                if (ter_max(ter_min(ax, ax + p[n].along_x), ter_min(ay, ay + p[n].along_y)) > reach ||
                    ter_min(ter_max(ax, ax + p[n].along_x), ter_max(ay, ay + p[n].along_y)) < -reach)
                    continue;
                if (list->count == FLUVIAL_PIECES_MAX)
                    return false;
                ter_piece *out = &list->piece[list->count++];
                *out = p[n];
                out->x = px;
                out->y = py;
            }
        }
    return true;
}

/** Do the work of ter_ground_lowest for all lanes. Stores the side of the piece at each lane. */
static void patch_lowest(const ter_piece *piece, fluvial_lanes *restrict l, float *restrict height, float *restrict z,
                         float *restrict slope)
{
    const ter_piece q = *piece;
    for (int n = 0; n < FLUVIAL_PATCH_POINTS; n++) {
        const ter_side side = ter_side_at(&q, l->x[n] - q.x, l->y[n] - q.y, l->top[n], l->above[n]);
        height[n] = side.height;
        z[n] = side.z;
        slope[n] = side.slope;
        const float area = ter_fma(side.t, q.darea, q.area);
        l->reach[n] = ter_min(l->reach[n], ter_fma(TER_BESIDE_REACH, side.height, ter_side_reach(&side)));
        l->high[n] = ter_min(l->high[n], ter_fma(TER_BESIDE_HEIGHT, side.height, side.height - side.z));
        const bool is_lower = side.height < l->low[n];
        l->z[n] = is_lower ? side.z : l->z[n];
        l->square[n] = is_lower ? side.square : l->square[n];
        l->area[n] = is_lower ? area : l->area[n];
        l->level[n] = is_lower ? q.lake : l->level[n];
        l->low[n] = is_lower ? side.height : l->low[n];
    }
}

/** Whether at some lane a side lies so near the lowest side that the crest between them is rounded. */
static bool is_near_lowest(const fluvial_lanes *restrict l, const float *restrict height)
{
    int n_near = 0;
    for (int n = 0; n < FLUVIAL_PATCH_POINTS; n++)
        n_near |= height[n] - l->low[n] < l->reach[n];
    return n_near != 0;
}

/** The part of ter_ground_add that rounds crests, for all lanes and one piece. */
static void patch_round(fluvial_lanes *restrict l, const float *restrict height, const float *restrict z,
                        const float *restrict slope)
{
    for (int n = 0; n < FLUVIAL_PATCH_POINTS; n++) {
        const ter_side side = {height[n], z[n], 0.0f, 0.0f, slope[n]};
        const float over = side.height - l->low[n], reach = ter_min(l->reach[n], ter_side_reach(&side));
        float q = 1.0f - over / reach;
        q = over < reach ? q * q : 0.0f;
        const float raised = over < reach ? q * over : 0.0f;
        l->sum[n] += q;
        l->raised[n] += raised;
    }
}

/** The part of ter_ground_add for shores and dams of lakes, for all lanes and one piece. */
static void patch_shore(const ter_piece *piece, fluvial_lanes *restrict l, const float *restrict height,
                        const float *restrict slope)
{
    const ter_piece q = *piece;
    for (int n = 0; n < FLUVIAL_PATCH_POINTS; n++) {
        const float over =
            ter_shore_over(&q, height[n], slope[n], l->x[n] - q.x, l->y[n] - q.y, l->top[n], l->above[n]);
        const float dam = ter_max(l->dam[n], ter_min(q.lake, q.lake - 2.0f * over));
        const bool is_inside = height[n] < q.lake && l->drained[n] >= q.lake;
        l->lake[n] = over < 0.0f && height[n] < TER_NO_SIDE ? ter_max(l->lake[n], q.lake) : l->lake[n];
        l->inside[n] = is_inside ? ter_max(l->inside[n], q.lake) : l->inside[n];
        l->dam[n] = !is_inside && over < TER_DAM_FOOT && height[n] < TER_NO_SIDE ? dam : l->dam[n];
    }
}

/** Load points into lanes. Lanes beyond `count` repeat the first point. */
static void begin_lanes(const fluvial_points *restrict p, const int *restrict indices, int count,
                        fluvial_lanes *restrict l)
{
    for (int n = 0; n < FLUVIAL_PATCH_POINTS; n++) {
        const int k = indices[n < count ? n : 0];
        l->x[n] = p->x[k];
        l->y[n] = p->y[k];
        l->top[n] = p->top[k];
        l->above[n] = p->above[k];
    }
    for (int n = 0; n < FLUVIAL_PATCH_POINTS; n++) {
        l->low[n] = TER_NO_SIDE;
        l->z[n] = l->square[n] = l->area[n] = l->level[n] = 0.0f;
        l->reach[n] = l->high[n] = TER_NO_SIDE;
        l->sum[n] = l->raised[n] = 0.0f;
        l->dam[n] = TER_NO_LAKE;
    }
}

/** Do the work of ter_ground_between for all lanes. */
static void end_lowest_lanes(fluvial_lanes *restrict l)
{
    for (int n = 0; n < FLUVIAL_PATCH_POINTS; n++) {
        l->reach[n] -= TER_BESIDE_REACH * l->low[n];
        l->high[n] -= TER_BESIDE_HEIGHT * l->low[n];
        l->drained[n] = l->area[n] > TER_RIVER_AREA && !TER_IS_LAKE(l->level[n]) ? l->z[n] : TER_NO_SIDE;
        const float filled = l->low[n] < l->level[n] && l->drained[n] >= l->level[n] ? l->level[n] : TER_NO_LAKE;
        l->lake[n] = l->inside[n] = filled;
    }
}

/** Whether ter_is_filled holds in all lanes. */
static bool are_filled(const fluvial_lanes *restrict l, float level)
{
    int n_open = 0;
    for (int n = 0; n < FLUVIAL_PATCH_POINTS; n++)
        n_open |= l->lake[n] < level || l->inside[n] < level;
    return n_open == 0;
}

static ter_ground_sum lane_sum(const fluvial_lanes *l, int n)
{
    const ter_ground_sum sum = {l->top[n],    l->above[n], l->low[n],   l->z[n],       l->square[n],
                                l->area[n],   l->level[n], l->reach[n], l->drained[n], l->sum[n],
                                l->raised[n], l->high[n],  l->lake[n],  l->inside[n],  l->dam[n]};
    return sum;
}

/** Add a point to a block. x, y: m in the world; warp: TER_SHIFTS floats at the point; index: in the ground's lattice
 */
static void add_point(const ter_fluvial_job *job, int64_t x, int64_t y, const float *warp, size_t index,
                      fluvial_points *p)
{
    const int k = p->count++;
    const int64_t px = ter_place_x(x, y, warp), py = ter_place_y(x, y, warp);
    if (k == 0) {
        p->cell_x = px >> TER_CELL_SHIFT;
        p->cell_y = py >> TER_CELL_SHIFT;
    }
    p->index[k] = index;
    p->patch[k] = warp[2];
    p->x[k] = (float)(px - p->cell_x * (1 << TER_CELL_SHIFT)) * (1.0f / 256.0f);
    p->y[k] = (float)(py - p->cell_y * (1 << TER_CELL_SHIFT)) * (1.0f / 256.0f);
    p->place[k] = ter_province_at(job->province_at, job->province, px, py);
    p->top[k] = ter_province_value(&p->place[k], TER_PROVINCE_TOP);
    p->above[k] = ter_province_value(&p->place[k], TER_PROVINCE_ABOVE);
}

/** List points x0 .. x1 - 1, y0 .. y1 - 1 of a ground's lattice as the points of a block. */
static void list_points(const ter_fluvial_job *job, const ter_ground_plan *plan, int x0, int y0, int x1, int y1,
                        fluvial_points *p)
{
    const ter_lattice *at = &plan->points;
    p->count = 0;
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++) {
            const size_t index = (size_t)y * (size_t)at->at.width + (size_t)x;
            add_point(job, (at->at.x + x) * at->step, (at->at.y + y) * at->step, plan->warp + index * TER_SHIFTS, index,
                      p);
        }
}

/** Make the ground of one patch: at most FLUVIAL_PATCH_POINTS points of a block. indices: of these points */
static void make_patch(const ter_fluvial_job *job, const ter_ground_plan *plan, fluvial_scratch *s, const int *indices,
                       int count)
{
    fluvial_lanes *l = &s->lanes;
    s->n_chosen = choose_pieces(&s->bounds, s->block.count, disc_of(&s->points, indices, count), s->chosen);
    begin_lanes(&s->points, indices, count, l);
    for (int i = 0; i < s->n_chosen; i++)
        patch_lowest(&s->block.piece[s->chosen[i]], l, s->height[i], s->z[i], s->slope[i]);
    end_lowest_lanes(l);
    for (int i = 0; i < s->n_chosen; i++) {
        const ter_piece *piece = &s->block.piece[s->chosen[i]];
        if (is_near_lowest(l, s->height[i]))
            patch_round(l, s->height[i], s->z[i], s->slope[i]);
        if (s->bounds.has_shore[s->chosen[i]] && !are_filled(l, piece->lake))
            patch_shore(piece, l, s->height[i], s->slope[i]);
    }
    for (int n = 0; n < count; n++) {
        const int k = indices[n];
        const ter_ground_sum sum = lane_sum(l, n);
        ter_ground_finish(&job->f, &s->points.place[k], s->points.patch[k], &sum, &plan->ground[s->points.index[k]]);
    }
}

/** Reduce the block's list to the pieces that can change a point in the block's disc. */
static void reduce_block(fluvial_scratch *s, fluvial_disc d)
{
    begin_bounds(&s->block, &s->bounds);
    const int n_chosen = choose_pieces(&s->bounds, s->block.count, d, s->chosen);
    for (int n = 0; n < n_chosen; n++)
        s->block.piece[n] = s->block.piece[s->chosen[n]];
    s->block.count = n_chosen;
    begin_bounds(&s->block, &s->bounds);
}

/** Find a finer lattice that contains points x0 .. x1 - 1, y0 .. y1 - 1 of ground g's lattice; NULL if there is none.
 * Grounds are made in order from the finest lattice to the coarsest, so the finer one is ready. */
static const ter_ground_plan *finer_ground(const ter_fluvial_job *job, int g, int x0, int y0, int x1, int y1)
{
    const ter_lattice *to = &job->ground[g].points;
    for (int n = 0; n < g; n++) {
        const ter_lattice *from = &job->ground[n].points;
        const int ratio = to->step / from->step;
        const int64_t x = (to->at.x + x0) * ratio, y = (to->at.y + y0) * ratio;
        const ter_window points =
            ter_window_between(x, y, x + (int64_t)(x1 - 1 - x0) * ratio, y + (int64_t)(y1 - 1 - y0) * ratio);
        if (ratio > 0 && ter_window_contains(from->at, points))
            return &job->ground[n];
    }
    return NULL;
}

/** Copy points x0 .. x1 - 1, y0 .. y1 - 1 of a ground's lattice from a finer lattice. */
static void copy_ground(const ter_ground_plan *from, const ter_ground_plan *to, int x0, int y0, int x1, int y1)
{
    const int ratio = to->points.step / from->points.step;
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
            to->ground[(size_t)y * (size_t)to->points.at.width + (size_t)x] = from->ground[ter_window_index(
                from->points.at, (to->points.at.x + x) * ratio, (to->points.at.y + y) * ratio)];
}

/** Make points x0 .. x1 - 1, y0 .. y1 - 1 of a ground's lattice, at most FLUVIAL_BLOCK_POINTS, patch by patch. Points
 * that a finer lattice has are copied from it. If more pieces reach the block than a list holds, the block is made in
 * quarters. */
static void make_block(const ter_fluvial_job *job, int g, int x0, int y0, int x1, int y1, fluvial_scratch *s)
{
    const ter_ground_plan *plan = &job->ground[g];
    const int patch = FLUVIAL_PATCH_SIDE;
    const ter_ground_plan *finer = finer_ground(job, g, x0, y0, x1, y1);
    int indices[FLUVIAL_BLOCK_POINTS], count = 0;
    if (finer) {
        copy_ground(finer, plan, x0, y0, x1, y1);
        return;
    }
    list_points(job, plan, x0, y0, x1, y1, &s->points);
    for (int n = 0; n < s->points.count; n++)
        indices[n] = n;
    const fluvial_disc d = disc_of(&s->points, indices, s->points.count);
    if (!list_pieces(job, &s->points, &d, &s->block)) {
        const int x = x0 + (x1 - x0 + 1) / 2, y = y0 + (y1 - y0 + 1) / 2;
        for (int n = 0; n < 4; n++)
            if ((n & 1 ? x < x1 : 1) && (n & 2 ? y < y1 : 1))
                make_block(job, g, n & 1 ? x : x0, n & 2 ? y : y0, n & 1 ? x1 : x, n & 2 ? y1 : y, s);
        return;
    }
    if (x1 - x0 > patch || y1 - y0 > patch)
        reduce_block(s, d);
    else /* the block is a single patch, which chooses its pieces itself */
        begin_bounds(&s->block, &s->bounds);
    for (int y = y0; y < y1; y += patch)
        for (int x = x0; x < x1; x += patch) {
            const int end_x = x + patch < x1 ? x + patch : x1, end_y = y + patch < y1 ? y + patch : y1;
            finer = finer_ground(job, g, x, y, end_x, end_y);
            if (finer) {
                copy_ground(finer, plan, x, y, end_x, end_y);
                continue;
            }
            count = 0;
            for (int b = y; b < end_y; b++)
                for (int a = x; a < end_x; a++)
                    indices[count++] = (b - y0) * (x1 - x0) + a - x0;
            make_patch(job, plan, s, indices, count);
        }
}

/** Make ground g at all points of its lattice. */
static void make_grounds(const ter_fluvial_job *job, int g, fluvial_scratch *s)
{
    const ter_window at = job->ground[g].points.at;
    const int wide = FLUVIAL_BLOCK_M / job->ground[g].points.step,
              side = wide > FLUVIAL_PATCH_SIDE ? wide : FLUVIAL_PATCH_SIDE;
    for (int y = 0; y < at.height; y += side)
        for (int x = 0; x < at.width; x += side)
            make_block(job, g, x, y, x + side < at.width ? x + side : at.width,
                       y + side < at.height ? y + side : at.height, s);
}

#endif
