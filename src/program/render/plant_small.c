/* plant_small.c - builds dead wood, cacti, grass and flowers. */
#include <math.h>

#include "program/render/plant_forms.h"

static const float TURN = 6.2831853f;

/* ---- dead wood ---- */

void plant_add_dead_conifer(plant_mesh *m, plant_stream *random, int age)
{
    const float top = 1.0f - 0.10f * (float)age * plant_random(random);
    const int n_stubs = 62 - 9 * age;
    plant_add_limb(m, &(limb){{0, -0.04f, 0}, {0, top, 0}, 0.017f, 0.004f, 0.8f, 0.8f, MATERIAL_DEAD_BARK, 0});
    for (int n = 0; n < n_stubs; n++) {
        const float height = plant_between(random, 0.15f, 0.95f) * top, angle = TURN * 0.618f * (float)n,
                    reach = 0.15f * (1.1f - height) * plant_between(random, 0.3f, 1.2f),
                    hang = plant_between(random, -0.1f, 0.7f) * reach;
        plant_add_limb(m, &(limb){{0, height, 0},
                                  {reach * cosf(angle), height - hang, reach * sinf(angle)},
                                  0.0045f,
                                  0.0015f,
                                  0.7f,
                                  0.8f,
                                  MATERIAL_DEAD_BARK,
                                  3});
    }
}

/** Add bare twigs at the end of a limb. */
static void add_twigs(plant_mesh *m, plant_stream *random, const vec3 at, float length, int count)
{
    for (int n = 0; n < count; n++) {
        const float angle = TURN * plant_random(random), rise = plant_between(random, -0.3f, 0.9f),
                    reach = length * plant_between(random, 0.5f, 1.2f);
        plant_add_limb(m, &(limb){{at[0], at[1], at[2]},
                                  {at[0] + reach * cosf(angle), at[1] + reach * rise, at[2] + reach * sinf(angle)},
                                  0.006f,
                                  0.0015f,
                                  0.75f,
                                  0.85f,
                                  MATERIAL_DEAD_BARK,
                                  3});
    }
}

void plant_add_dead_tree(plant_mesh *m, plant_stream *random, int age)
{
    const int n_limbs = 9 - age;
    const float fork = plant_between(random, 0.30f, 0.45f), top = plant_between(random, 0.75f, 0.9f);
    plant_add_limb(m, &(limb){{0, -0.04f, 0}, {0, fork, 0}, 0.030f, 0.024f, 0.8f, 0.75f, MATERIAL_DEAD_BARK, 0});
    plant_add_limb(m, &(limb){{0, fork, 0}, {0.02f, top, 0.01f}, 0.024f, 0.006f, 0.75f, 0.8f, MATERIAL_DEAD_BARK, 0});
    for (int n = 0; n < n_limbs; n++) {
        const float height = plant_between(random, fork - 0.05f, top), angle = TURN * 0.618f * (float)n,
                    reach = plant_between(random, 0.12f, 0.30f), rise = reach * plant_between(random, 0.2f, 1.1f);
        const vec3 end = {reach * cosf(angle), fminf(height + rise, 0.98f), reach * sinf(angle)};
        plant_add_limb(
            m,
            &(limb){{0.01f, height, 0}, {end[0], end[1], end[2]}, 0.012f, 0.005f, 0.7f, 0.8f, MATERIAL_DEAD_BARK, 4});
        add_twigs(m, random, end, 0.10f, age < 3 ? 4 : 1);
    }
}

void plant_add_log(plant_mesh *m, plant_stream *random, int age)
{
    const float thick = plant_between(random, 0.022f, 0.034f), low = thick * (0.9f - 0.2f * (float)age),
                sag = plant_between(random, -0.01f, 0.01f);
    plant_add_limb(
        m, &(limb){{-0.5f, low, 0}, {0.05f, low + sag, 0}, thick, 0.8f * thick, 0.8f, 0.8f, MATERIAL_DEAD_BARK, 7});
    plant_add_limb(
        m,
        &(limb){
            {0.05f, low + sag, 0}, {0.5f, low, 0.03f}, 0.8f * thick, 0.35f * thick, 0.8f, 0.8f, MATERIAL_DEAD_BARK, 6});
    for (int n = 0; n < 9 - age; n++) { /* roots at one end, stubs of branches along the trunk */
        const bool is_root = n < 4;
        const float x = is_root ? -0.5f : plant_between(random, -0.2f, 0.45f), angle = TURN * plant_random(random),
                    reach = is_root ? 2.2f * thick : plant_between(random, 0.03f, 0.09f);
        const float along = is_root ? -0.3f : 0.3f, end_x = x + along * reach, end_y = low + reach * fabsf(sinf(angle)),
                    end_z = reach * cosf(angle);
        plant_add_limb(
            m,
            &(limb){
                {x, low, 0}, {end_x, end_y, end_z}, 0.30f * thick, 0.10f * thick, 0.7f, 0.8f, MATERIAL_DEAD_BARK, 3});
    }
}

void plant_add_stump(plant_mesh *m, plant_stream *random, int age)
{
    enum { SIDES = 8 };
    const float wide = plant_between(random, 0.30f, 0.55f), slant = 0.08f * (float)age * plant_random(random);
    plant_add_limb(m, &(limb){{0, -0.1f, 0}, {0, 0.95f, 0}, 1.35f * wide, wide, 0.75f, 0.8f, MATERIAL_BARK, SIDES});
    const size_t first =
        plant_add_vertex(m, (vec3){0, 0.97f, 0}, (vec3){0, 1, 0}, (float[2]){0, 0}, 0.9f, MATERIAL_ROCK);
    for (int n = 0; n < SIDES; n++) {
        const float angle = TURN * (float)n / SIDES;
        plant_add_vertex(m, (vec3){wide * cosf(angle), 0.95f + slant * cosf(angle), wide * sinf(angle)},
                         (vec3){0.2f * cosf(angle), 1, 0.2f * sinf(angle)}, (float[2]){cosf(angle), sinf(angle)}, 0.8f,
                         MATERIAL_ROCK);
        plant_add_triangle(m, first, first + 1 + (size_t)n, first + 1 + (size_t)(n + 1) % SIDES);
    }
}

/* ---- cacti ---- */

/** Add an upright column with a round top. */
static void add_column(plant_mesh *m, const vec3 foot, float top, float thick)
{
    const float joints[4] = {foot[1], top - thick, top - 0.35f * thick, top},
                radii[4] = {thick, thick, 0.75f * thick, 0};
    for (int n = 0; n < 3; n++)
        plant_add_limb(m, &(limb){{foot[0], joints[n], foot[2]},
                                  {foot[0], joints[n + 1], foot[2]},
                                  radii[n],
                                  radii[n + 1],
                                  0.7f + 0.1f * (float)n,
                                  0.8f + 0.1f * (float)n,
                                  MATERIAL_ROCK,
                                  8});
}

void plant_add_cactus(plant_mesh *m, plant_stream *random, int age)
{
    add_column(m, (vec3){0, -0.05f, 0}, 1.0f, 0.055f);
    for (int n = 0; n < age; n++) {
        const float angle = TURN * ((float)n * 0.4f + 0.1f * plant_random(random)),
                    away = plant_between(random, 0.11f, 0.16f), height = plant_between(random, 0.30f, 0.55f);
        const vec3 elbow = {away * cosf(angle), height, away * sinf(angle)};
        plant_add_limb(
            m,
            &(limb){
                {0, height - 0.05f, 0}, {elbow[0], elbow[1], elbow[2]}, 0.035f, 0.038f, 0.7f, 0.7f, MATERIAL_ROCK, 6});
        add_column(m, (vec3){elbow[0], elbow[1] - 0.02f, elbow[2]}, height + plant_between(random, 0.15f, 0.38f),
                   0.038f);
    }
}

/* ---- grass and flowers ---- */

void plant_add_blades(plant_mesh *m, plant_stream *random, int n_cards, float lean, plant_material of)
{
    for (int n = 0; n < n_cards; n++) {
        const float angle = TURN * ((float)n / (2.0f * (float)n_cards) + 0.05f * plant_random(random)),
                    away = plant_between(random, -lean, lean);
        const card c = {.from = {plant_between(random, -0.35f, 0.35f), 0.0f, plant_between(random, -0.35f, 0.35f)},
                        .out = {-sinf(angle) * away, plant_between(random, 0.7f, 1.0f), cosf(angle) * away},
                        .across = {0.75f * cosf(angle), 0.0f, 0.75f * sinf(angle)},
                        .normal = {-0.5f * sinf(angle), 0.85f, 0.5f * cosf(angle)},
                        .brightness = 1.0f,
                        .dim = 0.35f,
                        .material = of};
        plant_add_card(m, &c);
    }
}

void plant_add_blossoms(plant_mesh *m, plant_stream *random, int count)
{
    for (int n = 0; n < count; n++) {
        const float size = plant_between(random, 0.16f, 0.30f), angle = TURN * plant_random(random),
                    tilt = plant_between(random, -0.3f, 0.6f);
        const card c = {.from = {plant_between(random, -1.1f, 1.1f), plant_between(random, 0.6f, 1.0f),
                                 plant_between(random, -1.1f, 1.1f)},
                        .out = {size * cosf(angle), size * tilt, size * sinf(angle)},
                        .across = {-0.5f * size * sinf(angle), 0.0f, 0.5f * size * cosf(angle)},
                        .normal = {0.0f, 1.0f, 0.0f},
                        .brightness = 1.0f,
                        .dim = 0.9f,
                        .material = MATERIAL_SMALL_LEAVES};
        plant_add_card(m, &c);
    }
}
