/* plant_parts.c - adds cards, limbs, crowns and fronds to a mesh. */
#include "program/render/plant_parts.h"

#include <math.h>
#include <string.h>

static const float TURN = 6.2831853f;

size_t plant_add_vertex(plant_mesh *m, const vec3 place, const vec3 normal, const float picture[2], float brightness,
                        plant_material of)
{
    m->vertices[m->n_vertices] = (plant_vertex){.place = {place[0], place[1], place[2]},
                                                .normal = {normal[0], normal[1], normal[2]},
                                                .picture = {picture[0], picture[1]},
                                                .brightness = brightness,
                                                .material = (float)of};
    return m->n_vertices++;
}

void plant_add_triangle(plant_mesh *m, size_t a, size_t b, size_t c)
{
    const uint32_t corners[3] = {(uint32_t)a, (uint32_t)b, (uint32_t)c};
    memcpy(m->indices + m->n_indices, corners, sizeof corners);
    m->n_indices += 3;
}

void plant_add_strip(plant_mesh *m, const card *c, float low, float high)
{
    const size_t first = m->n_vertices;
    for (int n = 0; n < 4; n++) {
        const float along = (float)(n >> 1), side = n & 1 ? high : low, width = glm_vec3_norm((float *)c->across);
        vec3 place, normal;
        for (int k = 0; k < 3; k++) {
            place[k] = c->from[k] + along * c->out[k] + side * c->across[k];
            normal[k] = c->normal[k] + 0.5f * side / (width + 1e-6f) * c->across[k];
        }
        glm_vec3_normalize(normal);
        plant_add_vertex(m, place, normal, (float[2]){0.5f + 0.5f * side, along},
                         c->dim + (c->brightness - c->dim) * along, c->material);
    }
    plant_add_triangle(m, first, first + 1, first + 3);
    plant_add_triangle(m, first, first + 3, first + 2);
}

void plant_add_card(plant_mesh *m, const card *c)
{
    plant_add_strip(m, c, -1.0f, 1.0f);
}

/** Two unit vectors perpendicular to a limb and to each other. */
static void frame_of_limb(const limb *l, vec3 a, vec3 b)
{
    vec3 axis;
    glm_vec3_sub((float *)l->to, (float *)l->from, axis);
    glm_vec3_normalize(axis);
    glm_vec3_copy(fabsf(axis[1]) < 0.9f ? (vec3){0, 1, 0} : (vec3){1, 0, 0}, b);
    glm_vec3_crossn(axis, b, a);
    glm_vec3_crossn(a, axis, b);
}

void plant_add_limb(plant_mesh *m, const limb *l)
{
    const size_t first = m->n_vertices;
    const int sides = l->sides ? l->sides : 6;
    const float length = glm_vec3_distance((float *)l->from, (float *)l->to);
    vec3 a, b;
    frame_of_limb(l, a, b);
    for (int n = 0; n <= sides; n++) {
        const float angle = TURN * (float)n / (float)sides;
        vec3 away, place;
        for (int k = 0; k < 3; k++)
            away[k] = cosf(angle) * a[k] + sinf(angle) * b[k];
        for (int end = 0; end < 2; end++) {
            for (int k = 0; k < 3; k++)
                place[k] = (end ? l->to : l->from)[k] + (end ? l->thin : l->thick) * away[k];
            plant_add_vertex(m, place, away, (float[2]){(float)n * l->thick, length * (float)end},
                             end ? l->dim : l->brightness, l->material);
        }
    }
    for (size_t n = first; n < first + 2 * (size_t)sides; n += 2) {
        plant_add_triangle(m, n, n + 1, n + 3);
        plant_add_triangle(m, n, n + 3, n + 2);
    }
}

/** Choose the plane of a card in a crown: two unit vectors, along and across it. away: direction from the middle */
static void choose_plane(plant_stream *random, const crown *w, const vec3 away, vec3 along, vec3 across)
{
    vec3 tilted = {away[0] + plant_between(random, -0.9f, 0.9f), away[1] + plant_between(random, -0.9f, 0.9f),
                   away[2] + plant_between(random, -0.9f, 0.9f)};
    const float turn = TURN * plant_random(random);
    vec3 a, b;
    glm_vec3_normalize(tilted);
    glm_vec3_ortho(tilted, a);
    glm_vec3_normalize(a);
    glm_vec3_cross(tilted, a, b);
    for (int k = 0; k < 3; k++) {
        along[k] = cosf(turn) * b[k] + sinf(turn) * a[k];
        across[k] = cosf(turn) * a[k] - sinf(turn) * b[k];
    }
    if (w->hanging > 0.0f) {
        along[0] *= 1.0f - w->hanging;
        along[1] = along[1] * (1.0f - w->hanging) - w->hanging;
        along[2] *= 1.0f - w->hanging;
        glm_vec3_normalize(along);
        glm_vec3_copy((vec3){-away[2], 0.0f, away[0] + 1e-3f}, across);
        glm_vec3_normalize(across);
    }
}

void plant_add_crown(plant_mesh *m, plant_stream *random, const crown *w)
{
    for (int n = 0; n < w->n_cards; n++) {
        const float y = plant_between(random, -0.85f, 1.0f), angle = TURN * plant_random(random),
                    flat = sqrtf(1.0f - y * y);
        const float deep = powf(plant_random(random), 0.45f), size = w->size * plant_between(random, 0.75f, 1.25f);
        const vec3 away = {flat * cosf(angle), y, flat * sinf(angle)};
        vec3 along, across;
        card c = {.normal = {away[0], away[1] + 0.35f, away[2]}, .material = w->material};
        choose_plane(random, w, away, along, across);
        glm_vec3_normalize(c.normal);
        for (int k = 0; k < 3; k++) {
            c.out[k] = size * (1.0f + 0.8f * w->hanging) * along[k];
            c.across[k] = 0.5f * size * across[k];
            c.from[k] = w->middle[k] + w->radius[k] * deep * away[k] - (0.5f - 0.4f * w->hanging) * c.out[k];
        }
        c.brightness = (0.18f + 0.82f * deep * deep) * (0.60f + 0.40f * y) * plant_between(random, 0.85f, 1.0f);
        c.dim = c.brightness * 0.85f;
        plant_add_card(m, &c);
    }
}

void plant_add_frond(plant_mesh *m, const frond *f, int n_parts)
{
    const vec3 aside = {-sinf(f->angle), 0.0f, cosf(f->angle)};
    vec3 at;
    glm_vec3_copy((float *)f->from, at);
    for (int n = 0; n < n_parts; n++) {
        const float part = 1.0f / (float)n_parts, rise = f->rise - f->bend * ((float)n + 0.5f) * part,
                    length = f->length * part;
        for (int half = 0; half < 2; half++) {
            const float side = half ? 1.0f : -1.0f;
            card c = {.normal = {-0.6f * sinf(rise) * cosf(f->angle), cosf(rise), -0.6f * sinf(rise) * sinf(f->angle)},
                      .out = {length * cosf(rise) * cosf(f->angle), length * sinf(rise),
                              length * cosf(rise) * sinf(f->angle)},
                      .brightness = 0.60f + 0.40f * ((float)n + 1.0f) * part,
                      .dim = 0.60f + 0.40f * (float)n * part - (n ? 0.0f : 0.25f),
                      .material = f->material};
            glm_vec3_copy(at, c.from);
            for (int k = 0; k < 3; k++)
                c.across[k] = f->wide * (cosf(f->fold) * aside[k] - (k == 1 ? side * sinf(f->fold) : 0.0f));
            const size_t first = m->n_vertices;
            plant_add_strip(m, &c, fminf(side, 0.0f), fmaxf(side, 0.0f));
            for (size_t k = first; k < m->n_vertices; k++) /* the parts share one picture */
                m->vertices[k].picture[1] = (m->vertices[k].picture[1] + (float)n) * part;
        }
        at[0] += length * cosf(rise) * cosf(f->angle);
        at[1] += length * sinf(rise);
        at[2] += length * cosf(rise) * sinf(f->angle);
    }
}
