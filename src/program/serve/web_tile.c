/* web_tile.c - generates the samples of a tile, and makes a picture of them. */
#include "program/serve/web_tile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "program/core/fill.h"
#include "program/picture/map_rivers.h"
#include "program/picture/picture.h"
#include "program/picture/relief.h"

enum {
    SIDE = WEB_TILE_SIDE,
    APRON = 8,                /* pixels around a map tile, so that shading and lines of rivers continue across tiles */
    DRAWN = SIDE + 2 * APRON, /* pixels of a side that are drawn */
    DRAWN_PIXELS = DRAWN * DRAWN,
    PIXEL_SAMPLES = 4 /* greatest number of samples in a pixel with water */
};

const char *const web_kind_names[WEB_KINDS + 1] = {"terrarium", "terrain-rgb", "map", "climate", "biome", NULL};

struct web_maker {
    ter_generator *generator;
    float heights[DRAWN_PIXELS];
    float batch[WEB_BATCH_MAX * SIDE * SIDE]; /* heights of tiles, one tile after another */
    float samples[DRAWN_PIXELS * PIXEL_SAMPLES * MAP_LAYERS];
    float climate[MAP_CLIMATE_LAYERS * DRAWN_PIXELS];
    float cover[MAP_COVER_LAYERS * DRAWN_PIXELS];
    map_water water[DRAWN_PIXELS];
    uint8_t drawn[DRAWN_PIXELS * 3];
    uint8_t pixels[SIDE * SIDE * 3];
};

bool web_kind_is_height(web_kind kind)
{
    return kind == WEB_TERRARIUM || kind == WEB_TERRAIN_RGB;
}

int web_zoom_min(const ter_world *world)
{
    const int levels = ter_world_params(world)->levels;
    return levels < WEB_LOD_OF_ZOOM_0 ? WEB_LOD_OF_ZOOM_0 - levels : 0;
}

bool web_land_has(const web_land *land, web_kind kind)
{
    return (kind != WEB_CLIMATE && kind != WEB_BIOME) || ter_world_params(land->world)->basis == TER_BASIS_FLUVIAL;
}

void web_centre_near(const double place[2], int64_t centre[2])
{
    const double step = ldexp(1.0, WEB_LOD_OF_ZOOM_0), most = (double)TER_COORDINATE_MAX - ldexp(1.0, WEB_MAP_SIDE_LOG);
    for (int n = 0; n < 2; n++)
        centre[n] = (int64_t)(floor(fmin(fmax(place[n], -most), most) / step + 0.5) * step);
}

ter_rect web_tile_rect(const web_land *land, const web_tile *tile)
{
    const int lod = WEB_LOD_OF_ZOOM_0 - tile->zoom;
    int64_t first[2];
    for (int n = 0; n < 2; n++) {
        const int64_t west = land->centre[n] - ((int64_t)1 << (WEB_MAP_SIDE_LOG - 1));
        first[n] = lod >= 0 ? west / ((int64_t)1 << lod) : west * ((int64_t)1 << -lod);
    }
    return (ter_rect){ter_world_params(land->world)->levels - lod, first[0] + tile->x * SIDE, first[1] + tile->y * SIDE,
                      SIDE, SIDE};
}

result web_maker_create(ter_generator *generator, web_maker **out)
{
    web_maker *m = calloc(1, sizeof *m);
    *out = m;
    if (m)
        m->generator = generator;
    else
        ter_generator_destroy(generator);
    return m ? result_done() : result_of(RESULT_FAILED, "no memory for a maker of tiles");
}

void web_maker_destroy(web_maker *maker)
{
    if (maker)
        ter_generator_destroy(maker->generator);
    free(maker);
}

/** The result of a fill. */
static result filled(ter_status status)
{
    return status == TER_ECANCELLED ? result_of(RESULT_INTERRUPTED, "cancelled") : result_of_library(status, "tile");
}

/* ---- heights ---- */

/** Write a height as a colour. Sources: Mapzen, "Terrain Tiles", format Terrarium; Mapbox, "Terrain-RGB" */
static void encode_height(web_kind kind, double height, uint8_t pixel[3])
{
    const double number = kind == WEB_TERRARIUM ? (height + 32768.0) * 256.0 : (height + 10000.0) * 10.0;
    const uint32_t code = (uint32_t)fmin(fmax(floor(number + 0.5), 0.0), 16777215.0);
    for (int n = 0; n < 3; n++)
        pixel[n] = (uint8_t)(code >> (16 - 8 * n));
}

/** Generate the heights of tiles. */
static result make_heights(web_maker *m, const web_land *land, const web_order *orders, int count)
{
    ter_tile tiles[WEB_BATCH_MAX];
    for (int n = 0; n < count; n++) {
        const ter_rect rect = web_tile_rect(land, &orders[n].tile);
        tiles[n] = (ter_tile){rect.level, rect.i, rect.j};
    }
    const layer_arrays out = {.at = {[TER_LAYER_HEIGHT] = m->batch}};
    const tile_layout layout = {SIDE, SIDE, SIDE, (size_t)SIDE * SIDE, NULL};
    return filled(fill_tiles(m->generator, land->world, (tile_span){tiles, (size_t)count}, &layout, &out));
}

static void draw_heights(web_maker *m, web_kind kind, const float *heights)
{
    for (int n = 0; n < SIDE * SIDE; n++)
        encode_height(kind, (double)heights[n], m->pixels + n * 3);
}

/* ---- maps ---- */

static bool goes_on(void *user)
{
    (void)user;
    return true;
}

static bool goes_on_drawing(void *user, double share)
{
    (void)user, (void)share;
    return true;
}

/** Make heights and water of the pixels. */
static result make_land(web_maker *m, const web_land *land, const ter_rect *rect)
{
    const ter_params *world = ter_world_params(land->world);
    const picture_progress progress = {goes_on, NULL};
    if (!world_has_rivers(world))
        return filled(fill_heights(m->generator, land->world, rect, m->heights, DRAWN));
    const int n_a_side = map_water_samples_a_side(world, rect);
    const ter_rect samples = map_water_samples(n_a_side, rect, rect);
    const float *layers[MAP_LAYERS];
    layer_arrays out = {{0}};
    for (int n = 0; n < MAP_LAYERS; n++)
        layers[n] = out.at[map_water_layers[n]] =
            map_water_needs(world, n) ? m->samples + n * samples.width * samples.height : NULL;
    const result res = filled(fill_rect(m->generator, land->world, &samples, &out, (size_t)samples.width));
    if (res.kind != RESULT_DONE)
        return res;
    map_water_compute(world, n_a_side, rect, rect, layers, m->heights, m->water);
    return map_rivers_join(world, rect, m->heights, m->water, &progress);
}

/** Make the layers of the climate, if they are wanted, and of what covers the ground, if the world has it. */
static result make_layers(web_maker *m, const web_land *land, const ter_rect *rect, bool wants_climate)
{
    const bool is_covered = map_has_cover(ter_world_params(land->world));
    layer_arrays out = {{0}};
    if (!wants_climate && !is_covered)
        return result_done();
    for (int n = 0; n < MAP_CLIMATE_LAYERS && wants_climate; n++)
        out.at[map_climate_layers[n]] = m->climate + n * DRAWN_PIXELS;
    for (int n = 0; n < MAP_COVER_LAYERS && is_covered; n++)
        out.at[map_cover_layers[n]] = m->cover + n * DRAWN_PIXELS;
    return filled(fill_rect(m->generator, land->world, rect, &out, DRAWN));
}

static result draw_relief(web_maker *m, const web_land *land, const web_tile *tile, const ter_rect *rect)
{
    const ter_params *world = ter_world_params(land->world);
    const double step = ldexp(1.0, WEB_LOD_OF_ZOOM_0 - tile->zoom);
    relief drawn = {.world = world,
                    .look = land->look,
                    .x = (double)rect->i * step,
                    .z = (double)rect->j * step,
                    .step = step,
                    .pixel_m = step * world->spacing,
                    .width = DRAWN,
                    .height = DRAWN,
                    .heights = m->heights,
                    .water = world_has_rivers(world) ? m->water : NULL,
                    .style = tile->kind == WEB_CLIMATE ? MAP_CLIMATE
                             : tile->kind == WEB_BIOME ? MAP_BIOME
                                                       : MAP_RELIEF,
                    .exaggeration = relief_exaggeration(WEB_LOD_OF_ZOOM_0 - tile->zoom)};
    for (int n = 0; n < MAP_CLIMATE_LAYERS; n++)
        drawn.climate[n] = m->climate + n * DRAWN_PIXELS;
    for (int n = 0; n < MAP_COVER_LAYERS && map_has_cover(world); n++)
        drawn.cover[n] = m->cover + n * DRAWN_PIXELS;
    const relief_progress progress = {goes_on_drawing, NULL};
    return relief_draw(&drawn, m->drawn, &progress);
}

static result draw_map(web_maker *m, const web_land *land, const web_tile *tile)
{
    const ter_rect inner = web_tile_rect(land, tile),
                   rect = {inner.level, inner.i - APRON, inner.j - APRON, DRAWN, DRAWN};
    result res = make_land(m, land, &rect);
    if (res.kind == RESULT_DONE)
        res = make_layers(m, land, &rect, tile->kind != WEB_MAP);
    if (res.kind == RESULT_DONE)
        res = draw_relief(m, land, tile, &rect);
    for (size_t row = 0; row < SIDE && res.kind == RESULT_DONE; row++)
        memcpy(m->pixels + row * SIDE * 3, m->drawn + ((row + APRON) * DRAWN + APRON) * 3, (size_t)SIDE * 3);
    return res;
}

void web_tiles_make(web_maker *maker, const web_land *land, web_order *orders, int count)
{
    const bool is_height = web_kind_is_height(orders[0].tile.kind);
    const result res = is_height ? make_heights(maker, land, orders, count) : draw_map(maker, land, &orders[0].tile);
    for (int n = 0; n < count; n++) {
        web_order *order = &orders[n];
        order->bytes = NULL;
        order->result = res;
        if (res.kind != RESULT_DONE)
            continue;
        if (is_height)
            draw_heights(maker, order->tile.kind, maker->batch + n * SIDE * SIDE);
        order->result = picture_encode_fast("tile", maker->pixels, SIDE, SIDE, &order->bytes, &order->size);
    }
}
