/* test_plant_mesh.c - checks the meshes of plants and the table of their kinds. It draws a spruce from all sides: its
 * needles hide the trunk inside the crown. It calls no OpenGL. */
#include "program_under_test.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "program/render/plant_mesh.h"
#include "program/render/plant_table.h"

enum { WIDTH = 150, HEIGHT = 300, OPAQUE = 96, NOTHING = -1 };
static const float SCALE = 275.0f; /* pixels per height of the plant */

static uint8_t needles[PLANT_PICTURE_SIDE * PLANT_PICTURE_SIDE][2];

/** The nearest material in each pixel, and its depth. */
typedef struct view {
    int shown[HEIGHT][WIDTH]; /* plant_material */
    float near[HEIGHT][WIDTH];
} view;

/** Project a vertex into a picture of the plant. turn, up: direction of view, radians; out: x and y in pixels, and how
 * near the vertex is. */
static void see(const plant_vertex *v, float turn, float up, float out[3])
{
    const float x = v->place[0], y = v->place[1] - 0.5f, z = v->place[2], away = x * sinf(turn) + z * cosf(turn);
    out[0] = WIDTH / 2.0f + SCALE * (x * cosf(turn) - z * sinf(turn));
    out[1] = HEIGHT / 2.0f - SCALE * (y * cosf(up) - away * sinf(up));
    out[2] = y * sinf(up) + away * cosf(up);
}

static int texel(float share)
{
    return (int)fminf(fmaxf(share * PLANT_PICTURE_SIDE, 0.0f), PLANT_PICTURE_SIDE - 1.0f);
}

static bool is_hole(const plant_vertex *const v[3], const float share[3])
{
    float at[2] = {0};
    for (int n = 0; n < 3; n++)
        for (int k = 0; k < 2; k++)
            at[k] += share[n] * v[n]->picture[k];
    return (plant_material)v[0]->material == MATERIAL_NEEDLES &&
           needles[texel(at[1]) * PLANT_PICTURE_SIDE + texel(at[0])][0] < OPAQUE;
}

static int least(float a, float b, float c)
{
    return (int)fmaxf(fminf(a, fminf(b, c)), 0.0f);
}

static int most(float a, float b, float c, int size)
{
    return (int)fminf(fmaxf(a, fmaxf(b, c)), (float)(size - 1));
}

static void draw(view *w, const plant_vertex *const v[3], float turn, float up)
{
    float c[3][3];
    for (int n = 0; n < 3; n++)
        see(v[n], turn, up, c[n]);
    const float area = (c[1][0] - c[0][0]) * (c[2][1] - c[0][1]) - (c[1][1] - c[0][1]) * (c[2][0] - c[0][0]);
    if (fabsf(area) < 1e-6f)
        return;
    for (int j = least(c[0][1], c[1][1], c[2][1]); j <= most(c[0][1], c[1][1], c[2][1], HEIGHT); j++)
        for (int i = least(c[0][0], c[1][0], c[2][0]); i <= most(c[0][0], c[1][0], c[2][0], WIDTH); i++) {
            const float x = (float)i + 0.5f - c[0][0], y = (float)j + 0.5f - c[0][1];
            const float b = (x * (c[2][1] - c[0][1]) - y * (c[2][0] - c[0][0])) / area,
                        d = ((c[1][0] - c[0][0]) * y - (c[1][1] - c[0][1]) * x) / area;
            const float share[3] = {1.0f - b - d, b, d}, near = share[0] * c[0][2] + b * c[1][2] + d * c[2][2];
            if (share[0] < 0.0f || b < 0.0f || d < 0.0f || near <= w->near[j][i] || is_hole(v, share))
                continue;
            w->near[j][i] = near;
            w->shown[j][i] = (int)v[0]->material;
        }
}

/** Share of the crown's pixels that show bark. */
static float bark_seen(const plant_mesh *m, int mesh, float turn, float up)
{
    static view w;
    for (int n = 0; n < WIDTH * HEIGHT; n++) {
        w.shown[n / WIDTH][n % WIDTH] = NOTHING;
        w.near[n / WIDTH][n % WIDTH] = -9.0f;
    }
    for (uint32_t n = 0; n < m->count[mesh]; n += 3) {
        const uint32_t *corners = m->indices + m->first[mesh] + n;
        draw(&w,
             (const plant_vertex *const[3]){m->vertices + corners[0], m->vertices + corners[1],
                                            m->vertices + corners[2]},
             turn, up);
    }
    int bark = 0, all = 0;
    for (int j = 0; j < HEIGHT; j++) {
        const float height = 0.5f + (HEIGHT / 2.0f - (float)j) / SCALE;
        for (int i = 0; i < WIDTH && height > 0.14f && height < 0.90f; i++) {
            bark += w.shown[j][i] == MATERIAL_BARK;
            all += w.shown[j][i] != NOTHING;
        }
    }
    return (float)bark / (float)all;
}

static void test_needles_hide_the_trunk_of_a_spruce(void **state)
{
    (void)state;
    enum { SIDES = 12 };
    plant_mesh m;
    assert_done(plant_mesh_create(&m));
    plant_picture(MATERIAL_NEEDLES, needles);
    float worst = 0.0f;
    for (int n = 0; n < SIDES; n++)
        for (int k = 0; k < 3; k++)
            worst = fmaxf(worst, bark_seen(&m, PLANT_SPRUCE * PLANT_AGES + PLANT_FULL_AGE,
                                           6.2831853f * (float)n / SIDES, 0.35f * (float)k));
    print_message("bark is %.2f %% of the crown at most\n", 100.0 * (double)worst);
    assert_true(worst < 0.012f); /* without twigs around the trunk it is 3 % */
    plant_mesh_free(&m);
}

/** Each kind has a mesh at each age, and no two ages have the same one. A full-grown plant fits into its impostor. */
static void test_meshes_of_all_ages(void **state)
{
    (void)state;
    plant_mesh m;
    assert_done(plant_mesh_create(&m));
    for (int n = 0; n < PLANT_MESHES; n++) {
        const plant_vertex *v = &m.vertices[m.indices[m.first[n]]];
        assert_true(m.count[n] > 0 && m.count[n] % 3 == 0);
        if (n / PLANT_AGES >= PLANT_STONE) /* only the first two lists have room for all of them */
            assert_true(plant_mesh_list(m.count[n] / 3) < 2);
        if (n % PLANT_AGES > 0 && m.count[n] == m.count[n - 1])
            assert_true(memcmp(v, &m.vertices[m.indices[m.first[n - 1]]], m.count[n] / 3 * sizeof *v) != 0);
        const bool is_shown = n / PLANT_AGES < PLANT_VIEWED && n % PLANT_AGES == PLANT_FULL_AGE;
        for (uint32_t k = 0; k < m.count[n] && is_shown; k++) {
            v = &m.vertices[m.indices[m.first[n] + k]];
            if (hypotf(v->place[0], v->place[2]) > 0.64f || fabsf(v->place[1] - 0.5f) > 0.68f)
                fail_msg("kind %d does not fit into an impostor", n / PLANT_AGES);
        }
    }
    plant_mesh_free(&m);
}

static void test_meshes_are_the_same_each_time(void **state)
{
    (void)state;
    plant_mesh a, b;
    assert_done(plant_mesh_create(&a));
    assert_done(plant_mesh_create(&b));
    assert_int_equal(a.n_vertices, b.n_vertices);
    assert_memory_equal(a.vertices, b.vertices, a.n_vertices * sizeof *a.vertices);
    plant_mesh_free(&a);
    plant_mesh_free(&b);
}

/** Share of a tree at a site by its niche, without stands. */
static float share_at(int kind, float heat, float moist)
{
    const plant_niche *w = &plant_row_of((plant_kind)kind)->niche;
    const float x = w->wide > 0 ? (heat - w->heat) / w->wide : 2,
                y = w->wide > 0 ? (moist - w->moist) / w->moist_wide : 2;
    return w->water > 0.5f || x * x > 1 || y * y > 1 ? 0 : w->share * powf((1 - x * x) * (1 - y * y), 2);
}

/** At every site where trees grow at all, several kinds grow, and no kind has more than four fifths of the wood. */
static void test_woods_are_mixed(void **state)
{
    (void)state;
    for (int i = -10; i <= 10; i++)
        for (int j = 2; j <= 9; j++) {
            const float heat = 0.1f * (float)i, moist = 0.1f * (float)j;
            float all = 0, most = 0;
            int n_kinds = 0;
            for (int kind = 0; kind < PLANT_TREES; kind++) {
                const float share = share_at(kind, heat, moist);
                all += share;
                most = fmaxf(most, share);
                n_kinds += share > 0;
            }
            if (n_kinds < 3 || most > 0.8f * all)
                fail_msg("heat %.1f, moisture %.1f: %d kinds, one has %.2f", (double)heat, (double)moist, n_kinds,
                         (double)(most / all));
        }
}

/** The colours of distant woods are means: shares of needles and leaves have the sum 1. Woods are of needles where it
 * is cold, and evergreen in the tropics. */
static void test_colours_of_distant_woods(void **state)
{
    (void)state;
    static float canopy[CANOPY_MOISTS][CANOPY_HEATS][8];
    plant_canopy(canopy);
    for (int j = 1; j < CANOPY_MOISTS - 1; j++) {
        for (int i = 0; i < CANOPY_HEATS; i++) {
            const float *c = canopy[j][i];
            assert_true(fabsf(c[0] + c[1] + c[2] - 1.0f) < 1e-3f);
            assert_true(c[3] >= 0 && c[3] < 0.6f && c[5] > 0.6f && c[5] < 1.6f);
        }
        assert_true(canopy[j][0][0] > 0.5f);
        assert_true(canopy[j][CANOPY_HEATS - 1][1] > 0.9f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_needles_hide_the_trunk_of_a_spruce), cmocka_unit_test(test_meshes_of_all_ages),
        cmocka_unit_test(test_meshes_are_the_same_each_time), cmocka_unit_test(test_woods_are_mixed),
        cmocka_unit_test(test_colours_of_distant_woods)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
