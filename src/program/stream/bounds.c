/* bounds.c - tests rectangles of the land against distance, frustum and horizon. */
#include "program/stream/bounds.h"

#include <math.h>

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

double bounds_beyond_horizon(const quadtree_view *view, const span *s, double distance)
{
    const double camera = view->altitude - view->occluder, top = s->high + camera;
    if (view->planet_radius <= 0.0 || camera <= 0.0)
        return -INFINITY;
    return distance - sqrt(2.0 * view->planet_radius * camera) -
           (top > 0.0 ? sqrt(2.0 * view->planet_radius * top) : 0.0);
}

bool bounds_are_in_frustum(const box *b, const quadtree_view *view, const span *s)
{
    const double far_x = fmax(fabs(b->west), fabs(b->east)), far_z = fmax(fabs(b->north), fabs(b->south));
    const double drop = view->planet_radius > 0 ? (far_x * far_x + far_z * far_z) / (2.0 * view->planet_radius) : 0.0;
    for (int n = 0; n < 5; n++) {
        const double *p = view->planes[n];
        const double x = p[0] > 0 ? b->east : b->west, y = p[1] > 0 ? s->high : s->low - drop,
                     z = p[2] > 0 ? b->south : b->north;
        if (p[0] * x + p[1] * y + p[2] * z + p[3] < 0)
            return false;
    }
    return true;
}

bool bounds_are_visible(const box *b, const quadtree_view *view, const span *s, double distance)
{
    return bounds_are_in_frustum(b, view, s) && bounds_beyond_horizon(view, s, distance) < 0.0;
}
