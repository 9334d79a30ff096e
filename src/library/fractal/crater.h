/* crater.h - craters of worlds of bases midpoint and smooth: where they lie, their shapes, and what younger craters do
 * to older ones.
 *
 * A crater of octave m has a diameter D of 2^m to 2^(m+1) lattice steps. Each cell of an octave, 4 * 2^m lattice steps
 * wide, has at most two craters. Every octave has the density of craters in equilibrium. Ages are lengths: a crater of
 * diameter D has an age from 0 to D, at which it is worn away. The surface has an age, too, and has only craters that
 * are younger. So on an old surface N(>D) ~ D^-2, and among craters larger than the surface's age N(>D) ~ D^-3.
 *
 *     surface's age    |  octaves  3    4    5  ..  9   10   11  ..  17
 *     512 lattice steps|  ages     0..D                 0..512            of craters that exist
 *
 * Octaves are added from the largest to the smallest one. Where a crater lies, it hides craters of later octaves that
 * are older by a class of ages.
 */
#ifndef TERRANE_FRACTAL_CRATER_H
#define TERRANE_FRACTAL_CRATER_H

#include "library/core/scalar.h"
#include "library/fractal/height.h"

enum {
    TER_CRATER_FIRST = 3, /* octaves */
    TER_CRATER_LAST = 17,
    TER_CRATER_TAG = 64,      /* octave m has the tag TER_CRATER_TAG + m in the counter */
    TER_CRATER_UNITS = 4,     /* places are counted in units of 2^-4 lattice step */
    TER_CRATER_CELL = 2,      /* a cell of octave m is 2^(m + TER_CRATER_CELL) lattice steps wide */
    TER_CRATERS_A_CELL = 2,   /* candidates */
    TER_CRATER_SHARE = 28672, /* of 65536 candidates; the others do not exist */
    TER_CRATER_CLASSES = 6    /* of ages: below 16, 128, 1024, 8192 and 65536 lattice steps, and above */
};

#define TER_CRATER_END   5.0f  /* square of the distance at which the ejecta end, in radii */
#define TER_CRATER_REACH 2.25f /* a crater of octave m ends within this many times 2^m lattice steps of its centre */

/** A crater. Lengths are metres, unless they are shares of the radius. */
typedef struct ter_crater {
    int x, y;                      /* units from the north-western corner of its cell to its centre */
    float per_area;                /* 1 / R^2, for distances counted in 2^m lattice steps */
    float age;                     /* lattice steps */
    int age_class;                 /* 0..TER_CRATER_CLASSES - 1 */
    float depth;                   /* from the rim to the floor */
    float rim;                     /* height over the ground around it */
    float round;                   /* distance of heights over which bowl and ejecta merge into a rounded rim */
    float floor, per_wall;         /* radius of the flat floor; 1 / (1 - floor) */
    float terraces;                /* 0..1 */
    float scallops;                /* share of the waves of the hummocks in the outline */
    float peak;                    /* height of the central peak over the floor */
    float outline[4], hummocks[4]; /* coefficients of waves along the rim: cosine and sine of 2, 3 and 6, 12 waves */
} ter_crater;

/** The depth of a fresh bowl of 2^m lattice steps as a share of its diameter. Small bowls are shallower than large
 * ones, because they lie in loose ground. Source: Sun and others 2018, "Investigation of the depth and diameter
 * relationship of subkilometer-diameter lunar craters" */
TER_FN float ter_crater_deep(int m)
{
    return m <= 7 ? 0.13f : m < 11 ? 0.13f + 0.0175f * (float)(m - 7) : 0.2f;
}

/** Depths and rims of fresh craters of 2^m lattice steps. Sources: Pike 1977, "Size-dependence in the shape of fresh
 * impact craters on the moon": a bowl's depth is D / 5 and its rim D / 25; craters above some 15 km are shallower. */
TER_FN float ter_crater_depth(int m)
{
    return m <= 13   ? ter_crater_deep(m) * (float)(1 << m)
           : m == 14 ? 2420.0f
           : m == 15 ? 2980.0f
           : m == 16 ? 3680.0f
           : m == 17 ? 4530.0f
                     : 5580.0f;
}

TER_FN float ter_crater_rim(int m)
{
    return m <= 13   ? 0.2f * (ter_crater_deep(m) * (float)(1 << m))
           : m == 14 ? 610.0f
           : m == 15 ? 950.0f
           : m == 16 ? 1250.0f
           : m == 17 ? 1650.0f
                     : 2180.0f;
}

/** How fast wear makes craters of 2^m lattice steps shallow. */
TER_FN float ter_crater_wearing(int m)
{
    return m <= 9 ? 6.0f : m < 12 ? 6.0f - 1.5f * (float)(m - 9) : 1.5f;
}

/** Class of an age, lattice steps. */
TER_FN int ter_crater_class(float age)
{
    return (age >= 16.0f) + (age >= 128.0f) + (age >= 1024.0f) + (age >= 8192.0f) + (age >= 65536.0f);
}

/** Class of the oldest craters of octave m. */
TER_FN int ter_crater_last_class(int m)
{
    return ter_crater_class((float)(2 << m) - 1.0f);
}

/** Coefficients -scale..scale of waves from the bytes of a word. */
TER_FN void ter_crater_waves(uint32_t word, float scale, float out[4])
{
    TER_UNROLL
    for (int n = 0; n < 4; n++)
        out[n] = scale * (((float)(int)(word >> (8 * n) & 0xffu) - 127.5f) * (1.0f / 127.5f));
}

/** Find the place and the size of a candidate of octave m from its two random words. Returns 0 if it does not exist. */
TER_FN int ter_crater_find(int m, uint32_t place, uint32_t kind, ter_crater *out)
{
    const int shift = 16 - (m + TER_CRATER_CELL + TER_CRATER_UNITS);
    const int x = (int)(place & 0xffffu), y = (int)(place >> 16);
    out->x = shift > 0 ? x >> shift : x * (1 << -shift);
    out->y = shift > 0 ? y >> shift : y * (1 << -shift);
    out->per_area = 4.0f - 3.0f * ((float)(int)(kind & 0xffffu) * (1.0f / 65536.0f));
    return kind >> 16 < TER_CRATER_SHARE;
}

/** Square of the distance to a crater's centre, in radii. dx, dy: in 2^m lattice steps */
TER_FN float ter_crater_distance(const ter_crater *c, float dx, float dy)
{
    return ter_fma(dy, dy, dx * dx) * c->per_area;
}

/** Make a candidate that ter_crater_find has found. Returns 0 if it would be older than `oldest`, lattice steps. */
TER_FN int ter_crater_make(int m, uint32_t place, uint32_t kind, float oldest, ter_crater *out)
{
    const float wear = ((float)(int)(kind >> 16) + 0.5f) * (1.0f / (float)TER_CRATER_SHARE); /* 0 fresh, 1 worn away */
    const float size = 2.0f / ter_sqrt(out->per_area), diameter = size * (float)(1 << m);    /* size: 1..2 */
    out->age = wear * diameter;
    if (out->age >= oldest)
        return 0;
    out->age_class = ter_crater_class(out->age);
    const float fresh = 1.0f / (1.0f + ter_crater_wearing(m) * wear), between = size - 1.0f;
    out->depth = fresh * ter_fma(between, ter_crater_depth(m + 1) - ter_crater_depth(m), ter_crater_depth(m));
    out->rim = fresh * ter_fma(between, ter_crater_rim(m + 1) - ter_crater_rim(m), ter_crater_rim(m));
    out->round = out->depth * (0.08f + 0.5f * wear);
    const float complex = ter_smooth_step((diameter - 12000.0f) * (1.0f / 16000.0f));
    out->floor = ter_fma(complex, ter_min(0.25f + 2.5e-6f * diameter, 0.6f), 0.12f);
    out->per_wall = 1.0f / (1.0f - out->floor);
    out->terraces = 0.8f * complex * fresh;
    out->peak = 0.35f * complex * out->depth * (1.0f - ter_smooth_step((diameter - 120000.0f) * (1.0f / 60000.0f)));
    uint32_t word = (place ^ kind * UINT32_C(0x9E3779B1)) * UINT32_C(0x85EBCA6B);
    word ^= word >> 15;
    out->scallops = 0.12f * complex;
    ter_crater_waves(word, 0.045f + 0.03f * complex, out->outline);
    ter_crater_waves(word * UINT32_C(0xC2B2AE35) ^ word >> 13, 0.3f, out->hummocks);
    return 1;
}

/** What a crater does to a point. */
typedef struct ter_crater_shape {
    float height; /* m; added to the ground */
    float inside; /* share of the height of craters of the same octave that it removes */
    float cover;  /* share of older craters of later octaves that it hides */
} ter_crater_shape;

/** A crater at a point. dx, dy: from its centre to the point, in 2^m lattice steps */
TER_FN ter_crater_shape ter_crater_at(const ter_crater *c, float dx, float dy)
{
    const float t = ter_crater_distance(c, dx, dy), per = 1.0f / ter_sqrt(ter_max(ter_fma(dy, dy, dx * dx), 1e-12f));
    const float c1 = dx * per, s1 = dy * per, c2 = c1 * c1 - s1 * s1, s2 = 2.0f * c1 * s1;
    const float c3 = c1 * c2 - s1 * s2, s3 = s1 * c2 + c1 * s2, c6 = c3 * c3 - s3 * s3, s6 = 2.0f * c3 * s3;
    const float c12 = c6 * c6 - s6 * s6, s12 = 2.0f * c6 * s6;
    const float outline = (c->outline[0] * c2 + c->outline[1] * s2) + (c->outline[2] * c3 + c->outline[3] * s3);
    const float waves = (c->hummocks[0] * c6 + c->hummocks[1] * s6) + (c->hummocks[2] * c12 + c->hummocks[3] * s12);
    const float round = ter_sqrt(t), r = round * (1.0f + (outline + c->scallops * waves));

    /* a wall is steepest at the rim: 34 degrees where the depth is a fifth of the diameter */
    const float wall = ter_max(r - c->floor, 0.0f) * c->per_wall, low = ter_min(wall, 1.0f);
    const float rise = ter_fma(low * low, 1.5f - 0.5f * low, 1.5f * (wall - low));
    /* terraces are slumps: each side of a crater has others */
    const float third = ter_fma(0.8f, waves, 3.0f * rise) + 1.0f, part = third - (float)(int)third;
    const float terrace = part * part * (3.0f - 2.0f * part) - part;
    const float slumps = c->terraces * ter_min(0.4f + 12.0f * (outline < 0.0f ? -outline : outline), 1.0f);
    const float slope = ter_max(1.0f - 16.0f * (r * r), 0.0f);
    const float bowl = ter_fma(c->depth, ter_fma(slumps * (1.0f / 3.0f), terrace, rise), c->rim - c->depth) +
                       c->peak * (slope * slope);

    const float near = ter_max(r, 0.5f), fade = ter_max(TER_CRATER_END - t, 0.0f) * (1.0f / (TER_CRATER_END - 1.0f));
    const float hummocks = 1.0f + waves * ter_saturate(2.0f * r - 2.0f);
    const float ejecta = c->rim * hummocks * (fade * fade) / (near * near * near);

    const float apart = bowl - ejecta, merge = ter_max(c->round - (apart < 0.0f ? -apart : apart), 0.0f);
    const float height = ter_min(bowl, ejecta) - 0.25f * (merge * merge) / c->round;
    ter_crater_shape shape;
    shape.height = t < TER_CRATER_END ? height : 0.0f;
    shape.inside = ter_smooth_step((1.35f - round) * 2.0f);
    shape.cover = ter_smooth_step(2.0f - round);
    return shape;
}

/** The ground at a point while octaves are added. */
typedef struct ter_crater_sum {
    float old, young;               /* m; craters of the octave that are older and younger than the lava */
    float seen[TER_CRATER_CLASSES]; /* share of craters of each class of ages that is not hidden */
} ter_crater_sum;

/** Add a crater to the ground. last: ter_crater_last_class of the octave; is_young: it is younger than the lava */
TER_FN void ter_crater_add(const ter_crater *c, ter_crater_shape shape, int last, int is_young, ter_crater_sum *s)
{
    float seen = 1.0f;
    TER_UNROLL
    for (int n = 1; n < TER_CRATER_CLASSES; n++) {
        seen = n == c->age_class ? s->seen[n] : seen;
        if (n > c->age_class && n <= last)
            s->seen[n] = ter_fma(-shape.cover, s->seen[n], s->seen[n]);
    }
    const float left = 1.0f - seen * shape.inside, height = seen * shape.height;
    s->old = is_young ? left * s->old : ter_fma(left, s->old, height);
    s->young = is_young ? ter_fma(left, s->young, height) : left * s->young;
}

/** Lava over ground with the craters that are older than the lava. height: m. Returns the height of the surface, where
 * filled craters remain as shallow rings. */
TER_FN float ter_crater_lava(const ter_cratering *c, float height)
{
    const float share = ter_smooth_step(ter_fma(height, -c->mare_scale, c->mare_offset));
    return ter_fma(0.95f * share, c->mare_level - height, height);
}

/** How far craters of octave m reach from their centres, in units of 2^-4 lattice step. */
TER_FN int64_t ter_crater_reach(int m)
{
    return (int64_t)(TER_CRATER_REACH * (float)(1 << (m + TER_CRATER_UNITS)));
}

/** Add the craters of octave m to the ground at a point, which lies at (x, y), counted in units of 2^-4 lattice step.
 */
TER_FN void ter_crater_octave(const ter_field *f, int m, int64_t x, int64_t y, ter_crater_sum *s)
{
    const int shift = m + TER_CRATER_CELL + TER_CRATER_UNITS;
    const int64_t reach = ter_crater_reach(m);
    const float scale = 1.0f / (float)(1 << (m + TER_CRATER_UNITS));
    const int last = ter_crater_last_class(m);
    for (int64_t j = (y - reach) >> shift; j <= (y + reach) >> shift; j++)
        for (int64_t i = (x - reach) >> shift; i <= (x + reach) >> shift; i++) {
            const ter_words words = ter_random_block(f, TER_CRATER_TAG + m, i, j);
            TER_UNROLL
            for (int n = 0; n < TER_CRATERS_A_CELL; n++) {
                ter_crater c;
                if (!ter_crater_find(m, words.w[2 * n], words.w[2 * n + 1], &c))
                    continue;
                const float dx = (float)(int)(x - i * ((int64_t)1 << shift) - c.x) * scale,
                            dy = (float)(int)(y - j * ((int64_t)1 << shift) - c.y) * scale;
                if (ter_crater_distance(&c, dx, dy) < TER_CRATER_END &&
                    ter_crater_make(m, words.w[2 * n], words.w[2 * n + 1], f->craters.age, &c))
                    ter_crater_add(&c, ter_crater_at(&c, dx, dy), last, c.age < f->craters.mare_age, s);
            }
        }
}

/** Height with craters at point (i, j) of a level. height: m; without craters */
TER_FN float ter_crater_height(const ter_field *f, int level, int64_t i, int64_t j, float height)
{
    const int depth = f->levels - level + TER_CRATER_UNITS;
    float ground = height, young = 0.0f;
    ter_crater_sum s;
    TER_UNROLL
    for (int n = 0; n < TER_CRATER_CLASSES; n++)
        s.seen[n] = 1.0f;
    for (int m = TER_CRATER_LAST; m >= TER_CRATER_FIRST; m--) {
        s.old = s.young = 0.0f;
        ter_crater_octave(f, m, i * ((int64_t)1 << depth), j * ((int64_t)1 << depth), &s);
        ground += s.old;
        young += s.young;
    }
    return ter_crater_lava(&f->craters, ground) + young;
}

/** Height of (i, j) of a level, metres. No checks: the caller must ensure that the point lies in the world. */
TER_FN float ter_height_at(const ter_field *f, int level, int64_t i, int64_t j)
{
    const float height = f->basis == TER_BASIS_SMOOTH ? ter_height_smooth(f, level, i, j, f->is_valley)
                                                      : ter_height_midpoint(f, level, i, j, f->is_valley);
    return f->craters.age > 0.0f ? ter_crater_height(f, level, i, j, height) : height;
}

#endif
