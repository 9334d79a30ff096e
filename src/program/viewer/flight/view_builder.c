/* view_builder.c - computes views, the visible distance and the level of detail. */
#include "program/viewer/flight/view_builder.h"

#include <math.h>
#include <string.h>

static const float FOV_DEG = 55.0f;
static const double FOLLOW_S = 0.5;
static const double FIRST_FRAME_S = 1.0 / 60.0; /* assumed time of the first frame */
static const double AHEAD_FRAMES = 3.0;  /* tiles are requested this many frames early: a frame loads only one level */
static const double FAR_LEAST_M = 100e3; /* mountains up to this distance are drawn in every quality */
static const double FAR_MOST_M = 1.6e7;  /* limit on large and flat planets */
static const double RADIANS = 0.017453292519943295;

/** A coordinate modulo the period of a noise pattern, computed from the exact cell. */
static double pattern_place(int64_t cell, double offset, double spacing_m, double pattern_m)
{
    return fmod(fmod((double)cell * spacing_m, pattern_m) + offset * spacing_m + pattern_m, pattern_m);
}

/** A coordinate in the lattice of tiles. */
typedef struct tile_place {
    int64_t cell;
    double offset; /* 0..1 */
} tile_place;

/** cell, offset: in the world's lattice */
static tile_place tile_place_of(int64_t cell, double offset, int fine_lods)
{
    const double fine = ldexp(offset, fine_lods), whole = floor(fine);
    return (tile_place){(int64_t)((uint64_t)cell << fine_lods) + (int64_t)whole, fine - whole};
}

static double sea_at_camera_m(const view_builder *s)
{
    const landscape *l = &s->terrain->land;
    return landscape_sea_m(l, landscape_share(l, s->camera));
}

double view_builder_far_m(const view_builder *s)
{
    const double radius = s->planet_radius_m, sea_m = sea_at_camera_m(s);
    const double height = fmax(s->camera->altitude_m - sea_m, 0.0);
    if (radius <= 0.0)
        return fmin(fmin(350.0e3 + 14.0 * height, fmax(3.0e6, 2.0 * height)), FAR_MOST_M);
    const double peaks = fmin(fmax(s->terrain->high_m - sea_m, 0.0), 4000.0), horizon = bounds_horizon(radius, height);
    const double far_m = fmin(horizon + bounds_horizon(radius, peaks), FAR_MOST_M);
    return s->beyond_m > 0.0 ? fmin(far_m, fmax(horizon + s->beyond_m, FAR_LEAST_M)) : far_m;
}

static uint32_t weather_seed(const ter_world *world)
{
    const uint64_t seed = ter_world_params(world)->seed;
    return (uint32_t)(seed ^ seed >> 32);
}

/** During a morph, mix the weather of both worlds by the share of the next world at the camera. */
static void fill_weather(const view_builder *s, render_view *v)
{
    const landscape *l = &s->terrain->land;
    v->weather_seeds[0] = weather_seed(l->world);
    v->weather_seeds[1] = weather_seed(l->next ? l->next : l->world);
    v->weather_share = landscape_share(l, s->camera);
}

static void fill_render_view(const view_builder *s, int height, const frame_moment *moment, const look *look,
                             render_view *v)
{
    const camera *c = s->camera;
    const terrain *t = s->terrain;
    const ter_params *params = ter_world_params(t->land.world);
    const double spacing = params->spacing;
    const tile_place in_x = tile_place_of(c->cell_x, c->offset_x, t->tree.fine_lods),
                     in_z = tile_place_of(c->cell_z, c->offset_z, t->tree.fine_lods);
    *v = (render_view){
        .fov_deg = FOV_DEG,
        .picture_height = height,
        .fine_lods = t->tree.fine_lods,
        .cell = {in_x.cell, in_z.cell},
        .offset_x_m = in_x.offset * t->tree.spacing,
        .offset_z_m = in_z.offset * t->tree.spacing,
        .pattern_m = {pattern_place(c->cell_x, c->offset_x, spacing, RENDER_PATTERN_M),
                      pattern_place(c->cell_z, c->offset_z, spacing, RENDER_PATTERN_M)},
        .broad_pattern_m = {pattern_place(c->cell_x, c->offset_x, spacing, RENDER_BROAD_PATTERN_M),
                            pattern_place(c->cell_z, c->offset_z, spacing, RENDER_BROAD_PATTERN_M)},
        .planet_radius_m = s->planet_radius_m,
        .altitude_m = c->altitude_m,
        .sea_m = sea_at_camera_m(s),
        .lod_height_m = s->lod_height_m,
        .far_m = view_builder_far_m(s),
        .spacing_m = t->tree.spacing,
        .highest_m = t->high_m,
        .time_s = moment->time_s,
        .elapsed_s = moment->elapsed_s,
        .look = look,
        .climate = s->climate,
        .craters = s->craters,
        .season = s->season,
        .layers = s->layers->shown,
        .debug = s->debug,
        .is_changing = t->land.next != NULL,
        .has_rivers = landscape_drains(&t->land),
        .has_cover = params->glaciers > 0.0 || params->sand > 0.0 || params->drought > 0.0,
    };
    fill_weather(s, v);
    if (s->mark_s > 0.0)
        ground_mark_place(&s->mark, c, spacing, v->mark_m);
    memcpy(v->sun, s->sunlight->sun, sizeof v->sun);
    memcpy(v->moon, s->sunlight->moon, sizeof v->moon);
    camera_axes(c, v->right, v->up, v->forward);
}

static void fill_tree_view(const view_builder *s, const render_view *v, double aspect, quadtree_view *q)
{
    const camera *c = s->camera;
    const terrain *t = s->terrain;
    const tile_place in_x = tile_place_of(c->cell_x, c->offset_x, t->tree.fine_lods),
                     in_z = tile_place_of(c->cell_z, c->offset_z, t->tree.fine_lods);
    const double ahead_s = AHEAD_FRAMES * (v->elapsed_s < 0.0 ? FIRST_FRAME_S : v->elapsed_s);
    *q = (quadtree_view){.cell_x = in_x.cell,
                         .cell_z = in_z.cell,
                         .offset_x = in_x.offset,
                         .offset_z = in_z.offset,
                         .ahead_x = c->velocity[0] * ahead_s / v->spacing_m,
                         .ahead_z = c->velocity[2] * ahead_s / v->spacing_m,
                         .height = v->lod_height_m,
                         .far_distance = hypot(v->far_m, v->lod_height_m),
                         .planet_radius = v->planet_radius_m,
                         .low = t->low_m - c->altitude_m,
                         .high = t->high_m - c->altitude_m,
                         .altitude = c->altitude_m,
                         .occluder = s->layers->shown & 1u << LAYER_WATER ? fmin(v->sea_m, t->high_m) : t->low_m};
    render_frustum(v, aspect, q->planes);
}

void view_builder_make(const view_builder *s, int width, int height, const frame_moment *moment, frame_view *out)
{
    const landscape *l = &s->terrain->land;
    landscape_look(l, landscape_share(l, s->camera), &out->look);
    fill_render_view(s, height, moment, &out->look, &out->render);
    fill_tree_view(s, &out->render, (double)width / height, &out->tree);
}

void view_builder_follow_height(view_builder *s, double height_m, double elapsed_s)
{
    s->lod_height_m += (fmax(height_m, 0.0) - s->lod_height_m) * (1.0 - exp(-elapsed_s / FOLLOW_S));
}

/** Share of the detail near the ground, 0..1. Near the ground the picture shows land at all distances. From space
 * nearly all land in view is of two or three levels, each of which has to be made before the first frame. The mesh of
 * such land is flat compared with the width of its samples. */
static double near_ground(const view_builder *s)
{
    static const double LOW_M = 2.0e4, HIGH_M = 2.0e5;
    return 1.0 - fmin(log(fmax(s->lod_height_m, LOW_M) / LOW_M) / log(HIGH_M / LOW_M), 1.0);
}

/** Tiles of a pool divided by detail^2. A camera at rest uses 52 of these 75; the others are for tiles that are loaded.
 * Each level of detail below 0 needs 6 more. */
static double tiles_of_detail(const view_builder *s)
{
    return 75.0 + 6.0 * s->terrain->tree.fine_lods;
}

/** The detail that a picture needs, limited to `most`. The error of a mesh is the displacement that the next finer
 * level adds. */
static double detail_within(const view_builder *s, int picture_height, double most)
{
    /* Root mean square displacement as a share of the amplitude: that of a uniform distribution, reduced in valleys. */
    static const double DISPLACEMENT_RMS = 0.35;
    static const double FAR_SAMPLES = 0.85; /* far above the ground, samples may be a little larger */
    const terrain *t = s->terrain;
    const ter_params *p = ter_world_params(t->land.world);
    const double pixel = 2.0 * tan((double)FOV_DEG * 0.5 * RADIANS) / picture_height * s->pixel_error;
    double amplitude[TER_LEVELS_MAX + 1];
    ter_params_amplitudes(p, amplitude);
    const double samples = 1.0 / (TILE_QUADS * pixel), mesh_step = (double)(1 << t->tree.n_parts);
    const double mesh = mesh_step * amplitude[p->levels] * DISPLACEMENT_RMS / (0.5 * TILE_QUADS * p->spacing * pixel);
    const double near_detail = fmax(fmin(fmax(samples, mesh), most), QUADTREE_DETAIL_MIN), share = near_ground(s);
    const double far_detail = fmax(fmin(FAR_SAMPLES * samples, most), QUADTREE_DETAIL_MIN);
    return share * near_detail + (1.0 - share) * far_detail;
}

double view_builder_detail(const view_builder *s, int picture_height)
{
    const double fits = sqrt((double)s->terrain->n_slots / tiles_of_detail(s));
    return detail_within(s, picture_height, fmin(fits, QUADTREE_DETAIL_MAX));
}

double view_builder_tiles(const view_builder *s, int picture_height)
{
    const double detail = detail_within(s, picture_height, QUADTREE_DETAIL_MAX);
    return tiles_of_detail(s) * detail * detail;
}
