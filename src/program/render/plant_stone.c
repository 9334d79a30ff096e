/* plant_stone.c - builds stones: spheres that are cut by planes. */
#include <math.h>
#include <string.h>

#include "program/render/plant_forms.h"

static const float TURN = 6.2831853f;

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
        plant_add_vertex(m, corners[n], normal,
                         (float[2]){corners[n][0] + corners[n][2], corners[n][1] - 0.6f * corners[n][2]},
                         0.62f + 0.35f * corners[n][1], MATERIAL_ROCK);
    plant_add_triangle(m, m->n_vertices - 3, m->n_vertices - 2, m->n_vertices - 1);
}

void plant_add_stone(plant_mesh *m, plant_stream *random, int rows)
{
    enum { PLANES = 14 };
    float planes[PLANES][4];
    for (int n = 0; n < PLANES; n++) {
        const float y = plant_between(random, -0.6f, 1.0f), angle = TURN * ((float)n * 0.618f),
                    flat = sqrtf(1.0f - y * y);
        memcpy(planes[n], (float[4]){flat * cosf(angle), y, flat * sinf(angle), plant_between(random, 0.34f, 0.56f)},
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
