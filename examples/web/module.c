/* module.c - Terrane as a WebAssembly module: a world from texts, samples of its layers, and tiles of a map.
 *
 * JavaScript calls the functions web_...; terrane.js wraps them. Text goes in and out by one array, web_text. Functions
 * that can fail return 0 and leave a sentence there. Places are doubles, because JavaScript has no 64-bit integers that
 * are as easy to pass; all places of a world are integers below 2^53. A module has one thread and one world. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/cli/start_place.h"
#include "program/cli/world_options.h"
#include "program/core/fill.h"
#include "program/picture/map_color.h"
#include "program/picture/map_light.h"
#include "program/picture/map_rivers.h"
#include "program/picture/relief.h"

#define WEB_EXPORT __attribute__((visibility("default"), used))

enum {
    SPAN = 256,                   /* lattice steps of its level that a tile covers */
    SIDE = SPAN + 1,              /* samples of a side: neighbours share a row */
    APRON = 8,                    /* samples around a tile, so that rivers continue across tiles */
    DRAWN = SIDE + 2 * APRON,     /* samples of a side that are made */
    DRAWN_PIXELS = DRAWN * DRAWN, /* samples that are made */
    TEXT = 4096
};

/** A tile as the page draws it: arrays of SIDE * SIDE pixels. */
typedef struct tile {
    uint8_t colors[SIDE * SIDE * 4]; /* ground before it is lit, sRGB; then ink of rivers */
    float slopes[SIDE * SIDE * 2];   /* to the east and to the south; less on the sea bed, by MAP_SEA_BED */
    uint8_t water[SIDE * SIDE * 2];  /* share of lakes; share of the colour of deep lakes in them */
    float heights[SIDE * SIDE];      /* metres */
} tile;

static char text[TEXT];
static ter_params params;
static look land_look;
static int palette;
static ter_world *world;
static ter_generator *generator;
static float *samples; /* of web_fill */
static tile made;
static float pixel_heights[DRAWN_PIXELS];
static float layer_samples[DRAWN_PIXELS * MAP_LAYERS];
static float climate[MAP_CLIMATE_LAYERS * DRAWN_PIXELS];
static map_water water[DRAWN_PIXELS];

/** Leave the sentence of a failed call in `text`. */
static int done(ter_status status)
{
    if (status != TER_OK)
        snprintf(text, sizeof text, "%s", ter_error_detail());
    return status == TER_OK;
}

WEB_EXPORT char *web_text(void)
{
    return text;
}

/* ---- the world ---- */

/** Begin to describe a world: all parameters and its look get their defaults. */
WEB_EXPORT void web_begin(void)
{
    ter_params_default(&params);
    look_default(&land_look);
    palette = LOOK_TEMPERATE;
}

/** Set a parameter of the world, or of its look, from `text`: name and value as in world files, "sea=20". */
WEB_EXPORT int web_set(int is_look)
{
    option options[WORLD_PARAMETERS > LOOK_PARAMETERS ? WORLD_PARAMETERS : LOOK_PARAMETERS];
    char *equals = strchr(text, '=');
    if (!equals)
        return snprintf(text, sizeof text, "expected NAME=VALUE") < 0;
    *equals = '\0';
    for (char *c = text; *c; c++)
        *c = *c == '_' ? '-' : *c;
    if (is_look)
        look_options(&land_look, &palette, options);
    else
        world_options(&params, options);
    for (int n = 0; n < (is_look ? LOOK_PARAMETERS : WORLD_PARAMETERS); n++) {
        if (strcmp(options[n].name, text) != 0)
            continue;
        const result res = option_set(&options[n], options[n].name, equals + 1);
        if (is_look && options[n].target == &palette && res.kind == RESULT_DONE)
            look_set_palette(&land_look, (look_palette)palette);
        if (res.kind != RESULT_DONE)
            snprintf(text, sizeof text, "%s", res.text);
        return res.kind == RESULT_DONE;
    }
    char name[64];
    snprintf(name, sizeof name, "%s", text);
    return snprintf(text, sizeof text, "there is no parameter %s", name) < 0;
}

/** Make the world that was described. */
WEB_EXPORT int web_open(void)
{
    const ter_generator_options options = {TER_SIZED(ter_generator_options), .backend = TER_BACKEND_CPU, .threads = 1};
    ter_world *next = NULL;
    if ((!generator && !done(ter_generator_create(&options, &generator))) || !done(ter_world_create(&params, &next)))
        return 0;
    ter_world_destroy(world);
    world = next;
    return 1;
}

/** Write facts about the world to `text`, as JSON. */
WEB_EXPORT void web_describe(void)
{
    snprintf(text, sizeof text,
             "{\"levels\": %d, \"fine\": %d, \"spacing\": %.17g, \"sea\": %.17g, \"rivers\": %s, \"most\": %.17g, "
             "\"start\": [%d, %d], \"span\": %d, \"simd\": \"%s\"}",
             params.levels, TER_FINE_LODS, params.spacing, params.sea, world_has_rivers(&params) ? "true" : "false",
             (double)TER_COORDINATE_MAX, START_X, START_Z, SPAN, ter_simd_name(ter_simd_best()));
}

/* ---- samples ---- */

/** Find a layer by its name; TER_LAYER_COUNT: there is none. */
static int find_layer(const char *name)
{
    int n = 0;
    while (n < TER_LAYER_COUNT && strcmp(ter_layer_name((ter_layer)n), name) != 0)
        n++;
    return n;
}

/** Fill a rectangle of a level of detail with the layers that `text` names, with commas between them. Returns an array
 * of floats for each layer, one array after the other, each row by row from the north; NULL on error. */
WEB_EXPORT float *web_fill(int lod, double i, double j, int width, int height)
{
    const size_t count = (size_t)width * (size_t)height;
    const ter_rect rect = {params.levels - lod, (int64_t)i, (int64_t)j, width, height};
    layer_arrays out = {{0}};
    float *memory = realloc(samples, count * TER_LAYER_COUNT * sizeof *samples), *to = memory;
    if (!memory) {
        snprintf(text, sizeof text, "no memory for %d x %d samples", width, height);
        return NULL;
    }
    samples = memory;
    for (const char *name = strtok(text, ","); name; name = strtok(NULL, ","), to += count) {
        const int layer = find_layer(name);
        if (layer == TER_LAYER_COUNT) {
            snprintf(text, sizeof text, "there is no such layer");
            return NULL;
        }
        out.at[layer] = to;
    }
    return done(fill_rect(generator, world, &rect, &out, (size_t)width)) ? samples : NULL;
}

/* ---- tiles ---- */

static bool goes_on(void *user)
{
    (void)user;
    return true;
}

/** Make heights and water of the pixels. */
static int make_land(const ter_rect *rect)
{
    const picture_progress progress = {goes_on, NULL};
    if (!world_has_rivers(&params))
        return done(fill_heights(generator, world, rect, pixel_heights, DRAWN));
    const float *layers[MAP_LAYERS];
    layer_arrays out = {{0}};
    for (int n = 0; n < MAP_LAYERS; n++)
        layers[n] = out.at[map_water_layers[n]] = layer_samples + n * DRAWN_PIXELS;
    if (!done(fill_rect(generator, world, rect, &out, DRAWN)))
        return 0;
    map_water_compute(&params, 1, rect, rect, layers, pixel_heights, water);
    const result res = map_rivers_join(&params, rect, pixel_heights, water, &progress);
    if (res.kind != RESULT_DONE)
        snprintf(text, sizeof text, "%s", res.text);
    return res.kind == RESULT_DONE;
}

static int make_climate(const ter_rect *rect)
{
    layer_arrays out = {{0}};
    for (int n = 0; n < MAP_CLIMATE_LAYERS; n++)
        out.at[map_climate_layers[n]] = climate + n * DRAWN_PIXELS;
    return done(fill_rect(generator, world, rect, &out, DRAWN));
}

/** Share of a pixel under lakes and broad rivers, 0..255. A single wet sample of four does not count: such a stream is
 * narrower than the distance between samples and is shown as a line. */
static uint8_t open_water(const map_water *w, int lod)
{
    const int wet = (w[0].open + w[1].open + w[DRAWN].open + w[DRAWN + 1].open) / 255;
    if (lod < 1 || lod > TER_MEANS_LOD)
        return w->open;
    return (uint8_t)(wet > 1 ? (wet - 1) * 85 : 0);
}

/** Store the pixel at column x and row y of the tile. */
static void store_pixel(const relief *land, int lod, int x, int y)
{
    const size_t from = (size_t)(y + APRON) * DRAWN + (size_t)(x + APRON), to = (size_t)y * SIDE + (size_t)x;
    relief_ground ground;
    relief_ground_at(land, x + APRON, y + APRON, &ground);
    for (int n = 0; n < 3; n++)
        made.colors[to * 4 + n] = map_color_srgb(ground.color[n]);
    const double factor = ground.is_sea ? MAP_SEA_BED : 1.0;
    made.slopes[to * 2] = (float)(ground.east * factor);
    made.slopes[to * 2 + 1] = (float)(ground.south * factor);
    made.heights[to] = pixel_heights[from];
    made.colors[to * 4 + 3] = made.water[to * 2] = made.water[to * 2 + 1] = 0;
    if (!land->water || ground.is_sea)
        return;
    made.colors[to * 4 + 3] = (uint8_t)lrint(255.0 * map_water_ink(water, DRAWN, DRAWN, x + APRON, y + APRON));
    made.water[to * 2] = open_water(&water[from], lod);
    made.water[to * 2 + 1] = (uint8_t)lrint(255.0 * map_deep_share(0.1 * (double)water[from].depth_dm));
}

/** Make a tile: SIDE x SIDE samples whose north-western one is at i, j of a level of detail. Returns 0 on error. */
WEB_EXPORT int web_tile(int style, int lod, double i, double j)
{
    const ter_rect rect = {params.levels - lod, (int64_t)i - APRON, (int64_t)j - APRON, DRAWN, DRAWN};
    const double step = ldexp(1.0, lod);
    if (!make_land(&rect) || (style != MAP_RELIEF && !make_climate(&rect)))
        return 0;
    relief land = {.world = &params,
                   .look = &land_look,
                   .x = (double)rect.i * step,
                   .z = (double)rect.j * step,
                   .step = step,
                   .pixel_m = step * params.spacing,
                   .width = DRAWN,
                   .height = DRAWN,
                   .heights = pixel_heights,
                   .water = world_has_rivers(&params) ? water : NULL,
                   .style = (map_style)style};
    for (int n = 0; n < MAP_CLIMATE_LAYERS; n++)
        land.climate[n] = climate + n * DRAWN_PIXELS;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            store_pixel(&land, lod, x, y);
    return 1;
}

WEB_EXPORT uint8_t *web_tile_colors(void)
{
    return made.colors;
}

WEB_EXPORT float *web_tile_slopes(void)
{
    return made.slopes;
}

WEB_EXPORT uint8_t *web_tile_water(void)
{
    return made.water;
}

WEB_EXPORT float *web_tile_heights(void)
{
    return made.heights;
}

/** Factor on slopes for a level of detail, which may be a fraction. */
WEB_EXPORT double web_exaggeration(double lod)
{
    return relief_exaggeration(lod);
}

/** Share of its colour that ground keeps in full shade. */
WEB_EXPORT double web_shaded(int style)
{
    return relief_shaded((map_style)style);
}
