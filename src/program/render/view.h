/* view.h - the camera and the light of a frame, as the flight describes them; what of them is geometry. Calls no
 * OpenGL. */
#ifndef TERRANE_PROGRAM_RENDER_VIEW_H
#define TERRANE_PROGRAM_RENDER_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "program/surface/look.h"

/** What may be drawn; names are in render_layer_names, bits are 1 << layer. */
typedef enum render_layer {
    LAYER_TERRAIN,
    LAYER_WATER,
    LAYER_SKY,
    LAYER_CLOUDS,
    LAYER_SHADOWS,
    LAYER_HUD,
    LAYER_TREES,
    LAYERS
} render_layer;
extern const char *const render_layer_names[LAYERS];

typedef enum render_debug { DEBUG_OFF, DEBUG_LOD, DEBUG_NORMALS, DEBUG_TILES, DEBUG_WIRE } render_debug;

/** The rectangle of a larger picture that a frame is, in shares of that picture. */
typedef struct render_part {
    double left, top, width, height; /* 0..1; width 0: the frame is the whole picture */
    double aspect;                   /* of the whole picture: width / height */
} render_part;

typedef struct render_view {
    float right[3], up[3], forward[3];       /* unit vectors: east, up, south */
    float fov_deg;                           /* vertical */
    int picture_height;                      /* pixels of the whole picture */
    render_part part;                        /* of the whole picture, that this frame is */
    bool is_exposed;                         /* leave the exposure as it is */
    bool is_changing;                        /* heights change from frame to frame: tiles are lit again faster */
    bool has_rivers;                         /* tiles have water beside their heights: rivers and lakes */
    int64_t cell[2];                         /* lattice cell of the camera */
    double offset_x_m, offset_z_m;           /* camera from the corner of its lattice cell */
    double pattern_m[2], broad_pattern_m[2]; /* camera (x, z) modulo RENDER_PATTERN_M and RENDER_BROAD_PATTERN_M */
    double planet_radius_m;                  /* 0 is flat */
    double altitude_m, sea_m;                /* over the datum */
    double lod_height_m, far_m, spacing_m;
    double highest_m;         /* no ground is higher */
    double time_s, elapsed_s; /* of the flight, and since the last frame; negative: the eye adapts at once */
    float sun[3], moon[3];    /* directions */
    const look *look;
    uint32_t weather_seeds[2]; /* of this world's weather and of the next world's */
    double weather_share;      /* of the next world's, 0..1 */
    unsigned layers;           /* 1 << render_layer */
    render_debug debug;
    double
        mark_m[4]; /* west, north, east, south edge of the ground that is marked, metres from the camera; all 0: none */
} render_view;

static const double RENDER_PATTERN_M = 65536.0, RENDER_BROAD_PATTERN_M = 4194304.0; /* as in frame.glsl */

/** Matrix from metres relative to the camera to clip space for a frame of width x height pixels, columns first:
 * reverse-Z, the far plane at infinity, depth is near / distance. */
void render_view_projection(const render_view *view, int width, int height, float out[4][4]);

/** Frustum planes of a whole view, width / height wide, for quadtree_view. */
void render_frustum(const render_view *view, double aspect, double planes[5][4]);

#endif
