/* view.h - describes the camera and the light of a frame; makes its projection and its frustum. Calls no OpenGL. */
#ifndef TERRANE_PROGRAM_RENDER_VIEW_H
#define TERRANE_PROGRAM_RENDER_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "program/surface/look.h"

#include <constants.glsl>

/** Parts of a picture that can be switched on and off: LAYER_TERRAIN ... Their names are in render_layer_names, and
 * their bits are 1 << layer. */
#define VIEW_LAYER(name, bit) name = (bit),
#define VIEW_DEBUG(name, number)
typedef enum render_layer {
#include <view_layers.glsl>
    LAYERS
} render_layer;
#undef VIEW_LAYER
#undef VIEW_DEBUG
extern const char *const render_layer_names[LAYERS];

/** Views for debugging, DEBUG_OFF ... */
#define VIEW_LAYER(name, bit)
#define VIEW_DEBUG(name, number) name = (number),
typedef enum render_debug {
#include <view_layers.glsl>
} render_debug;
#undef VIEW_LAYER
#undef VIEW_DEBUG

/** The rectangle of a large picture that a frame draws, in shares of the picture's width and height. */
typedef struct render_part {
    double left, top, width, height; /* 0..1; width 0: the frame is the full picture */
    double aspect;                   /* width / height of the full picture */
} render_part;

/** The climate of the land around the camera. */
typedef struct render_climate {
    double step_m;   /* spacing of the points */
    double place[2]; /* camera (x, z) among the points, in their spacing, from the north-west point */
    /* points row by row: what the climate adds to the lines of trees and of snow, metres, and to the aridity of a look;
     * mean temperature of the year at the level of the sea, degrees Celsius */
    float at[CLIMATE_MAP_SIDE * CLIMATE_MAP_SIDE][4];
} render_climate;

/** Bright rays of young craters, and dark lava. */
typedef struct render_craters {
    int n_rays;                     /* 0..CRATER_RAYS_MAX */
    float rays[CRATER_RAYS_MAX][4]; /* centre (east, south), metres from the camera; radius, metres; seed of its rays,
                                       0..255, plus their brightness, 0..1 */
    float lava_m[2]; /* altitudes: lava covers the ground below the first and none above the second; equal: no lava */
} render_craters;

typedef struct render_view {
    float right[3], up[3], forward[3]; /* unit vectors with components east, up, south */
    float fov_deg;                     /* vertical field of view */
    int picture_height;                /* pixels of the full picture */
    render_part part;                  /* part of the full picture that this frame draws */
    bool is_exposed;                   /* keep the exposure of the last frame */
    bool is_changing;                  /* heights change from frame to frame: more tiles are lit again per frame */
    bool has_cover;                    /* the world has glaciers, sand or dry beds of rivers */
    bool has_rivers;                   /* tiles have water levels as well as heights: there are rivers and lakes */
    int fine_lods;                     /* as in quadtree */
    int64_t cell[2];                   /* cell of the camera in the lattice of tiles */
    double offset_x_m, offset_z_m;     /* position of the camera from the north-west corner of this cell */
    double pattern_m[2], broad_pattern_m[2]; /* camera (x, z) modulo RENDER_PATTERN_M and RENDER_BROAD_PATTERN_M */
    double planet_radius_m;                  /* 0: the land is flat */
    double altitude_m, sea_m;                /* altitude of the camera and of the sea, over the datum */
    double lod_height_m;                     /* height of the camera above the ground; see quadtree_view.height */
    double far_m, spacing_m;                 /* end of the drawn land; step of the lattice of tiles */
    double highest_m;                        /* upper bound of the ground */
    double time_s, elapsed_s; /* flight time; time since the last frame, < 0: the exposure adapts at once */
    float sun[3], moon[3];    /* directions */
    const look *look;
    const render_climate *climate;
    const render_craters *craters;
    double season;             /* 0 and 1: midwinter; 0.5: midsummer */
    uint32_t weather_seeds[2]; /* seeds of the weather of this world and, in a morph, of the next world */
    double weather_share;      /* weight of the next world's weather, 0..1 */
    unsigned layers;           /* 1 << render_layer */
    render_debug debug;
    double mark_m[4]; /* marked ground: west, north, east, south edge, metres from the camera; all 0: none */
} render_view;

static const double RENDER_PATTERN_M = NOISE_PATTERN_M, RENDER_BROAD_PATTERN_M = NOISE_BROAD_PATTERN_M;

/** Matrix from metres relative to the camera to clip space for a frame of width x height pixels, column-major. The
 * projection has reverse Z and its far plane at infinity; depth is near / distance. */
void render_view_projection(const render_view *view, int width, int height, float out[4][4]);

/** Frustum planes of the full picture for quadtree_view. aspect: width / height */
void render_frustum(const render_view *view, double aspect, double planes[5][4]);

#endif
