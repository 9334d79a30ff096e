/* edge_list.h - the edges and the points of a ter_river_edges, in arrays that grow. */
#ifndef TERRANE_REACHES_EDGE_LIST_H
#define TERRANE_REACHES_EDGE_LIST_H

#include <stdbool.h>

#include "library/reaches/unwarp.h"
#include "terrane/reaches.h"

struct ter_river_edges {
    ter_river_edge *edges;
    ter_river_point *points;
    size_t n_edges, n_points, room_edges, room_points;
};

/** Add an edge. Returns false when there is no memory. */
bool edge_list_add(ter_river_edges *list, const ter_river_edge *edge);

/** Add `count` points, whose values are not set. Returns the first of them, or NULL when there is no memory. */
ter_river_point *edge_list_add_points(ter_river_edges *list, size_t count);

#endif
