/* window_groups.c - splits a set of windows into halves by their places, recursively, and groups a set where that costs
 * no more than its halves. */
#include "library/fluvial/window_groups.h"

#include <math.h>
#include <stdbool.h>

/** Bounds of some windows: west and north of all; the greatest x and y at which one begins; the first column east of
 * all and the first row south of all. */
typedef struct corners {
    int64_t west, north, begins_x, begins_y, east, south;
} corners;

static corners corners_of(const ter_grouping *g, const size_t *order, size_t count)
{
    corners c = {INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN};
    for (size_t n = 0; n < count; n++) {
        const ter_window w = g->window(g->user, order[n]);
        c.west = w.x < c.west ? w.x : c.west;
        c.north = w.y < c.north ? w.y : c.north;
        c.begins_x = w.x > c.begins_x ? w.x : c.begins_x;
        c.begins_y = w.y > c.begins_y ? w.y : c.begins_y;
        c.east = w.x + w.width > c.east ? w.x + w.width : c.east;
        c.south = w.y + w.height > c.south ? w.y + w.height : c.south;
    }
    return c;
}

/** Partition windows: those that begin in the western or northern half come first. Returns their number. */
static size_t partition(const ter_grouping *g, const corners *c, size_t *order, size_t count)
{
    const bool is_wide = c->begins_x - c->west >= c->begins_y - c->north;
    const int64_t middle = is_wide ? c->west + (c->begins_x - c->west) / 2 : c->north + (c->begins_y - c->north) / 2;
    size_t n_first = 0;
    for (size_t n = 0; n < count; n++) {
        const size_t window = order[n];
        const ter_window w = g->window(g->user, window);
        if ((is_wide ? w.x : w.y) <= middle) {
            order[n] = order[n_first];
            order[n_first++] = window;
        }
    }
    return n_first;
}

/** Group the windows order[first] .. order[first + count - 1] as groups from *n_groups on. Returns their cost. */
static double group(const ter_grouping *g, size_t *order, size_t first, size_t count, size_t *n_groups)
{
    enum { SIDE_MAX = 1 << 15 }; /* keeps width * height in 32 bits */
    const corners c = corners_of(g, order + first, count);
    const bool is_one_place = c.west == c.begins_x && c.north == c.begins_y;
    const bool is_small = count == 1 || (c.east - c.west < SIDE_MAX && c.south - c.north < SIDE_MAX);
    const ter_window around = {c.west, c.north, is_small ? (int)(c.east - c.west) : 0,
                               is_small ? (int)(c.south - c.north) : 0};
    const double together = is_small ? g->cost(g->user, around, count) : INFINITY;
    const size_t n_before = *n_groups;
    double apart = INFINITY;
    if (!is_one_place) {
        const size_t n_first = partition(g, &c, order + first, count);
        apart = group(g, order, first, n_first, n_groups);
        apart += group(g, order, first + n_first, count - n_first, n_groups);
    } else if (together == INFINITY) {
        for (size_t n = 0; n < count; n++)
            g->set(g->user, (*n_groups)++, &(ter_window_group){g->window(g->user, order[first + n]), first + n, 1});
        return INFINITY;
    }
    if (together > apart || together == INFINITY)
        return apart;
    g->set(g->user, n_before, &(ter_window_group){around, first, count});
    *n_groups = n_before + 1;
    return together;
}

size_t ter_group_windows(const ter_grouping *g, size_t *order, size_t count)
{
    size_t n_groups = 0;
    if (count > 0)
        group(g, order, 0, count, &n_groups);
    return n_groups;
}
