/* view_builder.h - what the camera sees of the land: how far, how fine, in which light; as the renderer and the
 * quadtree ask for it. */
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
    double planet_radius_m; /* 0 is flat */
    double beyond_m;        /* of the quality */
    double pixel_error;     /* how large the land's samples, and errors of its mesh, may look, pixels */
    double lod_height_m;    /* over the ground, for the distance that levels of detail follow; it changes slowly */
    render_debug debug;
    ground_mark mark; /* or one of no samples */
    double mark_s;    /* how long it still shows */
} view_builder;

/** The moment of a frame. */
typedef struct frame_moment {
    double time_s;    /* of the flight */
    double elapsed_s; /* since the last frame; negative: there is none */
} frame_moment;

/** A view as the renderer and the quadtree ask for it. `look` belongs to it: it stays where it is made. */
typedef struct frame_view {
    look look;
    render_view render;
    quadtree_view tree;
} frame_view;

/** Make the view of a picture of width x height pixels. */
void view_builder_make(const view_builder *builder, int width, int height, const frame_moment *moment, frame_view *out);

/** Let the height that detail follows come nearer to the camera's height over the ground. */
void view_builder_follow_height(view_builder *builder, double height_m, double elapsed_s);

/** How far the land is seen, metres. */
double view_builder_far_m(const view_builder *builder);

/** Detail for a picture, see quadtree.detail: samples, and the root mean square of what the mesh leaves out, are at
 * most pixel_error pixels large where a level begins; as far as the pool's tiles reach. */
double view_builder_detail(const view_builder *builder, int picture_height);

#endif
