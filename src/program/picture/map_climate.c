/* map_climate.c - colours of temperature and precipitation, and of biomes. */
#include "program/picture/map_climate.h"

#include <math.h>

const char *const map_style_names[MAP_STYLES + 1] = {"relief", "climate", "biome", NULL};

const ter_layer map_climate_layers[MAP_CLIMATE_LAYERS] = {TER_LAYER_TEMPERATURE, TER_LAYER_PRECIPITATION,
                                                          TER_LAYER_SNOW, TER_LAYER_BIOME};

/** Colours of land without snow, sRGB: rows are temperatures, columns are precipitations. */
enum { TEMPERATURES = 4, RAINS = 4 };
static const double temperatures[TEMPERATURES] = {-15.0, 0.0, 12.0, 26.0}; /* deg C */
static const double rains[RAINS] = {60.0, 300.0, 900.0, 2200.0};           /* mm a year */
static const double lands[TEMPERATURES][RAINS][3] = {
    {{190, 190, 185}, {170, 178, 165}, {150, 165, 150}, {140, 160, 150}},
    {{180, 168, 142}, {132, 137, 102}, {74, 100, 66}, {58, 88, 62}},
    {{206, 182, 136}, {166, 160, 96}, {84, 124, 60}, {44, 98, 54}},
    {{234, 206, 150}, {206, 176, 100}, {106, 138, 54}, {14, 84, 34}}};

static const double biomes[TER_BIOME_COUNT][3] = {
    [TER_BIOME_SEA] = {70, 110, 160},
    [TER_BIOME_ICE] = {242, 246, 250},
    [TER_BIOME_TUNDRA] = {172, 192, 184},
    [TER_BIOME_TAIGA] = {66, 108, 92},
    [TER_BIOME_COLD_DESERT] = {206, 192, 164},
    [TER_BIOME_STEPPE] = {190, 186, 110},
    [TER_BIOME_WOODLAND] = {148, 150, 68},
    [TER_BIOME_TEMPERATE_FOREST] = {84, 146, 66},
    [TER_BIOME_TEMPERATE_RAIN_FOREST] = {30, 112, 88},
    [TER_BIOME_HOT_DESERT] = {236, 206, 142},
    [TER_BIOME_THORN_SCRUB] = {204, 160, 92},
    [TER_BIOME_SAVANNA] = {170, 184, 64},
    [TER_BIOME_RAIN_FOREST] = {12, 92, 34},
};

static double mix(double a, double b, double t)
{
    return a + (b - a) * t;
}

/** The place of a value in an ascending list: the entry before it, and the share of the way to the next one. */
static int find(const double *list, int count, double value, double *share)
{
    int n = 0;
    while (n < count - 2 && value >= list[n + 1])
        n++;
    *share = fmin(fmax((value - list[n]) / (list[n + 1] - list[n]), 0.0), 1.0);
    return n;
}

static void color_of_weather(const float climate[MAP_CLIMATE_LAYERS], double srgb[3])
{
    double warm, wet;
    const int row = find(temperatures, TEMPERATURES, (double)climate[MAP_TEMPERATURE], &warm);
    const int column = find(rains, RAINS, (double)climate[MAP_PRECIPITATION], &wet);
    const double t = fmin(fmax(((double)climate[MAP_SNOW] - 0.6) / 0.35, 0.0), 1.0), white = t * t * (3.0 - 2.0 * t);
    for (int n = 0; n < 3; n++) {
        const double cold = mix(lands[row][column][n], lands[row][column + 1][n], wet),
                     hot = mix(lands[row + 1][column][n], lands[row + 1][column + 1][n], wet);
        srgb[n] = mix(mix(cold, hot, warm), 246.0, white);
    }
}

void map_climate_color(map_style style, const float climate[MAP_CLIMATE_LAYERS], double color[3])
{
    double srgb[3];
    const int biome = (int)climate[MAP_CLASS];
    if (style == MAP_BIOME)
        for (int n = 0; n < 3; n++)
            srgb[n] = biomes[biome < 0 || biome >= TER_BIOME_COUNT ? TER_BIOME_SEA : biome][n];
    else
        color_of_weather(climate, srgb);
    for (int n = 0; n < 3; n++)
        color[n] = pow(srgb[n] / 255.0, 2.2);
}
