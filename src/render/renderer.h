/* renderer.h - a frame of land, sea and sky into a framebuffer of its own; everything that draws goes through here. */
#ifndef TERRANE_RENDER_RENDERER_H
#define TERRANE_RENDER_RENDERER_H

#include <stdbool.h>

#include "picture/look.h"
#include "render/gpu_timer.h"
#include "render/tile_store.h"
#include "stream/quadtree.h"

/** Passes, in order; their names are in render_pass_names. "tiles" is light and bounds of new tiles, "air" the tables of the
 *  atmosphere, "terrain" its depth, "shade" the light of land, water and sky, "display" exposure and the finished picture.
 */
typedef enum render_pass {
    PASS_TILES,
    PASS_AIR,
    PASS_TERRAIN,
    PASS_CLOUDS,
    PASS_SHADE,
    PASS_DISPLAY,
    PASS_HUD,
    PASSES
} render_pass;
extern const char *const render_pass_names[PASSES];

/** What may be drawn; names are in render_layer_names, bits are 1 << layer. */
typedef enum render_layer { LAYER_TERRAIN, LAYER_WATER, LAYER_SKY, LAYER_CLOUDS, LAYER_SHADOWS, LAYER_HUD, LAYERS } render_layer;
extern const char *const render_layer_names[LAYERS];

typedef enum render_debug { DEBUG_OFF, DEBUG_LOD, DEBUG_NORMALS, DEBUG_TILES, DEBUG_WIRE } render_debug;

typedef struct renderer renderer;

/** The camera and the light of a frame. */
typedef struct render_view {
    float right[3], up[3], forward[3]; /* unit vectors: east, up, south */
    float fov_deg;                     /* vertical */
    int picture_height;                /* pixels of the whole picture */
    double part[4], aspect; /* left, top, width, height of the part of the picture that this frame is, 0..1; all 0: the whole */
    bool is_exposed;        /* leave the exposure as it is */
    bool is_changing;       /* heights change from frame to frame: tiles are lit again faster */
    double offset_x_m, offset_z_m;           /* camera from the corner of its lattice cell */
    double pattern_m[2], broad_pattern_m[2]; /* camera (x, z) modulo RENDER_PATTERN_M and RENDER_BROAD_PATTERN_M */
    double planet_radius_m;                  /* 0 is flat */
    double altitude_m, sea_m;                /* over the datum */
    double lod_height_m, far_m, spacing_m;
    double highest_m;         /* no ground is higher */
    double time_s, elapsed_s; /* of the flight, and since the last frame; negative: the eye adapts at once */
    float sun[3], moon[3];    /* directions */
    const look *look;
    unsigned layers; /* 1 << render_layer */
    render_debug debug;
    int64_t cell[2];  /* lattice cell of the camera */
    double mark_m[4]; /* west, north, east, south edge of the ground that is marked, metres from the camera; all 0: none */
} render_view;

static const double RENDER_PATTERN_M = 65536.0, RENDER_BROAD_PATTERN_M = 4194304.0; /* as in frame.glsl */

/** How much is spent on a frame. */
typedef struct render_quality {
    int level;          /* 0 low, 1 medium, 2 high: shading */
    int n_samples;      /* a pixel */
    int mesh_step;      /* samples a mesh quad */
    int light_side;     /* light texels of a tile's side, less one */
    int cloud_share;    /* pixels a cloud texel's side */
    size_t n_refreshed; /* tiles lit again in a frame */
    bool is_coarse;     /* smaller tables of the air */
} render_quality;

/** Create for n_slots tiles. */
outcome renderer_create(uint32_t n_slots, const render_quality *quality, renderer **out);
void renderer_destroy(renderer *renderer);

tile_store *renderer_tiles(renderer *renderer);
gpu_timer *renderer_timer(renderer *renderer);

/** Take shaders that have changed in the folder they come from; `say` takes the log of those that do not compile. */
void renderer_reload(renderer *renderer, void (*say)(const char *text));

/** Make the frame width x height pixels. */
outcome renderer_resize(renderer *renderer, int width, int height);

/** Frustum planes of a whole view, width / height wide, for quadtree_view. */
void render_frustum(const render_view *view, double aspect, double planes[5][4]);

/** Draw a frame: view, and the tiles and ranges of a quadtree; bounds of tiles go to the pool. */
void renderer_draw(renderer *renderer, const render_view *view, const quadtree *tree, tile_pool *pool);

/** Draw text over the frame; x, y in pixels from the top left corner. */
void renderer_text(renderer *renderer, const char *text, float x, float y);

/** Copy the frame to a window's framebuffer of width x height. */
void renderer_present(const renderer *renderer, int width, int height);

enum { RENDER_PLACES_WIDE = 128, RENDER_PLACES = 128 * 128 };

/** The ground that the last frame shows, by a grid of pixels: east, south and distance, metres from the camera; distance 0 where
 *  there is no ground. Waits for the GPU. */
void renderer_view_ground(renderer *renderer, float places[RENDER_PLACES][4]);

/** Framebuffer that holds the finished frame. */
GLuint renderer_framebuffer(const renderer *renderer);

/** Triangles of the last frame. */
uint64_t renderer_triangles(const renderer *renderer);

#endif
