/* triangle_geometry.h - exact integer geometry of triangles whose corners are samples of a grid. */
#ifndef TERRANE_PROGRAM_EXPORT_MESH_TRIANGLE_GEOMETRY_H
#define TERRANE_PROGRAM_EXPORT_MESH_TRIANGLE_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

typedef struct grid_point {
    int64_t x, y; /* column, row */
} grid_point;

/** Twice the signed area of the triangle p, q, r: positive if r lies to the left of the line from p to q, with rows
 * counted downwards; 0 if r lies on the line. */
static inline int64_t side_of(grid_point p, grid_point q, grid_point r)
{
    return (q.y - p.y) * (r.x - p.x) - (q.x - p.x) * (r.y - p.y);
}

/** Whether s lies in the circle through the counter-clockwise triangle p, q, r. For grids of 4097 samples a side the
 * result needs 51 bits. */
static inline bool is_in_circle(grid_point p, grid_point q, grid_point r, grid_point s)
{
    const int64_t px = p.x - s.x, py = p.y - s.y, qx = q.x - s.x, qy = q.y - s.y, rx = r.x - s.x, ry = r.y - s.y;
    const int64_t pp = px * px + py * py, qq = qx * qx + qy * qy, rr = rx * rx + ry * ry;
    return px * (qy * rr - qq * ry) - py * (qx * rr - qq * rx) + pp * (qx * ry - qy * rx) < 0;
}

#endif
