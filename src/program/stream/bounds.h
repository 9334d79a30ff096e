/* bounds.h - boxes around parts of the land, as the camera sees them. */
#ifndef TERRANE_PROGRAM_STREAM_BOUNDS_H
#define TERRANE_PROGRAM_STREAM_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>

/** The camera as the quadtree sees it. Distances are metres. */
typedef struct quadtree_view {
    int64_t cell_x, cell_z;    /* lattice cell of the camera */
    double offset_x, offset_z; /* lattice steps from the cell's corner, 0..1 */
    double ahead_x,
        ahead_z; /* where the camera will soon be, lattice steps from where it is: what is near there is wanted, too */
    double height;        /* of the camera above the ground under it: distance to the land is measured from there */
    double far_distance;  /* land beyond is not drawn */
    double planet_radius; /* the land curves away by distance^2 / (2 * radius); 0 is flat */
    double planes[5][4];  /* frustum, camera-relative metres (east, up, south): inside where n . p + d >= 0 */
    double low, high;     /* lowest and highest ground anywhere, relative to the camera */
    double altitude;      /* of the camera over the datum */
    double
        occluder; /* altitude of an opaque sphere that hides land beyond its horizon, below low where there is none */
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

/** Distance from the camera to a rectangle, as shaders measure it at its nearest vertex. */
double bounds_distance(const box *b, const quadtree_view *view);

/** Whether a rectangle is nearer than `reach` to a place between the camera and where it will soon be. */
bool bounds_are_soon_within(const box *b, const quadtree_view *view, double spacing, double reach);

/** How far beyond the horizon the highest ground of a span at a distance lies, metres; less than 0: it can be seen over
 * the horizon, which is that of the view's occluder. */
double bounds_beyond_horizon(const quadtree_view *view, const span *s, double distance);

bool bounds_are_in_frustum(const box *b, const quadtree_view *view, const span *s);

/** Whether they are in the frustum and over the horizon. */
bool bounds_are_visible(const box *b, const quadtree_view *view, const span *s, double distance);

#endif
