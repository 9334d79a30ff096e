/* map_color.c - computes colours of maps from height, depth and steepness. */
#include "program/picture/map_color.h"

#include <math.h>

static double mix(double a, double b, double t)
{
    return a + (b - a) * t;
}

static double smooth_step(double from, double to, double x)
{
    const double t = fmin(fmax((x - from) / (to - from), 0.0), 1.0);
    return t * t * (3.0 - 2.0 * t);
}

static void blend_color(double color[3], const float other[3], double t)
{
    for (int n = 0; n < 3; n++)
        color[n] = mix(color[n], (double)other[n], t);
}

void map_color(const look *l, double over, double steep, double color[3])
{
    static const float shallow[3] = {0.30f, 0.52f, 0.60f}, middle[3] = {0.10f, 0.26f, 0.42f},
                       deep[3] = {0.025f, 0.075f, 0.19f};
    for (int n = 0; n < 3; n++)
        color[n] = (double)shallow[n];
    if (over < 0.0) {
        blend_color(color, middle, smooth_step(0.0, 300.0, -over));
        blend_color(color, deep, smooth_step(200.0, 3000.0, -over));
        return;
    }
    for (int n = 0; n < 3; n++)
        color[n] = mix((double)l->colors[LOOK_GRASS][n], (double)l->colors[LOOK_DRY][n],
                       fmin(l->aridity + 0.5 * smooth_step(0.0, fmax(l->tree_line_m, 1.0), over), 1.0));
    blend_color(color, l->colors[LOOK_FOREST],
                0.45 * (1.0 - l->aridity) * (1.0 - smooth_step(0.6 * l->tree_line_m, l->tree_line_m, over)));
    blend_color(color, l->colors[LOOK_ALPINE], smooth_step(0.8 * l->tree_line_m, 1.2 * l->tree_line_m, over));
    blend_color(color, l->colors[LOOK_ROCK], smooth_step(0.15, 0.45, steep));
    blend_color(color, l->colors[LOOK_SNOW],
                smooth_step(l->snow_line_m - 150.0, l->snow_line_m + 250.0, over) * (1.0 - 0.6 * steep));
    for (int n = 0; n < 3; n++)
        color[n] *= 1.9 / (1.0 + 0.95 * color[n]); /* albedos look dark on paper; brighten them, but do not clip snow */
}

uint8_t map_color_srgb(double linear)
{
    const double x = fmin(fmax(linear, 0.0), 1.0);
    return (uint8_t)lrint(255.0 * (x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1.0 / 2.4) - 0.055));
}
