/* view_builder.h - makes the view of a frame for the renderer and the quadtree from camera, land, light and layers. */
#ifndef TERRANE_PROGRAM_VIEWER_FLIGHT_VIEW_BUILDER_H
#define TERRANE_PROGRAM_VIEWER_FLIGHT_VIEW_BUILDER_H

#include "program/render/view.h"
#include "program/viewer/camera/camera.h"
#include "program/viewer/camera/shown_layers.h"
#include "program/viewer/camera/sunlight.h"
#include "program/viewer/flight/ground_mark.h"
#include "program/viewer/tiles/terrain.h"

typedef struct view_builder {
    const camera *camera;
    const terrain *terrain;
    const sunlight *sunlight;
    const layers *layers;
    const render_climate *climate;
    const render_craters *craters;
    double season;          /* 0 and 1: midwinter; 0.5: midsummer */
    double planet_radius_m; /* 0: the world is flat */
    double beyond_m;        /* render_quality.beyond_m */
    double pixel_error;     /* largest size of a sample and of an error of the mesh, in pixels of the picture */
    double lod_height_m;    /* height over the ground for the choice of levels of detail; it changes slowly */
    render_debug debug;
    ground_mark mark; /* marked ground; width 0: nothing is marked */
    double mark_s;    /* time for which the mark is still shown */
} view_builder;

/** The moment of a frame. */
typedef struct frame_moment {
    double time_s;    /* time of the flight */
    double elapsed_s; /* time since the last frame; negative for the first frame */
} frame_moment;

/** The view of a frame. `render` points to `look`, so this struct must not be copied or moved. */
typedef struct frame_view {
    look look;
    render_view render;
    quadtree_view tree;
} frame_view;

/** Make the view of a frame of width x height pixels. */
void view_builder_make(const view_builder *builder, int width, int height, const frame_moment *moment, frame_view *out);

/** Move lod_height_m toward the camera's height over the ground. */
void view_builder_follow_height(view_builder *builder, double height_m, double elapsed_s);

/** Distance to which the land is visible, metres. */
double view_builder_far_m(const view_builder *builder);

/** The value of quadtree.detail for a picture. Where a level begins, its samples and the root mean square error of its
 * mesh are at most pixel_error pixels large. They may be larger if the pool has too few tiles, or if the camera is more
 * than 20 km above the ground. */
double view_builder_detail(const view_builder *builder, int picture_height);

/** Number of tiles for which the pool must have room, so that it does not limit view_builder_detail. */
double view_builder_tiles(const view_builder *builder, int picture_height);

#endif
