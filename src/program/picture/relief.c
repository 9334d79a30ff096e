/* relief.c - draws a map: colours by height and slope, shading, water and legend. */
#include "program/picture/relief.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "program/core/tasks.h"
#include "program/picture/glyphs.h"
#include "program/picture/map_color.h"
#include "program/picture/map_light.h"

enum { LEGEND_HEIGHT = 92, ROWS_A_STEP = 256 };
static const double RELIEF_WANTED = 0.30; /* root mean square of the slopes after exaggeration */
static const double SCALE_MAX_PX = 120.0; /* longest scale bar */

typedef struct map {
    const relief *land;
    uint8_t *pixels;
    int width, height;  /* size of the land, pixels */
    int picture_height; /* with the legend */
    double exaggeration, low_m, high_m;
} map;

static float height_at(const map *m, int x, int y)
{
    x = x < 0 ? 0 : x >= m->width ? m->width - 1 : x;
    y = y < 0 ? 0 : y >= m->height ? m->height - 1 : y;
    return m->land->heights[(size_t)y * (size_t)m->width + (size_t)x];
}

/** Slopes to the east and to the south from the eight neighbours. */
static void slopes_at(const map *m, int x, int y, double *east, double *south)
{
    const double nw = (double)height_at(m, x - 1, y - 1), n = (double)height_at(m, x, y - 1),
                 ne = (double)height_at(m, x + 1, y - 1);
    const double w = (double)height_at(m, x - 1, y), e = (double)height_at(m, x + 1, y);
    const double sw = (double)height_at(m, x - 1, y + 1), s = (double)height_at(m, x, y + 1),
                 se = (double)height_at(m, x + 1, y + 1);
    *east = (ne + 2.0 * e + se - nw - 2.0 * w - sw) / (8.0 * m->land->pixel_m);
    *south = (sw + 2.0 * s + se - nw - 2.0 * n - ne) / (8.0 * m->land->pixel_m);
}

static void blend(double color[3], const double other[3], double share)
{
    for (int n = 0; n < 3; n++)
        color[n] += (other[n] - color[n]) * share;
}

/** Blend river lines, and over them lakes and broad rivers, which are darker where they are deep and along shores. */
static void blend_water(const map *m, int x, int y, double color[3])
{
    const map_water *w = &m->land->water[(size_t)y * (size_t)m->width + (size_t)x];
    const double open = (double)w->open / 255.0, depth_m = 0.1 * (double)w->depth_dm;
    double lake[3] = {map_shallow[0], map_shallow[1], map_shallow[2]};
    blend(lake, map_deep, map_deep_share(depth_m));
    blend(lake, map_ink, map_shore_share(open));
    blend(color, map_ink, MAP_INK * map_water_ink(m->land->water, m->width, m->height, x, y));
    blend(color, lake, open);
}

double relief_shaded(map_style style)
{
    return style == MAP_BIOME ? 0.5 : 0.25;
}

void relief_ground_at(const relief *land, int x, int y, relief_ground *out)
{
    const map m = {.land = land, .width = land->width, .height = land->height};
    const size_t k = (size_t)y * (size_t)m.width + (size_t)x;
    const double over_sea = (double)height_at(&m, x, y) - land->world->sea;
    float climate[MAP_CLIMATE_LAYERS];
    slopes_at(&m, x, y, &out->east, &out->south);
    const double steep = 1.0 - 1.0 / sqrt(1.0 + out->east * out->east + out->south * out->south);
    out->is_sea = over_sea < 0.0;
    if (land->style == MAP_RELIEF || out->is_sea) {
        map_color(land->look, over_sea, fmin(2.0 * steep, 1.0), out->color);
    } else {
        for (int n = 0; n < MAP_CLIMATE_LAYERS; n++)
            climate[n] = land->climate[n][k];
        map_climate_color(land->style, climate, out->color);
    }
    if (land->cover[0] && land->style != MAP_BIOME && !out->is_sea)
        map_blend_cover(land->look, (const float[]){land->cover[MAP_GLACIER][k], land->cover[MAP_SAND][k]}, out->color);
}

static void draw_pixel(map *m, int x, int y)
{
    relief_ground ground;
    uint8_t *pixel = m->pixels + ((size_t)y * (size_t)m->width + (size_t)x) * 3;
    relief_ground_at(m->land, x, y, &ground);
    const double z = m->exaggeration * (ground.is_sea ? MAP_SEA_BED : 1.0);
    const double lit =
        map_lit(relief_shaded(m->land->style), map_light(ground.east * z, ground.south * z, MAP_LIGHT_DEG));
    for (int n = 0; n < 3; n++)
        ground.color[n] *= lit;
    if (m->land->water && !ground.is_sea)
        blend_water(m, x, y, ground.color);
    for (int n = 0; n < 3; n++)
        pixel[n] = map_color_srgb(ground.color[n]);
}

double relief_exaggeration(double lod)
{
    return fmax(1.0, 2.5 * pow(1.65, lod - 9.0));
}

/** Factor on slopes for shading. Flat land and coarse samples need exaggeration to be visible. */
static double choose_exaggeration(const map *m)
{
    double sum = 0.0, east, south;
    size_t count = 0;
    for (int y = 0; y < m->height; y += 7)
        for (int x = 0; x < m->width; x += 7, count++) {
            slopes_at(m, x, y, &east, &south);
            sum += east * east + south * south;
        }
    const double rms = sqrt(sum / (double)count);
    return rms > 0.0 ? fmin(fmax(RELIEF_WANTED / rms, 1.0), 200.0) : 1.0;
}

/* ---- legend ---- */

static void fill(map *m, int x0, int y0, int x1, int y1, const uint8_t color[3])
{
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
            memcpy(m->pixels + ((size_t)y * (size_t)m->width + (size_t)x) * 3, color, 3);
}

/** Write dark letters on light paper, cut off at the edge of the picture. */
static void write_text(map *m, const glyphs *g, const char *text, int left, int base)
{
    const unsigned char *atlas = glyphs_pixels(g);
    float x = (float)left;
    for (const char *c = text; *c; c++) {
        glyph_quad q;
        if (!glyphs_quad(g, *c, &x, (float)base, &q))
            continue;
        const int s = (int)lrintf(q.s0 * GLYPHS_ATLAS), t = (int)lrintf(q.t0 * GLYPHS_ATLAS);
        for (int row = 0; row < (int)(q.y1 - q.y0); row++)
            for (int column = 0; column < (int)(q.x1 - q.x0); column++) {
                const int px = (int)q.x0 + column, py = (int)q.y0 + row;
                const int ink = atlas[(t + row) * GLYPHS_ATLAS + s + column];
                if (px < 0 || px >= m->width || py < 0 || py >= m->picture_height)
                    continue;
                uint8_t *pixel = m->pixels + ((size_t)py * (size_t)m->width + (size_t)px) * 3;
                for (int n = 0; n < 3; n++)
                    pixel[n] = (uint8_t)(pixel[n] - pixel[n] * ink / 290);
            }
    }
}

/** 1, 2 or 5 times a power of ten, at most `most`. */
static double round_length(double most)
{
    const double power = pow(10.0, floor(log10(most)));
    return most >= 5.0 * power ? 5.0 * power : most >= 2.0 * power ? 2.0 * power : power;
}

static void draw_ramp(map *m, const glyphs *g, int left, int top, int width)
{
    char text[64];
    const double low = m->low_m, high = fmax(m->high_m, low + 1.0), sea = m->land->world->sea;
    for (int x = 0; x < width; x++) {
        double color[3];
        uint8_t ink[3];
        map_color(m->land->look, low + (high - low) * ((double)x / (width - 1)) - sea, 0.0, color);
        for (int n = 0; n < 3; n++)
            ink[n] = map_color_srgb(color[n]);
        fill(m, left + x, top, left + x + 1, top + 14, ink);
    }
    snprintf(text, sizeof text, "%.0f m", low);
    write_text(m, g, text, left, top + 30);
    snprintf(text, sizeof text, "%.0f m", high);
    write_text(m, g, text, left + width - (int)(glyphs_advance(g) * (float)strlen(text)), top + 30);
    const double share = (sea - low) / (high - low);
    if (share > 0.2 && share < 0.6) {
        const int at = (int)(share * width);
        static const uint8_t black[3] = {20, 20, 20};
        fill(m, left + at, top - 3, left + at + 1, top + 17, black);
        write_text(m, g, "sea", left + at - (int)glyphs_advance(g), top + 30);
    }
}

/** Draw a field of the legend in a colour of the climate. */
static void fill_climate(map *m, int x0, int y0, int x1, int y1, const float climate[MAP_CLIMATE_LAYERS])
{
    double color[3];
    uint8_t ink[3];
    map_climate_color(m->land->style, climate, color);
    for (int n = 0; n < 3; n++)
        ink[n] = map_color_srgb(color[n]);
    fill(m, x0, y0, x1, y1, ink);
}

/** Draw precipitation from left to right, and temperature from top to bottom. */
static void draw_weather(map *m, const glyphs *g, int left, int top, int width)
{
    enum { ROWS = 14 };
    const float cold = -10.0f, hot = 26.0f, dry = 60.0f, wet = 2200.0f;
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < width; x++) {
            const float climate[MAP_CLIMATE_LAYERS] = {[MAP_TEMPERATURE] = cold + (hot - cold) * (float)y / (ROWS - 1),
                                                       [MAP_PRECIPITATION] =
                                                           dry + (wet - dry) * (float)x / (float)(width - 1)};
            fill_climate(m, left + x, top + y, left + x + 1, top + y + 1, climate);
        }
    const char *const driest = "60 mm, above -10 C, below 26 C", *const wettest = "2200 mm a year";
    const int letter = (int)ceilf(glyphs_advance(g)), right = (int)strlen(wettest) * letter;
    const bool has_room = ((int)strlen(driest) + 2) * letter + right <= width;
    write_text(m, g, has_room ? driest : "60 mm", left, top + 30);
    write_text(m, g, wettest, left + width - right, top + 30);
}

/** Draw the biomes of the map, the largest ones first, as many as there is room for. */
static void draw_biomes(map *m, const glyphs *g, int left, int top, int width)
{
    enum { BOX = 12, LINE = 18, LINES = 2 };
    size_t counts[TER_BIOME_COUNT] = {0};
    for (size_t n = 0; n < (size_t)m->width * (size_t)m->height; n++)
        counts[(int)m->land->climate[MAP_CLASS][n]]++;
    counts[TER_BIOME_SEA] = 0;
    int x = left, line = 0;
    for (;;) {
        int most = 0;
        for (int n = 1; n < TER_BIOME_COUNT; n++)
            most = counts[n] > counts[most] ? n : most;
        if (counts[most] == 0)
            return;
        const char *name = ter_biome_name((ter_biome)most);
        const int wide = BOX + 6 + (int)(glyphs_advance(g) * (float)strlen(name)) + 14;
        if (x + wide > left + width) {
            x = left;
            if (++line == LINES)
                return;
        }
        const float climate[MAP_CLIMATE_LAYERS] = {[MAP_CLASS] = (float)most};
        fill_climate(m, x, top + line * LINE, x + BOX, top + line * LINE + BOX, climate);
        write_text(m, g, name, x + BOX + 6, top + line * LINE + BOX);
        x += wide;
        counts[most] = 0;
    }
}

static void draw_scale(map *m, const glyphs *g, int left, int top)
{
    static const uint8_t black[3] = {20, 20, 20}, white[3] = {250, 250, 250};
    char text[64];
    const double length_m = round_length(SCALE_MAX_PX * m->land->pixel_m);
    const int px = (int)lrint(length_m / m->land->pixel_m);
    fill(m, left, top, left + px, top + 8, black);
    fill(m, left + px / 2, top + 2, left + px - 2, top + 6, white);
    snprintf(text, sizeof text, length_m >= 1000.0 ? "%g km" : "%g m",
             length_m >= 1000.0 ? length_m / 1000.0 : length_m);
    write_text(m, g, text, left, top + 26);
}

static result draw_legend(map *m)
{
    static const uint8_t paper[3] = {244, 242, 236};
    char text[256], rivers[64] = "";
    glyphs *g = NULL;
    const result res = glyphs_create(15.0f, &g);
    if (res.kind != RESULT_DONE)
        return res;
    const int top = m->height;
    fill(m, 0, top, m->width, m->picture_height, paper);
    draw_scale(m, g, 14, top + 14);
    if (m->land->style == MAP_RELIEF)
        draw_ramp(m, g, m->width / 2 + 20, top + 10, m->width / 2 - 34);
    else if (m->land->style == MAP_CLIMATE)
        draw_weather(m, g, m->width / 2 + 20, top + 10, m->width / 2 - 34);
    else
        draw_biomes(m, g, 160, top + 12, m->width - 174);
    snprintf(text, sizeof text, "seed %llu   x %.17g to %.17g   z %.17g to %.17g",
             (unsigned long long)m->land->world->seed, m->land->x, m->land->x + (m->width - 1) * m->land->step,
             m->land->z, m->land->z + (m->height - 1) * m->land->step);
    write_text(m, g, text, 14, top + 62);
    if (m->land->water)
        snprintf(rivers, sizeof rivers, "rivers drain %.0f km2 or more, ",
                 map_water_least_area(m->land->world, m->land->pixel_m) * 1e-6);
    snprintf(text, sizeof text,
             "a pixel is %g m, %srelief shaded %.1f times as high, light from the north-west, north is up",
             m->land->pixel_m, rivers, m->exaggeration);
    write_text(m, g, text, 14, top + 82);
    glyphs_destroy(g);
    return res;
}

/* ---- picture ---- */

/** A band of rows for tasks_run. */
typedef struct map_rows {
    map *m;
    int first;
} map_rows;

static void draw_row(void *user, int64_t n)
{
    const map_rows *rows = user;
    for (int x = 0; x < rows->m->width; x++)
        draw_pixel(rows->m, x, rows->first + (int)n);
}

static bool draw_land(map *m, const relief_progress *progress)
{
    m->exaggeration = m->land->exaggeration > 0.0 ? m->land->exaggeration : choose_exaggeration(m);
    for (int first = 0; first < m->height; first += ROWS_A_STEP) {
        const int last = first + ROWS_A_STEP < m->height ? first + ROWS_A_STEP : m->height;
        map_rows rows = {m, first};
        tasks_run(last - first, draw_row, &rows);
        if (!progress->goes_on(progress->user, (double)last / m->height))
            return false;
    }
    return true;
}

int relief_picture_height(const relief *land)
{
    return land->height + (land->width >= RELIEF_LEGEND_MIN ? LEGEND_HEIGHT : 0);
}

void relief_range(const relief *land, float *min_m, float *max_m)
{
    *min_m = INFINITY;
    *max_m = -INFINITY;
    for (size_t n = 0; n < (size_t)land->width * (size_t)land->height; n++) {
        *min_m = fminf(*min_m, land->heights[n]);
        *max_m = fmaxf(*max_m, land->heights[n]);
    }
}

result relief_draw(const relief *land, uint8_t *pixels, const relief_progress *progress)
{
    float low, high;
    relief_range(land, &low, &high);
    map m = {.land = land,
             .pixels = pixels,
             .width = land->width,
             .height = land->height,
             .picture_height = relief_picture_height(land),
             .low_m = (double)low,
             .high_m = (double)high};
    if (!draw_land(&m, progress))
        return result_of(RESULT_INTERRUPTED, "interrupted");
    return m.picture_height > m.height ? draw_legend(&m) : result_done();
}
