#define _POSIX_C_SOURCE 200809L
#include "fluvial.h"
#include "network.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
    int64_t x, y;
    int w, h, s;
} grid; /* points (x .. x+w-1) * s, s in m */

enum {
    G_F,
    G_ZC,
    G_D2,
    G_FLOOR,
    G_LAKE,
    G_AREA,
    G_R,
    G_ALP,
    G_PLAT,
    G_ICE,
    G_F0,
    G_RELIEF,
    G_PLAIN,
    G_RZ,
    G_RD2,
    G_RA,
    G_HIGH,
    G_COUNT
};

typedef struct {
    grid g;
    float *a[G_COUNT];
} ground;

static size_t size_of(grid g)
{
    return (size_t)g.w * (size_t)g.h;
}
static float *array(grid g)
{
    return malloc(size_of(g) * sizeof(float) + 64);
}
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int64_t floor_div(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return q - (a % b < 0);
}

/* the points of spacing s that cover g grown by m metres */
static grid cover(grid g, int s, int m)
{
    int64_t x0 = floor_div(g.x * g.s - m, s), y0 = floor_div(g.y * g.s - m, s);
    int64_t x1 = -floor_div(-((g.x + g.w - 1) * g.s + m), s), y1 = -floor_div(-((g.y + g.h - 1) * g.s + m), s);
    return (grid){x0, y0, (int)(x1 - x0 + 1), (int)(y1 - y0 + 1), s};
}

/* ---- one halving of the spacing */

enum { FOUR, LINEAR, HIGHEST, SQUARED }; /* SQUARED: four points, of squared distances */

static grid parents(grid g)
{
    int64_t x = (g.x >> 1) - 1, y = (g.y >> 1) - 1;
    return (grid){x, y, (int)(((g.x + g.w - 1) >> 1) + 3 - x), (int)(((g.y + g.h - 1) >> 1) + 3 - y), g.s * 2};
}

static float between(int kind, float a, float b, float c, float d)
{
    if (kind == FOUR || kind == SQUARED)
        return fmaf(b + c, 0.5625f, (a + d) * -0.0625f);
    return kind == LINEAR ? 0.5f * (b + c) : maxf(b, c);
}

static void halve(const float *from, grid gf, float *to, grid g, int kind)
{
    for (int y = 0; y < g.h; y++)
        for (int x = 0; x < g.w; x++) {
            int64_t X = g.x + x, Y = g.y + y;
            const float *p = from + (size_t)((Y >> 1) - gf.y) * (size_t)gf.w + (size_t)((X >> 1) - gf.x);
            int w = gf.w;
            float v;
            if (!((X | Y) & 1))
                v = p[0];
            else if (!(Y & 1))
                v = between(kind, p[-1], p[0], p[1], p[2]);
            else if (!(X & 1))
                v = between(kind, p[-w], p[0], p[w], p[2 * w]);
            else {
                float q[4];
                for (int k = 0; k < 4; k++) {
                    const float *r = p + (k - 1) * w;
                    q[k] = between(kind, r[-1], r[0], r[1], r[2]);
                }
                v = between(kind, q[0], q[1], q[2], q[3]);
            }
            if (kind == SQUARED && ((X | Y) & 1)) { /* a distance falls by at most twice the step */
                float low = minf(minf(p[0], p[X & 1]), minf(p[(Y & 1) * w], p[(X & 1) + (Y & 1) * w])),
                      d = maxf(sqrtf(low) - 2.0f * (float)g.s, 0);
                v = maxf(v, d * d);
            }
            to[(size_t)y * (size_t)g.w + (size_t)x] = v;
        }
}

static void crop(const float *from, grid gf, float *to, grid g)
{
    for (int y = 0; y < g.h; y++)
        memcpy(to + (size_t)y * (size_t)g.w, from + (size_t)(g.y + y - gf.y) * (size_t)gf.w + (size_t)(g.x - gf.x),
               sizeof(float) * (size_t)g.w);
}

/* from spacing gf.s to g.s <= gf.s */
static void raise_to(const float *from, grid gf, float *to, grid g, int kind)
{
    if (gf.s == g.s) {
        crop(from, gf, to, g);
        return;
    }
    grid p = parents(g);
    float *t = array(p);
    raise_to(from, gf, t, p, kind);
    halve(t, p, to, g, kind);
    free(t);
}

/* what raise_to needs of spacing s */
static grid ancestors(grid g, int s)
{
    while (g.s < s)
        g = parents(g);
    return g;
}

/* every point of spacing g.s that is one of gf (gf.s <= g.s) */
static void thin(const float *from, grid gf, float *to, grid g)
{
    int q = g.s / gf.s;
    for (int y = 0; y < g.h; y++)
        for (int x = 0; x < g.w; x++)
            to[(size_t)y * (size_t)g.w + (size_t)x] =
                from[(size_t)((g.y + y) * q - gf.y) * (size_t)gf.w + (size_t)((g.x + x) * q - gf.x)];
}

/* ---- valleys */

static const float CELL = 256.0f, NEAR = 1.15f, FAR = 1.45f, ROUND = 0.36f, RIVER = 4e6f;
enum { BASE = 64, CHANNEL = 16, PATCH = 256, LIST = 1024 };

typedef struct {
    place *x, *y;
    grid g;
} places;

static places places_of(uint64_t seed, grid g)
{
    grid b = g.s < BASE ? ancestors(g, BASE) : g;
    float *w[2] = {array(b), array(b)}, *f[2] = {array(g), array(g)};
    for (int y = 0; y < b.h; y++)
        for (int x = 0; x < b.w; x++) {
            float v[2];
            warp(seed, (b.x + x) * b.s, (b.y + y) * b.s, v);
            w[0][(size_t)y * (size_t)b.w + (size_t)x] = v[0];
            w[1][(size_t)y * (size_t)b.w + (size_t)x] = v[1];
        }
    places p = {malloc(size_of(g) * sizeof(place)), malloc(size_of(g) * sizeof(place)), g};
    for (int c = 0; c < 2; c++)
        raise_to(w[c], b, f[c], g, FOUR);
    for (int y = 0; y < g.h; y++)
        for (int x = 0; x < g.w; x++) {
            size_t k = (size_t)y * (size_t)g.w + (size_t)x;
            p.x[k] = turn_x((g.x + x) * g.s, (g.y + y) * g.s) + (place)rintf(f[0][k] * 256.0f);
            p.y[k] = turn_y((g.x + x) * g.s, (g.y + y) * g.s) + (place)rintf(f[1][k] * 256.0f);
        }
    for (int c = 0; c < 2; c++)
        free(w[c]), free(f[c]);
    return p;
}

static window cells_of(places p)
{
    int64_t x0 = INT64_MAX, x1 = INT64_MIN, y0 = x0, y1 = x1;
    for (size_t k = 0; k < size_of(p.g); k++) {
        int64_t x = p.x[k] >> CELL_SHIFT, y = p.y[k] >> CELL_SHIFT;
        x0 = x < x0 ? x : x0, x1 = x > x1 ? x : x1;
        y0 = y < y0 ? y : y0, y1 = y > y1 ? y : y1;
    }
    return (window){x0 - 4, y0 - 4, (int)(x1 - x0 + 9), (int)(y1 - y0 + 9)};
}

static window united(window a, window b)
{
    int64_t x = a.x < b.x ? a.x : b.x, y = a.y < b.y ? a.y : b.y;
    int64_t ax = a.x + a.w, ay = a.y + a.h, bx = b.x + b.w, by = b.y + b.h;
    return (window){x, y, (int)((ax > bx ? ax : bx) - x), (int)((ay > by ? ay : by) - y)};
}

typedef struct {
    int n;
    int64_t ox, oy; /* cell the coordinates are relative to */
    float px[PATCH], py[PATCH], top[PATCH], above[PATCH], best[PATCH], t[PATCH], d2[PATCH];
    float key[PATCH], rz[PATCH], rd2[PATCH], ra[PATCH]; /* the river whose bank is nearest */
    int index[PATCH];
    size_t at[PATCH];
} patch;

typedef struct {
    int n;
    piece p[LIST];
    float v[LIST][PATCH], reach[LIST][PATCH], foot[LIST][PATCH]; /* height of the side; how far above it a crest is rounded */
} candidates;

typedef struct {
    float x, y, radius, above;
} disc; /* of places; above: least share above the plateau level */

/* bounds of a piece's side over a disc; low is 1e30 when it is out of reach everywhere, high when somewhere */
static void bounds(const piece *q, disc d, float *low, float *high, float *foot, float *reach)
{
    float ax = d.x - q->x, ay = d.y - q->y, t = clampf((ax * q->vx + ay * q->vy) * q->inv, 0, 1), dt = d.radius * sqrtf(q->inv);
    ax -= t * q->vx;
    ay -= t * q->vy;
    float dist = sqrtf(ax * ax + ay * ay), near = maxf(dist - d.radius, 0), far = dist + d.radius;
    float t0 = maxf(t - dt, 0), t1 = minf(t + dt, 1), z0 = q->z + t0 * q->dz, z1 = q->z + t1 * q->dz;
    float bmin = minf(q->b, q->b + q->db), bmax = maxf(q->b, q->b + q->db), smin = minf(q->s, q->s + q->ds),
          smax = maxf(q->s, q->s + q->ds);
    float e = maxf(0, far * far * (1.0f / (CELL * CELL)) - NEAR * NEAR) * (1.0f / (FAR * FAR - NEAR * NEAR));
    *low = near < FAR * CELL ? minf(z0, z1) + d.above * smin * valley_side(near, bmax) : 1e30f;
    *high = far < FAR * CELL ? maxf(z0, z1) + far * sqrtf(q->inv) * maxf(q->before, q->after) + smax * valley_side(far, bmin) +
                                   8.0f * CELL * e * e
                             : 1e30f;
    *foot = minf(z0, z1);
    *reach = near;
}

/* the pieces that can be lowest, within the rounding of the lowest, under their lake, or a river in reach at a point of the disc */
static int cull(const piece *from, int n, disc d, piece *to)
{
    static _Thread_local float low[LIST], foot[LIST], reach[LIST];
    float high = 9e29f, slack = 0, h;
    int m = 0;
    for (int k = 0; k < n; k++) {
        bounds(&from[k], d, &low[k], &h, &foot[k], &reach[k]);
        high = minf(high, h);
    }
    for (int k = 0; k < n; k++)
        if (low[k] <= high)
            slack = maxf(slack, minf(ROUND * CELL * maxf(from[k].s, from[k].s + from[k].ds), 0.7f * (high - foot[k])));
    for (int k = 0; k < n; k++)
        if (low[k] <= high + slack + 0.1f || low[k] < from[k].lake || (from[k].area > RIVER && reach[k] < CELL))
            to[m++] = from[k];
    return m;
}

static disc disc_of(const patch *pt)
{
    float x0 = 1e30f, x1 = -1e30f, y0 = 1e30f, y1 = -1e30f, above = 1;
    for (int k = 0; k < pt->n; k++) {
        x0 = minf(x0, pt->px[k]), x1 = maxf(x1, pt->px[k]);
        y0 = minf(y0, pt->py[k]), y1 = maxf(y1, pt->py[k]);
        above = minf(above, pt->above[k]);
    }
    return (disc){0.5f * (x0 + x1), 0.5f * (y0 + y1), 0.5f * sqrtf((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0)) + 0.01f, above};
}

/* all pieces in reach of the disc, from the cells round it */
static int gather(const network *net, int64_t ox, int64_t oy, disc d, piece *to)
{
    static _Thread_local piece all[LIST];
    int cx0 = (int)floorf((d.x - d.radius) / CELL) - 3, cx1 = (int)floorf((d.x + d.radius) / CELL) + 3;
    int cy0 = (int)floorf((d.y - d.radius) / CELL) - 3, cy1 = (int)floorf((d.y + d.radius) / CELL) + 3, n = 0;
    const window *w = &net->pieces_at;
    float far = FAR * CELL + d.radius + 1.0f;
    for (int cy = cy0; cy <= cy1; cy++)
        for (int cx = cx0; cx <= cx1; cx++) {
            int64_t gx = ox + cx - w->x, gy = oy + cy - w->y;
            if (gx < 0 || gy < 0 || gx >= w->w || gy >= w->h || n + PIECES > LIST)
                abort();
            const piece *p = net->pieces + ((size_t)gy * (size_t)w->w + (size_t)gx) * PIECES;
            for (int i = 0; i < PIECES; i++) {
                float ax = p[i].x + (float)cx * CELL - d.x, ay = p[i].y + (float)cy * CELL - d.y;
                if (maxf(minf(ax, ax + p[i].vx), minf(ay, ay + p[i].vy)) > far ||
                    minf(maxf(ax, ax + p[i].vx), maxf(ay, ay + p[i].vy)) < -far)
                    continue;
                all[n] = p[i];
                all[n].x += (float)cx * CELL;
                all[n].y += (float)cy * CELL;
                n++;
            }
        }
    return cull(all, n, d, to);
}

static void lowest(const piece *restrict p, int index, patch *restrict pt, float *restrict out, float *restrict reach,
                   float *restrict foot)
{
    for (int k = 0; k < pt->n; k++) {
        float ax = pt->px[k] - p->x, ay = pt->py[k] - p->y;
        float along = (ax * p->vx + ay * p->vy) * p->inv, t = minf(maxf(along, 0), 1);
        float past = along < 0 ? -along * p->before : (along - t) * p->after;
        ax = fmaf(-t, p->vx, ax);
        ay = fmaf(-t, p->vy, ay);
        float d2 = fmaf(ax, ax, ay * ay), d = sqrtf(d2);
        float z = fmaf(t, p->dz, p->z), s = fmaf(t, p->ds, p->s), b = fmaf(t, p->db, p->b);
        float u = s * valley_side(d, b);
        float e = maxf(0, d2 * (1.0f / (CELL * CELL)) - NEAR * NEAR) * (1.0f / (FAR * FAR - NEAR * NEAR));
        float v = z + rise(z, u, pt->top[k], pt->above[k]) + past + 8.0f * CELL * e * e;
        v = d2 < FAR * FAR * CELL * CELL ? v : 1e30f;
        out[k] = v;
        foot[k] = z;
        reach[k] = minf(ROUND * CELL * s, 0.7f * (v - z));
        int less = v < pt->best[k];
        pt->best[k] = less ? v : pt->best[k];
        pt->t[k] = less ? t : pt->t[k];
        pt->d2[k] = less ? d2 : pt->d2[k];
        pt->index[k] = less ? index : pt->index[k];
    }
}

static float half_width(float area)
{
    return minf(0.00125f * sqrtf(area), 160.0f);
}

static void nearest_river(const piece *p, patch *pt)
{
    for (int k = 0; k < pt->n; k++) {
        float ax = pt->px[k] - p->x, ay = pt->py[k] - p->y, t = minf(maxf((ax * p->vx + ay * p->vy) * p->inv, 0), 1);
        ax = fmaf(-t, p->vx, ax);
        ay = fmaf(-t, p->vy, ay);
        float d2 = fmaf(ax, ax, ay * ay), area = fmaf(t, p->darea, p->area), key = sqrtf(d2) - half_width(area);
        if (d2 < CELL * CELL && key < pt->key[k]) {
            pt->key[k] = key;
            pt->rd2[k] = d2;
            pt->rz[k] = fmaf(t, p->dz, p->z);
            pt->ra[k] = area;
        }
    }
}

static void finish_point(const candidates *c, const patch *pt, int k, const float *pv, ground *g)
{
    const piece *p = &c->p[pt->index[k]];
    size_t at = pt->at[k];
    float t = pt->t[k], low = pt->best[k], zc = fmaf(t, p->dz, p->z), sum = 0, raised = 0;
    float own = c->reach[pt->index[k]][k], high = low - zc,
          rate = own > 0 ? high / own : 0; /* height above the channel, the same from both sides of a crest */
    for (int i = 0; i < c->n; i++) {
        float dv = c->v[i][k] - low, reach = minf(own, c->reach[i][k]);
        if (dv < own)
            high = minf(high, c->v[i][k] - c->foot[i][k] + dv * rate);
        if (dv >= reach)
            continue;
        float q = 1.0f - dv / reach;
        q *= q;
        sum += q;
        raised += q * dv;
    }
    float lake = p->lake; /* a lake stands wherever its own side is below its level */
    for (int i = 0; i < c->n; i++)
        if (c->v[i][k] < c->p[i].lake)
            lake = maxf(lake, c->p[i].lake);
    float f = sum > 0 ? low + raised / sum : low, r = minf(high + (f - low), f - lake),
          plat = (1.0f - pv[PV_ABOVE]) * (1.0f / 0.93f);
    g->a[G_F][at] = f;
    g->a[G_ZC][at] = zc;
    g->a[G_D2][at] = pt->d2[k];
    g->a[G_FLOOR][at] = fmaf(t, p->db, p->b);
    g->a[G_LAKE][at] = lake;
    g->a[G_AREA][at] = fmaf(t, p->darea, p->area);
    g->a[G_R][at] = minf(1.6f * pv[PV_SLOPE], 1.2f) * (1.0f - plat * smooth3((f - pv[PV_TOP] + 40.0f) * (1.0f / 80.0f))) *
                    (0.1f + 0.9f * smooth3((f + 30.0f) * (1.0f / 60.0f))) * smooth3(pv[PV_SLOPE] * (1.0f / 0.06f));
    g->a[G_ALP][at] = pv[PV_ALPINE];
    g->a[G_PLAT][at] = plat;
    g->a[G_ICE][at] = pv[PV_ICE];
    g->a[G_F0][at] = clampf(2.0f * r / (0.8f * maxf(pv[PV_SLOPE], 0.005f) * CELL) - 1.0f, -0.1f, 1.0f);
    g->a[G_HIGH][at] = r;
    g->a[G_RZ][at] = pt->rz[k];
    g->a[G_RD2][at] = pt->rd2[k];
    g->a[G_RA][at] = pt->ra[k];
    g->a[G_RELIEF][at] = pv[PV_RELIEF];
    g->a[G_PLAIN][at] = pv[PV_FLAT];
}

enum { BLOCK = 256, SUB = 64 }; /* m: width of the blocks and of the patches that have a list */

static ground make_ground(network *net, places p, fluvial_work *work)
{
    static _Thread_local candidates c;
    static _Thread_local patch pt;
    static _Thread_local float pv[PATCH][PV_COUNT];
    static _Thread_local piece near[LIST];
    ground g = {p.g, {0}};
    int side = BLOCK / p.g.s < 1 ? 1 : BLOCK / p.g.s, sub = p.g.s < 32 ? SUB / p.g.s : 2;
    for (int k = 0; k < G_COUNT; k++)
        g.a[k] = array(p.g);
    for (int by = 0; by < p.g.h; by += side)
        for (int bx = 0; bx < p.g.w; bx += side) {
            int ex = bx + side < p.g.w ? bx + side : p.g.w, ey = by + side < p.g.h ? by + side : p.g.h, n = 0;
            size_t corner = (size_t)by * (size_t)p.g.w + (size_t)bx;
            pt.ox = p.x[corner] >> CELL_SHIFT, pt.oy = p.y[corner] >> CELL_SHIFT;
            for (int pass = 0; pass < 2; pass++) /* the list of the block, then its patches */
                for (int y0 = by; y0 < ey; y0 += pass ? sub : side)
                    for (int x0 = bx; x0 < ex; x0 += pass ? sub : side) {
                        int step = pass ? sub : side;
                        pt.n = 0;
                        for (int y = y0; y < y0 + step && y < ey; y++)
                            for (int x = x0; x < x0 + step && x < ex; x++) {
                                size_t at = (size_t)y * (size_t)p.g.w + (size_t)x;
                                int k = pt.n++;
                                pt.at[k] = at;
                                pt.px[k] = (float)(p.x[at] - scaled(pt.ox, CELL_SHIFT)) * (1.0f / 256.0f);
                                pt.py[k] = (float)(p.y[at] - scaled(pt.oy, CELL_SHIFT)) * (1.0f / 256.0f);
                                network_province(net, p.x[at], p.y[at], pv[k]);
                                pt.top[k] = pv[k][PV_TOP];
                                pt.above[k] = pv[k][PV_ABOVE];
                                pt.best[k] = 1e29f;
                                pt.index[k] = -1;
                                pt.key[k] = 1e30f;
                                pt.rd2[k] = CELL * CELL;
                                pt.rz[k] = pt.ra[k] = 0;
                            }
                        disc d = disc_of(&pt);
                        if (!pass) {
                            n = gather(net, pt.ox, pt.oy, d, near);
                            continue;
                        }
                        c.n = cull(near, n, d, c.p);
                        for (int i = 0; i < c.n; i++)
                            lowest(&c.p[i], i, &pt, c.v[i], c.reach[i], c.foot[i]);
                        for (int i = 0; i < c.n; i++)
                            if (c.p[i].area > RIVER)
                                nearest_river(&c.p[i], &pt);
                        work->points += (uint64_t)pt.n;
                        work->candidates += (uint64_t)pt.n * (uint64_t)c.n;
                        work->culled += (uint64_t)n;
                        for (int k = 0; k < pt.n; k++) {
                            if (pt.index[k] < 0)
                                abort();
                            finish_point(&c, &pt, k, pv[k], &g);
                        }
                    }
        }
    free(p.x);
    free(p.y);
    return g;
}

/* the part g of it, or the same at a smaller spacing */
static ground halved_ground(const ground *from, grid g)
{
    static const int kind[G_COUNT] = {FOUR,   LINEAR, SQUARED, LINEAR, HIGHEST, LINEAR,  LINEAR, LINEAR, LINEAR,
                                      LINEAR, LINEAR, LINEAR,  LINEAR, LINEAR,  SQUARED, LINEAR, LINEAR};
    ground to = {g, {0}};
    for (int k = 0; k < G_COUNT; k++) {
        to.a[k] = array(g);
        raise_to(from->a[k], from->g, to.a[k], g, kind[k]);
    }
    return to;
}

/* ---- gullies */

typedef struct {
    int cell, step;
    float wave, sigma, amplitude, soft;
} octave;

static const octave OCTAVES[] = {
    {256, 64, 724.0773f, 0.62f, 71.4f, 1.15f},
    {128, 32, 256.0f, 0.62f, 20.66f, 0.9f},
    {32, 16, 90.50967f, 0.62f, 5.35f, 0.5f},
    {16, 8, 32.0f, 0.62f, 1.386f, 0.2f},
};
enum { FIRST = 1, OCTAVE_COUNT = 4, ROUNDS = 3 };

typedef struct {
    float kx, ky, c, s, mask;
} kernel; /* turns per cell, phase, share */

static void turn(float t, float *c, float *s)
{
    float x = t - rintf(t), y = x * x;
    *c = fmaf(y, fmaf(y, fmaf(y, fmaf(y, fmaf(y, -21.15810679f, 58.84788533f), -85.28515889f), 64.93001235f), -19.73903216f),
              0.99999966f);
    *s = x * fmaf(y, fmaf(y, fmaf(y, fmaf(y, fmaf(y, -12.30830135f, 41.23207355f), -76.58719386f), 81.59702927f), -41.34146438f),
                  6.28318349f);
}

/* kernels of the cells g (cell coordinates), from the ground h and the strength r at their corners (grid gc, spacing = cell) */
static void make_kernels(uint64_t seed, int o, grid g, const float *h, const float *r, grid gc, kernel *k)
{
    const octave *q = &OCTAVES[o];
    for (int y = 0; y < g.h; y++)
        for (int x = 0; x < g.w; x++) {
            size_t at = (size_t)(g.y + y - gc.y) * (size_t)gc.w + (size_t)(g.x + x - gc.x);
            const float *n = h + at, *s = n + gc.w, *rn = r + at, *rs = rn + gc.w;
            float inv = 0.5f / (float)q->cell, gx = ((n[1] + s[1]) - (n[0] + s[0])) * inv,
                  gy = ((s[0] + s[1]) - (n[0] + n[1])) * inv;
            float slope = sqrtf(gx * gx + gy * gy) + 1e-12f, strength = 0.25f * ((rn[0] + rn[1]) + (rs[0] + rs[1]));
            /* one byte a cell, as in World format 1 */
            int64_t cx = g.x + x, cy = g.y + y;
            words w = philox(seed, TAG_CELL + (uint32_t)o, cx >> 2, cy >> 2);
            int b = (int)(w.w[cy & 3] >> (8 * (cx & 3))) & 255;
            float turns = (1.0f + 0.35f * ((float)(b >> 4) - 7.5f) * (1.0f / 7.5f)) * ((float)q->cell / q->wave) / slope;
            kernel *p = k + (size_t)y * (size_t)g.w + (size_t)x;
            p->kx = -gy * turns;
            p->ky = gx * turns;
            turn((float)(b & 15) * (1.0f / 16.0f), &p->c, &p->s);
            p->mask = smooth3((slope / (q->sigma * maxf(strength, 1e-6f)) - 0.05f) * (1.0f / 0.45f));
        }
    /* phases in step with the neighbours': all cells at once, from the values of the round before */
    size_t n = size_of(g);
    float(*link)[8][2] = malloc(n * sizeof *link);
    kernel *next = malloc(n * sizeof *next);
    static const int DI[8] = {-1, 0, 1, -1, 1, -1, 0, 1}, DJ[8] = {-1, -1, -1, 0, 0, 1, 1, 1};
    for (int y = 1; y < g.h - 1; y++)
        for (int x = 1; x < g.w - 1; x++) {
            size_t at = (size_t)y * (size_t)g.w + (size_t)x;
            const kernel *a = k + at;
            float na = 1.0f / (a->kx * a->kx + a->ky * a->ky);
            for (int i = 0; i < 8; i++) {
                const kernel *b = a + DJ[i] * g.w + DI[i];
                float d = (a->kx * b->kx + a->ky * b->ky) * na, c, s;
                float w = d > 0 ? d * (DI[i] == 0 || DJ[i] == 0 ? 0.4966f : 0.2466f) : 0;
                turn(-0.5f * ((a->kx + b->kx) * (float)DI[i] + (a->ky + b->ky) * (float)DJ[i]), &c, &s);
                link[at][i][0] = w * c;
                link[at][i][1] = w * s;
            }
        }
    memcpy(next, k, n * sizeof *k);
    for (int round = 0; round < ROUNDS; round++) {
        for (int y = 1; y < g.h - 1; y++)
            for (int x = 1; x < g.w - 1; x++) {
                size_t at = (size_t)y * (size_t)g.w + (size_t)x;
                float c = 0.1f * k[at].c, s = 0.1f * k[at].s;
                for (int i = 0; i < 8; i++) {
                    const kernel *b = k + at + DJ[i] * g.w + DI[i];
                    c = fmaf(link[at][i][0], b->c, fmaf(-link[at][i][1], b->s, c));
                    s = fmaf(link[at][i][1], b->c, fmaf(link[at][i][0], b->s, s));
                }
                float m = 1.0f / (sqrtf(c * c + s * s) + 1e-9f);
                next[at].c = c * m;
                next[at].s = s * m;
            }
        memcpy(k, next, n * sizeof *k);
    }
    free(link);
    free(next);
}

/* what the octave adds at a point; f is the fading function, replaced */
static float gully(const octave *q, const kernel *k, int kw, float fx, float fy, float r, float alp, float *f)
{
    float c = 0, s = 0, mask = 0, sum = 0;
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++) {
            float vx = fx - (float)i, vy = fy - (float)j, u = 1.0f - (vx * vx + vy * vy) * (1.0f / 1.2f);
            const kernel *p = k + j * kw + i;
            float cc, ss;
            turn(p->kx * vx + p->ky * vy, &cc, &ss);
            u = maxf(u, 0);
            float w = u * u * u;
            c += w * (cc * p->c - ss * p->s);
            s += w * (ss * p->c + cc * p->s);
            mask += w * p->mask;
            sum += w;
        }
    float inv = 1.0f / sum;
    c *= inv;
    s *= inv;
    mask *= inv;
    float m = sqrtf(c * c + s * s) + 1e-6f, cn = c / m;
    const float e = 0.012f, e0 = 0.10954451f, sc = 2.2361166f; /* e0 = sqrt(e), sc = 2 / (sqrt(1 + e) - e0) */
    float sr = alp * 0.5f + 0.45f, sv = 0.15f;
    float ridge = 1.0f - (sqrtf((1.0f - cn) * 0.5f + e) - e0) * sc, valley = (sqrtf((1.0f + cn) * 0.5f + e) - e0) * sc - 1.0f;
    float g = cn + sr * (ridge - cn) + sv * (valley - cn);
    g = (g + 1.0f) * smooth3(m * 2.0f) - 1.0f;
    float old = *f, share = mask * minf(1.0f, 3.0f * (1.0f - old * old));
    share = maxf(0.04f, share + (1.0f - share) * smooth3((old + 0.2f) * (1.0f / 0.6f)));
    *f = old + (g - old) * share;
    return q->amplitude * (q->soft + (1.0f - q->soft) * alp) * r * *f;
}

typedef struct {
    grid g;
    float *dh, *dx, *f;
} carved; /* sums of octaves: whole, corrected; fading function */

/* the octave at every point of e; f holds the fading function before and after */
static void gullies(const octave *q, const kernel *k, grid gk, const ground *e, float *f, float *v, fluvial_work *work)
{
    grid g = e->g;
    int c = q->cell;
    for (int y = 0; y < g.h; y++)
        for (int x = 0; x < g.w; x++) {
            int64_t X = (g.x + x) * g.s, Y = (g.y + y) * g.s, cx = floor_div(X - c / 2, c), cy = floor_div(Y - c / 2, c);
            size_t at = (size_t)y * (size_t)g.w + (size_t)x;
            float fx = (float)(X - c / 2 - cx * c) / (float)c, fy = (float)(Y - c / 2 - cy * c) / (float)c;
            v[at] = gully(q, k + (size_t)(cy - gk.y) * (size_t)gk.w + (size_t)(cx - gk.x), gk.w, fx, fy, e->a[G_R][at],
                          e->a[G_ALP][at], &f[at]);
        }
    work->kernels += size_of(g);
}

static ground thinned(const ground *from, grid g)
{
    ground t = {g, {0}};
    for (int k = 0; k < G_COUNT; k++) {
        t.a[k] = array(g);
        thin(from->a[k], from->g, t.a[k], g);
    }
    return t;
}

static void free_ground(ground *g)
{
    for (int k = 0; k < G_COUNT; k++)
        free(g->a[k]);
}

/* ec: ground at the corners of the cells, where the octaves before are known; e: ground where the octave is wanted */
static carved carve(uint64_t seed, int o, const carved *before, const ground *ec, const ground *e, fluvial_work *work)
{
    const octave *q = &OCTAVES[o];
    grid g = e->g, gc = ec->g, gk = {gc.x, gc.y, gc.w - 1, gc.h - 1, gc.s}, gi = ancestors(g, 2 * q->cell);
    carved t = {g, array(g), array(g), array(g)};
    float *h = array(gc), *fc = array(gc), *v = array(g), *fi = array(gi), *vi = array(gi), *skip = array(g);
    if (before) {
        raise_to(before->dh, before->g, t.dh, g, FOUR);
        raise_to(before->dx, before->g, t.dx, g, FOUR);
        raise_to(before->f, before->g, t.f, g, FOUR);
        crop(before->dh, before->g, h, gc);
        crop(before->f, before->g, fc, gc);
    } else {
        memset(t.dh, 0, size_of(g) * sizeof(float));
        memset(t.dx, 0, size_of(g) * sizeof(float));
        memcpy(t.f, e->a[G_F0], size_of(g) * sizeof(float));
        memset(h, 0, size_of(gc) * sizeof(float));
        memcpy(fc, ec->a[G_F0], size_of(gc) * sizeof(float));
    }
    for (size_t k = 0; k < size_of(gc); k++)
        h[k] += ec->a[G_F][k];
    kernel *k = malloc(size_of(gk) * sizeof *k);
    make_kernels(seed, o, gk, h, ec->a[G_R], gc, k);
    work->cells += size_of(gk);
    gullies(q, k, gk, e, t.f, v, work);
    /* without the part that coarser levels would see: their points stay */
    ground ei = thinned(ec, gi);
    thin(fc, gc, fi, gi);
    gullies(q, k, gk, &ei, fi, vi, work);
    raise_to(vi, gi, skip, g, FOUR);
    for (size_t n = 0; n < size_of(g); n++) {
        float r = e->a[G_HIGH][n] + t.dx[n], d = v[n] - skip[n];
        float fade = smooth3(r / (2.0f * (1.0f + 1.5f * e->a[G_ICE][n]) * q->amplitude * maxf(e->a[G_R][n], 0.01f)));
        d *= fade * (d < 0 ? 0.9f : 0.75f * (1.0f - 0.8f * e->a[G_PLAT][n]));
        t.dx[n] += d;
        t.dh[n] += v[n];
    }
    free_ground(&ei);
    free(h), free(fc), free(v), free(k), free(fi), free(vi), free(skip);
    return t;
}

static void free_carved(carved *c)
{
    free(c->dh), free(c->dx), free(c->f);
}

static int shown(int o, int s)
{
    return s < 2 * OCTAVES[o].cell;
}

/* cell corners that an octave needs to give `want`: the points that are interpolated, with the cells whose phases count */
static grid octave_box(int o, grid want)
{
    int c = OCTAVES[o].cell;
    return cover(ancestors(want, 2 * c), c, (ROUNDS + 2) * c);
}

/* ---- below 8 m, rivers, sea */

static void fine_level(uint64_t seed, const float *from, grid gf, float *to, grid g)
{
    int q = g.s == 4 ? 0 : g.s == 2 ? 1 : 2;
    for (int y = 0; y < g.h; y++)
        for (int x = 0; x < g.w; x++) {
            int64_t X = g.x + x, Y = g.y + y;
            const float *p = from + (size_t)((Y >> 1) - gf.y) * (size_t)gf.w + (size_t)((X >> 1) - gf.x);
            int w = gf.w;
            float *o = to + (size_t)y * (size_t)g.w + (size_t)x, m, lo = p[0], hi = p[0];
            if (!((X | Y) & 1)) {
                *o = p[0];
                continue;
            }
            if (X & 1)
                lo = minf(lo, p[1]), hi = maxf(hi, p[1]);
            if (Y & 1)
                lo = minf(lo, p[w]), hi = maxf(hi, p[w]);
            if (X & Y & 1)
                lo = minf(lo, p[w + 1]), hi = maxf(hi, p[w + 1]);
            if (!(Y & 1))
                m = between(FOUR, p[-1], p[0], p[1], p[2]);
            else if (!(X & 1))
                m = between(FOUR, p[-w], p[0], p[w], p[2 * w]);
            else {
                float r[4];
                for (int k = 0; k < 4; k++) {
                    const float *t = p + (k - 1) * w;
                    r[k] = between(FOUR, t[-1], t[0], t[1], t[2]);
                }
                m = between(FOUR, r[0], r[1], r[2], r[3]);
            }
            words wd = philox(seed, TAG_FINE + (uint32_t)q, X >> 2, Y >> 2);
            float r = (float)((int)(wd.w[Y & 3] >> (8 * (X & 3)) & 255u) - 128);
            *o = clampf(fmaf(r, (hi - lo) * (0.12f / 256.0f), m), lo, hi);
        }
}

static float beach(float h)
{
    return h * (0.75f * h * h / (h * h + 36.0f) + 0.25f);
}

static void finish(float h, float zc, float d2, float area, float lake, float *height, float *water)
{
    float rw = half_width(area), depth = rw / (6.0f + 0.12f * rw) * smooth3((rw - 0.4f) * (1.0f / 1.6f)), d = sqrtf(maxf(d2, 0)),
          level = NO_LAKE;
    if (area > RIVER && zc > lake) {
        if (d < rw + 12.0f)
            h = maxf(h, zc);
        if (d < rw) {
            h = minf(h, zc - depth * (1.0f - d2 / (rw * rw)));
            level = zc - 0.35f * depth;
        }
    }
    level = maxf(level, lake);
    h = beach(h);
    float wet = level > -1e8f ? beach(level) : NO_LAKE;
    *height = h;
    *water = wet > h ? wet : h < 0 ? 0 : NAN;
}

static void add_lattice(grid *list, int *n, grid g)
{
    for (int k = 0; k < *n; k++)
        if (list[k].s == g.s) {
            grid *o = &list[k];
            int64_t x = o->x < g.x ? o->x : g.x, y = o->y < g.y ? o->y : g.y;
            int64_t ex = o->x + o->w > g.x + g.w ? o->x + o->w : g.x + g.w, ey = o->y + o->h > g.y + g.h ? o->y + o->h : g.y + g.h;
            *o = (grid){x, y, (int)(ex - x), (int)(ey - y), g.s};
            return;
        }
    list[(*n)++] = g;
}

static ground part_of(const ground *made, int n, grid g)
{
    int s = g.s < CHANNEL ? CHANNEL : g.s;
    for (int k = 0; k < n; k++)
        if (made[k].g.s == s)
            return halved_ground(&made[k], g);
    abort();
}

void fluvial_fill(uint64_t seed, int lod, int64_t i, int64_t j, int w, int h, const fluvial_layers *out, fluvial_work *work)
{
    grid top = {i, j, w, h, 1 << lod}, chain[4];
    int fine = 0, s = top.s;
    double t0 = now();
    chain[0] = top;
    while (chain[fine].s < 8) {
        chain[fine + 1] = parents(chain[fine]);
        fine++;
    }
    grid last = chain[fine]; /* 8 m or coarser */
    /* plan, from fine to coarse: for each octave the box it gives and the cell corners it reads */
    grid give[OCTAVE_COUNT], read[OCTAVE_COUNT], box = last, use16 = last.s < CHANNEL ? ancestors(last, CHANNEL) : last;
    int end = FIRST;
    while (end < OCTAVE_COUNT && shown(end, s))
        end++;
    for (int o = end - 1; o >= FIRST; o--) {
        give[o] = ancestors(box, OCTAVES[o].step > last.s ? OCTAVES[o].step : last.s);
        box = read[o] = octave_box(o, give[o]);
    }
    /* one ground a spacing, large enough for every use */
    grid lattice[2 * OCTAVE_COUNT + 1];
    places pl[2 * OCTAVE_COUNT + 1];
    ground made[2 * OCTAVE_COUNT + 1];
    window need = {0, 0, 0, 0};
    int lattices = 0;
    add_lattice(lattice, &lattices, use16);
    for (int o = FIRST; o < end; o++) {
        add_lattice(lattice, &lattices, read[o]);
        add_lattice(lattice, &lattices, give[o].s < CHANNEL ? ancestors(give[o], CHANNEL) : give[o]);
    }
    for (int n = 0; n < lattices; n++) {
        pl[n] = places_of(seed, lattice[n]);
        need = n ? united(need, cells_of(pl[n])) : cells_of(pl[n]);
    }
    network *net = network_make(seed, need);
    for (int n = 0; n <= LAST; n++)
        work->nodes += net->made[n];
    double t1 = now();
    work->t_network += t1 - t0;
    for (int n = 0; n < lattices; n++)
        made[n] = make_ground(net, pl[n], work);
    double t2 = now();
    work->t_ground += t2 - t1;
    carved c = {0};
    for (int o = FIRST; o < end; o++) {
        ground ec = part_of(made, lattices, read[o]), e = part_of(made, lattices, give[o]);
        carved n = carve(seed, o, o > FIRST ? &c : NULL, &ec, &e, work);
        if (o > FIRST)
            free_carved(&c);
        c = n;
        free_ground(&e);
        free_ground(&ec);
    }
    double t3 = now();
    work->t_gullies += t3 - t2;
    int any = end > FIRST;
    ground l = part_of(made, lattices, last);
    for (int n = 0; n < lattices; n++)
        free_ground(&made[n]);
    float *height = array(last), *dx = array(last);
    if (any)
        raise_to(c.dx, c.g, dx, last, FOUR);
    for (size_t k = 0; k < size_of(last); k++)
        height[k] = l.a[G_F][k] + (any ? dx[k] : 0);
    free(dx);
    if (any)
        free_carved(&c);
    for (int n = fine - 1; n >= 0; n--) {
        float *f = array(chain[n]);
        fine_level(seed, height, chain[n + 1], f, chain[n]);
        free(height);
        height = f;
        ground q = halved_ground(&l, chain[n]);
        free_ground(&l);
        l = q;
    }
    for (size_t k = 0; k < size_of(top); k++) {
        float hh, ww;
        finish(height[k], l.a[G_RZ][k], l.a[G_RD2][k], l.a[G_RA][k], l.a[G_LAKE][k], &hh, &ww);
        if (out->height)
            out->height[k] = hh;
        if (out->water)
            out->water[k] = ww;
        float rw = half_width(l.a[G_RA][k]);
        int river = l.a[G_RA][k] > RIVER && l.a[G_RD2][k] < rw * rw; /* in a bed the layers are the river's */
        if (out->flow)
            out->flow[k] = river ? l.a[G_RA][k] : l.a[G_AREA][k];
        if (out->shore)
            out->shore[k] = sqrtf(maxf(river ? l.a[G_RD2][k] : l.a[G_D2][k], 0));
        if (out->relief)
            out->relief[k] = l.a[G_RELIEF][k];
        if (out->alpine)
            out->alpine[k] = l.a[G_ALP][k];
        if (out->plateau)
            out->plateau[k] = l.a[G_PLAT][k];
        if (out->plain)
            out->plain[k] = l.a[G_PLAIN][k];
    }
    work->t_fine += now() - t3;
    free(height);
    free_ground(&l);
    network_free(net);
}
