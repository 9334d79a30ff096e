/* line_cells.c - follows lines in small steps through the warped plane of the network. A line becomes a way from cell
 * to cell, in the direction in which its water flows, without loops. */
#include "library/guide/line_cells.h"

#include <stdlib.h>

#include "library/fluvial/node.h"
#include "library/fluvial/passes.h"

enum {
    PIECE = 32, /* points for which the warp is made at once */
    CORNER = 3, /* points; a line that has fewer in a cell cuts its corner */
    FIRST_ROOM = 1024
};

/** A cell of a way, with the points of the line in it. */
typedef struct way_cell {
    int64_t x, y;   /* cell of the guide's level */
    int64_t px, py; /* the point nearest to the middle of the cell, in the network's plane */
    int points;
} way_cell;

typedef struct line_walk {
    guide_making *m;
    int octaves;      /* of the warp */
    int32_t *at_step; /* by cell: its place in the way + 1; 0: it is not there */
    way_cell *way;
    size_t count, room;
    size_t out_room; /* of m->line_cells */
} line_walk;

/* ---- from world to cells ---- */

/** Octaves of the warp whose waves are no shorter than an eighth of a cell. */
static int octaves_of(const guide_making *m)
{
    int count = 1;
    while (count < TER_WARP_OCTAVES && INT64_C(262144) >> count >= m->point)
        count++;
    return count;
}

/** Points of a line in the world, lattice steps, and the places where the warp brings them. */
typedef struct line_piece {
    int count;
    int64_t x[PIECE], y[PIECE], px[PIECE], py[PIECE];
} line_piece;

static bool warp_piece(const line_walk *w, line_piece *p)
{
    int64_t x0 = p->x[0], x1 = p->x[0], y0 = p->y[0], y1 = p->y[0];
    for (int n = 1; n < p->count; n++) {
        x0 = p->x[n] < x0 ? p->x[n] : x0;
        x1 = p->x[n] > x1 ? p->x[n] : x1;
        y0 = p->y[n] < y0 ? p->y[n] : y0;
        y1 = p->y[n] > y1 ? p->y[n] : y1;
    }
    ter_fluvial_job *job = calloc(1, sizeof *job);
    ter_arena size = {NULL, 0}, arena = {NULL, 0};
    if (!job)
        return false;
    job->f = w->m->f;
    for (int m = 0; m < w->octaves; m++)
        job->warp_at[m] = ter_spline_window(x0, y0, x1, y1, TER_WARP_SHIFT - m);
    ter_place_warp(&size, job);
    char *memory = arena.base = malloc(size.bytes);
    if (memory) {
        ter_place_warp(&arena, job);
        for (int m = 0; m < w->octaves; m++)
            TER_LOOP(ter_make_warp_knot, m, job->warp_at[m].width, job->warp_at[m].height);
        for (int n = 0; n < p->count; n++) {
            float warp[TER_SHIFTS];
            ter_warp_octaves(job, w->octaves, p->x[n], p->y[n], warp);
            p->px[n] = ter_place_x(p->x[n], p->y[n], warp);
            p->py[n] = ter_place_y(p->x[n], p->y[n], warp);
        }
    }
    free(memory);
    free(job);
    return memory != NULL;
}

/* ---- the way ---- */

static int32_t *step_of(const line_walk *w, int64_t x, int64_t y)
{
    return &w->at_step[ter_window_index(w->m->at, x, y)];
}

/** Leave out the end of the way, from step `count` on. */
static void cut_way(line_walk *w, size_t count)
{
    while (w->count > count) {
        w->count--;
        *step_of(w, w->way[w->count].x, w->way[w->count].y) = 0;
    }
}

/** Add a point to the way. A line that comes back to a cell of the way has made a loop, which is left out. */
static bool add_point(line_walk *w, int64_t px, int64_t py)
{
    const int shift = 24 - w->m->level;
    const int64_t x = px >> shift, y = py >> shift;
    if (!ter_window_has(w->m->at, x, y))
        return true;
    const int32_t known = *step_of(w, x, y);
    if (known > 0) {
        cut_way(w, (size_t)known);
    } else {
        if (w->count == w->room) {
            const size_t room = w->room > 0 ? 2 * w->room : FIRST_ROOM;
            way_cell *more = realloc(w->way, room * sizeof *more);
            if (!more)
                return false;
            w->way = more;
            w->room = room;
        }
        w->way[w->count++] = (way_cell){x, y, px, py, 0};
        *step_of(w, x, y) = (int32_t)w->count;
    }
    way_cell *cell = &w->way[w->count - 1];
    cell->points++;
    const int64_t half = (int64_t)1 << (shift - 1), mask = ((int64_t)1 << shift) - 1;
    const int64_t dx = (px & mask) - half, dy = (py & mask) - half;
    const int64_t ex = (cell->px & mask) - half, ey = (cell->py & mask) - half;
    if (dx * dx + dy * dy < ex * ex + ey * ey) {
        cell->px = px;
        cell->py = py;
    }
    return true;
}

static bool are_beside(const way_cell *a, const way_cell *b)
{
    const int64_t dx = b->x - a->x, dy = b->y - a->y;
    return dx >= -1 && dx <= 1 && dy >= -1 && dy <= 1;
}

/** Leave out cells whose corner the line cuts. */
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

/** Vertex of a river, lattice steps. */
static void vertex(const line_walk *w, const ter_guide_river *r, int n, double *x, double *y)
{
    const double step = (double)w->m->f.spacing;
    *x = r->places[2 * n] / step;
    *y = r->places[2 * n + 1] / step;
}

/** Height of the guide at the end of a river. */
static float height_at(const line_walk *w, const ter_guide_river *r, int n)
{
    const guide_raster *raster = &w->m->raster;
    double x, y;
    vertex(w, r, n, &x, &y);
    const double u = (x - (double)raster->x) / raster->spacing + (double)raster->pad,
                 v = (y - (double)raster->y) / raster->spacing + (double)raster->pad;
    return guide_raster_height(raster, (int)floor(u), (int)floor(v), (float)(u - floor(u)), (float)(v - floor(v)));
}

static bool flush(line_walk *w, line_piece *p)
{
    if (p->count == 0)
        return true;
    bool is_done = !ter_is_cancelled(&w->m->cancel) && warp_piece(w, p);
    for (int n = 0; n < p->count && is_done; n++)
        is_done = add_point(w, p->px[n], p->py[n]);
    p->count = 0;
    return is_done;
}

/** Walk from vertex to vertex in steps of an eighth of a cell. */
static bool walk(line_walk *w, const ter_guide_river *r)
{
    const bool is_backward = height_at(w, r, 0) < height_at(w, r, r->count - 1);
    line_piece piece = {.count = 0};
    for (int n = 0; n + 1 < r->count; n++) {
        double ax, ay, bx, by;
        vertex(w, r, is_backward ? r->count - 1 - n : n, &ax, &ay);
        vertex(w, r, is_backward ? r->count - 2 - n : n + 1, &bx, &by);
        const double length = sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
        const int64_t steps = (int64_t)ceil(length / (double)w->m->point);
        for (int64_t k = n == 0 ? 0 : 1; k <= steps; k++) {
            const double share = steps > 0 ? (double)k / (double)steps : 0.0;
            piece.x[piece.count] = (int64_t)rint(ax + share * (bx - ax));
            piece.y[piece.count++] = (int64_t)rint(ay + share * (by - ay));
            if (piece.count == PIECE && !flush(w, &piece))
                return false;
        }
    }
    return flush(w, &piece);
}

/** Store the way in the cells of all lines, and empty it. */
static bool store(line_walk *w, float width)
{
    guide_making *m = w->m;
    if (m->n_line_cells + w->count > w->out_room) {
        const size_t room = 2 * (m->n_line_cells + w->count);
        guide_line_cell *more = realloc(m->line_cells, room * sizeof *more);
        if (!more)
            return false;
        m->line_cells = more;
        w->out_room = room;
    }
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
        };
    }
    cut_way(w, 0);
    return true;
}

ter_status guide_find_line_cells(guide_making *m)
{
    const ter_guide_options *o = &m->guide->options;
    if (o->n_rivers <= 0)
        return TER_OK;
    line_walk w = {.m = m, .octaves = octaves_of(m), .at_step = calloc(guide_cell_count(m), sizeof *w.at_step)};
    bool is_done = w.at_step != NULL;
    for (int n = 0; n < o->n_rivers && is_done; n++) {
        is_done = walk(&w, &o->rivers[n]);
        cut_corners(&w);
        is_done = is_done && store(&w, (float)o->rivers[n].width);
    }
    free(w.at_step);
    free(w.way);
    if (is_done)
        return TER_OK;
    const ter_status status = ter_check_cancelled(&m->cancel);
    return status == TER_OK ? guide_no_memory(m) : status;
}
