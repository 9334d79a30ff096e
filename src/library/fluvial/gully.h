/* gully.h - gullies: two octaves of stripes that run down the slope, with wave lengths of 256 m and 90 m.
 *
 * Each cell has a kernel: a wave across the slope at the cell. In three rounds its phase is aligned with those of its
 * neighbours. At a point the waves of the four kernels around it are added as phasors. An octave does not change the
 * points that coarser levels of detail show: its values at these points, interpolated by the four-point rule
 * (ter_halved), are subtracted from it. Source: stripes of phasors, Tricard et al. 2019, "Procedural phasor noise";
 * gullies from stacked stripes that fade towards valleys, Johansen 2026, "Fast and gorgeous erosion filter".
 */
#ifndef TERRANE_FLUVIAL_GULLY_H
#define TERRANE_FLUVIAL_GULLY_H

#include "library/fluvial/displace.h"

enum { TER_PHASE_ROUNDS = 3 };

/** Binary logarithm of the width of an octave's cells in metres. */
TER_FN int ter_octave_shift(int octave)
{
    return octave == 0 ? 7 : 5;
}

/** Width of an octave's cells, metres. */
TER_FN int ter_octave_cell(int octave)
{
    return 1 << ter_octave_shift(octave);
}

/** Spacing of the points at which an octave is evaluated, metres; finer points are interpolated: ter_halved. */
TER_FN int ter_octave_step(int octave)
{
    return 32 >> octave;
}

/** Waves in the width of a cell. */
TER_FN float ter_octave_waves(int octave)
{
    return octave == 0 ? 0.5f : 0.35355339f;
}

/** Amplitude of an octave at strength 1, metres. */
TER_FN float ter_octave_amplitude(int octave)
{
    return octave == 0 ? 20.66f : 12.3f;
}

#define TER_BROAD_GULLIES 0.7f /* roughness of the ground that the broadest octave assumes everywhere */

/** Amplitude outside alpine land, as a share of that in alpine land. */
TER_FN float ter_octave_soft(int octave)
{
    return octave == 0 ? 0.9f : 0.5f;
}

/** The octave before octave n, which is broader; NULL for the first. */
TER_FN const ter_octave_plan *ter_octave_before(const ter_fluvial_job *job, int n)
{
    return n > 0 ? &job->octave[n - 1] : (const ter_octave_plan *)0;
}

/** Make the kernel of cell (x, y) of octave n, from the ground at the cell's corners with the broader octaves added. */
TER_PASS_FN void ter_make_gully(const ter_fluvial_job *job, int n, int x, int y)
{
    const ter_octave_plan *o = &job->octave[n], *before = ter_octave_before(job, n);
    const ter_ground_plan *plan = &job->ground[o->corners_ground];
    const int64_t cell_x = o->cells.x + x, cell_y = o->cells.y + y;
    float height[4], strength = 0.0f, mean[4];
    for (int c = 0; c < 4; c++) {
        const int64_t px = cell_x + (c & 1), py = cell_y + (c >> 1);
        const ter_ground *g = plan->ground + ter_window_index(plan->points.at, px, py);
        height[c] = g->height + (before ? before->carved[ter_window_index(before->points.at, px, py)].sum : 0.0f);
        mean[c] = g->strength;
    }
    strength = 0.25f * ((mean[0] + mean[1]) + (mean[2] + mean[3]));
    const float scale = 0.5f / (float)ter_octave_cell(o->octave);
    const float gx = ((height[1] + height[3]) - (height[0] + height[2])) * scale;
    const float gy = ((height[2] + height[3]) - (height[0] + height[1])) * scale;
    const float slope = ter_sqrt(gx * gx + gy * gy) + 1e-12f;
    const int byte = ter_tagged_byte(job->f.round_key, TER_TAG_CELL + o->octave, cell_x, cell_y);
    const float turns =
        (1.0f + 0.35f * ((float)(byte >> 4) - 7.5f) * (1.0f / 7.5f)) * ter_octave_waves(o->octave) / slope;
    ter_gully *out = o->gully[0] + (size_t)y * (size_t)o->cells.width + (size_t)x;
    out->kx = -gy * turns;
    out->ky = gx * turns;
    ter_turn((float)(byte & 15) * (1.0f / 16.0f), &out->cosine, &out->sine);
    const float uneven = 1.0f + 0.8f * ((float)(byte * 7 >> 2 & 15) * (1.0f / 7.5f) - 1.0f);
    out->mask = ter_smooth_step((slope / (0.62f * ter_max(strength, 1e-6f)) - 0.05f) * (1.0f / 0.45f)) * uneven;
}

/** How the phase of neighbour b enters that of cell a: a weight, multiplied by the phasor of the waves from the middle
 * of b to the middle of a.
 *
 *  inverse       1 / squared length of a's wave vector
 *  dx, dy        offset of b's cell
 *  cosine, sine  receive the weighted phasor
 */
TER_FN void ter_gully_link(const ter_gully *a, const ter_gully *b, float inverse, int dx, int dy, float *cosine,
                           float *sine)
{
    const float along = (a->kx * b->kx + a->ky * b->ky) * inverse;
    const float weight = ter_max(0.0f, along) * (dx == 0 || dy == 0 ? 0.4966f : 0.2466f);
    float c, s;
    ter_turn(-0.5f * ((a->kx + b->kx) * (float)dx + (a->ky + b->ky) * (float)dy), &c, &s);
    *cosine = weight * c;
    *sine = weight * s;
}

/** Phase of cell (x, y) of octave n & 3 after round n >> 2. Cells at the border of the window keep their phase. */
TER_PASS_FN void ter_phase_gully(const ter_fluvial_job *job, int n, int x, int y)
{
    const ter_octave_plan *o = &job->octave[n & 3];
    const int round = n >> 2, width = o->cells.width;
    const size_t k = (size_t)y * (size_t)width + (size_t)x;
    const ter_gully *a = o->gully[round & 1] + k;
    ter_gully *out = o->gully[(round + 1) & 1] + k;
    *out = *a;
    if (x == 0 || y == 0 || x == width - 1 || y == o->cells.height - 1)
        return;
    const float inverse =
        1.0f / ter_max(a->kx * a->kx + a->ky * a->ky, 1e-12f); /* on level ground the wave vector is 0 */
    float c = 0.1f * a->cosine, s = 0.1f * a->sine;
    for (int i = 0; i < 8; i++) {
        const int dx = ter_neighbour_x(i), dy = ter_neighbour_y(i);
        const ter_gully *b = a + dy * width + dx;
        float lc, ls;
        ter_gully_link(a, b, inverse, dx, dy, &lc, &ls);
        c = ter_fma(lc, b->cosine, ter_fma(-ls, b->sine, c));
        s = ter_fma(ls, b->cosine, ter_fma(lc, b->sine, s));
    }
    const float scale = 1.0f / (ter_sqrt(c * c + s * s) + 1e-9f);
    out->cosine = c * scale;
    out->sine = s * scale;
}

/** The members of ter_ground that an octave reads at a point. Kernels also read the height. */
typedef struct ter_gully_ground {
    float above, strength, alpine, reach, raise, fade, rough;
} ter_gully_ground;

/** The ground at point (x, y) of spacing `step`, bilinear between points of a coarser lattice. */
TER_FN ter_gully_ground ter_gully_ground_at(const ter_ground_plan *plan, int64_t x, int64_t y, int step)
{
    const ter_between t = ter_lattice_between(&plan->points, x, y, step);
    const ter_gully_ground g = {
        ter_ground_value(plan, &t, TER_GROUND_FIELD(above)),  ter_ground_value(plan, &t, TER_GROUND_FIELD(strength)),
        ter_ground_value(plan, &t, TER_GROUND_FIELD(alpine)), ter_ground_value(plan, &t, TER_GROUND_FIELD(reach)),
        ter_ground_value(plan, &t, TER_GROUND_FIELD(raise)),  ter_ground_value(plan, &t, TER_GROUND_FIELD(fade)),
        ter_ground_value(plan, &t, TER_GROUND_FIELD(rough))};
    return g;
}

/** Profile of a gully: turns the phasor's angle into a height of -1..1. Ridges are sharp in alpine land.
 *
 *  c, s  mean phasor; ridges lie where c is 1
 */
TER_FN float ter_gully_profile(float c, float s, float alpine)
{
    /* e sets how sharp a ridge or a valley is: the smaller, the sharper. scale: 2 / (sqrt(1 + e) - sqrt(e)) */
    const float ridge_e = 0.2f, ridge_root = 0.44721359f, ridge_scale = 3.08531713f;
    const float valley_e = 0.003f, valley_root = 0.0547722578f, valley_scale = 2.11254215f;
    const float length = ter_sqrt(c * c + s * s) + 1e-6f, cosine = c / length;
    const float ridge = 1.0f - (ter_sqrt((1.0f - cosine) * 0.5f + ridge_e) - ridge_root) * ridge_scale;
    const float valley = (ter_sqrt((1.0f + cosine) * 0.5f + valley_e) - valley_root) * valley_scale - 1.0f;
    const float g = cosine + (alpine * 0.85f + 0.1f) * (ridge - cosine) + 0.9f * (valley - cosine);
    return (g + 1.0f) * ter_smooth_step(length * 2.0f) - 1.0f;
}

/** Height that an octave adds at a point, metres.
 *
 *  k           kernels of the four cells around the point, row by row
 *  in_x, in_y  place of the point between the middles of these cells, 0..1
 *  ground      the ground at the point
 *  fade        ter_carved.fade after the broader octaves; updated by this octave
 */
TER_FN float ter_gully_between(int octave, const ter_gully *const k[4], float in_x, float in_y,
                               const ter_gully_ground *ground, float *fade)
{
    float c = 0.0f, s = 0.0f, mask = 0.0f, sum = 0.0f;
    for (int n = 0; n < 4; n++) {
        const float vx = in_x - (float)(n & 1), vy = in_y - (float)(n >> 1);
        const float u = ter_max(0.0f, 1.0f - (vx * vx + vy * vy) * (1.0f / 1.2f)), weight = u * u * u;
        float tc, ts;
        ter_turn(k[n]->kx * vx + k[n]->ky * vy, &tc, &ts);
        c += weight * (tc * k[n]->cosine - ts * k[n]->sine);
        s += weight * (ts * k[n]->cosine + tc * k[n]->sine);
        mask += weight * k[n]->mask;
        sum += weight;
    }
    const float inverse = 1.0f / sum;
    const float g = ter_gully_profile(c * inverse, s * inverse, ground->alpine);
    float share = mask * inverse * ter_min(1.0f, 3.0f * (1.0f - *fade * *fade));
    share = ter_max(0.04f, share + (1.0f - share) * ter_smooth_step((*fade + 0.2f) * (1.0f / 0.6f)));
    *fade += (g - *fade) * share;
    const float soft = ter_octave_soft(octave);
    const float rough = octave > 0 ? ground->rough : TER_BROAD_GULLIES;
    return rough * ter_octave_amplitude(octave) * (soft + (1.0f - soft) * ground->alpine) * ground->strength * *fade;
}

/** Height that octave n adds at a point, metres.
 *
 *  x, y    point of spacing `step`
 *  ground  the ground at the point
 *  fade    ter_carved.fade after the broader octaves; updated by this octave
 */
TER_FN float ter_gully_at(const ter_octave_plan *o, int64_t x, int64_t y, int step, const ter_gully_ground *ground,
                          float *fade)
{
    const int shift = ter_octave_shift(o->octave), cell = 1 << shift;
    const float scale = 1.0f / (float)cell;
    const int64_t px = x * step - cell / 2, py = y * step - cell / 2;
    const int64_t cell_x = px >> shift, cell_y = py >> shift;
    const float in_x = (float)(int)(px & (cell - 1)) * scale, in_y = (float)(int)(py & (cell - 1)) * scale;
    const ter_gully *first = o->gully[TER_PHASE_ROUNDS & 1] + ter_window_index(o->cells, cell_x, cell_y);
    const ter_gully *const around[4] = {first, first + 1, first + o->cells.width, first + o->cells.width + 1};
    return ter_gully_between(o->octave, around, in_x, in_y, ground, fade);
}

/** Compute octave n as coarser levels of detail show it, at point (x, y) of coarse[0], a lattice whose points are twice
 * as far apart as the octave's cells are wide. */
TER_PASS_FN void ter_see_gully(const ter_fluvial_job *job, int n, int x, int y)
{
    const ter_octave_plan *o = &job->octave[n], *before = ter_octave_before(job, n);
    const ter_window at = o->coarse[0].at;
    const int64_t px = at.x + x, py = at.y + y;
    const ter_gully_ground ground =
        ter_gully_ground_at(&job->ground[o->corners_ground], 2 * px, 2 * py, o->corners.step);
    float fade = before ? before->carved[ter_window_index(before->points.at, 2 * px, 2 * py)].fade : ground.fade;
    o->seen[0][(size_t)y * (size_t)at.width + (size_t)x] = ter_gully_at(o, px, py, o->coarse[0].step, &ground, &fade);
}

/** Interpolate octave n & 3, as coarser levels of detail show it, from coarse[(n >> 2) - 1] to point (x, y) of
 * coarse[n >> 2], which has half the spacing. */
TER_PASS_FN void ter_halve_seen(const ter_fluvial_job *job, int n, int x, int y)
{
    const ter_octave_plan *o = &job->octave[n & 3];
    const int depth = n >> 2;
    const ter_window from = o->coarse[depth - 1].at, to = o->coarse[depth].at;
    o->seen[depth & 1][(size_t)y * (size_t)to.width + (size_t)x] =
        ter_halved(from, o->seen[(depth - 1) & 1], 1, to.x + x, to.y + y);
}

/** Add an octave to the gullies at a point.
 *
 *  added  height of the octave at the point, m
 *  seen   height of the octave as coarser levels of detail show it, m
 *  c      the sums so far; updated
 */
TER_FN void ter_carve(int octave, float added, float seen, const ter_gully_ground *ground, ter_carved *c)
{
    const float change = added - seen;
    const float share =
        ter_smooth_step((ground->above + c->faded_sum) * ground->reach * (1.0f / ter_octave_amplitude(octave)));
    c->sum += added;
    c->faded_sum += change * share * (change < 0.0f ? 0.9f : ground->raise);
}

/** Add octave n at point (x, y) of its lattice to the sums of the broader octaves. */
TER_PASS_FN void ter_carve_gully(const ter_fluvial_job *job, int n, int x, int y)
{
    const ter_octave_plan *o = &job->octave[n], *before = ter_octave_before(job, n);
    const ter_window at = o->points.at;
    const int64_t px = at.x + x, py = at.y + y;
    const ter_gully_ground ground = ter_gully_ground_at(&job->ground[o->points_ground], px, py, o->points.step);
    ter_carved c = {0.0f, 0.0f, ground.fade};
    if (before && before->points.step == o->points.step) {
        c = before->carved[ter_window_index(before->points.at, px, py)];
    } else if (before) {
        const float *carved = (const float *)before->carved;
        c.sum = ter_halved(before->points.at, carved, 3, px, py);
        c.faded_sum = ter_halved(before->points.at, carved + 1, 3, px, py);
        c.fade = ter_halved(before->points.at, carved + 2, 3, px, py);
    }
    const size_t k = (size_t)y * (size_t)at.width + (size_t)x;
    const float added = ter_gully_at(o, px, py, o->points.step, &ground, &c.fade);
    ter_carve(o->octave, added, o->seen[o->n_halvings & 1][k], &ground, &c);
    if (o->points.step == TER_FORM_STEP)
        c.faded_sum += ter_displaced_ground(job, &job->ground[o->points_ground], px, py);
    o->carved[k] = c;
}

#endif
