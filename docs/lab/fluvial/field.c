#include "field.h"

words philox(uint64_t seed, uint32_t tag, int64_t i, int64_t j)
{
    uint32_t c0 = (uint32_t)i, c1 = (uint32_t)((uint64_t)i >> 32) & 0xffffu;
    uint32_t c2 = (uint32_t)j, c3 = ((uint32_t)((uint64_t)j >> 32) & 0xffffu) | tag << 16;
    uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
    for (int r = 0; r < 10; r++) {
        uint64_t p0 = (uint64_t)0xD2511F53u * c0, p1 = (uint64_t)0xCD9E8D57u * c2;
        uint32_t n0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0, n2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)p1;
        c3 = (uint32_t)p0;
        c0 = n0;
        c2 = n2;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return (words){{c0, c1, c2, c3}};
}

/* A memo of knots: the function is pure, the memo only saves time. */
enum { MEMO = 1 << 16 };
typedef struct {
    uint64_t seed;
    int64_t i, j;
    uint32_t tag;
    float s[4];
} knot;
static _Thread_local knot memo[MEMO];

static const float *knot_at(uint64_t seed, uint32_t tag, int64_t i, int64_t j)
{
    uint64_t h = ((uint64_t)i * 0x9E3779B97F4A7C15u) ^ ((uint64_t)j * 0xC2B2AE3D27D4EB4Fu) ^ ((uint64_t)tag * 0x165667B19E3779F9u);
    knot *k = &memo[(h >> 40) & (MEMO - 1)];
    if (k->tag != tag || k->i != i || k->j != j || k->seed != seed) {
        words r = philox(seed, tag, i, j);
        *k = (knot){seed, i, j, tag, {sym16(r, 0), sym16(r, 1), sym16(r, 2), sym16(r, 3)}};
    }
    return k->s;
}

static void weights(float a, float w[4])
{
    float t = 1.0f - a;
    w[0] = t * t * t * (1.0f / 6.0f);
    w[1] = fmaf(a * a, fmaf(a, 0.5f, -1.0f), 2.0f / 3.0f);
    w[2] = fmaf(t * t, fmaf(t, 0.5f, -1.0f), 2.0f / 3.0f);
    w[3] = a * a * a * (1.0f / 6.0f);
}

void spline(uint64_t seed, uint32_t tag, int shift, place x, place y, int n, float *out)
{
    int64_t i = x >> shift, j = y >> shift;
    float scale = 1.0f / (float)(1u << shift), wx[4], wy[4];
    weights((float)(uint32_t)(x - i * ((int64_t)1 << shift)) * scale, wx);
    weights((float)(uint32_t)(y - j * ((int64_t)1 << shift)) * scale, wy);
    for (int c = 0; c < n; c++)
        out[c] = 0;
    for (int b = 0; b < 4; b++) {
        float row[4] = {0};
        for (int a = 0; a < 4; a++) {
            const float *s = knot_at(seed, tag, i - 1 + a, j - 1 + b);
            for (int c = 0; c < n; c++)
                row[c] = fmaf(wx[a], s[c], row[c]);
        }
        for (int c = 0; c < n; c++)
            out[c] = fmaf(wy[b], row[c], out[c]);
    }
}

float hillslope(float relief, float cap, float round, int level)
{
    /* 0.5 * (L / 256)^-0.9 */
    static const float law[9] = {0.00340064f, 0.00634575f, 0.0118415f, 0.0220970f, 0.0412346f,
                                 0.0769464f,  0.143587f,   0.267943f,  0.5f};
    float s = law[level] * relief, s2 = s * s, c2 = cap * cap, length = (float)(65536 >> level);
    s = s * cap / sqrtf(sqrtf(s2 * s2 + c2 * c2));
    return s * length / (length + 0.35f * round);
}

static float ramp(float a, float b, float x)
{
    return smooth3((x - a) / (b - a));
}

void province(uint64_t seed, place x, place y, int fields, float *pv)
{
    static const float land[5] = {1.0f, 0.62f, 0.3844f, 0.238328f, 0.14776336f};
    static const float range[5] = {0.5f, 1.0f, 0.45f, 0.2f, 0.08f};
    static const float plate[6] = {0.0f, 1.0f, 0.7f, 0.35f, 0.15f, 0.08f}, hills[6] = {0.0f, 1.0f, 0.8f, 0.5f, 0.3f, 0.15f};
    static const float spot[8] = {0, 0, 0, 0, 0, 0.8f, 0.6f, 0.5f};
    float c = 0, r = 0, a = 0, h = 0, gate = 0, local = 1.0f, s[4];
    for (int m = 0; m < fields; m++) {
        spline(seed, TAG_FIELD + (uint32_t)m, 27 - m, x, y, 4, s);
        if (m < 5) {
            c = fmaf(land[m], s[0], c);
            r = fmaf(range[m], s[1], r);
        } else
            local = fmaf(spot[m], s[0], local);
        if (m < 6) {
            a = fmaf(plate[m], s[2], a);
            h = fmaf(hills[m], s[3], h);
        }
        if (m == 0)
            gate = s[3];
        if (m == 1)
            gate = fmaf(0.5f, s[2], gate);
    }
    local = maxf(local, 0.35f);
    float t = maxf(0, 1.0f - fabsf(r) / 0.22f), belt = t * t * (3.0f - 2.0f * t) * ramp(-0.12f, 0.10f, gate);
    float hill = ramp(-0.20f, 0.40f, h), plat = ramp(0.24f, 0.40f, a) * (1.0f - belt);
    float z = 1500.0f * c + 60.0f, shelf = 260.0f * (1.0f - belt);
    if (shelf > 1.0f)
        z = z * fabsf(z) / (fabsf(z) + shelf);
    float relief = (0.035f + 0.75f * hill * hill) * (1.0f - belt) + 3.2f * belt;
    if (relief < 1.9f)
        relief += plat * (1.9f - relief);
    float shore = ramp(-250.0f, -20.0f, z), plain = (1.0f - belt) * (1.0f - plat);
    pv[PV_RELIEF] = relief * local * (0.06f + 0.94f * shore);
    pv[PV_CAP] = (0.36f + 0.08f * hill - 0.05f * belt) * (1.0f - plat) + 0.80f * plat;
    pv[PV_ROUND] = 12.0f + 28.0f * plat + (388.0f * (1.0f - hill) + 90.0f * hill) * plain;
    pv[PV_TOP] = maxf(z, 0) + 420.0f + 250.0f * a;
    pv[PV_ABOVE] = 1.0f - 0.93f * plat;
    pv[PV_FLOOR] = (0.010f - 0.002f * hill) * (1.0f - plat) + 0.0022f * plat;
    pv[PV_ICE] = belt * (1.0f - plat);
    pv[PV_FLAT] = (1.0f - hill) * plain;
    pv[PV_SLOPE] = hillslope(pv[PV_RELIEF], pv[PV_CAP], pv[PV_ROUND], 8);
    pv[PV_ALPINE] = belt + plat * (1.0f - belt);
    pv[PV_HEIGHT] = z + 350.0f * belt + 220.0f * plat * shore;
}

void warp(uint64_t seed, int64_t x, int64_t y, float w[2])
{
    w[0] = w[1] = 0;
    for (int m = 0; m < 9; m++) {
        float s[2], g = (m < 5 ? 0.3f : 0.14f) * (float)(131072 >> m);
        spline(seed, TAG_WARP + (uint32_t)m, 17 - m, x, y, 2, s);
        w[0] = fmaf(g, s[0], w[0]);
        w[1] = fmaf(g, s[1], w[1]);
    }
}
