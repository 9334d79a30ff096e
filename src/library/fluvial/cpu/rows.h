/* rows.h - makes heights at spacings below 16 m row by row. It does the work of ter_make_fine of surface.h.
 *
 * A row is made as two arrays, one of even and one of odd columns (halving.h). Coarse rows are refined along the row
 * once, and the last four are kept. The points between four coarse points share the slope and the amplitude of the
 * displacement; these are computed once for the two fine rows in a row of cells.
 */
#ifndef TERRANE_FLUVIAL_CPU_ROWS_H
#define TERRANE_FLUVIAL_CPU_ROWS_H

#include "library/fluvial/cpu/halving.h"
#include "library/fluvial/cpu/noise.h"
#include "library/fluvial/surface.h"

enum {
    /* greatest number of pairs of columns: a row of a block, and the margin that the next level reads */
    FLUVIAL_ROW_PAIRS = TER_BLOCK_WIDTH_MAX / 2 + 16
};

/** A coarse row refined along the row: its points in `even`, and points interpolated between them in `odd`. */
typedef struct fluvial_row {
    int64_t y; /* row of the coarse lattice */
    float even[FLUVIAL_ROW_PAIRS + 1], odd[FLUVIAL_ROW_PAIRS];
} fluvial_row;

/** The cells between two coarse rows: slopes, and amplitudes of the displacement. */
typedef struct fluvial_row_cells {
    int64_t y; /* of the northern row */
    float tilt_x[FLUVIAL_ROW_PAIRS], tilt_y[FLUVIAL_ROW_PAIRS], reach[FLUVIAL_ROW_PAIRS];
} fluvial_row_cells;

/** Scratch. */
typedef struct fluvial_rows {
    fluvial_row coarse[4]; /* row y in coarse[y & 3] */
    fluvial_row_cells cells;
    int64_t rough_y[2];                /* rows of ground points that `rough` holds; row y is rough[y & 1] */
    float rough[2][FLUVIAL_ROW_PAIRS]; /* roughness in such a row, at the columns of coarse points */
    float share[FLUVIAL_ROW_PAIRS];    /* place of a coarse point between the ground points west and east of it, 0..1 */
    int ground[FLUVIAL_ROW_PAIRS];     /* column of the ground point west of it */
    fluvial_noise noise;
    float even_noise[FLUVIAL_ROW_PAIRS], odd_noise[FLUVIAL_ROW_PAIRS]; /* of one row, as shares of the amplitude */
    float even[FLUVIAL_ROW_PAIRS], odd[FLUVIAL_ROW_PAIRS];             /* the row that is made */
} fluvial_rows;

/** A strip of columns of a fine lattice. Strips are made one after the other. */
typedef struct fluvial_columns {
    const ter_fluvial_job *job;
    int n, step;        /* the lattice is fine[n], its spacing `step` metres */
    int64_t x, pair;    /* first column; the coarse column at or before it */
    int width, n_pairs; /* columns; pairs of columns, one for each coarse column */
    int64_t per_ground; /* coarse points per step of the ground's lattice */
} fluvial_columns;

/** Refine a coarse row along the row. p: the point of the first pair */
static void refine_row(const float *restrict p, int n_pairs, fluvial_row *restrict row)
{
    for (int n = 0; n < n_pairs; n++) {
        row->even[n] = p[n];
        row->odd[n] = ter_four(p[n - 1], p[n], p[n + 1], p[n + 2]);
    }
    row->even[n_pairs] = p[n_pairs];
}

/** Coarse row y, refined; it is made if it is not among the last four. */
static const fluvial_row *refined_row(const fluvial_columns *c, int64_t y, fluvial_rows *s)
{
    fluvial_row *row = &s->coarse[y & 3];
    if (row->y != y) {
        const ter_lattice *from = &c->job->fine[c->n + 1];
        refine_row(c->job->height[(c->n + 1) & 1] + ter_window_index(from->at, c->pair, y), c->n_pairs, row);
        row->y = y;
    }
    return row;
}

/** Find the places of the coarse columns between the ground's points. */
static void begin_rough(const fluvial_columns *c, fluvial_rows *s)
{
    const int64_t ground_x = ter_surface_ground(c->job)->points.at.x;
    const float scale = 1.0f / (float)c->per_ground;
    for (int n = 0; n < c->n_pairs; n++) {
        const int64_t x = ter_floor_div(c->pair + n, c->per_ground);
        s->ground[n] = (int)(x - ground_x);
        s->share[n] = (float)(int)(c->pair + n - x * c->per_ground) * scale;
    }
    s->rough_y[0] = s->rough_y[1] = INT64_MIN;
}

/** Roughness in row y of the ground's points, at the coarse columns. */
static const float *rough_along(const fluvial_columns *c, int64_t y, fluvial_rows *s)
{
    const ter_ground_plan *plan = ter_surface_ground(c->job);
    float *restrict out = s->rough[y & 1];
    if (s->rough_y[y & 1] == y)
        return out;
    s->rough_y[y & 1] = y;
    const ter_ground *row = plan->ground + (size_t)(y - plan->points.at.y) * (size_t)plan->points.at.width;
    for (int n = 0; n < c->n_pairs; n++) {
        const float a = s->share[n], west = row[s->ground[n]].rough;
        out[n] = ter_fma(a, (a > 0.0f ? row[s->ground[n] + 1].rough : west) - west, west);
    }
    return out;
}

/** Slopes and amplitudes of the cells between coarse rows p and q.
 *
 *  north, south  roughness in the rows of the ground's points around p
 *  b             place of p between these rows, 0..1
 */
static void reach_row(const fluvial_columns *c, const float *restrict p, const float *restrict q,
                      const float *restrict north, const float *restrict south, float b, fluvial_row_cells *restrict r)
{
    const int step = c->step, n_pairs = c->n_pairs;
    for (int n = 0; n < n_pairs; n++) {
        const ter_corners corners = {p[n], p[n + 1], q[n], q[n + 1]};
        const ter_tilt t = ter_corners_tilt(&corners);
        r->tilt_x[n] = t.x;
        r->tilt_y[n] = t.y;
        r->reach[n] = ter_displacement_reach(t, ter_fma(b, south[n] - north[n], north[n]), step);
    }
}

/** The cells south of coarse row y. */
static const fluvial_row_cells *cells_below(const fluvial_columns *c, int64_t y, fluvial_rows *s)
{
    if (s->cells.y != y) {
        const int64_t ground_y = ter_floor_div(y, c->per_ground);
        const float b = (float)(int)(y - ground_y * c->per_ground) / (float)c->per_ground;
        const float *north = rough_along(c, ground_y, s), *south = b > 0.0f ? rough_along(c, ground_y + 1, s) : north;
        const fluvial_row *p = refined_row(c, y, s), *q = refined_row(c, y + 1, s);
        reach_row(c, p->even, q->even, north, south, b, &s->cells);
        s->cells.y = y;
    }
    return &s->cells;
}

/** Noise of the points at every second column, from the first byte on. */
static void noise_columns(const uint8_t *restrict bytes, int n_pairs, float share, float *restrict out)
{
    for (int n = 0; n < n_pairs; n++)
        out[n] = ((float)bytes[2 * n] - 127.5f) * share;
}

/** Add rills to the noise. first: 0 for even columns, 1 for odd ones */
static void add_rills(const fluvial_noise_rows *rows, const fluvial_row_cells *cells, int first, int n_pairs,
                      float share, float *restrict out)
{
    for (int n = 0; n < n_pairs; n++)
        out[n] = ter_fma(share, rill_at(rows, 2 * n + first, cells->tilt_x[n], cells->tilt_y[n]), out[n]);
}

/** Make a fine row that lies on a coarse row: its even columns are coarse points. */
static void even_row(const fluvial_row *restrict a, const fluvial_row_cells *restrict cells, int n_pairs,
                     const float *restrict odd_noise, float *restrict even, float *restrict odd)
{
    for (int n = 0; n < n_pairs; n++) {
        even[n] = a->even[n];
        odd[n] = a->odd[n] + cells->reach[n] * odd_noise[n];
    }
}

/** Make a fine row between the coarse rows b and c. */
static void odd_row(const fluvial_row *restrict a, const fluvial_row *restrict b, const fluvial_row *restrict c,
                    const fluvial_row *restrict d, const fluvial_row_cells *restrict cells, int n_pairs,
                    const float *restrict even_noise, const float *restrict odd_noise, float *restrict even,
                    float *restrict odd)
{
    for (int n = 0; n < n_pairs; n++) {
        even[n] = ter_four(a->even[n], b->even[n], c->even[n], d->even[n]) + cells->reach[n] * even_noise[n];
        odd[n] = ter_four(a->odd[n], b->odd[n], c->odd[n], d->odd[n]) + cells->reach[n] * odd_noise[n];
    }
}

/** Make the noise of row y, with rills. */
static void make_noise(const fluvial_columns *c, const fluvial_row_cells *cells, int64_t y, fluvial_rows *s)
{
    const float amplitude = ter_noise_share(c->step), share = amplitude * (1.0f / 127.5f);
    const float inner = amplitude * 0.6f * (1.0f / 127.5f);
    const uint8_t *bytes = noise_row(&s->noise, y) + (2 * c->pair - 4 * s->noise.block_x);
    if (y & 1)
        noise_columns(bytes, c->n_pairs, share, s->even_noise);
    noise_columns(bytes + 1, c->n_pairs, y & 1 ? inner : share, s->odd_noise);
    if (c->step < TER_RILL_STEP)
        return;
    const fluvial_noise_rows rows = noise_rows(&s->noise, 2 * c->pair, y);
    if (y & 1)
        add_rills(&rows, cells, 0, c->n_pairs, ter_rill_share(c->step), s->even_noise);
    add_rills(&rows, cells, 1, c->n_pairs, ter_rill_share(c->step), s->odd_noise);
}

/** Make the points on the shore of a lake a second time, by the definition: the fast loops ignore lakes. */
static void remake_shores(const fluvial_columns *c)
{
    const ter_ground_plan *plan = ter_surface_ground(c->job);
    const ter_lattice *to = &c->job->fine[c->n];
    const int64_t per = 2 * c->per_ground, y_end = to->at.y + to->at.height, x_end = c->x + c->width;
    for (int64_t j = ter_floor_div(to->at.y, per); j * per < y_end; j++)
        for (int64_t i = ter_floor_div(c->x, per); i * per < x_end; i++) {
            if (!TER_IS_LAKE(plan->ground[ter_window_index(plan->points.at, i, j)].lake))
                continue;
            const int64_t x0 = i * per > c->x ? i * per : c->x, y0 = j * per > to->at.y ? j * per : to->at.y;
            const int64_t x1 = (i + 1) * per < x_end ? (i + 1) * per : x_end;
            const int64_t y1 = (j + 1) * per < y_end ? (j + 1) * per : y_end;
            for (int64_t y = y0; y < y1; y++)
                for (int64_t x = x0; x < x1; x++)
                    ter_make_fine(c->job, c->n, (int)(x - to->at.x), (int)(y - to->at.y));
        }
}

/** Do the work of ter_make_fine for all rows of columns x .. x + width - 1 of fine lattice n; width: at most 2
 * (FLUVIAL_ROW_PAIRS - 8)
 */
static void make_fine_columns(const ter_fluvial_job *job, int n, int x, int width, fluvial_rows *s)
{
    const ter_lattice *to = &job->fine[n];
    const int64_t first = to->at.x + x, pair = first >> 1;
    const fluvial_columns c = {job,
                               n,
                               to->step,
                               first,
                               pair,
                               width,
                               (int)(((first + width - 1) >> 1) - pair) + 1,
                               TER_GROUND_STEP / (2 * to->step)};
    float *out = job->height[n & 1] + x;
    for (int k = 0; k < 4; k++)
        s->coarse[k].y = INT64_MIN;
    s->cells.y = INT64_MIN;
    begin_rough(&c, s);
    begin_noise(&job->f, to->step, 2 * pair, 2 * c.n_pairs, &s->noise);
    for (int y = 0; y < to->at.height; y++, out += to->at.width) {
        const int64_t row = to->at.y + y, above = row >> 1;
        const fluvial_row_cells *cells = cells_below(&c, above, s);
        make_noise(&c, cells, row, s);
        const fluvial_row *b = refined_row(&c, above, s);
        if (row & 1)
            odd_row(refined_row(&c, above - 1, s), b, refined_row(&c, above + 1, s), refined_row(&c, above + 2, s),
                    cells, c.n_pairs, s->even_noise, s->odd_noise, s->even, s->odd);
        else
            even_row(b, cells, c.n_pairs, s->odd_noise, s->even, s->odd);
        interleave(s->even, s->odd, first, width, out);
    }
    remake_shores(&c);
}

static void make_fine_rows(const ter_fluvial_job *job, int n, fluvial_rows *s)
{
    enum { COLUMNS = 2 * (FLUVIAL_ROW_PAIRS - 8) };
    const int width = job->fine[n].at.width;
    for (int x = 0; x < width; x += COLUMNS)
        make_fine_columns(job, n, x, width - x < COLUMNS ? width - x : COLUMNS, s);
}

#endif
