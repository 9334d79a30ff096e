/* map_water.c - finds lakes by wet samples, and river lines by each sample's distance to the nearest channel. */
#include "program/picture/map_water.h"

#include <math.h>

#include "library/fluvial/river_size.h"

/* A river has a line if it drains at least the area of a square with a side of LEAST_PX pixels. This limits the density
 * of lines. If a pixel is r times as large as FAR_M lattice steps, r > 1, the side is divided by the cube root of r.
 * Otherwise such maps would have no rivers, because rivers end at coasts and drain less than the full square. */
static const double LEAST_PX = 32.0, FAR_M = 1024.0;
/* Width of the thinnest line, and how much wider a line becomes when the drained area grows fourfold; pixels. */
static const double LINE_PX = 0.9, WIDER_PX = 0.45;

static const double BESIDE_PX = 0.75; /* a river at most this far from a pixel of a far map is beside the pixel */

enum { REACH_UNIT = 64, REACH_MAX = 3 };

const ter_layer map_water_layers[MAP_LAYERS] = {TER_LAYER_HEIGHT, TER_LAYER_WATER,   TER_LAYER_FLOW,
                                                TER_LAYER_SHORE,  TER_LAYER_DRYNESS, TER_LAYER_GLACIER};

bool world_has_rivers(const ter_params *world)
{
    return world->basis == TER_BASIS_FLUVIAL;
}

bool map_water_is_far(const ter_params *world, const ter_rect *map)
{
    return world->levels - map->level > TER_MEANS_LOD;
}

bool map_water_needs(const ter_params *world, int n)
{
    return n == MAP_DRYNESS ? world->drought > 0.0 : n == MAP_ICE ? world->glaciers > 0.0 : true;
}

int map_water_samples_a_side(const ter_params *world, const ter_rect *map)
{
    return map->level >= world->levels || map_water_is_far(world, map) ? 1 : 2;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

ter_rect map_water_samples(int n, const ter_rect *map, const ter_rect *block)
{
    return (ter_rect){.level = block->level + n - 1,
                      .i = block->i * n,
                      .j = block->j * n,
                      .width = least(block->width * n, (map->i + map->width - 1 - block->i) * n + 1),
                      .height = least(block->height * n, (map->j + map->height - 1 - block->j) * n + 1)};
}

double map_water_least_area(const ter_params *world, double pixel_m)
{
    const double far = pixel_m / world->spacing / FAR_M, side_m = LEAST_PX * pixel_m / (far > 1.0 ? cbrt(far) : 1.0);
    return fmax((double)(TER_WET_AREA * TER_AREA) * world->spacing * world->spacing, side_m * side_m);
}

double map_water_half_width(double area, double least_area)
{
    const double ratio = area / least_area;
    if (ratio <= 0.5)
        return 0.0;
    return ratio < 1.0 ? LINE_PX * (ratio - 0.5) : 0.5 * (LINE_PX + WIDER_PX * 0.5 * log2(ratio));
}

static double limit(double x, double most)
{
    return fmin(fmax(x, 0.0), most);
}

/** Sums over the samples of a pixel. */
typedef struct pixel_sum {
    int n_wet;
    double depth_m, line, reach_px;
    int point_x, point_y;
} pixel_sum;

/** Scale of the pixels of a map. */
typedef struct pixel_scale {
    int n_a_side;                       /* samples per side of a pixel */
    double size_m, least_area, cell_m2; /* cell_m2: area of a cell of the network */
} pixel_scale;

/** The drained area, m2, by which a sample's river is drawn: less where the river has lost water, 0 under ice. */
static double drawn_area(const float *const layers[MAP_LAYERS], int64_t k, const pixel_scale *pixel)
{
    const double area = (double)layers[MAP_FLOW][k];
    if (layers[MAP_ICE] && layers[MAP_ICE][k] > 1.0f)
        return 0.0;
    return layers[MAP_DRYNESS]
               ? area * (1.0 - (double)ter_river_loss(layers[MAP_DRYNESS][k], (float)(area / pixel->cell_m2)))
               : area;
}

/** Add the sample at (x, y) of a pixel. */
static void add_sample(const float *const layers[MAP_LAYERS], int64_t k, int x, int y, const pixel_scale *pixel,
                       pixel_sum *sum)
{
    const int n = pixel->n_a_side;
    const double surface = (double)layers[MAP_SURFACE][k], shore_px = (double)layers[MAP_SHORE][k] / pixel->size_m;
    const double half = map_water_half_width(drawn_area(layers, k, pixel), pixel->least_area);
    if (!isnan(surface)) {
        sum->n_wet++;
        sum->depth_m += surface - (double)layers[MAP_HEIGHT][k];
    }
    if (half <= 0.0)
        return;
    sum->line += limit(n * (half - shore_px) + 0.5, 1.0);
    if (half + 0.5 - shore_px > sum->reach_px) {
        sum->reach_px = half + 0.5 - shore_px;
        sum->point_x = n == 2 ? 2 * x - 1 : 0;
        sum->point_y = n == 2 ? 2 * y - 1 : 0;
    }
}

/** Water of a pixel from its sums. A single wet sample of four does not count as open water: such a stream is narrower
 * than the distance between samples and is shown as a line. */
static map_water water_of(const pixel_sum *sum, int n)
{
    const int n_samples = n * n, n_open = n == 2 ? sum->n_wet - 1 : sum->n_wet;
    const double open = limit((double)n_open / (n == 2 ? n_samples - 1 : 1), 1.0);
    return (map_water){.depth_dm = (uint16_t)limit(sum->n_wet ? 10.0 * sum->depth_m / sum->n_wet : 0.0, 65535.0),
                       .open = (uint8_t)lrint(255.0 * open),
                       .line = (uint8_t)lrint(255.0 * limit(sum->line / n_samples, 1.0)),
                       .reach = (uint8_t)limit(REACH_UNIT * sum->reach_px, 255.0),
                       .point_x = (int8_t)sum->point_x,
                       .point_y = (int8_t)sum->point_y};
}

/** Water of a pixel of a far map, from the pixel's one sample: lakes, and the river beside the pixel if the river is
 * large enough for a line. */
static map_water far_water_of(const float *const layers[MAP_LAYERS], int64_t k, const pixel_sum *sum,
                              const pixel_scale *pixel, bool is_land)
{
    map_water w = water_of(sum, 1);
    const double shore_px = (double)layers[MAP_SHORE][k] / pixel->size_m, area = drawn_area(layers, k, pixel);
    w.line = w.reach = 0;
    if (is_land && shore_px <= BESIDE_PX && map_water_half_width(area, pixel->least_area) > 0.0) {
        w.area = (float)area;
        w.shore_px = (float)shore_px;
    }
    return w;
}

void map_water_compute(const ter_params *world, int n, const ter_rect *map, const ter_rect *block,
                       const float *const layers[MAP_LAYERS], float *heights, map_water *water)
{
    const ter_rect samples = map_water_samples(n, map, block);
    const bool is_far = map_water_is_far(world, map);
    const double pixel_m = world->spacing * ldexp(1.0, world->levels - map->level);
    const pixel_scale pixel = {n, pixel_m, map_water_least_area(world, pixel_m),
                               (double)TER_AREA * world->spacing * world->spacing};
    for (int64_t row = 0; row < block->height; row++)
        for (int64_t column = 0; column < block->width; column++) {
            const int64_t to = (block->j - map->j + row) * map->width + block->i - map->i + column;
            pixel_sum sum = {0};
            heights[to] = layers[MAP_HEIGHT][row * n * samples.width + column * n];
            for (int y = 0; y < n; y++)
                for (int x = 0; x < n; x++) {
                    const int64_t k = least(row * n + y, samples.height - 1) * samples.width +
                                      least(column * n + x, samples.width - 1);
                    if ((double)layers[MAP_HEIGHT][k] >= world->sea)
                        add_sample(layers, k, x, y, &pixel, &sum);
                }
            water[to] = is_far ? far_water_of(layers, row * samples.width + column, &sum, &pixel,
                                              (double)heights[to] >= world->sea)
                               : water_of(&sum, n);
        }
}

/** Least share of a pixel that a line must cover according to the entry `w` of the pixel (dx, dy) pixels away. By the
 * triangle inequality the distance to the river is at most the distance to the entry's point plus the point's distance
 * to the river. */
static double ink_from(const map_water *w, int dx, int dy)
{
    return (double)w->reach / REACH_UNIT - hypot(dx + 0.25 * w->point_x, dy + 0.25 * w->point_y);
}

double map_water_ink(const map_water *water, int width, int height, int x, int y)
{
    double ink = (double)water[(int64_t)y * width + x].line / 255.0;
    for (int dy = -REACH_MAX; dy <= REACH_MAX; dy++)
        for (int dx = -REACH_MAX; dx <= REACH_MAX; dx++) {
            if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height)
                continue;
            const map_water *w = &water[(int64_t)(y + dy) * width + x + dx];
            if (w->reach > 0)
                ink = fmax(ink, ink_from(w, dx, dy));
        }
    return fmin(ink, 1.0);
}
