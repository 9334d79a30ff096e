/* bounds.c - tests rectangles of the land against distance, frustum and horizon. */
#include "program/stream/bounds.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

box bounds_box(const quadtree_view *view, double spacing, int64_t x, int64_t z, double steps)
{
    const double west = ((double)(x - view->cell_x) - view->offset_x) * spacing;
    const double north = ((double)(z - view->cell_z) - view->offset_z) * spacing;
    return (box){west, west + steps * spacing, north, north + steps * spacing};
}

static double square(double x)
{
    return x * x;
}

static double distance_squared(const box *b, const quadtree_view *view)
{
    const double dx = b->west > 0 ? b->west : b->east < 0 ? b->east : 0;
    const double dz = b->north > 0 ? b->north : b->south < 0 ? b->south : 0;
    return square(dx) + square(dz) + square(view->height);
}

double bounds_distance(const box *b, const quadtree_view *view)
{
    return sqrt(distance_squared(b, view));
}

bool bounds_are_soon_within(const box *b, const quadtree_view *view, double spacing, double reach)
{
    const double x = view->ahead_x * spacing, z = view->ahead_z * spacing;
    const box swept = {b->west - (x > 0 ? x : 0), b->east - (x < 0 ? x : 0), b->north - (z > 0 ? z : 0),
                       b->south - (z < 0 ? z : 0)};
    return distance_squared(&swept, view) < square(reach);
}

double bounds_horizon(double planet_radius, double height)
{
    const double share = fmax(height, 0.0) / planet_radius;
    return planet_radius * atan(sqrt(share * (share + 2.0)));
}

double bounds_beyond_horizon(const quadtree_view *view, const span *s, double distance)
{
    const double camera = view->altitude - view->occluder, top = s->high + camera;
    if (view->planet_radius <= 0.0 || camera <= 0.0)
        return -INFINITY;
    const double along = sqrt(fmax(square(distance) - square(view->height), 0.0));
    return along - bounds_horizon(view->planet_radius, camera) - bounds_horizon(view->planet_radius, top);
}

/** Distances from the camera's foot to the nearest and the farthest point of a rectangle, along the land. */
static void distances_of(const box *b, double *nearest, double *farthest)
{
    const double far_x = fmax(fabs(b->west), fabs(b->east)), far_z = fmax(fabs(b->north), fabs(b->south));
    const double near_x = fmax(fmax(b->west, -b->east), 0.0), near_z = fmax(fmax(b->north, -b->south), 0.0);
    *nearest = sqrt(square(near_x) + square(near_z));
    *farthest = sqrt(square(far_x) + square(far_z));
}

/** The box in space that holds the curved land of a rectangle: see globe.glsl. */
static void curve_box(const quadtree_view *view, box *b, span *s)
{
    double nearest, farthest;
    distances_of(b, &nearest, &farthest);
    const double near_angle = fmin(nearest / view->planet_radius, PI),
                 far_angle = fmin(farthest / view->planet_radius, PI);
    const double most = near_angle > 0.0 ? sin(near_angle) / near_angle : 1.0, least = sin(far_angle) / far_angle;
    b->west *= b->west < 0.0 ? most : least;
    b->east *= b->east > 0.0 ? most : least;
    b->north *= b->north < 0.0 ? most : least;
    b->south *= b->south > 0.0 ? most : least;
    s->low -= view->planet_radius * (1.0 - cos(far_angle));
    s->high -= view->planet_radius * (1.0 - cos(near_angle));
}

bool bounds_are_in_frustum(const box *flat, const quadtree_view *view, const span *heights)
{
    box b = *flat;
    span s = *heights;
    if (view->planet_radius > 0.0)
        curve_box(view, &b, &s);
    for (int n = 0; n < 5; n++) {
        const double *p = view->planes[n];
        const double x = p[0] > 0 ? b.east : b.west, y = p[1] > 0 ? s.high : s.low, z = p[2] > 0 ? b.south : b.north;
        if (p[0] * x + p[1] * y + p[2] * z + p[3] < 0)
            return false;
    }
    return true;
}

bool bounds_are_visible(const box *b, const quadtree_view *view, const span *s, double distance)
{
    return bounds_are_in_frustum(b, view, s) && bounds_beyond_horizon(view, s, distance) < 0.0;
}
