/* plant_picture.c - draws pictures of needles, leaves, fronds, reeds and blades of grass, leaf by leaf. */
#include <math.h>
#include <string.h>

#include "program/render/plant_mesh.h"
#include "program/render/plant_random.h"

enum { SIDE = PLANT_PICTURE_SIDE };

/** A leaf, needle or blade: an ellipse about a line. Lengths are shares of the picture's side. */
typedef struct leaf {
    float x, y, to_x, to_y, wide;
    float brightness, at_tip; /* brightness at the foot and at the tip */
} leaf;

/** Index of the texel at a position, which is a share of the picture's side. */
static int texel(float share)
{
    return (int)fminf(fmaxf(share * SIDE, 0.0f), SIDE - 1.0f);
}

/** Draw a leaf over earlier leaves. Its edges are antialiased over one texel. */
static void add_leaf(uint8_t (*texels)[2], const leaf *l)
{
    const float dx = l->to_x - l->x, dy = l->to_y - l->y, length = sqrtf(dx * dx + dy * dy) + 1e-6f;
    const int left = texel(fminf(l->x, l->to_x) - l->wide), right = texel(fmaxf(l->x, l->to_x) + l->wide);
    const int low = texel(fminf(l->y, l->to_y) - l->wide), high = texel(fmaxf(l->y, l->to_y) + l->wide);
    for (int j = low; j <= high; j++)
        for (int i = left; i <= right; i++) {
            const float px = ((float)i + 0.5f) / SIDE - l->x, py = ((float)j + 0.5f) / SIDE - l->y;
            const float along = (px * dx + py * dy) / (length * length), aside = fabsf(px * dy - py * dx) / length;
            if (along < 0.0f || along > 1.0f)
                continue;
            const float half = l->wide * sqrtf(4.0f * along * (1.0f - along)) * (1.25f - 0.5f * along);
            const float opacity = fminf(fmaxf((half - aside) * SIDE + 0.5f, 0.0f), 1.0f);
            const float rib = 0.82f + 0.18f * fminf(aside / (0.25f * l->wide + 1e-6f), 1.0f);
            const float bright = (l->brightness + (l->at_tip - l->brightness) * along) * rib;
            uint8_t *t = texels[j * SIDE + i];
            t[1] = (uint8_t)((float)t[1] * (1.0f - opacity) + 255.0f * opacity * bright);
            t[0] = (uint8_t)((float)t[0] * (1.0f - opacity) + 255.0f * opacity);
        }
}

/** A twig of a branch. Lengths are shares of the picture's side. */
typedef struct twig {
    float x, y, dir_x, dir_y; /* foot; unit vector along the twig */
    float length, brightness;
} twig;

/** Draw needles along a twig. They become brighter towards the tip, which is young. */
static void draw_twig(uint8_t (*texels)[2], plant_stream *random, const twig *w)
{
    const int needles = 3 + (int)(w->length * 170.0f);
    add_leaf(texels, &(leaf){w->x, w->y, w->x + w->length * w->dir_x, w->y + w->length * w->dir_y, 0.0055f,
                             0.55f * w->brightness, 0.85f * w->brightness});
    for (int n = 0; n < needles; n++) {
        const float t = ((float)n + plant_random(random)) / (float)needles, side = n & 1 ? 1.0f : -1.0f,
                    at = t * w->length;
        const float x = w->x + at * w->dir_x, y = w->y + at * w->dir_y, reach = 0.013f + 0.011f * plant_random(random);
        const float ahead = 0.6f + 0.4f * t, aside = side * (1.0f - 0.45f * t);
        const float bright = w->brightness * (0.62f + 0.38f * t) * (0.70f + 0.30f * plant_random(random));
        add_leaf(texels, &(leaf){x, y, x + reach * (ahead * w->dir_x - aside * w->dir_y),
                                 y + reach * (ahead * w->dir_y + aside * w->dir_x), 0.0036f, 0.75f * bright, bright});
    }
}

/** Draw a branch of needles from the foot to the top of the picture: twigs on both sides and smaller, darker twigs on
 * them. */
static void draw_needles(uint8_t (*texels)[2], plant_stream *random)
{
    enum { TWIGS = 30, SMALLER = 9 };
    for (int n = 0; n < TWIGS; n++) {
        const float at = (float)n / TWIGS, side = n & 1 ? 1.0f : -1.0f, turn = 0.75f + 0.35f * plant_random(random);
        const float reach =
            0.58f * fminf(0.55f + 1.8f * at, 1.0f) * (1.02f - at) * (0.55f + 0.45f * plant_random(random));
        twig w = {0.5f, at * 0.92f, side * sinf(turn), cosf(turn), reach, 0.70f + 0.30f * plant_random(random)};
        for (int k = 0; k < SMALLER; k++) {
            const float t = ((float)k + 0.7f) / SMALLER,
                        bend = (k & 1 ? 1.0f : -1.0f) * (0.55f + 0.35f * plant_random(random));
            draw_twig(texels, random,
                      &(twig){w.x + t * reach * w.dir_x, w.y + t * reach * w.dir_y,
                              w.dir_x * cosf(bend) - w.dir_y * sinf(bend), w.dir_x * sinf(bend) + w.dir_y * cosf(bend),
                              (0.20f + 0.14f * plant_random(random)) * reach * (1.1f - 0.6f * t),
                              w.brightness * (0.60f + 0.50f * t)});
        }
        draw_twig(texels, random, &w);
    }
    add_leaf(texels, &(leaf){0.5f, -0.1f, 0.5f, 0.98f, 0.010f, 0.30f, 0.5f});
}

/** Draw leaves spread over a disc. */
static void draw_leaves(uint8_t (*texels)[2], plant_stream *random, int count, float length)
{
    for (int n = 0; n < count; n++) {
        const float angle = 6.2831853f * plant_random(random), away = 0.40f * sqrtf(plant_random(random)),
                    turn = angle + 2.4f * (plant_random(random) - 0.5f);
        const float x = 0.5f + away * cosf(angle), y = 0.5f + away * sinf(angle),
                    bright = 0.35f + 0.65f * plant_random(random);
        const float size = length * (0.7f + 0.5f * plant_random(random));
        add_leaf(texels,
                 &(leaf){x, y, x + size * cosf(turn), y + size * sinf(turn), 0.30f * size, 0.85f * bright, bright});
    }
}

static void draw_blades(uint8_t (*texels)[2], plant_stream *random)
{
    enum { BLADES = 26 };
    for (int n = 0; n < BLADES; n++) {
        const float x = 0.08f + 0.84f * plant_random(random), tall = 0.45f + 0.52f * plant_random(random),
                    lean = 0.34f * (plant_random(random) - 0.5f);
        const float bright = 0.70f + 0.30f * plant_random(random);
        add_leaf(texels, &(leaf){x, -0.35f * tall, x + lean, tall, 0.020f, 0.55f * bright, bright});
    }
}

/** Draw a frond: leaflets on both sides of a rib from the foot to the top of the picture. */
static void draw_frond(uint8_t (*texels)[2], plant_stream *random)
{
    enum { LEAFLETS = 64 };
    for (int n = 0; n < LEAFLETS; n++) {
        const float at = ((float)n + plant_random(random)) / LEAFLETS, side = n & 1 ? 1.0f : -1.0f,
                    reach =
                        0.46f * sqrtf(4.0f * (0.06f + 0.94f * at) * (1.04f - at)) * plant_between(random, 0.8f, 1.0f);
        const float bright = plant_between(random, 0.65f, 1.0f), rise = 0.03f + 0.10f * at;
        add_leaf(texels, &(leaf){0.5f, 0.94f * at, 0.5f + side * reach, fminf(0.94f * at + rise, 0.99f), 0.015f,
                                 0.70f * bright, bright});
    }
    add_leaf(texels, &(leaf){0.5f, -0.1f, 0.5f, 0.99f, 0.010f, 0.55f, 0.8f});
}

/** Draw thin twigs from the foot to the top of the picture, with narrow leaves along them. */
static void draw_strands(uint8_t (*texels)[2], plant_stream *random)
{
    enum { STRANDS = 11, LEAVES = 18 };
    for (int n = 0; n < STRANDS; n++) {
        const float x = ((float)n + plant_between(random, 0.2f, 0.8f)) / STRANDS,
                    drift = plant_between(random, -0.06f, 0.06f), length = plant_between(random, 0.6f, 0.98f);
        for (int k = 0; k < LEAVES; k++) {
            const float t = ((float)k + plant_random(random)) / LEAVES * length, side = k & 1 ? 1.0f : -1.0f,
                        bright = plant_between(random, 0.55f, 1.0f), at = x + drift * t;
            add_leaf(texels,
                     &(leaf){at, t, at + side * plant_between(random, 0.015f, 0.045f),
                             fminf(t + plant_between(random, 0.06f, 0.11f), 0.99f), 0.012f, 0.8f * bright, bright});
        }
    }
}

/** Draw stalks with long leaves; some stalks have heads. */
static void draw_reeds(uint8_t (*texels)[2], plant_stream *random)
{
    enum { STALKS = 22 };
    for (int n = 0; n < STALKS; n++) {
        const float x = plant_between(random, 0.08f, 0.92f), tall = plant_between(random, 0.55f, 0.95f),
                    lean = plant_between(random, -0.06f, 0.06f), bright = plant_between(random, 0.6f, 0.95f);
        add_leaf(texels, &(leaf){x, -0.2f * tall, x + lean, tall, 0.009f, 0.6f * bright, bright});
        for (int k = 0; k < 3; k++) {
            const float t = plant_between(random, 0.2f, 0.75f) * tall, side = k & 1 ? 1.0f : -1.0f;
            add_leaf(texels, &(leaf){x + lean * t, t, x + lean * t + side * plant_between(random, 0.04f, 0.10f),
                                     fminf(t + 0.18f, 0.99f), 0.010f, 0.6f * bright, bright});
        }
        if (n % 3 == 0)
            add_leaf(texels, &(leaf){x + 0.86f * lean, 0.86f * tall, x + lean, fminf(1.04f * tall, 0.99f), 0.022f,
                                     0.45f, 0.55f});
    }
}

void plant_picture(plant_material material, uint8_t (*texels)[2])
{
    plant_stream random = {.subject = PLANT_MESHES + (uint32_t)material};
    memset(texels, 0, (size_t)SIDE * SIDE * sizeof *texels);
    switch (material) {
    case MATERIAL_NEEDLES:
        draw_needles(texels, &random);
        break;
    case MATERIAL_LEAVES:
        draw_leaves(texels, &random, 190, 0.085f);
        break;
    case MATERIAL_SMALL_LEAVES:
        draw_leaves(texels, &random, 240, 0.062f);
        break;
    case MATERIAL_LARGE_LEAVES:
        draw_leaves(texels, &random, 150, 0.105f);
        break;
    case MATERIAL_FROND:
        draw_frond(texels, &random);
        break;
    case MATERIAL_STRANDS:
        draw_strands(texels, &random);
        break;
    case MATERIAL_REEDS:
        draw_reeds(texels, &random);
        break;
    default:
        draw_blades(texels, &random);
    }
}
