/* gully.h - makes gullies row by row: the steps of library/fluvial/gully.h, and the heights with gullies. Each number
 * of a cell or point has an array of its own, in place of an array of structures, so that loops compile to vector code.
 *
 * A point reads the kernels of the four cells around it. Where a cell is r points wide, every r-th point has the same
 * place between its cells, and successive such points have successive cells. So a row is made in r turns: each turn is
 * one loop over every r-th point.
 *
 *     cells      | 0     | 1     | 2     |       r = 2
 *     points     a   b   a   b   a   b           turn 0: all a, turn 1: all b
 */
#ifndef TERRANE_FLUVIAL_CPU_GULLY_H
#define TERRANE_FLUVIAL_CPU_GULLY_H

#include "library/fluvial/cpu/halving.h"
#include "library/fluvial/cpu/noise.h"

/** Kernels of all cells of an octave, one array for each number. Phases alternate between two arrays from round to
 * round. The arrays lie in the memory of ter_octave_plan.gully. */
typedef struct fluvial_cells {
    float *kx, *ky, *mask;
    float *cosine[2], *sine[2];
} fluvial_cells;

/** Scratch for a row of points. */
typedef struct fluvial_gully_row {
    float cosine[FLUVIAL_COLUMNS], sine[FLUVIAL_COLUMNS], mask[FLUVIAL_COLUMNS]; /* means over the kernels around */
    /* members of ter_ground */
    float above[FLUVIAL_COLUMNS], strength[FLUVIAL_COLUMNS], alpine[FLUVIAL_COLUMNS], reach[FLUVIAL_COLUMNS];
    float raise[FLUVIAL_COLUMNS], fade[FLUVIAL_COLUMNS], rough[FLUVIAL_COLUMNS];
    float turn[3][FLUVIAL_COLUMNS];
    float height[2][FLUVIAL_COLUMNS], corner_strength[2][FLUVIAL_COLUMNS]; /* two rows of corners of cells */
    fluvial_halving halving;
    fluvial_noise noise;
} fluvial_gully_row;

static fluvial_cells cells_of(const ter_octave_plan *o)
{
    const size_t count = ter_window_count(o->cells);
    float *a = (float *)o->gully[0], *b = (float *)o->gully[1];
    const fluvial_cells c = {a, a + count, a + 2 * count, {a + 3 * count, b}, {a + 4 * count, b + count}};
    return c;
}

/** Array n of an octave's points, in the memory of ter_octave_plan.carved. n: CARVED_.. */
static float *carved_plane(const ter_octave_plan *o, int n)
{
    return (float *)o->carved + (size_t)n * ter_window_count(o->points.at);
}

enum { CARVED_SUM, CARVED_FADED_SUM, CARVED_FADE };

static fluvial_plane plane_of_carved(const ter_octave_plan *o, int n)
{
    const fluvial_plane p = {o->points.at, carved_plane(o, n), 1};
    return p;
}

static fluvial_plane plane_of_ground(const ter_ground_plan *plan, size_t field)
{
    const fluvial_plane p = {plan->points.at, (const float *)plan->ground + field, sizeof(ter_ground) / sizeof(float)};
    return p;
}

/* ---- kernels ---- */

/** Load a row of corners of octave n: their heights, with the broader octave added, and their strengths. sum: scratch
 */
static void corner_row(const ter_fluvial_job *job, int n, int64_t y, float *restrict height, float *restrict strength,
                       float *restrict sum)
{
    const ter_octave_plan *o = &job->octave[n], *before = ter_octave_before(job, n);
    const ter_ground_plan *plan = &job->ground[o->corners_ground];
    const size_t field = TER_GROUND_FIELD(height);
    const fluvial_plane heights = plane_of_ground(plan, field),
                        strengths = plane_of_ground(plan, TER_GROUND_FIELD(strength));
    const int count = o->corners.at.width;
    copy_row(&heights, o->corners.at.x, y, count, height);
    copy_row(&strengths, o->corners.at.x, y, count, strength);
    for (int x = 0; x < count; x++)
        sum[x] = 0.0f;
    if (before) {
        const fluvial_plane sums = plane_of_carved(before, CARVED_SUM);
        copy_row(&sums, o->corners.at.x, y, count, sum);
    }
    for (int x = 0; x < count; x++)
        height[x] += sum[x];
}

/** Do the work of ter_make_gully for a row of cells. row: holds the two rows of corners around the cells */
static void make_kernel_row(const ter_fluvial_job *job, const ter_octave_plan *o, int y, const fluvial_gully_row *row)
{
    const fluvial_cells cells = cells_of(o);
    const int width = o->cells.width, is_odd = y & 1;
    const size_t first = (size_t)y * (size_t)width;
    const float *restrict north = row->height[is_odd], *restrict south = row->height[!is_odd];
    const float *restrict s0 = row->corner_strength[is_odd], *restrict s1 = row->corner_strength[!is_odd];
    const float scale = 0.5f / (float)ter_octave_cell(o->octave), waves = ter_octave_waves(o->octave);
    float *restrict kx = cells.kx + first, *restrict ky = cells.ky + first, *restrict mask = cells.mask + first;
    float *restrict cosine = cells.cosine[0] + first, *restrict sine = cells.sine[0] + first;
    int bytes[FLUVIAL_COLUMNS];
    ter_words words = {{0, 0, 0, 0}};
    for (int x = 0; x < width; x++) {
        const int64_t cell_x = o->cells.x + x, cell_y = o->cells.y + y;
        if (x == 0 || (cell_x & 3) == 0)
            words = ter_tagged_words(job->f.round_key, TER_TAG_CELL + o->octave, cell_x >> 2, cell_y >> 2);
        bytes[x] = (int)(ter_words_row(&words, cell_y) >> 8 * (int)(cell_x & 3) & 0xffu);
    }
    for (int x = 0; x < width; x++) {
        const float strength = 0.25f * ((s0[x] + s0[x + 1]) + (s1[x] + s1[x + 1]));
        const float gx = ((north[x + 1] + south[x + 1]) - (north[x] + south[x])) * scale;
        const float gy = ((south[x] + south[x + 1]) - (north[x] + north[x + 1])) * scale;
        const float slope = ter_sqrt(gx * gx + gy * gy) + 1e-12f;
        const float turns = (1.0f + 0.35f * ((float)(bytes[x] >> 4) - 7.5f) * (1.0f / 7.5f)) * waves / slope;
        kx[x] = -gy * turns;
        ky[x] = gx * turns;
        ter_turn((float)(bytes[x] & 15) * (1.0f / 16.0f), &cosine[x], &sine[x]);
        const float uneven = 1.0f + 0.8f * ((float)(bytes[x] * 7 >> 2 & 15) * (1.0f / 7.5f) - 1.0f);
        mask[x] = ter_smooth_step((slope / (0.62f * ter_max(strength, 1e-6f)) - 0.05f) * (1.0f / 0.45f)) * uneven;
    }
}

static void make_kernels(const ter_fluvial_job *job, int n, fluvial_gully_row *row)
{
    const ter_octave_plan *o = &job->octave[n];
    for (int y = 0; y <= o->cells.height; y++) {
        corner_row(job, n, o->corners.at.y + y, row->height[y & 1], row->corner_strength[y & 1], row->turn[0]);
        if (y > 0)
            make_kernel_row(job, o, y - 1, row);
    }
}

/** Kernels of a row of cells. Rows around it are reached by offsets. */
typedef struct fluvial_phases {
    const float *kx, *ky, *cosine, *sine;
} fluvial_phases;

/** Add the phase of the neighbour at (dx, dy) of cell x of a row to the sums (c, s). */
static inline __attribute__((always_inline)) void add_phase(fluvial_phases p, int x, int width, int dx, int dy,
                                                            float inverse, float *c, float *s)
{
    const int k = x + dy * width + dx;
    const ter_gully a = {p.kx[x], p.ky[x], 0.0f, 0.0f, 0.0f}, b = {p.kx[k], p.ky[k], 0.0f, 0.0f, 0.0f};
    float lc, ls;
    ter_gully_link(&a, &b, inverse, dx, dy, &lc, &ls);
    *c = ter_fma(lc, p.cosine[k], ter_fma(-ls, p.sine[k], *c));
    *s = ter_fma(ls, p.cosine[k], ter_fma(lc, p.sine[k], *s));
}

/** Phases of a row of cells after one more round, except the two cells at its ends. Neighbours are added row by row, as
 * the definition does. */
static void phase_row(fluvial_phases p, int width, float *restrict cosine, float *restrict sine)
{
    for (int x = 1; x < width - 1; x++) {
        const float inverse = 1.0f / ter_max(p.kx[x] * p.kx[x] + p.ky[x] * p.ky[x], 1e-12f);
        float c = 0.1f * p.cosine[x], s = 0.1f * p.sine[x];
        add_phase(p, x, width, -1, -1, inverse, &c, &s);
        add_phase(p, x, width, 0, -1, inverse, &c, &s);
        add_phase(p, x, width, 1, -1, inverse, &c, &s);
        add_phase(p, x, width, -1, 0, inverse, &c, &s);
        add_phase(p, x, width, 1, 0, inverse, &c, &s);
        add_phase(p, x, width, -1, 1, inverse, &c, &s);
        add_phase(p, x, width, 0, 1, inverse, &c, &s);
        add_phase(p, x, width, 1, 1, inverse, &c, &s);
        const float scale = 1.0f / (ter_sqrt(c * c + s * s) + 1e-9f);
        cosine[x] = c * scale;
        sine[x] = s * scale;
    }
}

/** Copy the phases of cells at the border of an octave's window, which do not change. */
static void keep_border(const fluvial_cells *cells, int round, int width, int height)
{
    const float *const from[2] = {cells->cosine[round & 1], cells->sine[round & 1]};
    float *const to[2] = {cells->cosine[(round + 1) & 1], cells->sine[(round + 1) & 1]};
    const size_t last = (size_t)(height - 1) * (size_t)width;
    for (int c = 0; c < 2; c++) {
        memcpy(to[c], from[c], (size_t)width * sizeof(float));
        memcpy(to[c] + last, from[c] + last, (size_t)width * sizeof(float));
        for (int y = 1; y < height - 1; y++) {
            const size_t west = (size_t)y * (size_t)width, east = west + (size_t)width - 1;
            to[c][west] = from[c][west];
            to[c][east] = from[c][east];
        }
    }
}

static void agree_phases(const ter_octave_plan *o)
{
    const fluvial_cells cells = cells_of(o);
    for (int round = 0; round < TER_PHASE_ROUNDS; round++) {
        keep_border(&cells, round, o->cells.width, o->cells.height);
        const int from = round & 1, to = !from;
        for (int y = 1; y < o->cells.height - 1; y++) {
            const size_t k = (size_t)y * (size_t)o->cells.width;
            const fluvial_phases row = {cells.kx + k, cells.ky + k, cells.cosine[from] + k, cells.sine[from] + k};
            phase_row(row, o->cells.width, cells.cosine[to] + k, cells.sine[to] + k);
        }
    }
}

/* ---- points ---- */

/** Place of a point relative to the middles of the four cells around it, in widths of a cell, and weights of their
 * kernels. */
typedef struct fluvial_weights {
    float x[4], y[4], weight[4], inverse;
} fluvial_weights;

static fluvial_weights weights_at(float in_x, float in_y)
{
    fluvial_weights w;
    float sum = 0.0f;
    for (int n = 0; n < 4; n++) {
        w.x[n] = in_x - (float)(n & 1);
        w.y[n] = in_y - (float)(n >> 1);
        const float u = ter_max(0.0f, 1.0f - (w.x[n] * w.x[n] + w.y[n] * w.y[n]) * (1.0f / 1.2f));
        w.weight[n] = u * u * u;
        sum += w.weight[n];
    }
    w.inverse = 1.0f / sum;
    return w;
}

/** Kernels of the cells, beginning with one of them. */
typedef struct fluvial_kernels_at {
    const float *kx, *ky, *mask, *cosine, *sine;
} fluvial_kernels_at;

/** Add the phasor of kernel n of the 2 x 2 around a point. k: index of its cell */
static inline __attribute__((always_inline)) void add_kernel(fluvial_kernels_at a, int k, const fluvial_weights *w,
                                                             int n, float sum[3])
{
    float c, s;
    ter_turn(a.kx[k] * w->x[n] + a.ky[k] * w->y[n], &c, &s);
    sum[0] += w->weight[n] * (c * a.cosine[k] - s * a.sine[k]);
    sum[1] += w->weight[n] * (s * a.cosine[k] + c * a.sine[k]);
    sum[2] += w->weight[n] * a.mask[k];
}

/** Mean phasors at `count` points that have the same place between their cells; the cells of successive points lie
 * `stride` apart. */
static inline __attribute__((always_inline)) void add_kernels(fluvial_kernels_at a, int width, int stride,
                                                              fluvial_weights w, int count, float *restrict cosine,
                                                              float *restrict sine, float *restrict mask)
{
    for (int m = 0; m < count; m++) {
        float sum[3] = {0.0f, 0.0f, 0.0f};
        add_kernel(a, m * stride, &w, 0, sum);
        add_kernel(a, m * stride + 1, &w, 1, sum);
        add_kernel(a, m * stride + width, &w, 2, sum);
        add_kernel(a, m * stride + width + 1, &w, 3, sum);
        cosine[m] = sum[0] * w.inverse;
        sine[m] = sum[1] * w.inverse;
        mask[m] = sum[2] * w.inverse;
    }
}

/** Store the results of one turn, `turns` elements apart. */
static void spread(const float *restrict from, int count, int turns, float *restrict to)
{
    for (int m = 0; m < count; m++)
        to[m * turns] = from[m];
}

/** Mean phasors at row y of a lattice. */
static void phasor_row(const ter_octave_plan *o, const ter_lattice *to, int64_t y, fluvial_gully_row *row)
{
    const fluvial_cells cells = cells_of(o);
    const int cell = ter_octave_cell(o->octave), half = cell / 2, step = to->step,
              turns = cell > step ? cell / step : 1;
    const int64_t py = y * step - half, cell_y = ter_floor_div(py, cell);
    const float in_y = (float)(int)(py - cell_y * cell) / (float)cell;
    for (int turn = 0; turn < turns && turn < to->at.width; turn++) {
        const int64_t px = (to->at.x + turn) * step - half, cell_x = ter_floor_div(px, cell);
        const float in_x = (float)(int)(px - cell_x * cell) / (float)cell;
        const int count = (to->at.width - turn + turns - 1) / turns;
        const size_t k = (size_t)ter_window_index(o->cells, cell_x, cell_y);
        const fluvial_kernels_at at = {cells.kx + k, cells.ky + k, cells.mask + k,
                                       cells.cosine[TER_PHASE_ROUNDS & 1] + k, cells.sine[TER_PHASE_ROUNDS & 1] + k};
        const fluvial_weights w = weights_at(in_x, in_y);
        if (step > cell) {
            add_kernels(at, o->cells.width, 2, w, count, row->cosine, row->sine, row->mask);
            continue;
        }
        add_kernels(at, o->cells.width, 1, w, count, row->turn[0], row->turn[1], row->turn[2]);
        spread(row->turn[0], count, turns, row->cosine + turn);
        spread(row->turn[1], count, turns, row->sine + turn);
        spread(row->turn[2], count, turns, row->mask + turn);
    }
}

/** Do the work of ter_gully_ground_at for row y of a lattice. */
static void ground_row(const ter_ground_plan *plan, const ter_lattice *to, int64_t y, fluvial_gully_row *row)
{
    const struct {
        size_t field;
        float *out;
    } fields[] = {{TER_GROUND_FIELD(above), row->above},   {TER_GROUND_FIELD(strength), row->strength},
                  {TER_GROUND_FIELD(alpine), row->alpine}, {TER_GROUND_FIELD(reach), row->reach},
                  {TER_GROUND_FIELD(raise), row->raise},   {TER_GROUND_FIELD(fade), row->fade},
                  {TER_GROUND_FIELD(rough), row->rough}};
    for (size_t n = 0; n < sizeof fields / sizeof fields[0]; n++) {
        const fluvial_plane p = plane_of_ground(plan, fields[n].field);
        between_row(&p, plan->points.step != to->step, to->at, y, &row->halving, fields[n].out);
    }
}

/** Constants of an octave: ter_octave_amplitude, ter_octave_soft, and whether its amplitude follows the roughness. */
typedef struct fluvial_octave {
    float amplitude, soft;
    bool is_rough;
} fluvial_octave;

static fluvial_octave octave_of(int n)
{
    const fluvial_octave o = {ter_octave_amplitude(n), ter_octave_soft(n), n > 0};
    return o;
}

/** Height that an octave adds at a point, from the mean phasor there; see ter_gully_between. fade: updated */
static inline float added_at(fluvial_octave o, float cosine, float sine, float mask, float alpine, float strength,
                             float rough, float *fade)
{
    const float g = ter_gully_profile(cosine, sine, alpine), f = *fade;
    float share = mask * ter_min(1.0f, 3.0f * (1.0f - f * f));
    share = ter_max(0.04f, share + (1.0f - share) * ter_smooth_step((f + 0.2f) * (1.0f / 0.6f)));
    *fade = f + (g - f) * share;
    return (o.is_rough ? rough : TER_BROAD_GULLIES) * o.amplitude * (o.soft + (1.0f - o.soft) * alpine) * strength *
           *fade;
}

/** Octave n as coarser levels of detail show it: made at points of twice the spacing of its cells, and halved down to
 * its points. */
static void make_seen(const ter_fluvial_job *job, int n, fluvial_gully_row *row)
{
    const ter_octave_plan *o = &job->octave[n], *before = ter_octave_before(job, n);
    const ter_window at = o->coarse[0].at;
    const ter_ground_plan *plan = &job->ground[o->corners_ground];
    for (int y = 0; y < at.height; y++) {
        float *out = o->seen[0] + (size_t)y * (size_t)at.width;
        phasor_row(o, &o->coarse[0], at.y + y, row);
        for (int x = 0; x < at.width; x++) {
            const int64_t px = 2 * (at.x + x), py = 2 * (at.y + y);
            const ter_gully_ground g = ter_gully_ground_at(plan, px, py, o->corners.step);
            float fade =
                before ? carved_plane(before, CARVED_FADE)[ter_window_index(before->points.at, px, py)] : g.fade;
            out[x] = added_at(octave_of(n), row->cosine[x], row->sine[x], row->mask[x], g.alpine, g.strength, g.rough,
                              &fade);
        }
    }
    for (int d = 1; d <= o->n_halvings; d++) {
        const fluvial_plane from = {o->coarse[d - 1].at, o->seen[(d - 1) & 1], 1};
        halve_plane(&from, o->coarse[d].at, &row->halving, o->seen[d & 1]);
    }
}

/** Initialise a row with the sums of the broader octave. */
static void begin_carved_row(const ter_fluvial_job *job, int n, int64_t y, fluvial_gully_row *row,
                             float *const carved[3])
{
    const ter_octave_plan *o = &job->octave[n], *before = ter_octave_before(job, n);
    const size_t bytes = (size_t)o->points.at.width * sizeof(float);
    for (int k = 0; k < 3; k++) {
        if (!before) {
            memset(carved[k], 0, bytes);
            continue;
        }
        const fluvial_plane from = plane_of_carved(before, k);
        if (before->points.step == o->points.step)
            copy_row(&from, o->points.at.x, y, o->points.at.width, carved[k]);
        else
            halve_row(&from, o->points.at, y, &row->halving, carved[k]);
    }
    if (!before)
        memcpy(carved[CARVED_FADE], row->fade, bytes);
}

static void carve_row(fluvial_octave o, const fluvial_gully_row *row, int width, const float *restrict seen,
                      float *restrict sum, float *restrict faded_sum, float *restrict fade)
{
    const float *restrict cosine = row->cosine, *restrict sine = row->sine, *restrict mask = row->mask;
    const float *restrict alpine = row->alpine, *restrict strength = row->strength, *restrict above = row->above;
    const float *restrict reach = row->reach, *restrict raise = row->raise, *restrict rough = row->rough;
    const float per_amplitude = 1.0f / o.amplitude;
    for (int x = 0; x < width; x++) {
        float f = fade[x];
        const float added = added_at(o, cosine[x], sine[x], mask[x], alpine[x], strength[x], rough[x], &f);
        const float change = added - seen[x], rate = raise[x];
        const float share = ter_smooth_step((above[x] + faded_sum[x]) * reach[x] * per_amplitude);
        sum[x] += added;
        faded_sum[x] += change * share * (change < 0.0f ? 0.9f : rate);
        fade[x] = f;
    }
}

/** Add ter_displaced_ground for row y of an octave's points to the faded sums. */
static void displace_row(const ter_ground_plan *plan, const ter_window at, int64_t y, fluvial_noise *noise,
                         float *restrict faded_sum)
{
    const int below = plan->points.at.width;
    const float share = ter_rill_share(TER_FORM_STEP);
    const fluvial_noise_rows rows = noise_rows(noise, at.x, y);
    for (int x = y & 1 ? 0 : (int)(~at.x & 1); x < at.width; x += y & 1 ? 1 : 2) {
        const ter_ground *g = &plan->ground[ter_window_index(plan->points.at, (at.x + x) >> 1, y >> 1)];
        const ter_corners c = {g[0].height, g[1].height, g[below].height, g[below + 1].height};
        const ter_tilt t = ter_corners_tilt(&c);
        faded_sum[x] +=
            ter_displacement_reach(t, g->rough, TER_FORM_STEP) * ter_fma(share, rill_at(&rows, x, t.x, t.y), 0.0f);
    }
}

static void carve_octave(const ter_fluvial_job *job, int n, fluvial_gully_row *row)
{
    const ter_octave_plan *o = &job->octave[n];
    const ter_window at = o->points.at;
    const bool is_displaced = o->points.step == TER_FORM_STEP;
    if (is_displaced)
        begin_noise(&job->f, TER_FORM_STEP, at.x, at.width, &row->noise);
    for (int y = 0; y < at.height; y++) {
        const size_t first = (size_t)y * (size_t)at.width;
        float *const carved[3] = {carved_plane(o, 0) + first, carved_plane(o, 1) + first, carved_plane(o, 2) + first};
        ground_row(&job->ground[o->points_ground], &o->points, at.y + y, row);
        begin_carved_row(job, n, at.y + y, row, carved);
        phasor_row(o, &o->points, at.y + y, row);
        carve_row(octave_of(n), row, at.width, o->seen[o->n_halvings & 1] + first, carved[CARVED_SUM],
                  carved[CARVED_FADED_SUM], carved[CARVED_FADE]);
        if (is_displaced)
            displace_row(&job->ground[o->points_ground], at, at.y + y, &row->noise, carved[CARVED_FADED_SUM]);
    }
}

/** Make all octaves of a job, except a shared one. */
static void make_gullies(const ter_fluvial_job *job, fluvial_gully_row *row)
{
    for (int n = job->first_octave; n < job->n_octaves; n++) {
        make_kernels(job, n, row);
        agree_phases(&job->octave[n]);
        make_seen(job, n, row);
        carve_octave(job, n, row);
    }
}

/* ---- the ground with its gullies ---- */

static void base_row(const float *restrict ground, const float *restrict lake, const float *restrict least,
                     const float *restrict faded_sum, int width, float *restrict out)
{
    for (int x = 0; x < width; x++) {
        const float shore = ter_max(ground[x], least[x]);
        const float height = TER_IS_LAKE(lake[x]) ? shore : ground[x];
        const float near = faded_sum[x] * ter_smooth_step((height - lake[x]) * (1.0f / 8.0f));
        out[x] = height + (TER_IS_LAKE(lake[x]) ? near : faded_sum[x]);
    }
}

/** Do the work of ter_make_base for all points. */
static void make_base(const ter_fluvial_job *job, fluvial_gully_row *row)
{
    const ter_lattice *to = &job->fine[job->n_fine - 1];
    const ter_ground_plan *plan = ter_surface_ground(job);
    const int is_halved = plan->points.step != to->step;
    const fluvial_plane heights = plane_of_ground(plan, TER_GROUND_FIELD(height)),
                        lakes = plane_of_ground(plan, TER_GROUND_FIELD(lake));
    float *out = job->height[(job->n_fine - 1) & 1], *ground = row->turn[0], *least = row->turn[1],
          *faded_sum = row->turn[2];
    memset(faded_sum, 0, (size_t)to->at.width * sizeof(float));
    for (int y = 0; y < to->at.height; y++, out += to->at.width) {
        const int64_t py = to->at.y + y;
        if (is_halved)
            halve_row(&heights, to->at, py, &row->halving, ground);
        else
            copy_row(&heights, to->at.x, py, to->at.width, ground);
        least_row(&heights, is_halved, to->at, py, &row->halving, least);
        least_row(&lakes, is_halved, to->at, py, &row->halving, row->above);
        if (job->n_octaves > 0) {
            const fluvial_plane from = plane_of_carved(&job->octave[job->n_octaves - 1], CARVED_FADED_SUM);
            copy_row(&from, to->at.x, py, to->at.width, faded_sum);
        }
        base_row(ground, row->above, least, faded_sum, to->at.width, out);
    }
}

#endif
