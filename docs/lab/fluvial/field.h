/* Random words, cubic B-spline fields, the warp and the provinces of the fluvial form. */
#ifndef FLUVIAL_FIELD_H
#define FLUVIAL_FIELD_H

#include <math.h>
#include <stdint.h>

/* Tags of the random words; World format 1 uses 0..24. */
enum { TAG_NODE = 256, TAG_EDGE = 272, TAG_WARP = 288, TAG_MEANDER = 300, TAG_FIELD = 304, TAG_CELL = 316, TAG_FINE = 324 };

/* A place in the lattice plane: 1/256 m. */
typedef int64_t place;

enum {
    PV_RELIEF, /* M */
    PV_CAP,    /* steepest hillslope */
    PV_ROUND,  /* rounding length, m */
    PV_TOP,    /* plateau level, m */
    PV_ABOVE,  /* share of the rise kept above the plateau level */
    PV_FLOOR,  /* half width of the valley floor over sqrt(area) */
    PV_ICE,    /* glacial, 0..1 */
    PV_FLAT,   /* plain, 0..1 */
    PV_SLOPE,  /* hillslope at the last network level */
    PV_ALPINE, /* 0..1 */
    PV_HEIGHT, /* height of level 0 nodes, m (not interpolated) */
    PV_COUNT
};

typedef struct {
    uint32_t w[4];
} words;

words philox(uint64_t seed, uint32_t tag, int64_t i, int64_t j);

/* field n of 16 bits, 0 <= f < 1 */
static inline float frac16(words r, int n)
{
    return (float)((r.w[n >> 1] >> ((n & 1) * 16)) & 0xffffu) * (1.0f / 65536.0f);
}
static inline float sym16(words r, int n)
{
    return 2.0f * frac16(r, n) - 1.0f;
}

static inline float clampf(float x, float a, float b)
{
    return x < a ? a : x > b ? b : x;
}
static inline float smooth3(float t)
{
    t = clampf(t, 0, 1);
    return t * t * (3.0f - 2.0f * t);
}
static inline float maxf(float a, float b)
{
    return a > b ? a : b;
}
static inline float minf(float a, float b)
{
    return a < b ? a : b;
}

/* share of a rise of half width B at distance d: 0 at d = 0, slope 1 far away */
static inline float profile(float d, float b)
{
    float t = d - b;
    return 0.5f * (t + sqrtf(t * t + 0.25f * b * b)) - 0.0590170f * b;
}

/* rise by u from z: whole below the plateau level, a share of it above */
static inline float rise(float z, float u, float top, float above)
{
    float f = minf(maxf(top - z, 0), u);
    return f + above * (u - f);
}

float hillslope(float relief, float cap, float round, int level);

/* n <= 4 channels of the spline field of a tag at a place of pitch 2^shift */
void spline(uint64_t seed, uint32_t tag, int shift, place x, place y, int n, float *out);
void province(uint64_t seed, place x, place y, int fields, float *pv);
/* metres by which a world point is moved */
void warp(uint64_t seed, int64_t x, int64_t y, float w[2]);

/* i * 2^s, of either sign */
static inline place scaled(int64_t i, int s)
{
    return i * ((place)1 << s);
}
static inline place turn_x(int64_t x, int64_t y)
{
    return (59 * x - 25 * y) * 4;
}
static inline place turn_y(int64_t x, int64_t y)
{
    return (25 * x + 59 * y) * 4;
}

#endif
