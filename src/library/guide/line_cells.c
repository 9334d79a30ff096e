/* line_cells.c - follows lines in small steps through the warped plane of the network. A line becomes a way from cell
 * to cell, in the direction in which its water flows, without loops. */
#include "library/guide/line_cells.h"

#include <stdlib.h>
#include <string.h>

#include "library/core/grow.h"
#include "library/fluvial/node.h"
#include "library/guide/thalwegs.h"
#include "library/guide/warped.h"

enum {
    CORNER = 3, /* points; a line that has fewer in a cell cuts its corner */
    WAY_POINTS = 32
};

/** A cell of a way, with the points of the line in it. */
typedef struct way_cell {
    int64_t x, y;                 /* cell of the guide's level */
    int64_t px, py;               /* the point nearest to the middle of the cell, in the network's plane */
    int64_t wx, wy;               /* the same point in the world, lattice steps */
    int64_t along[WAY_POINTS][2]; /* points of the line in the cell, and the first point after it */
    int count;                    /* number of these points */
    int points;
} way_cell;

typedef struct line_walk {
    guide_making *m;
    int32_t *at_step; /* by cell: its place in the way + 1; 0: it is not there */
    way_cell *way;
    size_t count, room;
    size_t out_room; /* of m->line_cells */
} line_walk;

/* ---- the way ---- */

static int32_t *step_of(const line_walk *w, int64_t x, int64_t y)
{
    return &w->at_step[ter_window_index(w->m->at, x, y)];
}

/** Remove the end of the way, from step `count` on. */
static void cut_way(line_walk *w, size_t count)
{
    while (w->count > count) {
        w->count--;
        *step_of(w, w->way[w->count].x, w->way[w->count].y) = 0;
    }
}

/** Add a point to the points of a cell, unless it equals the last one. If the cell is full, every second point is
 * removed first. */
static void add_along(way_cell *cell, int64_t px, int64_t py)
{
    if (cell->count > 0 && cell->along[cell->count - 1][0] == px && cell->along[cell->count - 1][1] == py)
        return;
    if (cell->count == WAY_POINTS) {
        for (int n = 0; n < WAY_POINTS / 2; n++)
            memcpy(cell->along[n], cell->along[2 * n], sizeof cell->along[n]);
        cell->count = WAY_POINTS / 2;
    }
    cell->along[cell->count][0] = px;
    cell->along[cell->count++][1] = py;
}

/** Add a point to the way. A line that comes back to a cell of the way has made a loop, which is removed. */
static bool add_point(line_walk *w, const guide_points *p, int n)
{
    const int64_t px = p->px[n], py = p->py[n];
    const int shift = 24 - w->m->level;
    const int64_t x = px >> shift, y = py >> shift;
    if (!ter_window_has(w->m->at, x, y))
        return true;
    const int32_t known = *step_of(w, x, y);
    if (w->count > 0)
        add_along(&w->way[w->count - 1], px, py);
    if (known > 0) {
        cut_way(w, (size_t)known);
    } else {
        way_cell *way = ter_grow(w->way, &w->room, w->count + 1, sizeof *way);
        if (!way)
            return false;
        w->way = way;
        w->way[w->count++] = (way_cell){.x = x, .y = y, .px = px, .py = py, .wx = p->x[n], .wy = p->y[n]};
        *step_of(w, x, y) = (int32_t)w->count;
    }
    way_cell *cell = &w->way[w->count - 1];
    cell->points++;
    add_along(cell, px, py);
    const int64_t half = (int64_t)1 << (shift - 1), mask = ((int64_t)1 << shift) - 1;
    const int64_t dx = (px & mask) - half, dy = (py & mask) - half;
    const int64_t ex = (cell->px & mask) - half, ey = (cell->py & mask) - half;
    if (dx * dx + dy * dy < ex * ex + ey * ey) {
        cell->px = px;
        cell->py = py;
        cell->wx = p->x[n];
        cell->wy = p->y[n];
    }
    return true;
}

static bool are_beside(const way_cell *a, const way_cell *b)
{
    const int64_t dx = b->x - a->x, dy = b->y - a->y;
    return dx >= -1 && dx <= 1 && dy >= -1 && dy <= 1;
}

/** Remove cells through whose corner the line passes. */
static void cut_corners(line_walk *w)
{
    size_t kept = 0;
    for (size_t n = 0; n < w->count; n++) {
        const bool is_corner =
            kept > 0 && n + 1 < w->count && w->way[n].points < CORNER && are_beside(&w->way[kept - 1], &w->way[n + 1]);
        if (is_corner)
            *step_of(w, w->way[n].x, w->way[n].y) = 0;
        else
            w->way[kept++] = w->way[n];
    }
    w->count = kept;
}

/* ---- a line ---- */

/** Height of the guide at a place, lattice steps. */
static float height_at(const guide_raster *raster, double x, double y)
{
    const double u = (x - (double)raster->x) / raster->spacing + (double)raster->pad,
                 v = (y - (double)raster->y) / raster->spacing + (double)raster->pad;
    return guide_raster_height(raster, (int)floor(u), (int)floor(v), (float)(u - floor(u)), (float)(v - floor(v)));
}

static bool flush(line_walk *w, guide_points *p)
{
    if (p->count == 0)
        return true;
    bool is_done = !ter_is_cancelled(&w->m->cancel) && guide_warp_points(w->m, p);
    for (int n = 0; n < p->count && is_done; n++)
        is_done = add_point(w, p, n);
    p->count = 0;
    return is_done;
}

/** Walk from vertex to vertex in steps of an eighth of a cell. places: x, y of `count` vertices, lattice steps */
static bool walk(line_walk *w, const double *places, int count)
{
    guide_points piece = {.count = 0};
    for (int n = 0; n + 1 < count; n++) {
        const double *a = places + (size_t)(2 * n), *b = a + 2;
        const double length = sqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]));
        const int64_t steps = (int64_t)ceil(length / (double)w->m->point);
        for (int64_t k = n == 0 ? 0 : 1; k <= steps; k++) {
            const double share = steps > 0 ? (double)k / (double)steps : 0.0;
            piece.x[piece.count] = (int64_t)rint(a[0] + share * (b[0] - a[0]));
            piece.y[piece.count++] = (int64_t)rint(a[1] + share * (b[1] - a[1]));
            if (piece.count == GUIDE_POINTS && !flush(w, &piece))
                return false;
        }
    }
    return flush(w, &piece);
}

/** Walk along one of the guide's `rivers`, from the end at which the guide is higher. */
static bool walk_river(line_walk *w, const ter_guide_river *r)
{
    const double step = (double)w->m->f.spacing;
    double *places = malloc(2 * (size_t)r->count * sizeof *places);
    if (!places)
        return false;
    const double *end = r->places + 2 * (size_t)(r->count - 1);
    const bool is_backward = height_at(&w->m->raster, r->places[0] / step, r->places[1] / step) <
                             height_at(&w->m->raster, end[0] / step, end[1] / step);
    for (int n = 0; n < r->count; n++)
        for (int axis = 0; axis < 2; axis++)
            places[2 * n + axis] = r->places[2 * (is_backward ? r->count - 1 - n : n) + axis] / step;
    const bool is_done = walk(w, places, r->count);
    free(places);
    return is_done;
}

/** The line in a cell, in the form in which the tables store it. corner_x, corner_y: corner of the cell, in the
 * network's plane */
static ter_guide_bend bend_of(const way_cell *cell, int64_t corner_x, int64_t corner_y)
{
    ter_guide_bend bend;
    for (int n = 0; n < TER_GUIDE_BEND; n++) {
        const int k = n * (cell->count - 1) / (TER_GUIDE_BEND - 1);
        const int64_t x = (cell->along[k][0] - corner_x) / 4, y = (cell->along[k][1] - corner_y) / 4;
        bend.x[n] = (int16_t)(x < -INT16_MAX ? -INT16_MAX : x > INT16_MAX ? INT16_MAX : x);
        bend.y[n] = (int16_t)(y < -INT16_MAX ? -INT16_MAX : y > INT16_MAX ? INT16_MAX : y);
    }
    return bend;
}

/** Store the way in the cells of all lines, and empty it. */
static bool store(line_walk *w, float width)
{
    guide_making *m = w->m;
    guide_line_cell *cells = ter_grow(m->line_cells, &w->out_room, m->n_line_cells + w->count, sizeof *cells);
    if (!cells)
        return false;
    m->line_cells = cells;
    const int shift = 24 - m->level;
    const float scale = 1.0f / (float)(1 << shift), low = TER_NODE_MARGIN, high = 1.0f - TER_NODE_MARGIN;
    const int64_t mask = ((int64_t)1 << shift) - 1;
    for (size_t n = 0; n < w->count; n++) {
        const way_cell *cell = &w->way[n], *next = n + 1 < w->count ? cell + 1 : NULL;
        const int to = next && are_beside(cell, next)
                           ? ter_direction_of((int)(next->x - cell->x), (int)(next->y - cell->y))
                           : TER_SINK;
        m->line_cells[m->n_line_cells++] = (guide_line_cell){
            .cell = (uint32_t)ter_window_index(m->at, cell->x, cell->y),
            .to = (uint8_t)to,
            .x = ter_place_rounded(ter_clamp((float)(int)(cell->px & mask) * scale, low, high)),
            .y = ter_place_rounded(ter_clamp((float)(int)(cell->py & mask) * scale, low, high)),
            .width = width,
            .z = width < 0.0f ? height_at(guide_pixels(m), (double)cell->wx, (double)cell->wy) : ter_not_a_number(),
            .bend = bend_of(cell, cell->x * ((int64_t)1 << shift), cell->y * ((int64_t)1 << shift)),
        };
    }
    cut_way(w, 0);
    return true;
}

/** Add a river of the guide's own pixels: `walk` of guide_follow_thalwegs. */
static bool walk_thalweg(void *user, const double *places, int count)
{
    line_walk *w = user;
    const bool is_done = walk(w, places, count);
    cut_corners(w);
    return is_done && store(w, -1.0f);
}

/** Add the guide's `rivers`. */
static bool add_rivers(line_walk *w)
{
    const ter_guide_options *o = &w->m->guide->options;
    bool is_done = true;
    for (int n = 0; n < o->n_rivers && is_done; n++) {
        is_done = walk_river(w, &o->rivers[n]);
        cut_corners(w);
        is_done = is_done && store(w, (float)o->rivers[n].width);
    }
    return is_done;
}

ter_status guide_find_line_cells(guide_making *m, const guide_pixel_flood *pixels)
{
    if (m->guide->options.n_rivers <= 0 && !pixels)
        return TER_OK;
    line_walk w = {.m = m, .at_step = calloc(guide_cell_count(m), sizeof *w.at_step)};
    ter_status status = TER_OK;
    if (!w.at_step || !add_rivers(&w)) {
        status = ter_check_cancelled(&m->cancel);
        status = status == TER_OK ? guide_no_memory(m) : status;
    }
    if (status == TER_OK && pixels)
        status = guide_follow_thalwegs(m, pixels, walk_thalweg, &w);
    free(w.at_step);
    free(w.way);
    return status;
}
