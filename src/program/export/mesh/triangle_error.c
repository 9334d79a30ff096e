/* triangle_error.c - compares the samples in a triangle, row by row, with the triangle's plane. */
#include "program/export/mesh/triangle_error.h"

static double height_at(const height_grid *grid, grid_point p)
{
    return (double)grid->heights[p.y * grid->stride + p.x];
}

static int64_t floor_division(int64_t a, int64_t b)
{
    const int64_t q = a / b;
    return q - ((a % b != 0) && ((a < 0) != (b < 0)));
}

/** Narrow the columns *from..*to of row y to the columns on the inner side of the edge from p to q. */
static void clip_row(grid_point p, grid_point q, int64_t y, int64_t *from, int64_t *to)
{
    const int64_t dy = q.y - p.y, c = (q.x - p.x) * (y - p.y) + dy * p.x; /* inside: dy x >= c */
    if (dy > 0) {
        const int64_t least = -floor_division(-c, dy);
        *from = least > *from ? least : *from;
    } else if (dy < 0) {
        const int64_t most = floor_division(c, dy);
        *to = most < *to ? most : *to;
    }
}

/** The plane of a triangle: height = z + x * east + y * south. */
typedef struct plane {
    double z, east, south;
} plane;

static plane plane_of(const height_grid *grid, const grid_point p[3], int64_t area)
{
    const double zp = height_at(grid, p[0]), zq = height_at(grid, p[1]) - zp, zr = height_at(grid, p[2]) - zp;
    const double qx = (double)(p[1].x - p[0].x), qy = (double)(p[1].y - p[0].y), rx = (double)(p[2].x - p[0].x),
                 ry = (double)(p[2].y - p[0].y), scale = -1.0 / (double)area;
    plane plane = {.east = (zq * ry - zr * qy) * scale, .south = (zr * qx - zq * rx) * scale};
    plane.z = zp - plane.east * (double)p[0].x - plane.south * (double)p[0].y;
    return plane;
}

/** Find the first and the last row of a triangle. */
static void find_rows(const grid_point p[3], int64_t *top, int64_t *bottom)
{
    *top = *bottom = p[0].y;
    for (int n = 1; n < 3; n++) {
        *top = p[n].y < *top ? p[n].y : *top;
        *bottom = p[n].y > *bottom ? p[n].y : *bottom;
    }
}

double triangle_farthest(const height_grid *grid, const grid_point p[3], uint32_t *place)
{
    const int64_t area = side_of(p[0], p[1], p[2]);
    int64_t top, bottom;
    double greatest = 0.0;
    if (area == 0)
        return greatest;
    const plane plane = plane_of(grid, p, area);
    find_rows(p, &top, &bottom);
    for (int64_t y = top > 0 ? top : 1; y <= bottom && y < grid->height - 1; y++) {
        int64_t from = 1, to = grid->width - 2;
        for (int n = 0; n < 3; n++)
            clip_row(p[n], p[(n + 1) % 3], y, &from, &to);
        const double z = plane.z + plane.south * (double)y;
        const float *heights = grid->heights + y * grid->stride;
        for (int64_t x = from; x <= to; x++) {
            const double off = (double)heights[x] - (z + plane.east * (double)x), error = off < 0.0 ? -off : off;
            if (error > greatest) {
                greatest = error;
                *place = (uint32_t)(y * grid->width + x);
            }
        }
    }
    return greatest;
}
