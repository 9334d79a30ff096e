/* edge_list.c - grows the arrays of a ter_river_edges, and gives them to the caller. */
#include "library/reaches/edge_list.h"

#include <stdlib.h>

#include "library/core/grow.h"

bool edge_list_add(ter_river_edges *list, const ter_river_edge *edge)
{
    ter_river_edge *edges = ter_grow(list->edges, &list->room_edges, list->n_edges + 1, sizeof *edges);
    if (!edges)
        return false;
    list->edges = edges;
    list->edges[list->n_edges++] = *edge;
    return true;
}

ter_river_point *edge_list_add_points(ter_river_edges *list, size_t count)
{
    ter_river_point *points = ter_grow(list->points, &list->room_points, list->n_points + count, sizeof *points);
    if (!points)
        return NULL;
    list->points = points;
    list->n_points += count;
    return list->points + list->n_points - count;
}

void ter_river_edges_destroy(ter_river_edges *edges)
{
    if (!edges)
        return;
    free(edges->edges);
    free(edges->points);
    free(edges);
}

const ter_river_edge *ter_river_edges_list(const ter_river_edges *edges, size_t *count)
{
    *count = edges->n_edges;
    return edges->edges;
}

const ter_river_point *ter_river_edges_points(const ter_river_edges *edges, size_t *count)
{
    *count = edges->n_points;
    return edges->points;
}
