/* cut.c - cuts segment by segment. Source: Liang and Barsky 1984, "A new concept and method for line clipping". */
#include "program/features/cut.h"

/** Narrow the shares low..high of a segment to where `start + share * change` is at most 0. Returns false if nothing
 * remains. */
static bool narrow(double start, double change, double *low, double *high)
{
    if (change == 0.0)
        return start <= 0.0;
    const double share = -start / change;
    if (change > 0.0 && share < *high)
        *high = share;
    if (change < 0.0 && share > *low)
        *low = share;
    return *low < *high;
}

/** Shares of the segment from a to b that lie in a rectangle. */
static bool shares_in(const cut_rect *r, const ter_river_point *a, const ter_river_point *b, double *low, double *high)
{
    const double dx = b->x - a->x, dz = b->z - a->z;
    *low = 0.0;
    *high = 1.0;
    return narrow(r->x0 - a->x, -dx, low, high) && narrow(a->x - r->x1, dx, low, high) &&
           narrow(r->z0 - a->z, -dz, low, high) && narrow(a->z - r->z1, dz, low, high);
}

/** A value between those of two points; exact at them. */
static double between(double a, double b, double share)
{
    return share == 0.0 ? a : share == 1.0 ? b : a + share * (b - a);
}

static void add(cut_piece *piece, const ter_river_point *a, const ter_river_point *b, double share)
{
    double *out = &piece->points[3 * piece->count], *bed = piece->beds ? &piece->beds[2 * piece->count] : NULL;
    piece->count++;
    out[0] = between(a->x, b->x, share);
    out[1] = between(a->z, b->z, share);
    out[2] = between((double)a->level_m, (double)b->level_m, share);
    if (bed) {
        bed[0] = between((double)a->width_m, (double)b->width_m, share);
        bed[1] = between((double)a->depth_m, (double)b->depth_m, share);
    }
}

bool cut_next(const cut_rect *rect, const ter_river_point *points, size_t n_points, size_t *from, cut_piece *piece)
{
    double low, high;
    size_t n = *from;
    piece->count = 0;
    while (n + 1 < n_points && !shares_in(rect, &points[n], &points[n + 1], &low, &high))
        n++;
    if (n + 1 >= n_points)
        return false;
    piece->is_cut[0] = n > 0 || low > 0.0;
    add(piece, &points[n], &points[n + 1], low);
    for (;;) {
        add(piece, &points[n], &points[n + 1], high);
        n++;
        if (high < 1.0 || n + 1 >= n_points || !shares_in(rect, &points[n], &points[n + 1], &low, &high) || low > 0.0)
            break;
    }
    piece->is_cut[1] = high < 1.0 || n + 1 < n_points;
    *from = n;
    return true;
}
