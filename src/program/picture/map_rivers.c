/* map_rivers.c - sorts the pixels beside rivers by drained area, finds the next such pixel downstream of each pixel,
 * and draws lines between them. */
#include "program/picture/map_rivers.h"

#include <math.h>
#include <stdlib.h>

/* Largest distance, along x and along y, of two pixels that are joined (JOIN_REACH), and of a pixel from the sea or
 * lake into which its river flows (MOUTH_REACH). A bay that is narrower than a pixel is land on the map, so the sea may
 * be farther from a river that ends in lowland (BAY_REACH). */
enum { JOIN_REACH = 3, MOUTH_REACH = 4, BAY_REACH = 8, PIXELS_A_STEP = 1 << 16 };
static const double LOWLAND_M = 20.0;
/* The next pixel downstream is the candidate with the least cost: its squared distance, pixels, plus TWICE_COST for
 * each doubling of the drained area. So the chosen pixel is near, and its river drains only a little more. */
static const double TWICE_COST = 0.5;
/* A river that ends inland, because its lake is too small to be seen, is drawn only where it drains more than
 * INLAND_AREAS times the least area of rivers with lines (map_water_least_area). */
static const double INLAND_AREAS = 4.0;

/** A pixel beside a river. */
typedef struct river_pixel {
    int32_t x, y;
    float area;    /* m2 */
    float at[2];   /* estimated place of the river, pixels: a weighted mean of the neighbours beside this river */
    int32_t down;  /* index of the next pixel downstream, which comes earlier in the list; -1: none */
    bool is_drawn; /* the river leads to the sea, a lake or the edge of the map, or is large (INLAND_AREAS) */
} river_pixel;

/** The rivers of a map. */
typedef struct rivers {
    const ter_params *world;
    int64_t width, height;
    const float *heights;
    map_water *water;
    double least_area;
    river_pixel *pixels; /* in order of decreasing area */
    int32_t count;
} rivers;

static map_water *water_at(const rivers *r, int64_t x, int64_t y)
{
    return x < 0 || y < 0 || x >= r->width || y >= r->height ? NULL : &r->water[y * r->width + x];
}

static bool is_river(const map_water *w)
{
    return w && w->area > 0.0f;
}

/** Whether a pixel lies in the sea or in a lake. */
static bool is_open(const rivers *r, int64_t x, int64_t y)
{
    const map_water *w = water_at(r, x, y);
    return w && ((double)r->heights[y * r->width + x] < r->world->sea || w->open > 127);
}

/* ---- the list ---- */

/** Estimate where the river beside a pixel is, from those of the 3 x 3 pixels around it that are beside a river of
 * about the same area. */
static void place(const rivers *r, river_pixel *p)
{
    double sum[2] = {0}, weights = 0.0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            const map_water *w = water_at(r, p->x + dx, p->y + dy);
            if (!is_river(w) || w->area > 1.5f * p->area || w->area < p->area / 1.5f)
                continue;
            const double weight = fmax(0.6 - (double)w->shore_px, 0.0);
            sum[0] += weight * dx;
            sum[1] += weight * dy;
            weights += weight;
        }
    p->at[0] = (float)(p->x + (weights > 0.0 ? sum[0] / weights : 0.0));
    p->at[1] = (float)(p->y + (weights > 0.0 ? sum[1] / weights : 0.0));
}

static int compare_areas(const void *a, const void *b)
{
    const river_pixel *p = a, *q = b;
    if (p->area != q->area)
        return (p->area < q->area) - (p->area > q->area);
    return p->y != q->y ? (p->y > q->y) - (p->y < q->y) : (p->x > q->x) - (p->x < q->x);
}

/** List all pixels beside rivers in order of decreasing area. Returns false if there is no memory. */
static bool list_pixels(rivers *r)
{
    const int64_t n_all = r->width * r->height;
    int64_t count = 0;
    for (int64_t n = 0; n < n_all; n++)
        count += is_river(&r->water[n]);
    if (count > INT32_MAX || !(r->pixels = malloc(((size_t)count + 1) * sizeof *r->pixels)))
        return false;
    for (int64_t n = 0; n < n_all; n++) {
        if (!is_river(&r->water[n]))
            continue;
        river_pixel *p = &r->pixels[r->count++];
        *p = (river_pixel){.x = (int32_t)(n % r->width), .y = (int32_t)(n / r->width), .area = r->water[n].area};
        place(r, p);
    }
    qsort(r->pixels, (size_t)r->count, sizeof *r->pixels, compare_areas);
    for (int32_t n = 0; n < r->count; n++)
        water_at(r, r->pixels[n].x, r->pixels[n].y)->river = n;
    return true;
}

/* ---- the way to the sea ---- */

/** The index of the pixel to which the n-th pixel of the list is joined; -1: none. */
static int32_t find_down(const rivers *r, int32_t n)
{
    const river_pixel *p = &r->pixels[n];
    int32_t best = -1;
    double least = INFINITY;
    for (int dy = -JOIN_REACH; dy <= JOIN_REACH; dy++)
        for (int dx = -JOIN_REACH; dx <= JOIN_REACH; dx++) {
            const map_water *w = water_at(r, p->x + dx, p->y + dy);
            if (!is_river(w) || w->river >= n)
                continue;
            const double cost = dx * dx + dy * dy + TWICE_COST * log2((double)w->area / (double)p->area);
            if (cost < least) {
                least = cost;
                best = w->river;
            }
        }
    return best;
}

/** Find the nearest pixel of the sea or of a lake. Returns its distance, pixels; INFINITY: none is near. */
static double find_mouth(const rivers *r, const river_pixel *p, double mouth[2])
{
    const bool is_lowland = (double)r->heights[p->y * r->width + p->x] < r->world->sea + LOWLAND_M;
    const int reach = is_lowland && p->down < 0 ? BAY_REACH : MOUTH_REACH;
    double least = INFINITY;
    for (int dy = -reach; dy <= reach; dy++)
        for (int dx = -reach; dx <= reach; dx++)
            if (is_open(r, p->x + dx, p->y + dy) && hypot(dx, dy) < least) {
                least = hypot(dx, dy);
                mouth[0] = p->x + dx;
                mouth[1] = p->y + dy;
            }
    return least;
}

static bool is_at_edge(const rivers *r, const river_pixel *p)
{
    return p->x < JOIN_REACH || p->y < JOIN_REACH || p->x >= r->width - JOIN_REACH || p->y >= r->height - JOIN_REACH;
}

/* ---- lines ---- */

/** Draw a line with round ends; `half` is half of its width. Afterwards `line` of each pixel is at least the share of
 * the pixel that the drawn line covers. */
static void draw_line(const rivers *r, const double from[2], const double to[2], double half)
{
    const double vx = to[0] - from[0], vy = to[1] - from[1], square = vx * vx + vy * vy, reach = half + 1.0;
    for (int64_t y = (int64_t)floor(fmin(from[1], to[1]) - reach); y <= (int64_t)ceil(fmax(from[1], to[1]) + reach);
         y++)
        for (int64_t x = (int64_t)floor(fmin(from[0], to[0]) - reach); x <= (int64_t)ceil(fmax(from[0], to[0]) + reach);
             x++) {
            map_water *w = water_at(r, x, y);
            const double px = (double)x - from[0], py = (double)y - from[1],
                         along = square > 0.0 ? fmin(fmax((px * vx + py * vy) / square, 0.0), 1.0) : 0.0;
            const double off = hypot(px - along * vx, py - along * vy), share = fmin(fmax(half - off + 0.5, 0.0), 1.0);
            if (w && share * 255.0 > w->line)
                w->line = (uint8_t)lrint(share * 255.0);
        }
}

/** Join the n-th pixel of the list, and draw its line. The pixels downstream have been joined before. */
static void join(rivers *r, int32_t n)
{
    river_pixel *p = &r->pixels[n];
    const double from[2] = {(double)p->at[0], (double)p->at[1]},
                 half = fmin(map_water_half_width((double)p->area, r->least_area), 1.0 * JOIN_REACH);
    double mouth[2];
    p->down = find_down(r, n);
    const double to_mouth = find_mouth(r, p, mouth);
    const bool is_mouth = to_mouth < INFINITY && (p->down < 0 || to_mouth < 1.5);
    p->is_drawn = is_mouth || is_at_edge(r, p) || (double)p->area > INLAND_AREAS * r->least_area ||
                  (p->down >= 0 && r->pixels[p->down].is_drawn);
    if (!p->is_drawn)
        return;
    if (is_mouth)
        draw_line(r, from, mouth, half);
    if (p->down >= 0)
        draw_line(r, from, (const double[2]){(double)r->pixels[p->down].at[0], (double)r->pixels[p->down].at[1]}, half);
}

/** Join all pixels of the list. */
static result join_all(rivers *r, const picture_progress *progress)
{
    for (int32_t n = 0; n < r->count; n++) {
        if (n % PIXELS_A_STEP == 0 && !progress->goes_on(progress->user))
            return result_of(RESULT_INTERRUPTED, "interrupted");
        join(r, n);
    }
    return result_done();
}

result map_rivers_join(const ter_params *world, const ter_rect *map, const float *heights, map_water *water,
                       const picture_progress *progress)
{
    if (!world_has_rivers(world) || !map_water_is_far(world, map))
        return result_done();
    const double pixel_m = world->spacing * ldexp(1.0, world->levels - map->level);
    rivers r = {.world = world,
                .width = map->width,
                .height = map->height,
                .heights = heights,
                .water = water,
                .least_area = map_water_least_area(world, pixel_m)};
    const result res =
        list_pixels(&r) ? join_all(&r, progress) : result_of(RESULT_FAILED, "no memory for the rivers of a map");
    free(r.pixels);
    return res;
}
