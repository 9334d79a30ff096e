/* triangle_geometry.h - triangles whose corners are samples of a grid: whole numbers, exact. */
#ifndef TERRANE_PROGRAM_EXPORT_MESH_TRIANGLE_GEOMETRY_H
#define TERRANE_PROGRAM_EXPORT_MESH_TRIANGLE_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

typedef struct grid_point {
    int64_t x, y; /* column, row */
} grid_point;

/** Twice the area to the left of a line from p to q, seen with rows downwards: 0 when r lies on it. */
static inline int64_t side_of(grid_point p, grid_point q, grid_point r)
{
    return (q.y - p.y) * (r.x - p.x) - (q.x - p.x) * (r.y - p.y);
}

/** Whether s lies within the circle through a counter-clockwise triangle. Sides of 4096 need 51 bits. */
static inline bool is_in_circle(grid_point p, grid_point q, grid_point r, grid_point s)
{
    const int64_t px = p.x - s.x, py = p.y - s.y, qx = q.x - s.x, qy = q.y - s.y, rx = r.x - s.x, ry = r.y - s.y;
    const int64_t pp = px * px + py * py, qq = qx * qx + qy * qy, rr = rx * rx + ry * ry;
    return px * (qy * rr - qq * ry) - py * (qx * rr - qq * rx) + pp * (qx * ry - qy * rx) < 0;
}

#endif
