/* plant_mesh.c - builds trunks from prisms, crowns from cards with leaf pictures, and stones from cut spheres. */
#include "program/render/plant_mesh.h"

#include <cglm/cglm.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "program/render/plant_random.h"

enum { VERTICES_MAX = 24000, INDICES_MAX = 40000, TRUNK_SIDES = 6 };
static const float TURN = 6.2831853f;

static float between(uint32_t *state, float low, float high)
{
    return low + (high - low) * plant_random(state);
}

/* ---- parts ---- */

static void add_vertex(plant_mesh *m, const vec3 place, const vec3 normal, float u, float v, float brightness,
                       plant_material of)
{
    m->vertices[m->n_vertices++] = (plant_vertex){.place = {place[0], place[1], place[2]},
                                                  .normal = {normal[0], normal[1], normal[2]},
                                                  .picture = {u, v},
                                                  .brightness = brightness,
                                                  .material = (float)of};
}

static void add_triangle(plant_mesh *m, size_t a, size_t b, size_t c)
{
    const uint32_t corners[3] = {(uint32_t)a, (uint32_t)b, (uint32_t)c};
    memcpy(m->indices + m->n_indices, corners, sizeof corners);
    m->n_indices += 3;
}

/** A textured rectangle. `from` is the middle of its inner edge, `from + out` the middle of its outer edge, `across`
 * leads from its middle line to one side. */
typedef struct card {
    vec3 from, out, across, normal;
    float brightness, dim; /* brightness at the outer and at the inner edge */
    plant_material material;
} card;

/** Add the strip of a card between two positions across it, -1..1. */
static void add_part(plant_mesh *m, card *c, float low, float high)
{
    const size_t first = m->n_vertices;
    for (int n = 0; n < 4; n++) {
        const float along = (float)(n >> 1), side = n & 1 ? high : low;
        vec3 place, normal;
        glm_vec3_copy(c->from, place);
        glm_vec3_muladds(c->out, along, place);
        glm_vec3_muladds(c->across, side, place);
        glm_vec3_copy(c->normal, normal);
        glm_vec3_muladds(c->across, 0.5f * side / (glm_vec3_norm(c->across) + 1e-6f), normal);
        glm_vec3_normalize(normal);
        add_vertex(m, place, normal, 0.5f + 0.5f * side, along, c->dim + (c->brightness - c->dim) * along, c->material);
    }
    add_triangle(m, first, first + 1, first + 3);
    add_triangle(m, first, first + 3, first + 2);
}

static void add_card(plant_mesh *m, card *c)
{
    add_part(m, c, -1.0f, 1.0f);
}

/** A trunk or branch: a prism that becomes thinner and darker from its foot to its end. */
typedef struct limb {
    vec3 from, to;
    float thick, thin;     /* radius at the foot and at the end */
    float brightness, dim; /* brightness at the foot and at the end, which is darker because it is inside the crown */
    plant_material material;
} limb;

static void add_limb(plant_mesh *m, limb *l)
{
    const size_t first = m->n_vertices;
    const float length = glm_vec3_distance(l->from, l->to);
    for (int n = 0; n <= TRUNK_SIDES; n++) {
        const float angle = TURN * (float)n / TRUNK_SIDES;
        const vec3 away = {cosf(angle), 0.0f, sinf(angle)};
        for (int end = 0; end < 2; end++) {
            const float *at = end ? l->to : l->from, radius = end ? l->thin : l->thick;
            const vec3 place = {at[0] + radius * away[0], at[1], at[2] + radius * away[2]};
            add_vertex(m, place, away, (float)n * l->thick, length * (float)end, end ? l->dim : l->brightness,
                       l->material);
        }
    }
    for (size_t n = first; n < first + 2 * TRUNK_SIDES; n += 2) {
        add_triangle(m, n, n + 1, n + 3);
        add_triangle(m, n, n + 3, n + 2);
    }
}

/* ---- conifers ---- */

/** Add a branch of needles: a card that is folded at its middle line, so that both halves hang down as twigs do. */
static void add_branch(plant_mesh *m, uint32_t *state, float height, float length, float angle, float hang)
{
    const vec3 away = {cosf(angle), 0.0f, sinf(angle)}, aside = {-sinf(angle), 0.0f, cosf(angle)};
    card c = {.from = {0.0f, height, 0.0f},
              .out = {away[0] * length, -hang * length, away[2] * length},
              .normal = {away[0] * 0.75f, 0.65f, away[2] * 0.75f},
              .brightness = between(state, 0.8f, 1.0f),
              .dim = 0.28f,
              .material = MATERIAL_NEEDLES};
    const float wide = 0.50f * length + 0.012f;
    for (int n = 0; n < 2; n++) {
        const float side = n ? 1.0f : -1.0f, slant = between(state, 0.45f, 1.25f);
        for (int k = 0; k < 3; k++)
            c.across[k] = wide * (cosf(slant) * aside[k] - (k == 1 ? side * sinf(slant) : 0.0f));
        add_part(m, &c, fminf(side, 0.0f), fmaxf(side, 0.0f));
    }
}

/** Add hanging twigs around a trunk below a height. They fill the gaps between branches. */
static void add_sleeve(plant_mesh *m, uint32_t *state, float height, float trunk)
{
    enum { TWIGS = 3 };
    const float first = plant_random(state) * TURN, away = trunk + 0.004f, high = 0.065f;
    for (int n = 0; n < TWIGS; n++) {
        const float angle = first + TURN * (float)n / TWIGS, x = cosf(angle), z = sinf(angle),
                    wide = 1.9f * away + 0.006f;
        card c = {.from = {away * x, height + 0.5f * high, away * z},
                  .out = {0.012f * x, -high, 0.012f * z},
                  .across = {-wide * z, 0.0f, wide * x},
                  .normal = {0.9f * x, 0.4f, 0.9f * z},
                  .brightness = between(state, 0.40f, 0.55f),
                  .dim = 0.28f,
                  .material = MATERIAL_NEEDLES};
        add_card(m, &c);
    }
}

static void add_spruce(plant_mesh *m, uint32_t *state)
{
    enum { WHORLS = 26 };
    uint32_t inner = 0;
    add_limb(m, &(limb){{0, -0.04f, 0}, {0, 0.12f, 0}, 0.016f, 0.014f, 0.70f, 0.25f, MATERIAL_BARK});
    add_limb(m, &(limb){{0, 0.12f, 0}, {0, 0.96f, 0}, 0.014f, 0.002f, 0.25f, 0.20f, MATERIAL_BARK});
    for (int n = 0; n < WHORLS; n++) {
        const float share = (float)n / (WHORLS - 1), height = 0.09f + 0.86f * powf(share, 0.92f);
        const int count = share > 0.85f ? 4 : share > 0.5f ? 5 : 7;
        const float reach = 0.015f + 0.175f * powf(1.0f - share, 0.85f), first = plant_random(state) * TURN;
        for (int k = 0; k < count; k++)
            add_branch(m, state, height + between(state, -0.02f, 0.02f), reach * between(state, 0.70f, 1.15f),
                       first + TURN * ((float)k + between(state, -0.25f, 0.25f)) / (float)count,
                       share > 0.8f ? -0.5f : between(state, 0.10f, 0.65f) * (1.0f - 0.6f * share));
        if (share < 0.9f) /* the trunk is too thin above */
            add_sleeve(m, &inner, height, 0.014f * (1.0f - share));
    }
    add_branch(m, state, 0.90f, 0.02f, 0.0f, -5.0f);
}

/* ---- crowns of leaves ---- */

/** An ellipsoid of leaves. */
typedef struct crown {
    float middle[3], radius[3];
    int n_cards;
    float size; /* size of a card */
    plant_material material;
} crown;

static void add_crown(plant_mesh *m, uint32_t *state, const crown *w)
{
    for (int n = 0; n < w->n_cards; n++) {
        const float y = between(state, -0.85f, 1.0f), angle = TURN * plant_random(state), flat = sqrtf(1.0f - y * y);
        const float deep = powf(plant_random(state), 0.45f), size = w->size * between(state, 0.75f, 1.25f),
                    turn = TURN * plant_random(state);
        vec3 away = {flat * cosf(angle), y, flat * sinf(angle)}, aside, along;
        card c = {.material = w->material};
        glm_vec3_copy(away, c.normal);
        c.normal[1] += 0.35f;
        glm_vec3_normalize(c.normal);
        vec3 tilted = {away[0] + between(state, -0.9f, 0.9f), away[1] + between(state, -0.9f, 0.9f),
                       away[2] + between(state, -0.9f, 0.9f)};
        glm_vec3_normalize(tilted);
        glm_vec3_ortho(tilted, aside);
        glm_vec3_normalize(aside);
        glm_vec3_cross(tilted, aside, along);
        for (int k = 0; k < 3; k++) {
            c.out[k] = size * (cosf(turn) * along[k] + sinf(turn) * aside[k]);
            c.across[k] = 0.5f * size * (cosf(turn) * aside[k] - sinf(turn) * along[k]);
            c.from[k] = w->middle[k] + w->radius[k] * deep * away[k] - 0.5f * c.out[k];
        }
        c.brightness = (0.18f + 0.82f * deep * deep) * (0.60f + 0.40f * y) * between(state, 0.85f, 1.0f);
        c.dim = c.brightness * 0.85f;
        add_card(m, &c);
    }
}

/** A tree or bush: crowns on limbs of a trunk, all inside one ellipsoid. */
typedef struct leafy {
    int n_cards; /* cards of every crown */
    float size;  /* size of a card */
    plant_material leaves;
    int n_crowns;
    float thick; /* radius of the trunk */
    plant_material bark;
} leafy;

static const leafy LEAFY[PLANT_KINDS] = {
    [PLANT_PINE] = {26, 0.150f, MATERIAL_NEEDLES, 9, 0.020f, MATERIAL_BARK},
    [PLANT_OAK] = {44, 0.135f, MATERIAL_LEAVES, 11, 0.030f, MATERIAL_BARK},
    [PLANT_BIRCH] = {36, 0.115f, MATERIAL_SMALL_LEAVES, 9, 0.015f, MATERIAL_PALE_BARK},
    [PLANT_SHRUB] = {22, 0.260f, MATERIAL_SMALL_LEAVES, 6, 0.030f, MATERIAL_BARK},
    [PLANT_DRY_BUSH] = {14, 0.220f, MATERIAL_SMALL_LEAVES, 6, 0.028f, MATERIAL_BARK},
};

/** The ellipsoid around all crowns of a tree or bush. */
static crown hull_of(plant_kind kind)
{
    static const float MIDDLES[PLANT_VIEWED] = {CROWN_MIDDLES}, WIDTHS[PLANT_VIEWED] = {CROWN_HALF_WIDTHS},
                       HEIGHTS[PLANT_VIEWED] = {CROWN_HALF_HEIGHTS};
    const leafy *tree = &LEAFY[kind];
    return (crown){.middle = {0.0f, 0.5f + MIDDLES[kind], 0.0f},
                   .radius = {WIDTHS[kind], HEIGHTS[kind], WIDTHS[kind]},
                   .n_cards = tree->n_cards,
                   .size = tree->size,
                   .material = tree->leaves};
}

static void add_leafy(plant_mesh *m, uint32_t *state, plant_kind kind)
{
    const leafy *tree = &LEAFY[kind];
    const crown hull = hull_of(kind);
    const float fork = hull.middle[1] - 0.55f * hull.radius[1], thick = tree->thick;
    add_limb(m, &(limb){{0, -0.04f, 0}, {0, fork, 0}, thick, 0.62f * thick, 0.75f, 0.45f, tree->bark});
    for (int n = 0; n < tree->n_crowns; n++) {
        const float angle = TURN * ((float)n * 0.618f + 0.1f * plant_random(state)),
                    high = (float)n / (float)(tree->n_crowns - 1);
        const float away = 0.62f * (1.0f - 0.75f * high * high);
        crown part = hull;
        for (int k = 0; k < 3; k += 2) {
            part.middle[k] += hull.radius[k] * away * (k ? sinf(angle) : cosf(angle));
            part.radius[k] *= between(state, 0.50f, 0.60f);
        }
        part.middle[1] += hull.radius[1] * (-0.55f + 1.05f * high);
        part.radius[1] *= 0.50f;
        add_limb(m, &(limb){{0, fork - 0.02f, 0},
                            {part.middle[0], part.middle[1], part.middle[2]},
                            0.5f * thick,
                            0.1f * thick,
                            0.40f,
                            0.22f,
                            tree->bark});
        add_crown(m, state, &part);
    }
}

static void add_tuft(plant_mesh *m, uint32_t *state)
{
    for (int n = 0; n < 4; n++) {
        const float angle = TURN * ((float)n / 8.0f + 0.05f * plant_random(state)), lean = between(state, -0.3f, 0.3f);
        card c = {.from = {between(state, -0.35f, 0.35f), 0.0f, between(state, -0.35f, 0.35f)},
                  .out = {-sinf(angle) * lean, between(state, 0.8f, 1.0f), cosf(angle) * lean},
                  .across = {0.75f * cosf(angle), 0.0f, 0.75f * sinf(angle)},
                  .normal = {-0.5f * sinf(angle), 0.85f, 0.5f * cosf(angle)},
                  .brightness = 1.0f,
                  .dim = 0.35f,
                  .material = MATERIAL_BLADES};
        add_card(m, &c);
    }
}

/* ---- stones ---- */

/** Distance from the middle of a stone to its surface in a direction. The stone is a sphere cut by planes. */
static float stone_radius(const float planes[][4], int n_planes, const vec3 away)
{
    float radius = 0.62f;
    for (int n = 0; n < n_planes; n++) {
        const float facing = planes[n][0] * away[0] + planes[n][1] * away[1] + planes[n][2] * away[2];
        if (facing > 0.05f)
            radius = fminf(radius, planes[n][3] / facing);
    }
    return radius;
}

/** A point of a stone's surface. j and i: row and column of a grid over the sphere. */
static void stone_place(const float planes[][4], int n_planes, int rows, int j, int i, vec3 out)
{
    const float polar = TURN * 0.5f * (float)j / (float)rows, angle = TURN * (float)i / (float)(2 * rows);
    const vec3 away = {sinf(polar) * cosf(angle), cosf(polar), sinf(polar) * sinf(angle)};
    const float radius = stone_radius(planes, n_planes, away);
    glm_vec3_copy((vec3){1.35f * radius * away[0], 0.5f + radius * away[1], 1.1f * radius * away[2]}, out);
}

/** Add a facet with its own flat normal, bent a little towards the normal of the sphere. */
static void add_facet(plant_mesh *m, vec3 corners[3])
{
    vec3 a, b, normal, away = {0};
    glm_vec3_sub(corners[1], corners[0], a);
    glm_vec3_sub(corners[2], corners[0], b);
    glm_vec3_cross(b, a, normal);
    if (glm_vec3_norm(normal) < 1e-7f)
        return; /* degenerate triangle at a pole */
    glm_vec3_normalize(normal);
    for (int n = 0; n < 3; n++)
        glm_vec3_muladds(corners[n], 1.0f / 3.0f, away);
    away[1] -= 0.5f;
    glm_vec3_normalize(away);
    if (glm_vec3_dot(away, normal) < 0.0f)
        glm_vec3_negate(normal);
    glm_vec3_muladds(away, 0.35f, normal);
    glm_vec3_normalize(normal);
    for (int n = 0; n < 3; n++)
        add_vertex(m, corners[n], normal, corners[n][0] + corners[n][2], corners[n][1] - 0.6f * corners[n][2],
                   0.62f + 0.35f * corners[n][1], MATERIAL_ROCK);
    add_triangle(m, m->n_vertices - 3, m->n_vertices - 2, m->n_vertices - 1);
}

static void add_stone(plant_mesh *m, uint32_t *state, int rows)
{
    enum { PLANES = 14 };
    float planes[PLANES][4];
    for (int n = 0; n < PLANES; n++) {
        const float y = between(state, -0.6f, 1.0f), angle = TURN * ((float)n * 0.618f), flat = sqrtf(1.0f - y * y);
        memcpy(planes[n], (float[4]){flat * cosf(angle), y, flat * sinf(angle), between(state, 0.34f, 0.56f)},
               sizeof planes[n]);
    }
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < 2 * rows; i++) {
            vec3 at[4];
            for (int n = 0; n < 4; n++)
                stone_place(planes, PLANES, rows, j + (n >> 1), i + (n & 1), at[n]);
            add_facet(m, (vec3[3]){{at[0][0], at[0][1], at[0][2]},
                                   {at[1][0], at[1][1], at[1][2]},
                                   {at[3][0], at[3][1], at[3][2]}});
            add_facet(m, (vec3[3]){{at[0][0], at[0][1], at[0][2]},
                                   {at[3][0], at[3][1], at[3][2]},
                                   {at[2][0], at[2][1], at[2][2]}});
        }
}

/* ---- all ---- */

static void add_kind(plant_mesh *m, plant_kind kind, uint32_t *state)
{
    if (LEAFY[kind].n_crowns)
        add_leafy(m, state, kind);
    else if (kind == PLANT_SPRUCE)
        add_spruce(m, state);
    else if (kind == PLANT_TUFT)
        add_tuft(m, state);
    else
        add_stone(m, state, kind == PLANT_BOULDER ? 10 : 5);
}

result plant_mesh_create(plant_mesh *out)
{
    *out = (plant_mesh){.vertices = calloc(VERTICES_MAX, sizeof *out->vertices),
                        .indices = calloc(INDICES_MAX, sizeof *out->indices)};
    if (!out->vertices || !out->indices) {
        plant_mesh_free(out);
        return result_of(RESULT_FAILED, "out of memory");
    }
    for (int n = 0; n < PLANT_KINDS; n++) {
        uint32_t state = (uint32_t)n + 1;
        out->first[n] = (uint32_t)out->n_indices;
        add_kind(out, (plant_kind)n, &state);
        out->count[n] = (uint32_t)out->n_indices - out->first[n];
    }
    return result_done();
}

void plant_mesh_free(plant_mesh *m)
{
    free(m->vertices);
    free(m->indices);
    *m = (plant_mesh){0};
}
