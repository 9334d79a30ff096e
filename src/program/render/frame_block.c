/* frame_block.c - converts a view in doubles to the floats of the shaders' uniform block. */
#include "program/render/frame_block.h"

#include <cglm/cglm.h>
#include <math.h>
#include <string.h>

static const float MOONLIGHT = 0.0016f; /* share of sunlight; more than in nature, so that exposure adapts less */
static const double AIR_RADIUS_MAX_KM = 20000;   /* largest planet for the air: floats in shaders allow no more */
static const double FLAT_RADIUS_KM = 6371;       /* radius of the planet for the air over flat land */
static const double CLOUD_SPEED[2] = {9.0, 4.0}; /* m/s, to the east and to the south */

static void set2(float to[2], double x, double y)
{
    to[0] = (float)x;
    to[1] = (float)y;
}

static void set3(float to[3], const float from[3])
{
    memcpy(to, from, 3 * sizeof to[0]);
}

/** Distance through space to the farthest drawn land. */
static double far_distance(const render_view *v)
{
    if (v->planet_radius_m <= 0.0)
        return hypot(v->far_m, v->altitude_m);
    const double angle = fmin(v->far_m / v->planet_radius_m, 3.14159265358979);
    return hypot(v->planet_radius_m * sin(angle), v->altitude_m - v->sea_m + v->planet_radius_m * (1.0 - cos(angle)));
}

static void fill_camera(frame_block *b, const render_view *v, int width, int height)
{
    mat4 forward, inverse;
    render_view_projection(v, width, height, forward);
    glm_mat4_inv_precise(forward, inverse);
    memcpy(b->view_projection, forward, sizeof forward);
    memcpy(b->inverse_view_projection, inverse, sizeof inverse);
    set3(b->camera, (const float[3]){(float)v->offset_x_m, (float)v->altitude_m, (float)v->offset_z_m});
    b->time = (float)fmod(v->time_s, WAVES_PERIOD_S);
    b->elapsed = (float)v->elapsed_s;
    set2(b->pattern, v->pattern_m[0], v->pattern_m[1]);
    set2(b->broad_pattern, v->broad_pattern_m[0], v->broad_pattern_m[1]);
    set2(b->picture_size, width, height);
    set2(b->pixel_size, 1.0 / width, 1.0 / height);
    b->pixel_width = (float)(2.0 * tan((double)glm_rad(v->fov_deg) * 0.5) / v->picture_height);
    b->far = (float)far_distance(v);
}

static void fill_land(frame_block *b, const render_view *v)
{
    const bool is_round = v->planet_radius_m > 0.0;
    b->spacing = (float)v->spacing_m;
    b->sea_level = (float)v->sea_m;
    b->lod_height = (float)v->lod_height_m;
    b->highest = (float)v->highest_m;
    b->curvature = is_round ? (float)(0.5 / v->planet_radius_m) : 0.0f;
    b->air_radius = (float)(is_round ? fmin(v->planet_radius_m * 1e-3, AIR_RADIUS_MAX_KM) : FLAT_RADIUS_KM);
    set2(b->mark_from, v->mark_m[0], v->mark_m[1]);
    set2(b->mark_to, v->mark_m[2], v->mark_m[3]);
}

/** Sine of the sun's elevation; from space, where it is highest on the visible part of the planet. */
static float highest_sun(const render_view *v)
{
    static const double SPACE_M = 2.0e4; /* up to this height the sun at the camera's foot counts */
    const double radius = v->planet_radius_m, height = fmax(v->altitude_m, SPACE_M);
    if (radius <= 0.0)
        return v->sun[1];
    const double seen = acos(radius / (radius + height)) - acos(radius / (radius + SPACE_M));
    return (float)sin(fmin(asin((double)v->sun[1]) + seen, 1.5707963));
}

/** The key light is the light that casts shadows: the sun until sunset, then the moon. */
static void fill_lights(frame_block *b, const render_view *v)
{
    const float highest = highest_sun(v);
    const bool is_sun = highest > -0.045f;
    set3(b->sun, v->sun);
    set3(b->moon, v->moon);
    set3(b->key, is_sun ? v->sun : v->moon);
    b->key_irradiance = is_sun ? 1.0f : MOONLIGHT * glm_smoothstep(-0.045f, -0.12f, highest);
    b->night = v->look->air > 0.0 ? glm_smoothstep(0.0f, -0.14f, highest) : 0.0f;
}

static void fill_look(frame_block *b, const render_view *v, const render_quality *quality)
{
    const look *l = v->look;
    b->haze = (float)l->haze;
    b->tree_line = (float)l->tree_line_m;
    b->snow_line = (float)l->snow_line_m;
    b->aridity = (float)l->aridity;
    b->strata = (float)l->strata;
    b->cloud_cover = l->air > 0.0 ? (float)l->clouds : 0.0f;
    b->cloud_base = (float)l->cloud_base_m;
    b->cloud_depth = (float)l->cloud_depth_m;
    b->air_density = (float)l->air;
    for (int n = 0; n < LOOK_COLORS; n++) {
        set3(b->colors[n], l->colors[n]);
        b->colors[n][3] = 1.0f;
    }
    b->is_plain = l->is_plain;
    if (v->layers & 1u << LAYER_TREES && v->layers & 1u << LAYER_TERRAIN && v->debug == DEBUG_OFF && !l->is_plain &&
        l->air > 0.0)
        b->tree_range = (float)quality->tree_range_m;
}

/** Set the camera's position in the drifting air: a cell of the coarsest noise of the weather, and a position in this
 * cell. */
static void fill_weather(frame_block *b, const render_view *v)
{
    const double offset_m[2] = {v->offset_x_m, v->offset_z_m};
    for (int n = 0; n < 2; n++) {
        const double drift_m = -CLOUD_SPEED[n] * v->time_s,
                     air_m = (double)v->cell[n] * v->spacing_m + offset_m[n] + drift_m;
        const double cell = floor(air_m / WEATHER_CELL_M);
        b->cloud_drift[n] = (float)fmod(drift_m, RENDER_PATTERN_M);
        b->weather_cell[n] = (int32_t)(uint32_t)(int64_t)fmod(cell, 4294967296.0);
        b->weather_place[n] = (float)(air_m - cell * WEATHER_CELL_M);
        b->weather_seeds[n] = v->weather_seeds[n];
    }
    b->weather_share = (float)v->weather_share;
}

static void fill_climate(frame_block *b, const render_view *v)
{
    const render_climate *c = v->climate;
    b->season = (float)v->season;
    set2(b->climate_place, c->place[0], c->place[1]);
    b->climate_scale = (float)(1.0 / c->step_m);
    memcpy(b->climate, c->at, sizeof b->climate);
}

static void fill_craters(frame_block *b, const render_view *v)
{
    const render_craters *c = v->craters;
    memcpy(b->rays, c->rays, sizeof b->rays);
    memcpy(b->lava, c->lava_m, sizeof b->lava);
    b->n_rays = c->n_rays;
    b->has_craters = c->n_rays > 0 || c->lava_m[1] > c->lava_m[0];
}

static frame_morph morph_between(double start, double end)
{
    if (end > start)
        return (frame_morph){.start = (float)start, .rate = (float)(1.0 / (end - start)), .end = (float)end};
    return (frame_morph){.rate = 1.0f};
}

/** The coarsest level never morphs, because there is no coarser level. */
static const frame_morph never = {.start = 3.0e37f, .rate = 1.0f, .end = 3.0e38f};

/** Position of the camera in samples of a level, modulo the side of the page table. The remainder is small everywhere
 * in the world. */
static frame_level level_of(const render_view *v, int lod)
{
    const int64_t size = INT64_C(1) << lod, period = (int64_t)QUADTREE_PAGES * TILE_QUADS << lod;
    const double offset_m[2] = {v->offset_x_m, v->offset_z_m};
    frame_level level = {.samples_a_metre = (float)(1.0 / ((double)size * v->spacing_m))};
    for (int n = 0; n < 2; n++) {
        const int64_t cell = ((v->cell[n] % period) + period) % period;
        level.place[n] = (float)(((double)cell + offset_m[n] / v->spacing_m) / (double)size);
    }
    return level;
}

static void fill_levels(frame_block *b, const render_view *v, const quadtree *tree)
{
    for (int lod = 0; lod < TILE_LODS; lod++) {
        b->morph[lod] =
            lod >= tree->top ? never : morph_between(quadtree_morph_start(tree, lod), quadtree_morph_end(tree, lod));
        b->levels[lod] = level_of(v, lod);
    }
    for (int part = 1; part <= tree->n_parts; part++)
        b->part_morph[part] = morph_between(quadtree_part_morph_start(tree, part), quadtree_part_morph_end(tree, part));
    b->coarsest_lod = tree->top;
    b->fine_lods = tree->fine_lods;
    b->means_lod = tree->means_lod;
}

void frame_block_fill(frame_block *b, const render_view *v, const render_quality *quality, const quadtree *tree,
                      int width, int height)
{
    memset(b, 0, sizeof *b);
    fill_camera(b, v, width, height);
    fill_land(b, v);
    fill_lights(b, v);
    fill_look(b, v, quality);
    fill_weather(b, v);
    fill_climate(b, v);
    fill_craters(b, v);
    fill_levels(b, v, tree);
    b->mesh_step = quality->mesh_step;
    b->quality = quality->level;
    b->weather_texel = quality->is_coarse ? 512.0f : 256.0f;
    b->light_side = quality->light_side;
    b->debug_view = (int32_t)v->debug;
    b->layers = (int32_t)v->layers;
    b->has_rivers = !v->has_rivers ? 0 : v->has_cover ? 2 : 1;
    b->is_unfolding = tree->is_fading;
}
