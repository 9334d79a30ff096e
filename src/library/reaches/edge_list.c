/* edge_list.c - grows the arrays of a ter_river_edges, and gives them to the caller. */
#include "library/reaches/edge_list.h"

#include <stdlib.h>

/** Grow an array to `count` elements or more. Returns false when there is no memory. */
static bool reserve(void **array, size_t *room, size_t count, size_t size)
{
    if (count <= *room)
        return true;
    const size_t wanted = count + count / 2 + 64;
    void *grown = realloc(*array, wanted * size);
    if (!grown)
        return false;
    *array = grown;
    *room = wanted;
    return true;
}

bool edge_list_add(ter_river_edges *list, const ter_river_edge *edge)
{
    void *array = list->edges;
    const bool has_room = reserve(&array, &list->room_edges, list->n_edges + 1, sizeof *edge);
    list->edges = array;
    if (has_room)
        list->edges[list->n_edges++] = *edge;
    return has_room;
}

ter_river_point *edge_list_add_points(ter_river_edges *list, size_t count)
{
    void *array = list->points;
    const bool has_room = reserve(&array, &list->room_points, list->n_points + count, sizeof *list->points);
    list->points = array;
    if (!has_room)
        return NULL;
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
