/* ground_cover.c - compiles the rules of shaders/ground_rules.glsl as C and computes their inputs: slopes, shelter and
 * noise of a site.
 *
 * The inputs are those of ground.glsl, noise.glsl and tile_light.comp for a picture with one sample per pixel. The only
 * functions of the C math library in use are sqrt, which is rounded correctly everywhere, and fmod, which is exact. So
 * every machine computes the same bits.
 */
#include "program/surface/ground_cover.h"

#include <constants.glsl>
#include <math.h>
#include <string.h>

/* ---- the table ---- */

static double max(double a, double b)
{
    return a > b ? a : b;
}

static double min(double a, double b)
{
    return a < b ? a : b;
}

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static double mix(double a, double b, double t)
{
    return a + (b - a) * t;
}

static double smoothstep(double from, double to, double x)
{
    const double t = clamp((x - from) / (to - from), 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

/** A site on the ground: the members of Site in ground.glsl that the rules use. */
typedef struct site {
    double over_sea, steep, wall, hollow, footprint, wetness, patches;
} site;

/** Noise at a site: the members of Grain in ground.glsl that the rules use. */
typedef struct grain {
    double region, broad, medium, detail;
} grain;

/** Climate of the world, like Climate in ground.glsl. */
typedef struct climate {
    double tree_line, snow_line, aridity, strata;
} climate;

#define UNUSED    __attribute__((unused))
#define ARGUMENTS UNUSED const site s, UNUSED const grain g, UNUSED const climate c
#define GROUND_SUM(name, sum)                                                                                          \
    static double name(ARGUMENTS)                                                                                      \
    {                                                                                                                  \
        return clamp(sum, 0.0, 1.0);                                                                                   \
    }
#define GROUND_RULE(name, from, to, of)                                                                                \
    static double name(ARGUMENTS)                                                                                      \
    {                                                                                                                  \
        return smoothstep(from, to, of);                                                                               \
    }
#define GROUND_SHARE(name, share)                                                                                      \
    UNUSED static double name(ARGUMENTS)                                                                               \
    {                                                                                                                  \
        return share;                                                                                                  \
    }
#define GROUND_COVER(color, share)
#define GROUND_PLAIN_COVER(color, share)
#include <ground_rules.glsl>
#undef GROUND_SUM
#undef GROUND_RULE
#undef GROUND_SHARE
#undef GROUND_COVER
#undef GROUND_PLAIN_COVER

/** Cover a share of the ground with a material. The shares of all earlier materials shrink. */
static void cover(double shares[LOOK_COLORS], look_color color, double share)
{
    for (int n = 0; n < LOOK_COLORS; n++)
        shares[n] *= 1.0 - share;
    shares[color] += share;
}

#define GROUND_SUM(name, sum)
#define GROUND_RULE(name, from, to, of)
#define GROUND_SHARE(name, share)

static void cover_all(const site s, const grain g, const climate c, double shares[LOOK_COLORS])
{
#define GROUND_COVER(color, share) cover(shares, LOOK_##color, share);
#define GROUND_PLAIN_COVER(color, share)
#include <ground_rules.glsl>
#undef GROUND_COVER
#undef GROUND_PLAIN_COVER
}

static void cover_plain(const site s, const grain g, const climate c, double shares[LOOK_COLORS])
{
#define GROUND_COVER(color, share)
#define GROUND_PLAIN_COVER(color, share) cover(shares, LOOK_##color, share);
#include <ground_rules.glsl>
#undef GROUND_COVER
#undef GROUND_PLAIN_COVER
}

/* ---- noise, as in noise.glsl ---- */

static uint32_t hash(uint32_t x)
{
    x = PCG_ADVANCE(x);
    x = PCG_MIX(x);
    return PCG_FOLD(x);
}

/** Scalar product of the gradient at a corner of a cell with the offset (east, south) from this corner. */
static double along_gradient(int64_t x, int64_t y, int64_t period, double east, double south)
{
    const uint32_t h = hash((uint32_t)(x & (period - 1)) + hash((uint32_t)(y & (period - 1))));
    return ((double)(h & 0xffff) / 32767.5 - 1.0) * east + ((double)(h >> 16) / 32767.5 - 1.0) * south;
}

/** Gradient noise, about -1..1, with features of `size` metres. x, y: 0..pattern */
static double noise_in(double x, double y, double size, double pattern)
{
    const int64_t period = (int64_t)(pattern / size), cx = (int64_t)(x / size), cy = (int64_t)(y / size);
    const double u = x / size - (double)cx, v = y / size - (double)cy;
    const double a = along_gradient(cx, cy, period, u, v), b = along_gradient(cx + 1, cy, period, u - 1.0, v),
                 d = along_gradient(cx, cy + 1, period, u, v - 1.0),
                 e = along_gradient(cx + 1, cy + 1, period, u - 1.0, v - 1.0);
    const double p = u * u * u * (u * (u * 6.0 - 15.0) + 10.0), q = v * v * v * (v * (v * 6.0 - 15.0) + 10.0);
    return 1.3 * (a + p * (b - a) + q * (d - a) + p * q * (a - b - d + e));
}

/** A coordinate modulo a pattern, metres. */
static double within(double x, double pattern)
{
    const double rest = fmod(x, pattern);
    return rest < 0.0 ? rest + pattern : rest;
}

/** A position in the world and the size of a sample there, metres. */
typedef struct place {
    double x, y, footprint;
} place;

/** Weight of noise with features of `size` metres: noise that samples cannot resolve fades out. */
static double resolved_share(const place *p, double size)
{
    return 1.0 - smoothstep(0.3, 1.0, p->footprint / size);
}

static double faded_noise_in(const place *p, double size, double pattern)
{
    const double share = resolved_share(p, size);
    return share > 0.0 ? share * noise_in(within(p->x, pattern), within(p->y, pattern), size, pattern) : 0.0;
}

static double faded_noise(const place *p, double size)
{
    return faded_noise_in(p, size, NOISE_PATTERN_M);
}

static double faded_broad_noise(const place *p, double size)
{
    return faded_noise_in(p, size, NOISE_BROAD_PATTERN_M);
}

/** Noise at a position, as grain_at of ground.glsl computes it in the highest quality. */
static grain grain_at(const place *p)
{
    grain g = {.region = faded_broad_noise(p, 65536.0) * 0.6 + faded_broad_noise(p, 16384.0) * 0.4,
               .broad = faded_broad_noise(p, 4096.0) * 0.6 + faded_broad_noise(p, 1024.0) * 0.4,
               .medium = 0.55 * faded_noise(p, 64.0) + 0.35 * faded_noise(p, 8.0) + 0.35 * faded_noise(p, 256.0) +
                         0.3 * faded_noise(p, 32.0)};
    double strength = 0.5;
    for (double size = 4.0; size >= 0.03 && resolved_share(p, size) > 0.0; size *= 0.5) {
        const place moved = {p->x + 17.0 * size, p->y + 17.0 * size, p->footprint};
        g.detail += strength * faded_noise(&moved, size);
        strength *= 0.86;
    }
    g.detail = clamp(g.detail, -1.0, 1.0);
    return g;
}

/* ---- the site ---- */

/** Height at an offset (x, y) from a sample, in samples, by bilinear interpolation. */
static double height_beside(const float *h, ptrdiff_t stride, double x, double y)
{
    const ptrdiff_t i = (ptrdiff_t)(x + 64.0) - 64, j = (ptrdiff_t)(y + 64.0) - 64; /* floor, for x and y above -64 */
    const float *at = h + j * stride + i;
    const double u = x - (double)i, v = y - (double)j;
    return mix(mix((double)at[0], (double)at[1], u), mix((double)at[stride], (double)at[stride + 1], u), v);
}

/** Share of the sky that a sample sees, from the highest ground in eight directions within 24 samples. open_sky of
 * tile_light.comp does the same over a longer distance. */
static double open_sky(const float *h, ptrdiff_t stride, double step_m)
{
    static const double to[8][2] = {
        {0.92387953251128674, 0.38268343236508977},   {0.38268343236508977, 0.92387953251128674},
        {-0.38268343236508977, 0.92387953251128674},  {-0.92387953251128674, 0.38268343236508977},
        {-0.92387953251128674, -0.38268343236508977}, {-0.38268343236508977, -0.92387953251128674},
        {0.38268343236508977, -0.92387953251128674},  {0.92387953251128674, -0.38268343236508977}};
    double open = 0.0;
    for (int n = 0; n < 8; n++) {
        double highest = 0.0, away = 1.5;
        for (int k = 0; k < 5; k++, away *= 2.0)
            highest = max(highest,
                          (height_beside(h, stride, to[n][0] * away, to[n][1] * away) - (double)*h) / (away * step_m));
        open += 1.0 / (1.0 + highest * highest);
    }
    return open / 8.0;
}

/** Steepness: 1 minus the cosine of the slope's angle. */
static double steepness(double east, double south)
{
    return 1.0 - 1.0 / sqrt(1.0 + east * east + south * south);
}

static site site_at(const layer_window *w, int64_t n, double step_m)
{
    enum { WIDE = 4 }; /* samples to each side */
    const float *h = w->heights + n;
    const ptrdiff_t south_wide = WIDE * w->stride;
    const double east = ((double)h[1] - (double)h[-1]) / (2.0 * step_m),
                 south = ((double)h[w->stride] - (double)h[-w->stride]) / (2.0 * step_m),
                 wide_east = ((double)h[WIDE] - (double)h[-WIDE]) / (2.0 * WIDE * step_m),
                 wide_south = ((double)h[south_wide] - (double)h[-south_wide]) / (2.0 * WIDE * step_m);
    return (site){.over_sea = (double)*h - w->sea_m,
                  .steep = steepness(mix(east, wide_east, 0.6), mix(south, wide_south, 0.6)),
                  .wall = steepness(east, south),
                  .hollow = clamp((1.0 - open_sky(h, w->stride, step_m)) * 2.0, 0.0, 1.0),
                  .footprint = step_m};
}

/* ---- shares ---- */

static bool is_under_water(const layer_window *w, int64_t n)
{
    return (w->water && !isnan(w->water[n])) || (double)w->heights[n] < w->sea_m;
}

static void shares_at(const layer_window *w, int64_t n, double step_m, double shares[LOOK_COLORS])
{
    const look *l = w->look;
    memset(shares, 0, LOOK_COLORS * sizeof *shares);
    if (is_under_water(w, n)) {
        shares[LOOK_BED] = 1.0;
        return;
    }
    const climate c = {l->tree_line_m, l->snow_line_m, l->aridity, l->strata};
    const place p = {(double)(w->i + n) * step_m, (double)w->j * step_m, step_m};
    site s = site_at(w, n, step_m);
    shares[l->is_plain ? LOOK_GRASS : LOOK_DRY] = 1.0;
    if (l->is_plain) {
        cover_plain(s, (grain){0}, c, shares);
        return;
    }
    const grain g = grain_at(&p);
    s.wetness = ground_wetness(s, g, c);
    s.patches = ground_patches(s, g, c);
    cover_all(s, g, c, shares);
}

/** Convert shares to bytes whose sum is 255: round down, then give the rest to the shares with the largest loss. */
static void pack_shares(const double shares[4], uint8_t bytes[4])
{
    double lost[4];
    int rest = 255;
    for (int n = 0; n < 4; n++) {
        const double wanted = 255.0 * clamp(shares[n], 0.0, 1.0);
        bytes[n] = (uint8_t)wanted;
        lost[n] = wanted - (double)bytes[n];
        rest -= bytes[n];
    }
    for (; rest > 0; rest--) {
        int most = 0;
        for (int n = 1; n < 4; n++)
            most = lost[n] > lost[most] ? n : most;
        bytes[most]++;
        lost[most] -= 1.0;
    }
}

/** Sum the shares of colours up to four materials: plants, rock, soil with sand, snow. */
static void pack_four(const double shares[LOOK_COLORS], uint8_t bytes[4])
{
    const double four[4] = {shares[LOOK_GRASS] + shares[LOOK_DRY] + shares[LOOK_FOREST] + shares[LOOK_ALPINE],
                            shares[LOOK_ROCK] + shares[LOOK_ROCK_DARK],
                            shares[LOOK_SOIL] + shares[LOOK_SAND] + shares[LOOK_BED], shares[LOOK_SNOW]};
    pack_shares(four, bytes);
}

void derive_splat(const layer_window *w, void *row)
{
    uint8_t *to = row;
    for (int64_t n = 0; n < w->width; n++) {
        double shares[LOOK_COLORS];
        shares_at(w, n, w->step_m, shares);
        pack_four(shares, to + 4 * n);
    }
}

void derive_forest(const layer_window *w, void *row)
{
    uint8_t *to = row;
    for (int64_t n = 0; n < w->width; n++) {
        double shares[LOOK_COLORS];
        uint8_t four[4];
        shares_at(w, n, w->step_m, shares);
        pack_four(shares, four);
        const uint8_t forest = (uint8_t)(255.0 * clamp(shares[LOOK_FOREST], 0.0, 1.0) + 0.5);
        to[n] = forest < four[0] ? forest : four[0];
    }
}

double ground_cover_trees(const look *l, double x_m, double z_m, double over_sea_m, double *stunted)
{
    const climate c = {l->tree_line_m, l->snow_line_m, l->aridity, l->strata};
    const place p = {x_m, z_m, 2.0};
    site s = {.over_sea = over_sea_m, .hollow = TREE_HOLLOW_MAX, .footprint = p.footprint};
    const grain g = grain_at(&p);
    s.wetness = ground_wetness(s, g, c);
    s.patches = ground_patches(s, g, c);
    *stunted = ground_stunted(s, g, c);
    return ground_trees(s, g, c);
}
