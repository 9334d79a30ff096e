/* plant_mesh.c - makes the meshes of all kinds at all ages from their forms. */
#include "program/render/plant_mesh.h"

#include <assert.h>
#include <stdlib.h>

#include "program/render/plant_forms.h"

enum { VERTICES_OF_MESH = 3000, INDICES_OF_MESH = 4000 }; /* greatest size of a mesh */

static const whorls WHORLS[PLANT_KINDS] = {
    [PLANT_SPRUCE] = {26, 7, 0.09f, 0.65f, 0.85f, 0.50f, MATERIAL_BARK},
    [PLANT_FIR] = {25, 7, 0.12f, 0.25f, 0.70f, 0.55f, MATERIAL_DEAD_BARK},
    [PLANT_LARCH] = {20, 6, 0.16f, 0.20f, 0.95f, 0.34f, MATERIAL_RED_BARK},
    [PLANT_DOUGLAS_FIR] = {26, 7, 0.24f, 0.55f, 0.55f, 0.60f, MATERIAL_RED_BARK},
    [PLANT_CYPRESS] = {28, 7, 0.03f, -1.60f, 0.45f, 0.80f, MATERIAL_BARK},
    [PLANT_JUNIPER] = {16, 7, 0.01f, -0.90f, 0.50f, 0.75f, MATERIAL_RED_BARK},
};

static const crowns CROWNS[PLANT_KINDS] = {
    [PLANT_PINE] = {9, 26, 0.150f, MATERIAL_NEEDLES, 0.020f, 0.2f, 0},
    [PLANT_STONE_PINE] = {12, 26, 0.130f, MATERIAL_NEEDLES, 0.024f, 1.0f, 0},
    [PLANT_CEDAR] = {12, 26, 0.140f, MATERIAL_NEEDLES, 0.026f, 0.1f, 0},
    [PLANT_OAK] = {11, 44, 0.135f, MATERIAL_LEAVES, 0.034f, 0.2f, 0},
    [PLANT_BEECH] = {12, 44, 0.110f, MATERIAL_SMALL_LEAVES, 0.024f, 0, 0},
    [PLANT_MAPLE] = {10, 40, 0.130f, MATERIAL_LARGE_LEAVES, 0.024f, 0, 0},
    [PLANT_LIME] = {11, 42, 0.115f, MATERIAL_LEAVES, 0.024f, 0, 0.2f},
    [PLANT_ASH] = {10, 30, 0.120f, MATERIAL_FROND, 0.021f, 0.3f, 0.2f},
    [PLANT_CHESTNUT] = {11, 38, 0.150f, MATERIAL_LARGE_LEAVES, 0.034f, 0.1f, 0},
    [PLANT_ROWAN] = {8, 32, 0.140f, MATERIAL_FROND, 0.016f, 0.2f, 0},
    [PLANT_BIRCH] = {9, 36, 0.115f, MATERIAL_SMALL_LEAVES, 0.015f, 0, 0.45f},
    [PLANT_ASPEN] = {9, 32, 0.105f, MATERIAL_SMALL_LEAVES, 0.015f, 0, 0},
    [PLANT_POPLAR] = {12, 32, 0.080f, MATERIAL_SMALL_LEAVES, 0.018f, 0, 0},
    [PLANT_WILLOW] = {10, 40, 0.150f, MATERIAL_STRANDS, 0.036f, 0.3f, 0.75f},
    [PLANT_ALDER] = {10, 36, 0.115f, MATERIAL_LEAVES, 0.018f, 0, 0},
    [PLANT_HOLM_OAK] = {11, 40, 0.135f, MATERIAL_SMALL_LEAVES, 0.038f, 0.2f, 0},
    [PLANT_OLIVE] = {9, 34, 0.150f, MATERIAL_SMALL_LEAVES, 0.052f, 0.4f, 0},
    [PLANT_EUCALYPT] = {9, 32, 0.120f, MATERIAL_STRANDS, 0.020f, 0.6f, 0.5f},
    [PLANT_LAUREL] = {11, 38, 0.115f, MATERIAL_LEAVES, 0.024f, 0, 0},
    [PLANT_ACACIA] = {14, 30, 0.140f, MATERIAL_SMALL_LEAVES, 0.024f, 1.0f, 0},
    [PLANT_THORN_TREE] = {9, 28, 0.150f, MATERIAL_SMALL_LEAVES, 0.028f, 0.6f, 0},
    [PLANT_BAOBAB] = {11, 20, 0.120f, MATERIAL_SMALL_LEAVES, 0.105f, 0.9f, 0},
    [PLANT_MAHOGANY] = {10, 40, 0.120f, MATERIAL_LARGE_LEAVES, 0.022f, 0.4f, 0},
    [PLANT_KAPOK] = {12, 34, 0.095f, MATERIAL_LEAVES, 0.030f, 0.9f, 0},
    [PLANT_FIG] = {12, 42, 0.140f, MATERIAL_LARGE_LEAVES, 0.046f, 0.3f, 0},
    [PLANT_SHRUB] = {6, 22, 0.260f, MATERIAL_SMALL_LEAVES, 0.030f, 0, 0},
    [PLANT_DRY_BUSH] = {6, 14, 0.220f, MATERIAL_SMALL_LEAVES, 0.028f, 0, 0},
    [PLANT_MOUNTAIN_PINE] = {8, 22, 0.240f, MATERIAL_NEEDLES, 0.040f, 0.7f, 0},
    [PLANT_HEATH] = {7, 20, 0.200f, MATERIAL_BLADES, 0.030f, 0.7f, -0.5f},
    [PLANT_GORSE] = {6, 20, 0.260f, MATERIAL_SMALL_LEAVES, 0.030f, 0.4f, 0},
    [PLANT_BROAD_BUSH] = {6, 18, 0.240f, MATERIAL_LARGE_LEAVES, 0.020f, 0.2f, 0.2f},
};

static const rosette ROSETTES[PLANT_KINDS] = {
    [PLANT_COCONUT_PALM] = {18, 0.30f, 0.060f, 0.5f, 1.5f, 1.1f, -0.5f, 0.84f, 0.014f, MATERIAL_FROND,
                            MATERIAL_DEAD_BARK},
    [PLANT_FAN_PALM] = {20, 0.17f, 0.085f, 0.2f, 0.5f, 1.3f, -1.1f, 0.86f, 0.020f, MATERIAL_FROND, MATERIAL_DEAD_BARK},
    [PLANT_TREE_FERN] = {15, 0.44f, 0.110f, 0.3f, 1.0f, 0.8f, 0.0f, 0.62f, 0.036f, MATERIAL_FROND, MATERIAL_BARK},
    [PLANT_DATE_PALM] = {26, 0.29f, 0.045f, 0.7f, 1.0f, 1.2f, -0.9f, 0.80f, 0.026f, MATERIAL_FROND, MATERIAL_BARK},
    [PLANT_FERN] = {9, 1.30f, 0.240f, 0.2f, 1.0f, 1.0f, 0.4f, 0, 0, MATERIAL_FROND, MATERIAL_BARK},
};

static void add_low(plant_mesh *m, plant_stream *random, plant_kind kind, int age)
{
    switch (kind) {
    case PLANT_BOULDER:
        plant_add_stone(m, random, 10);
        break;
    case PLANT_STONE:
        plant_add_stone(m, random, 5);
        break;
    case PLANT_LOG:
        plant_add_log(m, random, age);
        break;
    case PLANT_STUMP:
        plant_add_stump(m, random, age);
        break;
    case PLANT_TUFT:
        plant_add_blades(m, random, 4, 0.3f, MATERIAL_BLADES);
        break;
    case PLANT_TUSSOCK:
        plant_add_blades(m, random, 7, 0.9f, MATERIAL_BLADES);
        break;
    case PLANT_REED:
        plant_add_blades(m, random, 4, 0.12f, MATERIAL_REEDS);
        break;
    default:
        assert(kind == PLANT_FLOWERS);
        plant_add_blossoms(m, random, 6 + age);
    }
}

static void add_mesh(plant_mesh *m, plant_kind kind, int age)
{
    plant_stream random = {.subject = (uint32_t)(kind * PLANT_AGES + age)};
    const plant_row *row = plant_row_of(kind);
    if (WHORLS[kind].count)
        plant_add_whorls(m, &random, &WHORLS[kind], row, age);
    else if (CROWNS[kind].count)
        plant_add_crowns(m, &random, &CROWNS[kind], row, age);
    else if (ROSETTES[kind].count)
        plant_add_rosette(m, &random, &ROSETTES[kind], age);
    else if (kind == PLANT_DEAD_CONIFER)
        plant_add_dead_conifer(m, &random, age);
    else if (kind == PLANT_DEAD_TREE)
        plant_add_dead_tree(m, &random, age);
    else if (kind == PLANT_CACTUS)
        plant_add_cactus(m, &random, age);
    else
        add_low(m, &random, kind, age);
}

result plant_mesh_create(plant_mesh *out)
{
    *out = (plant_mesh){.vertices = calloc((size_t)PLANT_MESHES * VERTICES_OF_MESH, sizeof *out->vertices),
                        .indices = calloc((size_t)PLANT_MESHES * INDICES_OF_MESH, sizeof *out->indices)};
    if (!out->vertices || !out->indices) {
        plant_mesh_free(out);
        return result_of(RESULT_FAILED, "out of memory");
    }
    for (int n = 0; n < PLANT_MESHES; n++) {
        const size_t before = out->n_vertices;
        out->first[n] = (uint32_t)out->n_indices;
        add_mesh(out, (plant_kind)(n / PLANT_AGES), n % PLANT_AGES);
        out->count[n] = (uint32_t)out->n_indices - out->first[n];
        assert(out->n_vertices - before <= VERTICES_OF_MESH && out->count[n] <= INDICES_OF_MESH);
        (void)before;
    }
    return result_done();
}

void plant_mesh_free(plant_mesh *m)
{
    free(m->vertices);
    free(m->indices);
    *m = (plant_mesh){0};
}

int plant_mesh_list(uint32_t n_triangles)
{
    static const uint32_t groups[PLANT_MESH_LISTS] = {PLANT_LIST_GROUPS};
    int list = 0;
    while (list < PLANT_MESH_LISTS - 1 && n_triangles > 64 * groups[list])
        list++;
    assert(n_triangles <= 64 * groups[list]);
    return list;
}
