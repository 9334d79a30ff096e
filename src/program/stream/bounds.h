/* bounds.h - tests rectangles of the land against the camera: distance, frustum and horizon. */
#ifndef TERRANE_PROGRAM_STREAM_BOUNDS_H
#define TERRANE_PROGRAM_STREAM_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>

/** The camera, as the quadtree needs it. Distances are metres. */
typedef struct quadtree_view {
    int64_t cell_x, cell_z;    /* lattice cell of the camera */
    double offset_x, offset_z; /* lattice steps from the cell's corner, 0..1 */
    /* Lattice steps from the camera to its predicted position; tiles near the path between both are prefetched. */
    double ahead_x, ahead_z;
    double height; /* height of the camera above the ground, smoothed; used as the vertical distance to all land */
    double far_distance;  /* land beyond this distance is not drawn */
    double planet_radius; /* the land lies on a sphere, as globe.glsl describes; 0: the land is flat */
    double planes[5][4];  /* frustum, camera-relative metres (east, up, south): inside where n . p + d >= 0 */
    double low, high;     /* lowest and highest ground of the world, relative to the camera */
    double altitude;      /* altitude of the camera over the datum */
    double occluder;      /* altitude of an opaque sphere whose horizon hides land: sea level, or the lowest ground */
} quadtree_view;

/** A rectangle of the land relative to the camera, metres. */
typedef struct box {
    double west, east, north, south;
} box;

/** Lowest and highest ground, relative to the camera, metres. */
typedef struct span {
    double low, high;
} span;

/** The square whose north-west corner is a lattice point, `steps` lattice steps of `spacing` metres wide. */
box bounds_box(const quadtree_view *view, double spacing, int64_t x, int64_t z, double steps);

/** Distance from the camera to the nearest point of a rectangle. Shaders measure the distance of a vertex in the same
 * way. */
double bounds_distance(const box *b, const quadtree_view *view);

/** Whether the camera comes nearer than `reach` to a rectangle on the way to the camera's predicted position. */
bool bounds_are_soon_within(const box *b, const quadtree_view *view, double spacing, double reach);

/** Distance of the horizon of a sphere from the foot of a camera at a height, along the sphere, metres. */
double bounds_horizon(double planet_radius, double height);

/** How far beyond the horizon of the view's occluder the highest ground of a span lies, metres. Below 0 the ground can
 * be seen over the horizon. `distance` is the distance of the ground from the camera. */
double bounds_beyond_horizon(const quadtree_view *view, const span *s, double distance);

bool bounds_are_in_frustum(const box *b, const quadtree_view *view, const span *s);

/** Whether a box is in the frustum and its highest ground is over the horizon. */
bool bounds_are_visible(const box *b, const quadtree_view *view, const span *s, double distance);

#endif
