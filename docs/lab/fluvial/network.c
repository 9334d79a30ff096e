#include "network.h"
#include <stdlib.h>
#include <string.h>

static const int DX[8] = {1, 1, 0, -1, -1, -1, 0, 1}, DY[8] = {0, 1, 1, 1, 0, -1, -1, -1};

static const float MARGIN = 0.08f, LATERAL = 0.5f, CONCAVE = 0.3f, LAKES = 0.35f, EVEN = 0.6f;
enum { SUMS = 8 }; /* rounds of the drainage sum at level 0 */

static float hypotenuse(float x, float y)
{
    return sqrtf(x * x + y * y);
}

/* ---- provinces */

enum { KNOT_SHIFT = 19 }; /* 2048 m */

void network_province(network *n, place x, place y, float *pv)
{
    int64_t i = x >> KNOT_SHIFT, j = y >> KNOT_SHIFT;
    float a = (float)(x - scaled(i, KNOT_SHIFT)) * (1.0f / (1 << KNOT_SHIFT)),
          b = (float)(y - scaled(j, KNOT_SHIFT)) * (1.0f / (1 << KNOT_SHIFT));
    const float *k[4];
    for (int q = 0; q < 4; q++) {
        int64_t c = i + (q & 1) - n->knots_at.x, r = j + (q >> 1) - n->knots_at.y;
        if (c < 0 || r < 0 || c >= n->knots_at.w || r >= n->knots_at.h)
            abort();
        size_t at = (size_t)r * (size_t)n->knots_at.w + (size_t)c;
        float *v = n->knots + at * PV_COUNT;
        if (!n->have[at]) {
            province(n->seed, scaled(i + (q & 1), KNOT_SHIFT), scaled(j + (q >> 1), KNOT_SHIFT), 8, v);
            n->have[at] = 1;
        }
        k[q] = v;
    }
    for (int c = 0; c < PV_HEIGHT; c++) {
        float north = fmaf(a, k[1][c] - k[0][c], k[0][c]), south = fmaf(a, k[3][c] - k[2][c], k[2][c]);
        pv[c] = fmaf(b, south - north, north);
    }
}

static void province_at(network *n, int level, int64_t cx, int64_t cy, float fx, float fy, float *pv)
{
    int shift = 24 - level; /* place units in a cell: 2^24 at level 0 */
    place size = (place)1 << shift, x = cx * size + (place)(fx * (float)size), y = cy * size + (place)(fy * (float)size);
    if (level >= 5)
        network_province(n, x, y, pv);
    else
        province(n->seed, x, y, level + 5 > 8 ? 8 : level + 5, pv);
}

/* ---- level 0 */

static void level0(network *net, window at, node *n)
{
    int w = at.w, h = at.h;
    const float length = 65536.0f, cell = length * length;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            node *p = n + y * w + x;
            words r = philox(net->seed, TAG_NODE, at.x + x, at.y + y);
            float pv[PV_COUNT];
            p->fx = rintf((MARGIN + (1.0f - 2.0f * MARGIN) * frac16(r, 0)) * 65536.0f) * (1.0f / 65536.0f);
            p->fy = rintf((MARGIN + (1.0f - 2.0f * MARGIN) * frac16(r, 1)) * 65536.0f) * (1.0f / 65536.0f);
            province_at(net, 0, at.x + x, at.y + y, p->fx, p->fy, pv);
            p->z = pv[PV_HEIGHT] * (1.0f + 0.3f * sym16(r, 2)) + 25.0f * sym16(r, 3);
            p->floor = pv[PV_FLOOR];
            p->area = cell;
            p->lake = NO_LAKE;
            p->to = SINK;
        }
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            float low = n[y * w + x].z;
            for (int q = 0; q < 8; q++) {
                float z = n[(y + DY[q]) * w + x + DX[q]].z;
                if (z < low)
                    low = z, n[y * w + x].to = (int8_t)q;
            }
        }
    for (int y = 3; y < h - 3; y++)
        for (int x = 3; x < w - 3; x++) {
            node *p = n + y * w + x;
            if (p->to != SINK || p->z <= 0)
                continue;
            float low = 1e9f;
            for (int b = -2; b <= 2; b++)
                for (int a = -2; a <= 2; a++) {
                    const node *o = p + b * w + a;
                    int into = o->to != SINK && a + DX[o->to] == 0 && b + DY[o->to] == 0;
                    if ((a || b) && !into)
                        low = minf(low, o->z);
                }
            p->lake = p->z + minf(60.0f, 0.4f * (low - p->z));
        }
    float *sum = malloc(sizeof(float) * (size_t)(w * h)), *lake = malloc(sizeof(float) * (size_t)(w * h));
    for (int round = 0; round < SUMS; round++) {
        for (int k = 0; k < w * h; k++)
            sum[k] = cell, lake[k] = n[k].lake;
        for (int y = 1; y < h - 1; y++)
            for (int x = 1; x < w - 1; x++) {
                int d = n[y * w + x].to;
                if (d != SINK) {
                    int to = (y + DY[d]) * w + x + DX[d];
                    sum[to] += n[y * w + x].area;
                    lake[y * w + x] = n[to].lake;
                }
            }
        for (int k = 0; k < w * h; k++)
            n[k].area = sum[k], n[k].lake = lake[k];
    }
    for (int k = 0; k < w * h; k++)
        n[k].floor *= sqrtf(n[k].area);
    free(sum);
    free(lake);
}

/* ---- refinement: cells of level n from those of level n - 1; lengths in cells of level n, from the corner of the coarse cell of
 * the edge */

typedef struct {
    int ex, ey, nx, ny;
    float lake;
} edge; /* exit and entry child (x < 0: no edge), depth of a new lake */

typedef struct {
    network *net;
    int level;
    float length; /* of a cell, m */
    window at;    /* coarse */
    const node *coarse;
    edge *edges;
    node *fine;
    float *big;     /* largest inflow that placed an entry child */
    uint8_t *entry; /* placed by an entry */
} refinement;

static float default_place(float f)
{
    return MARGIN + (1.0f - 2.0f * MARGIN) * f;
}

/* a place of the path from p to q in the child (x, y), counted from the coarse cell (cx, cy): nearest to its centre, kept inside,
 * moved towards the default place */
static void path_place(refinement *r, int cx, int cy, int x, int y, float px, float py, float qx, float qy, float lo, float hi,
                       float pull, float *gx, float *gy)
{
    float vx = qx - px, vy = qy - py, t = (((float)x + 0.5f - px) * vx + ((float)y + 0.5f - py) * vy) / (vx * vx + vy * vy);
    t = clampf(t, lo, hi);
    float ax = clampf(px + t * vx, (float)x + MARGIN, (float)x + 1.0f - MARGIN),
          ay = clampf(py + t * vy, (float)y + MARGIN, (float)y + 1.0f - MARGIN);
    words w = philox(r->net->seed, TAG_NODE + (uint32_t)r->level, (r->at.x + cx) * 2 + x, (r->at.y + cy) * 2 + y);
    ax += pull * ((float)x + default_place(frac16(w, 0)) - ax);
    ay += pull * ((float)y + default_place(frac16(w, 1)) - ay);
    *gx = ax;
    *gy = ay;
}

static void put(node *n, int x, int y, float gx, float gy)
{
    n->fx = rintf((gx - (float)x) * 65536.0f) * (1.0f / 65536.0f);
    n->fy = rintf((gy - (float)y) * 65536.0f) * (1.0f / 65536.0f);
}

static void ends(const refinement *r, int x, int y, int d, float *px, float *py, float *qx, float *qy)
{
    const node *p = r->coarse + y * r->at.w + x, *q = p + DY[d] * r->at.w + DX[d];
    *px = 2.0f * p->fx;
    *py = 2.0f * p->fy;
    *qx = (float)(2 * DX[d]) + 2.0f * q->fx;
    *qy = (float)(2 * DY[d]) + 2.0f * q->fy;
}

/* height a share f along the edge from p to q: concave channels, straight to convex hillslopes */
static float path_height(const refinement *r, const node *p, const node *q, float f, float len)
{
    float fall = p->z - q->z, k = CONCAVE * (1.0f - 1.15f * clampf(2.0f * fall / (len * r->length), 0, 1));
    return p->z - fall * f * (1.0f + k * (1.0f - f));
}

static int may_hold_lake(refinement *r, int x, int y, int d, const edge *e, words w)
{
    int cw = r->at.w, fw = 2 * cw, tx = x + DX[d], ty = y + DY[d];
    const node *p = r->coarse + y * cw + x, *q = r->coarse + ty * cw + tx;
    if (r->level < 4 || r->level > 7 || p->lake > -1e8f || q->lake > -1e8f || q->z <= 1.0f || q->to == SINK || p->z - q->z <= 2.0f)
        return 0;
    if (r->fine[e->ey * fw + e->ex].channel || r->fine[e->ny * fw + e->nx].channel)
        return 0;
    float pv[PV_COUNT];
    province_at(r->net, r->level - 1, r->at.x + tx, r->at.y + ty, q->fx, q->fy, pv);
    if (frac16(w, 1) >= LAKES * (pv[PV_ICE] + 0.1f * (1.0f - pv[PV_ICE])))
        return 0;
    int rx = tx + DX[q->to], ry = ty + DY[q->to];
    if (abs(rx - x) <= 1 && abs(ry - y) <= 1)
        return 0;
    for (int b = -1; b <= 1; b++)
        for (int a = -1; a <= 1; a++) {
            if (r->coarse[(y + b) * cw + x + a].z < q->z + 2.0f && !(y + b == ty && x + a == tx))
                return 0;
            if ((a || b) && r->coarse[(ty + b) * cw + tx + a].z < q->z + 2.0f && !(ty + b == ry && tx + a == rx))
                return 0;
        }
    return 1;
}

/* share of the way to its default place at which a path's child lies */
static float pull_of(const refinement *r, float flat)
{
    float p = r->level > 3 ? 0.45f : 0.315f;
    return r->level == 6 || r->level == 7 ? p + 0.35f * flat : p;
}

static float flat_of(refinement *r, int x, int y)
{
    float pv[PV_COUNT];
    const node *p = r->coarse + y * r->at.w + x;
    if (r->level < 6 || r->level > 7)
        return 0;
    province_at(r->net, r->level - 1, r->at.x + x, r->at.y + y, p->fx, p->fy, pv);
    return pv[PV_FLAT];
}

static void exit_child(refinement *r, int x, int y)
{
    int cw = r->at.w, fw = 2 * cw;
    const node *p = r->coarse + y * cw + x;
    edge *e = r->edges + y * cw + x;
    int d = p->to, tx, ty;
    if (d == SINK)
        return;
    tx = x + DX[d];
    ty = y + DY[d];
    const node *q = r->coarse + ty * cw + tx;
    words w = philox(r->net->seed, TAG_EDGE + (uint32_t)r->level, r->at.x + x, r->at.y + y);
    float px, py, qx, qy, side = LATERAL * sym16(w, 0);
    ends(r, x, y, d, &px, &py, &qx, &qy);
    e->ex = 2 * x + (DX[d] > 0);
    e->nx = 2 * tx + (DX[d] < 0);
    e->ey = 2 * y + (DY[d] > 0);
    e->ny = 2 * ty + (DY[d] < 0);
    if (DY[d] == 0) {
        float bx = DX[d] > 0 ? 2.0f : 0.0f, c = py + (bx - px) / (qx - px) * (qy - py) + side;
        e->ey = e->ny = 2 * y + (c > 1.0f);
    } else if (DX[d] == 0) {
        float by = DY[d] > 0 ? 2.0f : 0.0f, c = px + (by - py) / (qy - py) * (qx - px) + side;
        e->ex = e->nx = 2 * x + (c > 1.0f);
    }
    if (may_hold_lake(r, x, y, d, e, w))
        e->lake = minf(0.03f * r->length, 0.35f * (p->z - q->z) + 3.0f);
    node *f = r->fine + e->ey * fw + e->ex;
    if (f->channel == 1)
        return;
    float gx, gy, len = hypotenuse(qx - px, qy - py);
    path_place(r, x, y, e->ex - 2 * x, e->ey - 2 * y, px, py, qx, qy, 0.15f, 0.6f, pull_of(r, flat_of(r, x, y)), &gx, &gy);
    put(f, e->ex - 2 * x, e->ey - 2 * y, gx, gy);
    f->channel = 2;
    float d1 = hypotenuse(gx - px, gy - py), d2 = hypotenuse(gx - qx, gy - qy);
    f->z = path_height(r, p, q, d1 / (d1 + d2), len);
    f->area = p->area;
    f->lake = maxf(p->lake, q->lake);
    f->floor = maxf(p->floor - d1 * r->length, q->floor - d2 * r->length);
    if (e->lake > 0) {
        f->z = q->z - e->lake;
        f->lake = q->z;
    }
}

static void entry_child(refinement *r, int x, int y)
{
    int cw = r->at.w, fw = 2 * cw;
    const node *p = r->coarse + y * cw + x;
    edge *e = r->edges + y * cw + x;
    int d = p->to;
    if (d == SINK)
        return;
    const node *q = p + DY[d] * cw + DX[d], *out = r->fine + e->ey * fw + e->ex;
    size_t at = (size_t)e->ny * (size_t)fw + (size_t)e->nx;
    node *f = r->fine + at;
    if (f->channel == 2 && maxf(p->lake, e->lake > 0 ? q->z : NO_LAKE) > -1e8f && q->lake < -1e8f)
        f->z = maxf(f->z, q->z); /* a lake that passes its outlet by goes out at the outlet's height */
    if (f->channel == 1 || f->channel == 2)
        return;
    float px, py, qx, qy, gx, gy;
    ends(r, x, y, d, &px, &py, &qx, &qy);
    path_place(r, x, y, e->nx - 2 * x, e->ny - 2 * y, px, py, qx, qy, 0.4f, 0.85f, pull_of(r, flat_of(r, x, y)), &gx, &gy);
    float d1 = hypotenuse(gx - px, gy - py), d2 = hypotenuse(gx - qx, gy - qy);
    float z = path_height(r, p, q, d1 / (d1 + d2), hypotenuse(qx - px, qy - py)), level = maxf(p->lake, q->lake);
    if (z >= out->z && p->z > q->z)
        z = 0.5f * (out->z + q->z);
    if (e->lake > 0)
        z = q->z - e->lake, level = q->z;
    if (p->area > r->big[at]) {
        put(f, e->nx - 2 * x, e->ny - 2 * y, gx, gy);
        r->big[at] = p->area;
    }
    if (f->channel != 3)
        f->z = 1e30f, f->area = 0, f->floor = 0, f->lake = NO_LAKE;
    f->channel = 3;
    f->z = minf(f->z, z);
    f->lake = maxf(f->lake, level);
    f->area = minf(f->area + p->area, q->area);
    f->floor = maxf(f->floor, maxf(p->floor - d1 * r->length, q->floor - d2 * r->length));
}

static int direction(int ax, int ay, int bx, int by)
{
    for (int q = 0; q < 8; q++)
        if (bx == ax + DX[q] && by == ay + DY[q])
            return q;
    return -1;
}

static void old_child(const refinement *r, int x, int y, int *cx, int *cy)
{
    const node *p = r->coarse + y * r->at.w + x;
    *cx = 2 * x + (p->fx >= 0.5f);
    *cy = 2 * y + (p->fy >= 0.5f);
}

static float gap(const refinement *r, int ax, int ay, int bx, int by)
{
    int fw = 2 * r->at.w;
    const node *a = r->fine + ay * fw + ax, *b = r->fine + by * fw + bx;
    return hypotenuse((float)(ax - bx) + (a->fx - b->fx), (float)(ay - by) + (a->fy - b->fy));
}

static void link_path(refinement *r, int x, int y)
{
    int cw = r->at.w, fw = 2 * cw, d = r->coarse[y * cw + x].to, cx, cy, q;
    if (d == SINK)
        return;
    int tx = x + DX[d], ty = y + DY[d];
    edge *e = r->edges + y * cw + x, *e2 = r->edges + ty * cw + tx;
    node *out = r->fine + e->ey * fw + e->ex, *in = r->fine + e->ny * fw + e->nx;
    old_child(r, x, y, &cx, &cy);
    if ((q = direction(e->ex, e->ey, e->nx, e->ny)) >= 0)
        out->to = (int8_t)q;
    if ((q = direction(cx, cy, e->ex, e->ey)) >= 0)
        r->fine[cy * fw + cx].to = (int8_t)q;
    if (in->channel != 3)
        return;
    int gx, gy;
    old_child(r, tx, ty, &gx, &gy);
    if (in->lake < -1e8f && e2->ex >= 0 && e2->lake == 0 && r->fine[e2->ey * fw + e2->ex].z < in->z &&
        abs(e2->ex - e->nx) + abs(e2->ey - e->ny) == 1 && gap(r, e->nx, e->ny, e2->ex, e2->ey) < gap(r, e->nx, e->ny, gx, gy)) {
        node *g = r->fine + gy * fw + gx;
        g->area = maxf(g->area - r->coarse[y * cw + x].area, r->length * r->length);
        gx = e2->ex;
        gy = e2->ey;
    }
    if ((q = direction(e->nx, e->ny, gx, gy)) >= 0)
        in->to = (int8_t)q;
}

/* a diagonal edge that misses the corner goes through the corner child of the side cell */
static void corner_child(refinement *r, int x, int y)
{
    int cw = r->at.w, fw = 2 * cw, d = r->coarse[y * cw + x].to, mx, my, q;
    if (d == SINK || !(d & 1))
        return;
    edge *e = r->edges + y * cw + x;
    float px, py, qx, qy, gx, gy;
    ends(r, x, y, d, &px, &py, &qx, &qy);
    words w = philox(r->net->seed, TAG_EDGE + (uint32_t)r->level, r->at.x + x, r->at.y + y);
    float vx = DX[d] > 0 ? 2.0f : 0.0f, vy = DY[d] > 0 ? 2.0f : 0.0f;
    float off = (py + (vx - px) / (qx - px) * (qy - py) - vy) + LATERAL * sym16(w, 2);
    if (fabsf(off) < 0.15f)
        return;
    if ((off > 0) == (DY[d] > 0))
        mx = e->ex, my = e->ny;
    else
        mx = e->nx, my = e->ey;
    node *m = r->fine + my * fw + mx, *out = r->fine + e->ey * fw + e->ex, *in = r->fine + e->ny * fw + e->nx;
    if (m->channel)
        return;
    path_place(r, x, y, mx - 2 * x, my - 2 * y, px, py, qx, qy, 0.3f, 0.7f, r->level > 3 ? 0.45f : 0.315f, &gx, &gy);
    put(m, mx - 2 * x, my - 2 * y, gx, gy);
    m->z = 0.5f * (out->z + in->z);
    m->area = out->area;
    m->lake = maxf(out->lake, in->lake);
    m->floor = 0.5f * (out->floor + in->floor);
    m->channel = 4;
    if ((q = direction(e->ex, e->ey, mx, my)) >= 0)
        out->to = (int8_t)q;
    if ((q = direction(mx, my, e->nx, e->ny)) >= 0)
        m->to = (int8_t)q;
}

/* area never falls downstream: a parent's node takes at least the largest inflow that it kept */
static void keep_area(refinement *r, int x, int y)
{
    int cw = r->at.w, fw = 2 * cw, d = r->coarse[y * cw + x].to, gx, gy;
    if (d == SINK)
        return;
    const edge *e = r->edges + y * cw + x;
    old_child(r, x + DX[d], y + DY[d], &gx, &gy);
    node *g = r->fine + gy * fw + gx;
    if (e->nx == gx && e->ny == gy)
        g->area = maxf(g->area, r->coarse[y * cw + x].area);
    else {
        const node *l = r->fine + e->ny * fw + e->nx;
        if (l->to != SINK && e->nx + DX[l->to] == gx && e->ny + DY[l->to] == gy)
            g->area = maxf(g->area, l->area);
    }
}

/* height of the valley side of the channel that leaves (xx, yy), at node p of (x, y); its distance and floor */
static float side(const refinement *r, int x, int y, int xx, int yy, const float *pv, float slope, float *dist, float *floor)
{
    int fw = 2 * r->at.w;
    const node *p = r->fine + y * fw + x, *c = r->fine + yy * fw + xx;
    float ax = (float)(xx - x) + (c->fx - p->fx), ay = (float)(yy - y) + (c->fy - p->fy), z = c->z, b = c->floor;
    if (c->to != SINK) {
        int d = c->to;
        const node *o = c + DY[d] * fw + DX[d];
        float vx = (float)DX[d] + (o->fx - c->fx), vy = (float)DY[d] + (o->fy - c->fy);
        float t = clampf(-(ax * vx + ay * vy) / (vx * vx + vy * vy), 0, 1);
        ax += t * vx;
        ay += t * vy;
        z += t * (o->z - z);
        b += t * (o->floor - b);
    }
    *dist = hypotenuse(ax, ay) * r->length;
    *floor = b;
    return z + rise(z, slope * (profile(*dist, b) + LIFT * *dist), pv[PV_TOP], pv[PV_ABOVE]);
}

static void free_child(refinement *r, int x, int y, node *to)
{
    int fw = 2 * r->at.w, best = SINK;
    const node *p = r->fine + y * fw + x;
    words w = philox(r->net->seed, TAG_NODE + (uint32_t)r->level, r->at.x * 2 + x, r->at.y * 2 + y);
    float pv[PV_COUNT];
    province_at(r->net, r->level, r->at.x * 2 + x, r->at.y * 2 + y, p->fx, p->fy, pv);
    float s =
        hillslope(pv[PV_RELIEF] * (1.0f + 0.4f * sym16(w, 2)), pv[PV_CAP] * (0.94f + 0.12f * frac16(w, 3)), pv[PV_ROUND], r->level);
    float low = 1e30f, point = 1e30f, floor = pv[PV_FLOOR] * r->length, sw = 0, sz = 0;
    for (int q = 0; q < 8; q++) {
        int xx = x + DX[q], yy = y + DY[q];
        const node *c = r->fine + yy * fw + xx;
        if (!c->channel)
            continue;
        if (q & 1) {
            const node *a = r->fine + y * fw + xx, *b = r->fine + yy * fw + x;
            if ((a->channel && a->to != SINK && DX[a->to] == x - xx && DY[a->to] == yy - y) ||
                (b->channel && b->to != SINK && DX[b->to] == xx - x && DY[b->to] == y - yy))
                continue;
        }
        float d = gap(r, x, y, xx, yy) * r->length,
              e = c->z + rise(c->z, s * (profile(d, c->floor) + LIFT * d), pv[PV_TOP], pv[PV_ABOVE]);
        float wt = 1.0f / (d * d + 0.01f * r->length * r->length), sd, sb;
        sw += wt;
        sz += wt * c->z;
        if (e < point)
            point = e, best = q;
        low = minf(low, minf(e, side(r, x, y, xx, yy, pv, s, &sd, &sb)));
        floor = maxf(floor, maxf(sb - sd, c->floor - d));
    }
    *to = *p;
    to->to = (int8_t)best;
    if (best == SINK)
        abort();
    const node *c = r->fine + (y + DY[best]) * fw + x + DX[best];
    to->z = maxf(maxf(low, low + EVEN * (sz / sw - low)), c->z + 0.03f * s * r->length * pv[PV_ABOVE]);
    to->lake = c->lake;
    to->floor = floor;
    to->area = r->length * r->length;
}

static void refine(network *net, int level, window at, const node *coarse, window want, node *out)
{
    int cw = at.w, ch = at.h, fw = 2 * cw, fh = 2 * ch;
    refinement r = {net,
                    level,
                    (float)(65536 >> level),
                    at,
                    coarse,
                    malloc(sizeof(edge) * (size_t)(cw * ch)),
                    calloc((size_t)(fw * fh), sizeof(node)),
                    calloc((size_t)(fw * fh), sizeof(float)),
                    NULL};
    for (int k = 0; k < cw * ch; k++)
        r.edges[k] = (edge){-1, -1, -1, -1, 0};
    for (int y = 0; y < ch; y++)
        for (int x = 0; x < cw; x++) {
            const node *p = coarse + y * cw + x;
            int gx, gy;
            old_child(&r, x, y, &gx, &gy);
            node *f = r.fine + gy * fw + gx;
            *f = *p;
            f->fx = 2.0f * p->fx - (float)(gx - 2 * x);
            f->fy = 2.0f * p->fy - (float)(gy - 2 * y);
            f->channel = 1;
            f->to = SINK;
        }
#define EACH(step)                                                                                                                 \
    for (int y = 2; y < ch - 2; y++)                                                                                               \
        for (int x = 2; x < cw - 2; x++)                                                                                           \
            step(&r, x, y);
    EACH(exit_child)
    EACH(entry_child)
    EACH(link_path)
    EACH(corner_child)
    EACH(keep_area)
    int64_t ox = want.x - 2 * at.x, oy = want.y - 2 * at.y;
    for (int y = (int)oy - 2; y < (int)oy + want.h + 2; y++)
        for (int x = (int)ox - 2; x < (int)ox + want.w + 2; x++) {
            node *f = r.fine + y * fw + x;
            if (f->channel > 1) {
                float pv[PV_COUNT];
                province_at(net, level, at.x * 2 + x, at.y * 2 + y, f->fx, f->fy, pv);
                f->floor = maxf(f->floor, pv[PV_FLOOR] * sqrtf(f->area));
            } else if (!f->channel) {
                words w = philox(net->seed, TAG_NODE + (uint32_t)level, at.x * 2 + x, at.y * 2 + y);
                put(f, 0, 0, default_place(frac16(w, 0)), default_place(frac16(w, 1)));
            }
        }
    for (int y = 0; y < want.h; y++)
        for (int x = 0; x < want.w; x++) {
            int fx = (int)ox + x, fy = (int)oy + y;
            node *o = out + (size_t)y * (size_t)want.w + (size_t)x;
            if (fx < 1 || fy < 1 || fx >= fw - 1 || fy >= fh - 1)
                abort();
            if (r.fine[fy * fw + fx].channel)
                *o = r.fine[fy * fw + fx];
            else
                free_child(&r, fx, fy, o);
        }
    net->made[level] += (uint64_t)want.w * (uint64_t)want.h;
    free(r.edges);
    free(r.fine);
    free(r.big);
}

/* ---- last level: smoothed places, channels */

static window grown(window w, int m)
{
    return (window){w.x - m, w.y - m, w.w + 2 * m, w.h + 2 * m};
}

typedef struct {
    float x, y;
} point; /* relative to the own cell, m */

static void smooth_places(const window *at, const node *n, const int8_t *from, const point *start, const point *a, point *b)
{
    int w = at->w;
    const float length = 256.0f, reach = 0.35f * length;
    memcpy(b, a, sizeof(point) * (size_t)w * (size_t)at->h);
    for (int y = 1; y < at->h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            int k = y * w + x, d = n[k].to, f = from[k];
            if (d == SINK || f < 0)
                continue;
            const point *i = a + k + DY[f] * w + DX[f], *o = a + k + DY[d] * w + DX[d];
            float s = 0.5f * minf(1.0f, 0.3f + n[k].floor / 256.0f);
            float mx = 0.5f * (i->x + (float)DX[f] * length + (o->x + (float)DX[d] * length)),
                  my = 0.5f * (i->y + (float)DY[f] * length + (o->y + (float)DY[d] * length));
            b[k].x = clampf(a[k].x + s * (mx - a[k].x), start[k].x - reach, start[k].x + reach);
            b[k].y = clampf(a[k].y + s * (my - a[k].y), start[k].y - reach, start[k].y + reach);
        }
}

static float quantised(float x)
{
    return rintf(x * 256.0f) * (1.0f / 256.0f);
}

/* how far a river wanders in its floor */
static void wander(network *net, int64_t cx, int64_t cy, float floor, float area, float *x, float *y)
{
    float m = 2.2f * minf(0.6f * floor, 64.0f) * smooth3(area / 4e6f - 1.0f), sx = 0, sy = 0;
    if (m <= 0)
        return;
    place px = scaled(cx, CELL_SHIFT) + (place)(*x * 256.0f), py = scaled(cy, CELL_SHIFT) + (place)(*y * 256.0f);
    for (int t = 0; t < 3; t++) {
        float s[2];
        spline(net->seed, TAG_MEANDER + (uint32_t)t, 18 - t, px, py, 2, s);
        sx += s[0];
        sy += s[1];
    }
    *x += clampf(m * sx, -64.0f, 64.0f);
    *y += clampf(m * sy, -64.0f, 64.0f);
}

static void make_pieces(network *net)
{
    window at = net->nodes_at, pa = net->pieces_at;
    const node *n = net->nodes;
    int w = at.w, h = at.h;
    size_t count = (size_t)w * (size_t)h;
    int8_t *from = malloc(count), *sill = malloc(count); /* main inflow; outlet of a lake */
    float *slope = malloc(count * sizeof(float));
    point *a = malloc(count * sizeof(point)), *b = malloc(count * sizeof(point)), *start = malloc(count * sizeof(point));
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int k = y * w + x;
            float most = -1;
            from[k] = -1;
            for (int q = 0; q < 8; q++) {
                int xx = x + DX[q], yy = y + DY[q];
                if (xx < 0 || yy < 0 || xx >= w || yy >= h)
                    continue;
                const node *o = n + yy * w + xx;
                if (o->to != SINK && xx + DX[o->to] == x && yy + DY[o->to] == y && o->area > most)
                    most = o->area, from[k] = (int8_t)q;
            }
            start[k] = a[k] = (point){n[k].fx * 256.0f, n[k].fy * 256.0f};
            float pv[PV_COUNT];
            network_province(net, scaled(at.x + x, CELL_SHIFT) + (place)(n[k].fx * 65536.0f),
                             scaled(at.y + y, CELL_SHIFT) + (place)(n[k].fy * 65536.0f), pv);
            slope[k] = pv[PV_SLOPE];
        }
    for (int pass = 0; pass < 4; pass++) {
        smooth_places(&at, n, from, start, a, b);
        point *t = a;
        a = b;
        b = t;
    }
    /* no channel stands above the side of a lower one: steepen the sides of the lower one */
    for (int y = 2; y < h - 2; y++)
        for (int x = 2; x < w - 2; x++) {
            int k = y * w + x;
            float s = slope[k];
            for (int j = -2; j <= 2; j++)
                for (int i = -2; i <= 2; i++) {
                    int o = k + j * w + i;
                    float up = n[o].z - n[k].z;
                    if (up <= 0)
                        continue;
                    float gx = a[o].x - a[k].x + (float)i * 256.0f, gy = a[o].y - a[k].y + (float)j * 256.0f;
                    s = maxf(s, minf(1.05f * up / valley_side(maxf(hypotenuse(gx, gy), 64.0f), minf(n[k].floor, 150.0f)), 0.7f));
                }
            b[k].x = s;
            b[k].y = 0;
            sill[k] = 0;
            for (int q = 0; q < 8; q++) {
                int o = k + DY[q] * w + DX[q];
                if (n[o].to == SINK || DX[q] + DX[n[o].to] || DY[q] + DY[n[o].to])
                    continue;
                float gx = a[o].x - a[k].x + (float)DX[q] * 256.0f, gy = a[o].y - a[k].y + (float)DY[q] * 256.0f;
                sill[k] |= n[o].lake > -1e8f && n[k].lake < -1e8f;
                b[k].y = maxf(b[k].y, (n[o].z - n[k].z) / maxf(hypotenuse(gx, gy), 64.0f));
            }
        }
    for (int y = 0; y < pa.h; y++)
        for (int x = 0; x < pa.w; x++) {
            int64_t cx = pa.x + x, cy = pa.y + y;
            int k = (int)(cy - at.y) * w + (int)(cx - at.x), q = k, t = k, d = n[k].to;
            float g[4][5], f[3][5]; /* x, y, z, slope, floor */
            if (d != SINK) {
                q = t = k + DY[d] * w + DX[d];
                int e = n[q].to;
                if (e != SINK)
                    t = q + DY[e] * w + DX[e];
            }
            int at3[3] = {k, q, t};
            for (int i = 0; i < 3; i++) {
                int o = at3[i], oy = o / w - k / w, ox = o % w - k % w;
                f[i][0] = a[o].x + (float)ox * 256.0f;
                f[i][1] = a[o].y + (float)oy * 256.0f;
                f[i][2] = n[o].z;
                f[i][3] = b[o].x;
                f[i][4] = minf(n[o].floor, 150.0f);
            }
            if (n[k].lake > -1e8f && n[q].lake < -1e8f) /* a lake ends at the height of its outlet */
                f[2][2] = f[1][2];
            for (int c = 0; c < 5; c++) {
                float p1 = f[1][c] + 0.3f * (f[0][c] - f[1][c]), p3 = f[1][c] + 0.3f * (f[2][c] - f[1][c]);
                g[0][c] = from[k] < 0 ? f[0][c] : f[0][c] + 0.3f * (f[1][c] - f[0][c]);
                g[1][c] = p1;
                g[2][c] = 0.25f * (p1 + p3) + 0.5f * f[1][c];
                g[3][c] = p3;
            }
            if (sill[k])
                g[0][2] = f[0][2];
            float above = b[k].y; /* steepest channel that comes in */
            float qa = minf(n[q].area, 4.0f * n[k].area), along[4] = {0, 0.4f, 0.7f, 1.0f};
            for (int i = 0; i < 4; i++)
                wander(net, cx, cy, g[i][4], i == 3 ? n[q].area : n[k].area, &g[i][0], &g[i][1]);
            for (int i = 0; i < 4; i++)
                g[i][0] = quantised(g[i][0]), g[i][1] = quantised(g[i][1]);
            for (int i = 0; i < PIECES; i++) {
                piece *p = net->pieces + ((size_t)y * (size_t)pa.w + (size_t)x) * PIECES + (size_t)i;
                p->x = g[i][0];
                p->y = g[i][1];
                p->vx = g[i + 1][0] - g[i][0];
                p->vy = g[i + 1][1] - g[i][1];
                float l2 = p->vx * p->vx + p->vy * p->vy;
                p->inv = l2 > 0 ? 1.0f / l2 : 0;
                p->z = g[i][2], p->dz = g[i + 1][2] - g[i][2];
                p->s = g[i][3], p->ds = g[i + 1][3] - g[i][3];
                p->b = g[i][4], p->db = g[i + 1][4] - g[i][4];
                p->area = n[k].area + along[i] * (qa - n[k].area);
                p->darea = (along[i + 1] - along[i]) * (qa - n[k].area);
                p->lake = n[k].lake;
                float len = sqrtf(l2), own = l2 > 0 ? maxf(-p->dz / len, 0) : 0;
                p->before = 1.3f * maxf(own, above) * len;
                p->after = 0.5f * own * len;
                above = maxf(own, 0.7f * above);
            }
        }
    free(from);
    free(sill);
    free(slope);
    free(a);
    free(b);
    free(start);
}

static window coarser(window w, int margin)
{
    int64_t x = (w.x >> 1) - margin, y = (w.y >> 1) - margin;
    return (window){x, y, (int)(((w.x + w.w) >> 1) + margin + 1 - x), (int)(((w.y + w.h) >> 1) + margin + 1 - y)};
}

network *network_make(uint64_t seed, window need)
{
    network *net = calloc(1, sizeof *net);
    window at[LAST + 1];
    net->seed = seed;
    net->pieces_at = need;
    net->nodes_at = at[LAST] = grown(need, 9); /* 2 downstream, 2 round each, 4 smoothing, 1 inflow */
    for (int n = LAST; n > 0; n--)
        at[n - 1] = coarser(at[n], n > 1 ? 4 : SUMS + 6);
    window k = at[5]; /* cells of 2048 m */
    net->knots_at = grown(k, 6);
    size_t knots = (size_t)net->knots_at.w * (size_t)net->knots_at.h;
    net->knots = malloc(knots * PV_COUNT * sizeof(float));
    net->have = calloc(knots, 1);
    node *a = malloc(sizeof(node) * (size_t)at[0].w * (size_t)at[0].h);
    level0(net, at[0], a);
    net->made[0] = (uint64_t)at[0].w * (uint64_t)at[0].h;
    for (int n = 1; n <= LAST; n++) {
        node *b = malloc(sizeof(node) * (size_t)at[n].w * (size_t)at[n].h);
        refine(net, n, at[n - 1], a, at[n], b);
        free(a);
        a = b;
    }
    net->nodes = a;
    net->pieces = malloc(sizeof(piece) * PIECES * (size_t)need.w * (size_t)need.h);
    make_pieces(net);
    return net;
}

void network_free(network *n)
{
    free(n->nodes);
    free(n->pieces);
    free(n->knots);
    free(n->have);
    free(n);
}
