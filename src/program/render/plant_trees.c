/* plant_trees.c - builds living trees and bushes: stems with whorls, crowns on limbs, rosettes of fronds. */
#include <math.h>

#include "program/render/plant_forms.h"

static const float TURN = 6.2831853f;

/* ---- conifers ---- */

/** A branch of needles: height and angle of its foot, its length, and its slope downwards. */
typedef struct branch {
    float height, length, angle, hang, wide;
} branch;

/** Add a branch of needles: a card that is folded at its middle line, so that both halves hang down as twigs do. */
static void add_branch(plant_mesh *m, plant_stream *random, const branch *b)
{
    const vec3 away = {cosf(b->angle), 0.0f, sinf(b->angle)}, aside = {-sinf(b->angle), 0.0f, cosf(b->angle)};
    card c = {.from = {0.0f, b->height, 0.0f},
              .out = {away[0] * b->length, -b->hang * b->length, away[2] * b->length},
              .normal = {away[0] * 0.75f, 0.65f, away[2] * 0.75f},
              .brightness = plant_between(random, 0.8f, 1.0f),
              .dim = 0.28f,
              .material = MATERIAL_NEEDLES};
    const float wide = b->wide * b->length + 0.012f;
    for (int n = 0; n < 2; n++) {
        const float side = n ? 1.0f : -1.0f, slant = plant_between(random, 0.45f, 1.25f);
        for (int k = 0; k < 3; k++)
            c.across[k] = wide * (cosf(slant) * aside[k] - (k == 1 ? side * sinf(slant) : 0.0f));
        plant_add_strip(m, &c, fminf(side, 0.0f), fmaxf(side, 0.0f));
    }
}

/** Add hanging twigs around a trunk below a height. They fill the gaps between branches. */
static void add_sleeve(plant_mesh *m, plant_stream *random, float height, float trunk)
{
    enum { TWIGS = 3 };
    const float first = plant_random(random) * TURN, away = trunk + 0.004f, high = 0.065f;
    for (int n = 0; n < TWIGS; n++) {
        const float angle = first + TURN * (float)n / TWIGS, x = cosf(angle), z = sinf(angle),
                    wide = 2.3f * away + 0.006f;
        const card c = {.from = {away * x, height + 0.5f * high, away * z},
                        .out = {0.012f * x, -high, 0.012f * z},
                        .across = {-wide * z, 0.0f, wide * x},
                        .normal = {0.9f * x, 0.4f, 0.9f * z},
                        .brightness = plant_between(random, 0.40f, 0.55f),
                        .dim = 0.28f,
                        .material = MATERIAL_NEEDLES};
        plant_add_card(m, &c);
    }
}

/** Add the branches at a height. share: 0 at the lowest whorl, 1 at the top */
static void add_whorl(plant_mesh *m, plant_stream *random, const whorls *w, float height, float share, float reach)
{
    const int count = share > 0.85f ? 4 : share > 0.5f ? w->branches - 2 : w->branches;
    const float first = plant_random(random) * TURN;
    for (int k = 0; k < count; k++) {
        const float hang = share > 0.8f ? -0.5f : w->droop * plant_between(random, 0.15f, 1.0f) * (1.0f - 0.6f * share);
        add_branch(m, random,
                   &(branch){height + plant_between(random, -0.02f, 0.02f), reach * plant_between(random, 0.70f, 1.15f),
                             first + TURN * ((float)k + plant_between(random, -0.25f, 0.25f)) / (float)count, hang,
                             w->wide});
    }
}

void plant_add_whorls(plant_mesh *m, plant_stream *random, const whorls *w, const plant_row *row, int age)
{
    static const float counts[PLANT_AGES] = {0.45f, 0.7f, 0.9f, 1.0f, 1.0f},
                       lows[PLANT_AGES] = {0.1f, 0.3f, 0.6f, 1.0f, 2.0f},
                       lost[PLANT_AGES] = {0.0f, 0.0f, 0.0f, 0.0f, 0.14f};
    const int count = (int)((float)w->count * counts[age]);
    const float low = w->low * lows[age], thick = 0.014f + 0.001f * (float)age;
    const float wide = row->half_width * plant_age_width(age) - 0.015f;
    const limb foot = {{0, -0.04f, 0}, {0, low + 0.03f, 0}, 1.1f * thick, thick, 0.70f, 0.25f, w->bark, 0},
               trunk = {{0, low + 0.03f, 0}, {0, 0.96f, 0}, thick, 0.002f, 0.25f, 0.20f, w->bark, 0};
    plant_add_limb(m, &foot);
    plant_add_limb(m, &trunk);
    for (int n = 0; n < count; n++) {
        const float share = (float)n / (float)(count - 1), height = low + (0.95f - low) * powf(share, 0.92f);
        const float reach = 0.015f + wide * powf(1.0f - share, w->profile) * plant_between(random, 0.88f, 1.12f);
        if (plant_random(random) >= lost[age])
            add_whorl(m, random, w, height, share, reach);
        if (share < 0.9f) /* the trunk is too thin above */
            add_sleeve(m, random, height, thick * (1.0f - share));
    }
    add_branch(m, random, &(branch){0.90f, 0.02f, 0.0f, -5.0f, w->wide});
}

/* ---- crowns of leaves ---- */

/** The ellipsoid around all crowns. Young crowns begin close to the ground. */
static crown hull_of(const crowns *w, const plant_row *row, int age)
{
    static const float lower[PLANT_AGES] = {0.45f, 0.7f, 0.9f, 1.0f, 1.0f};
    const float top = row->middle + row->half_height, half = fminf(row->half_height / lower[age], 0.5f);
    return (crown){.middle = {0.0f, 0.5f + top - half, 0.0f},
                   .radius = {row->half_width * plant_age_width(age), half, row->half_width * plant_age_width(age)},
                   .n_cards = w->n_cards,
                   .size = w->size * (age < 2 ? 1.25f : 1.0f),
                   .hanging = w->hanging,
                   .material = w->leaves};
}

/** Place crown n of a hull. high: its height in the hull, 0..1 */
static crown part_of(plant_stream *random, const crowns *w, const crown *hull, int n, float high)
{
    const float angle = TURN * ((float)n * 0.618f + 0.1f * plant_random(random));
    const float dome = 0.62f * (1.0f - 0.75f * high * high), flat = 0.70f * sqrtf(plant_between(random, 0.05f, 1.0f)),
                away = dome + (flat - dome) * w->spread;
    crown part = *hull;
    for (int k = 0; k < 3; k += 2) {
        part.middle[k] += hull->radius[k] * away * (k ? sinf(angle) : cosf(angle));
        part.radius[k] *= plant_between(random, 0.42f, 0.62f);
    }
    part.middle[1] += hull->radius[1] * (-0.55f + 1.05f * high);
    part.radius[1] *= plant_between(random, 0.42f, 0.56f);
    return part;
}

void plant_add_crowns(plant_mesh *m, plant_stream *random, const crowns *w, const plant_row *row, int age)
{
    static const int fewer[PLANT_AGES] = {5, 3, 1, 0, 0};
    const crown hull = hull_of(w, row, age);
    const int count = w->count - fewer[age] > 3 ? w->count - fewer[age] : 3;
    const float fork = hull.middle[1] - 0.55f * hull.radius[1], thick = w->thick * (0.8f + 0.07f * (float)age);
    const vec3 lean = {plant_between(random, -0.02f, 0.02f), 0.0f, plant_between(random, -0.02f, 0.02f)};
    const limb trunk = {{0, -0.04f, 0}, {lean[0], fork, lean[2]}, thick, 0.62f * thick, 0.75f, 0.45f, row->bark, 0};
    plant_add_limb(m, &trunk);
    for (int n = 0; n < count; n++) {
        const float high = (float)n / (float)(count - 1);
        crown part = part_of(random, w, &hull, n, high);
        /* an old tree has a dead limb or two */
        part.n_cards = age == PLANT_AGES - 1 && plant_random(random) < 0.16f ? 3 : part.n_cards;
        const limb branch = {{lean[0], fork - 0.02f, lean[2]},
                             {part.middle[0], part.middle[1], part.middle[2]},
                             0.5f * thick,
                             0.1f * thick,
                             0.40f,
                             0.22f,
                             row->bark,
                             5};
        plant_add_limb(m, &branch);
        plant_add_crown(m, random, &part);
    }
}

/* ---- palms, ferns ---- */

/** Add a trunk that bends a little. Returns its top. */
static void add_bent_trunk(plant_mesh *m, plant_stream *random, const rosette *r, int age, vec3 top)
{
    enum { PARTS = 4 };
    const float angle = TURN * plant_random(random), bend = plant_between(random, 0.0f, 0.05f) * (float)age;
    vec3 from = {0.0f, -0.04f, 0.0f};
    for (int n = 1; n <= PARTS; n++) {
        const float share = (float)n / PARTS, away = bend * share * share;
        const vec3 to = {away * cosf(angle), r->trunk * share, away * sinf(angle)};
        limb l = {.thick = r->thick * (1.25f - 0.3f * (share - 1.0f / PARTS)),
                  .thin = r->thick * (1.25f - 0.3f * share),
                  .brightness = 0.75f,
                  .dim = n == PARTS ? 0.4f : 0.75f,
                  .material = r->bark};
        glm_vec3_copy(from, l.from);
        glm_vec3_copy((float *)to, l.to);
        plant_add_limb(m, &l);
        glm_vec3_copy((float *)to, from);
    }
    glm_vec3_copy(from, top);
}

void plant_add_rosette(plant_mesh *m, plant_stream *random, const rosette *r, int age)
{
    const int count = r->count * (5 + age) / (4 + PLANT_AGES);
    vec3 top = {0.0f, 0.0f, 0.0f};
    if (r->trunk > 0.0f)
        add_bent_trunk(m, random, r, age, top);
    for (int n = 0; n < count; n++) {
        const float share = ((float)n + plant_random(random)) / (float)count;
        frond f = {.angle = TURN * ((float)n * 0.618f + 0.06f * plant_random(random)),
                   .rise = r->up + (r->down - r->up) * share,
                   .bend = r->bend * plant_between(random, 0.7f, 1.2f),
                   .length = r->length * plant_between(random, 0.8f, 1.1f),
                   .wide = r->wide,
                   .fold = r->fold,
                   .material = r->leaves};
        glm_vec3_copy(top, f.from);
        plant_add_frond(m, &f, r->trunk > 0.0f ? 4 : 2);
    }
}
