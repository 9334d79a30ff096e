/* plant_table.c - the table of kinds of plants, and the mean colours of the woods that follow from it. */
#include "program/render/plant_table.h"

#include <math.h>
#include <string.h>

#define CONIFER  LEAVES_NEEDLES, MATERIAL_BARK
#define PINE     LEAVES_NEEDLES, MATERIAL_RED_BARK
#define TREE     LEAVES_FALLING, MATERIAL_BARK
#define PALE     LEAVES_FALLING, MATERIAL_PALE_BARK
#define EVER     LEAVES_EVERGREEN, MATERIAL_BARK
#define EVERPALE LEAVES_EVERGREEN, MATERIAL_PALE_BARK

/* clang-format off */
static const plant_row rows[PLANT_KINDS] = {
    /*                     height, m   heat  wide   moist wide  share water light    crown                       tone  r      g      b     grass */
    [PLANT_SPRUCE]        = {15, 15, {-0.80f, .60f, .60f, .50f, 1.0f, .0f, .0f},  .00f, .19f, .50f, .00f, {0.94f, 0.97f, 0.98f}, .00f, CONIFER},
    [PLANT_FIR]           = {17, 15, {-0.52f, .58f, .74f, .42f, 0.8f, .0f, .0f},  .00f, .20f, .50f, .00f, {0.78f, 0.92f, 1.06f}, .00f, CONIFER},
    [PLANT_LARCH]         = {14, 13, {-0.92f, .42f, .48f, .42f, 0.5f, .0f, .5f},  .00f, .17f, .50f, .00f, {1.40f, 1.38f, 0.85f}, .25f, TREE},
    [PLANT_DOUGLAS_FIR]   = {22, 20, {-0.25f, .40f, .80f, .32f, 0.3f, .0f, .0f},  .00f, .15f, .50f, .00f, {0.90f, 1.02f, 0.92f}, .05f, CONIFER},
    [PLANT_PINE]          = {12, 11, {-0.40f, .75f, .25f, .36f, 0.9f, .0f, .5f},  .24f, .24f, .27f, .26f, {1.15f, 1.12f, 1.06f}, .22f, PINE},
    [PLANT_STONE_PINE]    = {10,  9, { 0.35f, .38f, .32f, .30f, 0.5f, .0f, .2f},  .32f, .37f, .15f, .30f, {1.02f, 1.10f, 0.84f}, .22f, PINE},
    [PLANT_CEDAR]         = {13, 13, { 0.22f, .36f, .48f, .35f, 0.25f, .0f, .0f}, .06f, .33f, .44f, .36f, {0.88f, 1.02f, 1.14f}, .05f, CONIFER},
    [PLANT_CYPRESS]       = {10, 10, { 0.32f, .34f, .36f, .34f, 0.3f, .0f, .0f},  .02f, .09f, .48f, .00f, {0.74f, 0.82f, 0.76f}, .05f, CONIFER},
    [PLANT_OAK]           = { 9, 10, { 0.00f, .50f, .48f, .46f, 1.0f, .0f, .0f},  .14f, .40f, .36f, .37f, {1.00f, 0.98f, 0.96f}, .30f, TREE},
    [PLANT_BEECH]         = {14, 12, {-0.12f, .36f, .72f, .34f, 1.0f, .0f, .0f},  .12f, .33f, .38f, .35f, {1.02f, 1.10f, 0.86f}, .38f, TREE},
    [PLANT_MAPLE]         = {11, 10, {-0.12f, .45f, .60f, .36f, 0.6f, .0f, .0f},  .14f, .32f, .36f, .34f, {1.16f, 1.08f, 0.80f}, .40f, TREE},
    [PLANT_LIME]          = {13, 11, {-0.02f, .40f, .56f, .36f, 0.45f, .0f, .0f}, .10f, .28f, .40f, .33f, {1.10f, 1.20f, 0.82f}, .45f, TREE},
    [PLANT_ASH]           = {13, 12, {-0.05f, .42f, .80f, .36f, 0.45f, .2f, .2f}, .18f, .29f, .32f, .30f, {1.06f, 1.08f, 1.04f}, .32f, TREE},
    [PLANT_CHESTNUT]      = {11, 11, { 0.20f, .40f, .66f, .40f, 0.6f, .0f, .0f},  .12f, .38f, .38f, .38f, {0.90f, 0.95f, 0.80f}, .30f, TREE},
    [PLANT_ROWAN]         = { 5,  6, {-0.45f, .55f, .55f, .45f, 0.3f, .0f, .8f},  .16f, .27f, .34f, .30f, {1.18f, 1.02f, 0.88f}, .42f, TREE},
    [PLANT_BIRCH]         = { 9,  9, {-0.60f, .70f, .52f, .52f, 0.7f, .0f, .8f},  .14f, .22f, .37f, .29f, {1.16f, 1.20f, 0.94f}, .45f, PALE},
    [PLANT_ASPEN]         = {10,  9, {-0.40f, .50f, .50f, .42f, 0.35f, .0f, .8f}, .16f, .19f, .34f, .26f, {1.20f, 1.26f, 1.16f}, .50f, PALE},
    [PLANT_POPLAR]        = {16, 10, { 0.05f, .45f, .55f, .50f, 0.3f, .9f, .4f},  .08f, .11f, .44f, .00f, {1.04f, 1.12f, 0.94f}, .40f, TREE},
    [PLANT_WILLOW]        = { 6,  8, { 0.00f, .90f, .60f, .60f, 0.7f, 1.f, .0f},  .10f, .42f, .40f, .40f, {1.24f, 1.32f, 1.24f}, .48f, TREE},
    [PLANT_ALDER]         = { 9,  9, {-0.20f, .70f, .70f, .55f, 0.8f, 1.f, .0f},  .10f, .23f, .40f, .31f, {0.86f, 0.95f, 0.80f}, .20f, TREE},
    [PLANT_HOLM_OAK]      = { 6,  7, { 0.32f, .34f, .34f, .32f, 0.8f, .0f, .0f},  .10f, .38f, .40f, .40f, {0.80f, 0.86f, 0.80f}, .12f, EVER},
    [PLANT_OLIVE]         = { 4,  4, { 0.36f, .30f, .22f, .28f, 0.5f, .0f, .6f},  .12f, .38f, .36f, .41f, {1.45f, 1.46f, 1.62f}, .25f, EVER},
    [PLANT_EUCALYPT]      = {16, 14, { 0.58f, .34f, .42f, .34f, 0.5f, .0f, .3f},  .24f, .26f, .26f, .26f, {1.12f, 1.16f, 1.28f}, .25f, EVERPALE},
    [PLANT_LAUREL]        = { 9,  9, { 0.42f, .36f, .84f, .40f, 1.0f, .0f, .0f},  .14f, .30f, .36f, .33f, {0.76f, 0.90f, 0.72f}, .15f, EVER},
    [PLANT_ACACIA]        = { 7,  6, { 0.80f, .42f, .30f, .32f, 1.2f, .0f, .4f},  .38f, .41f, .09f, .30f, {1.12f, 1.14f, 0.78f}, .32f, EVER},
    [PLANT_THORN_TREE]    = { 3,  4, { 0.72f, .45f, .12f, .26f, 0.8f, .0f, .4f},  .14f, .40f, .34f, .38f, {1.22f, 1.10f, 0.88f}, .45f, EVER},
    [PLANT_BAOBAB]        = {10,  9, { 0.85f, .32f, .28f, .24f, 0.08f, .0f, .8f}, .34f, .40f, .15f, .30f, {1.08f, 1.14f, 0.88f}, .35f, LEAVES_EVERGREEN, MATERIAL_DEAD_BARK},
    [PLANT_MAHOGANY]      = {16, 13, { 0.88f, .50f, .70f, .42f, 1.0f, .0f, .0f},  .24f, .30f, .26f, .29f, {0.90f, 0.95f, 0.80f}, .20f, EVER},
    [PLANT_KAPOK]         = {30, 14, { 0.95f, .32f, .78f, .34f, 0.07f, .0f, .0f}, .36f, .36f, .14f, .27f, {1.00f, 1.12f, 0.85f}, .30f, EVERPALE},
    [PLANT_FIG]           = {11,  9, { 0.80f, .48f, .68f, .38f, 0.6f, .1f, .0f},  .14f, .42f, .36f, .42f, {0.84f, 1.00f, 0.78f}, .20f, EVER},
    [PLANT_COCONUT_PALM]  = { 9,  9, { 0.90f, .36f, .60f, .50f, 0.7f, .9f, .4f},  .40f, .30f, .20f, .26f, {1.20f, 1.26f, 0.70f}, .35f, EVERPALE},
    [PLANT_FAN_PALM]      = { 8, 10, { 0.85f, .42f, .52f, .42f, 0.3f, .2f, .4f},  .40f, .20f, .16f, .20f, {1.08f, 1.20f, 0.86f}, .35f, EVER},
    [PLANT_TREE_FERN]     = { 3,  4, { 0.70f, .45f, .85f, .26f, 0.4f, .0f, .0f},  .30f, .60f, .24f, .40f, {1.02f, 1.26f, 0.70f}, .40f, EVER},
    [PLANT_DATE_PALM]     = { 8,  8, { 0.68f, .40f, .10f, .36f, 0.6f, .9f, .5f},  .36f, .30f, .22f, .26f, {1.14f, 1.18f, 1.10f}, .30f, EVER},
    [PLANT_DEAD_CONIFER]  = {12, 12, {0},                                         .00f, .10f, .50f, .00f, {0.150f, 0.140f, 0.128f}, 0, LEAVES_OWN, MATERIAL_DEAD_BARK},
    [PLANT_DEAD_TREE]     = { 8,  9, {0},                                         .12f, .30f, .38f, .00f, {0.150f, 0.138f, 0.122f}, 0, LEAVES_OWN, MATERIAL_DEAD_BARK},
    [PLANT_SHRUB]         = {1.2f, 1.6f, {-0.10f, .75f, .60f, .50f, 1.0f, .0f, .0f}, -.04f, .45f, .52f, .55f, {1.02f, 1.02f, 0.98f}, .42f, TREE},
    [PLANT_DRY_BUSH]      = {1.0f, 1.8f, { 0.20f, 1.4f, .05f, .36f, 1.0f, .0f, .0f},  .08f, .43f, .42f, .47f, {1.10f, 1.04f, 1.00f}, .60f, EVER},
    [PLANT_MOUNTAIN_PINE] = {1.0f, 1.8f, {-1.00f, .40f, .50f, .50f, 1.6f, .0f, .0f},  .00f, .45f, .50f, .56f, {0.98f, 1.00f, 0.94f}, .08f, CONIFER},
    [PLANT_JUNIPER]       = {1.0f, 2.4f, {-0.30f, .80f, .25f, .34f, 0.5f, .0f, .6f},  .00f, .22f, .50f, .00f, {0.92f, 1.06f, 1.10f}, .10f, CONIFER},
    [PLANT_HEATH]         = {0.4f, 0.5f, {-0.55f, .60f, .45f, .45f, 0.8f, .0f, .8f}, -.06f, .46f, .52f, .58f, {1.30f, 0.86f, 1.02f}, .30f, EVER},
    [PLANT_GORSE]         = {0.8f, 1.2f, { 0.10f, .45f, .40f, .34f, 0.5f, .0f, .8f}, -.02f, .45f, .52f, .53f, {1.55f, 1.30f, 0.55f}, .55f, EVER},
    [PLANT_BROAD_BUSH]    = {1.4f, 2.2f, { 0.90f, .50f, .70f, .45f, 1.0f, .0f, .0f},  .00f, .42f, .48f, .52f, {0.98f, 1.20f, 0.76f}, .35f, EVER},
    [PLANT_CACTUS]        = {2.0f, 4.0f, { 0.70f, .45f, .05f, .20f, 0.5f, .0f, .6f},  .00f, .20f, .50f, .00f, {0.080f, 0.105f, 0.055f}, 0, LEAVES_OWN, MATERIAL_DEAD_BARK},
    [PLANT_BOULDER]       = {.leaves = LEAVES_OWN, .bark = MATERIAL_BARK},
    [PLANT_LOG]           = {.leaves = LEAVES_OWN, .bark = MATERIAL_DEAD_BARK, .tone = {0.110f, 0.095f, 0.078f}},
    [PLANT_STUMP]         = {.leaves = LEAVES_OWN, .bark = MATERIAL_BARK, .tone = {0.160f, 0.120f, 0.082f}},
    [PLANT_STONE]         = {.leaves = LEAVES_OWN, .bark = MATERIAL_BARK},
    [PLANT_TUFT]          = {.leaves = LEAVES_GRASS, .bark = MATERIAL_BARK, .tone = {1.10f, 1.10f, 1.10f}},
    [PLANT_TUSSOCK]       = {.leaves = LEAVES_GRASS, .bark = MATERIAL_BARK, .tone = {1.16f, 1.08f, 0.94f}},
    [PLANT_REED]          = {.leaves = LEAVES_GRASS, .bark = MATERIAL_BARK, .tone = {1.05f, 1.02f, 0.82f}},
    [PLANT_FERN]          = {.leaves = LEAVES_GRASS, .bark = MATERIAL_BARK, .tone = {0.92f, 1.08f, 0.70f}},
    [PLANT_FLOWERS]       = {.leaves = LEAVES_OWN, .bark = MATERIAL_BARK, .tone = {1.0f, 1.0f, 1.0f}},
};
/* clang-format on */

const plant_row *plant_row_of(plant_kind kind)
{
    return &rows[kind];
}

float plant_age_width(int age)
{
    static const float widths[PLANT_AGES] = {PLANT_AGE_WIDTHS};
    return widths[age];
}

/* ---- woods that are too far away for single trees ---- */

/** 1 at the middle of a range, 0 from `wide` on; niche_part of plants.glsl. */
static float bump(float away, float wide)
{
    const float x = away / wide, left = fmaxf(1.0f - x * x, 0.0f);
    return left * left;
}

/** Share of a kind in a closed wood. */
static float share_of(const plant_niche *w, float heat, float moist)
{
    return w->wide > 0.0f ? w->share * (1.0f - w->water) * (1.0f - 0.6f * w->light) * bump(heat - w->heat, w->wide) *
                                bump(moist - w->moist, w->moist_wide)
                          : 0.0f;
}

/** Mean of all trees: shares of needles, evergreen and falling leaves, and of the colour of grass; tone; 0. */
static void mean_of(float heat, float moist, float out[8])
{
    float all = 1e-6f;
    memset(out, 0, 8 * sizeof *out);
    for (int kind = 0; kind < PLANT_TREES; kind++) {
        const plant_row *r = &rows[kind];
        const float share = share_of(&r->niche, heat, moist);
        all += share;
        if (r->leaves <= LEAVES_FALLING)
            out[r->leaves] += share;
        out[3] += share * r->grass;
        for (int k = 0; k < 3; k++)
            out[4 + k] += share * r->tone[k];
    }
    for (int n = 0; n < 8; n++)
        out[n] /= all;
}

void plant_canopy(float out[CANOPY_MOISTS][CANOPY_HEATS][8])
{
    for (int j = 0; j < CANOPY_MOISTS; j++)
        for (int i = 0; i < CANOPY_HEATS; i++)
            mean_of(-1.0f + 2.0f * (float)i / (CANOPY_HEATS - 1), (float)j / (CANOPY_MOISTS - 1), out[j][i]);
}
