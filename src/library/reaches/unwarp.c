/* unwarp.c - inverts the warp by Newton's method: first octave by octave, from the broadest to the finest, then between
 * the points of the lattice from which samples take their places. */
#include "library/reaches/unwarp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    OCTAVE_ROUNDS = 2,   /* steps after each octave but the last */
    SMOOTH_ROUNDS = 12,  /* greatest number of steps after the last octave */
    LATTICE_ROUNDS = 40, /* greatest number of steps between points of the lattice */
    LATTICE_MARGIN = 32  /* lattice steps around the points of a line */
};

#define NEAR_ENOUGH   (1.0 / 16.0) /* 2^-8 units: a quarter of a millimetre and less */
#define SMOOTH_ENOUGH 64.0         /* 2^-8 units; half a step */
#define TURN_SQUARE   4106.0       /* 59^2 + 25^2: ter_turned_x */
#define PLACES_PER_M  128.0        /* 2^-8 units in a metre of the warp */

/* ---- the warp at any point, without its small shifts ---- */

/** A place, and how it changes there. */
typedef struct warped {
    reach_spot place;
    reach_slope slope;
} warped;

/** Weights of the four knots around a point at share `a` between the middle two, and how they change. */
static void weights_at(double a, double w[4], double change[4])
{
    const double t = 1.0 - a;
    w[0] = t * t * t / 6.0;
    w[1] = a * a * (0.5 * a - 1.0) + 2.0 / 3.0;
    w[2] = t * t * (0.5 * t - 1.0) + 2.0 / 3.0;
    w[3] = a * a * a / 6.0;
    change[0] = -0.5 * t * t;
    change[1] = a * (1.5 * a - 2.0);
    change[2] = t * (2.0 - 1.5 * t);
    change[3] = 0.5 * a * a;
}

/** The knots of octave m around the knot of column i and row j. */
static const reach_knots *knots_around(reach_unwarp *u, int m, int64_t i, int64_t j)
{
    reach_knots *k = &u->knots[m];
    if (k->is_made && k->column == i && k->row == j)
        return k;
    *k = (reach_knots){.is_made = true, .column = i, .row = j};
    for (int n = 0; n < 16; n++) {
        const ter_words words = ter_tagged_words(u->f->round_key, TER_TAG_WARP + m, i - 1 + n % 4, j - 1 + n / 4);
        k->value[n][0] = (double)ter_symmetric(&words, 0);
        k->value[n][1] = (double)ter_symmetric(&words, 1);
    }
    return k;
}

/** Add octave m to a place. */
static void add_octave(reach_unwarp *u, int m, reach_spot at, warped *out)
{
    const double pitch = (double)(1 << (TER_WARP_SHIFT - m)), reach = PLACES_PER_M * (double)ter_warp_reach(m);
    const double column = floor(at.x / pitch), row = floor(at.y / pitch);
    const reach_knots *k = knots_around(u, m, (int64_t)column, (int64_t)row);
    double wx[4], wy[4], cx[4], cy[4];
    weights_at(at.x / pitch - column, wx, cx);
    weights_at(at.y / pitch - row, wy, cy);
    double value[2] = {0.0, 0.0}, east[2] = {0.0, 0.0}, south[2] = {0.0, 0.0};
    for (int n = 0; n < 16; n++)
        for (int c = 0; c < 2; c++) {
            value[c] += wx[n & 3] * wy[n >> 2] * k->value[n][c];
            east[c] += cx[n & 3] * wy[n >> 2] * k->value[n][c];
            south[c] += wx[n & 3] * cy[n >> 2] * k->value[n][c];
        }
    out->place.x += reach * value[0];
    out->place.y += reach * value[1];
    out->slope.x[0] += reach * east[0] / pitch;
    out->slope.x[1] += reach * south[0] / pitch;
    out->slope.y[0] += reach * east[1] / pitch;
    out->slope.y[1] += reach * south[1] / pitch;
}

/** Place of a point by the first `count` octaves. */
static warped warp_octaves(reach_unwarp *u, int count, reach_spot at)
{
    warped out = {{2.0 * (59.0 * at.x - 25.0 * at.y), 2.0 * (25.0 * at.x + 59.0 * at.y)},
                  {{2.0 * 59.0, -2.0 * 25.0}, {2.0 * 25.0, 2.0 * 59.0}}};
    for (int m = 0; m < count; m++)
        add_octave(u, m, at, &out);
    return out;
}

/* ---- Newton's method ---- */

/** Move a point by the step that would correct an error of its place, if places were linear. */
static void correct(const reach_slope *slope, double error_x, double error_y, reach_spot *at)
{
    const double det = slope->x[0] * slope->y[1] - slope->x[1] * slope->y[0];
    /* Where the warp folds the plane, the determinant is about 0 or negative. */
    const double least = 0.15 * 4.0 * TURN_SQUARE;
    const double inverse = 1.0 / (det > least ? det : least);
    at->x += (slope->y[1] * error_x - slope->x[1] * error_y) * inverse;
    at->y += (slope->x[0] * error_y - slope->y[0] * error_x) * inverse;
}

/** Move a point near to that of a place, by the smooth warp. Returns the change of places there. */
static reach_slope solve_octaves(reach_unwarp *u, int count, int rounds, reach_spot place, reach_spot *at)
{
    warped here = warp_octaves(u, count, *at);
    for (int n = 0; n < rounds; n++) {
        const double ex = place.x - here.place.x, ey = place.y - here.place.y;
        if (fabs(ex) + fabs(ey) < SMOOTH_ENOUGH)
            break;
        correct(&here.slope, ex, ey, at);
        here = warp_octaves(u, count, *at);
    }
    return here.slope;
}

/** A point near that of a place, found without a first guess: the octaves are added one after the other. */
static reach_spot solve_from_nothing(reach_unwarp *u, reach_spot place, reach_slope *slope)
{
    reach_spot at = {(59.0 * place.x + 25.0 * place.y) / (2.0 * TURN_SQUARE),
                     (59.0 * place.y - 25.0 * place.x) / (2.0 * TURN_SQUARE)};
    for (int count = 1; count < TER_WARP_OCTAVES; count++)
        solve_octaves(u, count, OCTAVE_ROUNDS, place, &at);
    *slope = solve_octaves(u, TER_WARP_OCTAVES, SMOOTH_ROUNDS, place, &at);
    return at;
}

reach_spot reach_place_near(reach_unwarp *u, double x, double y)
{
    const reach_spot at = {x, y};
    return warp_octaves(u, TER_WARP_OCTAVES, at).place;
}

/* ---- the lattice of places ---- */

/** Plan the warps of the points of a lattice of TER_PLACE_STEP, without any land. */
static void plan_lattice(const ter_fluvial *f, ter_window points, ter_arena *arena, ter_fluvial_job *job)
{
    memset(job, 0, sizeof *job);
    job->f = *f;
    job->points.at = points;
    job->points.step = TER_PLACE_STEP;
    job->fine[0] = job->points;
    job->n_fine = 1;
    ter_plan_ground(job, ter_lattice_ancestors(job->points, TER_GROUND_STEP));
    ter_plan_places(job);
    ter_plan_warps(job);
    ter_place_grounds(arena, job);
    ter_place_warp(arena, job);
}

/** Make the lattice around some points. Returns false when there is no memory. */
static bool make_lattice(reach_unwarp *u, const reach_spot *points, int count)
{
    reach_spot low = points[0], high = points[0];
    ter_arena arena = {NULL, 0};
    for (int n = 1; n < count; n++) {
        low.x = fmin(low.x, points[n].x);
        low.y = fmin(low.y, points[n].y);
        high.x = fmax(high.x, points[n].x);
        high.y = fmax(high.y, points[n].y);
    }
    const ter_window at = ter_window_between((int64_t)floor((low.x - LATTICE_MARGIN) / TER_PLACE_STEP),
                                             (int64_t)floor((low.y - LATTICE_MARGIN) / TER_PLACE_STEP),
                                             (int64_t)ceil((high.x + LATTICE_MARGIN) / TER_PLACE_STEP),
                                             (int64_t)ceil((high.y + LATTICE_MARGIN) / TER_PLACE_STEP));
    if (!u->job && !(u->job = malloc(sizeof *u->job)))
        return false;
    plan_lattice(u->f, at, &arena, u->job);
    if (!ter_fluvial_reserve(&u->points, arena.bytes) || !ter_fluvial_reserve(&u->scratch, u->kernels->scratch_bytes))
        return false;
    arena = (ter_arena){u->points.at, 0};
    plan_lattice(u->f, at, &arena, u->job);
    u->kernels->places(u->job, u->scratch.at);
    return true;
}

/** Place of a point, as samples find theirs. Points outside of the lattice are moved to its edge. */
static reach_spot place_of_lattice(const ter_fluvial_job *job, reach_spot at)
{
    const ter_lattice *g = &job->places.at[job->places.count - 1];
    const float *shift = job->places.shift[job->places.count - 1];
    const double u = fmin(fmax(at.x / g->step - (double)g->at.x, 0.0), (double)g->at.width - 1.001),
                 v = fmin(fmax(at.y / g->step - (double)g->at.y, 0.0), (double)g->at.height - 1.001);
    const int i = (int)u, j = (int)v;
    const double a = u - i, b = v - j;
    const float *n = shift + 2 * ((size_t)j * (size_t)g->at.width + (size_t)i), *s = n + 2 * g->at.width;
    double warp[2];
    for (int c = 0; c < 2; c++) {
        const double north = (double)n[c] + a * ((double)n[2 + c] - (double)n[c]),
                     south = (double)s[c] + a * ((double)s[2 + c] - (double)s[c]);
        warp[c] = north + b * (south - north);
    }
    const reach_spot place = {2.0 * (59.0 * at.x - 25.0 * at.y) + PLACES_PER_M * warp[0],
                              2.0 * (25.0 * at.x + 59.0 * at.y) + PLACES_PER_M * warp[1]};
    return place;
}

/** The point of a place, by linear interpolation in the lattice. at: a point near it. If the steps do not converge, the
 * best point of all steps is returned. */
static reach_spot solve_lattice(const ter_fluvial_job *job, const reach_slope *slope, reach_spot place, reach_spot at)
{
    reach_spot best = at;
    double least = INFINITY;
    for (int n = 0; n < LATTICE_ROUNDS; n++) {
        const reach_spot here = place_of_lattice(job, at);
        const double ex = place.x - here.x, ey = place.y - here.y, error = fabs(ex) + fabs(ey);
        if (error < least) {
            least = error;
            best = at;
        }
        if (error < NEAR_ENOUGH)
            break;
        const double share = n < LATTICE_ROUNDS / 2 ? 1.0 : 0.5; /* shorter steps where long ones go past the point */
        correct(slope, share * ex, share * ey, &at);
    }
    return best;
}

/* ---- joints and lines ---- */

bool reach_unwarp_joint(reach_unwarp *u, reach_spot place, reach_spot *out)
{
    reach_slope slope;
    const reach_spot near = solve_from_nothing(u, place, &slope);
    if (!make_lattice(u, &near, 1))
        return false;
    *out = solve_lattice(u->job, &slope, place, near);
    return true;
}

bool reach_unwarp_line(reach_unwarp *u, reach_spot first, const reach_spot *places, int count, reach_spot *out)
{
    reach_spot at = first;
    for (int n = 0; n < count; n++) {
        solve_octaves(u, TER_WARP_OCTAVES, SMOOTH_ROUNDS, places[n], &at);
        out[n] = at;
    }
    if (!make_lattice(u, out, count))
        return false;
    for (int n = 0; n < count; n++) {
        const reach_slope slope = warp_octaves(u, TER_WARP_OCTAVES, out[n]).slope;
        out[n] = solve_lattice(u->job, &slope, places[n], out[n]);
    }
    return true;
}

void reach_unwarp_free(reach_unwarp *u)
{
    free(u->job);
    free(u->points.at);
    free(u->scratch.at);
}
