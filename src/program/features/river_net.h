/* river_net.h - the drainage network around a rectangle. Tiles of it are made when something asks for them, so that a
 * river can be followed out of the rectangle: up to its springs, or down to its mouth. */
#ifndef TERRANE_PROGRAM_FEATURES_RIVER_NET_H
#define TERRANE_PROGRAM_FEATURES_RIVER_NET_H

#include "program/core/events.h"
#include "program/core/result.h"
#include "terrane/reaches.h"

enum { NET_TILE = 64 }; /* cells; side of a tile */

/** How a network is made. */
typedef struct river_net_options {
    const ter_world *world;
    double min_area_m2;    /* as in ter_river_edges_options */
    double point_distance; /* as in ter_river_edges_options */
    int (*is_cancelled)(void *user);
    void *cancel_user;
    work_events events;
    const char *path; /* of the file that is made, for the progress */
} river_net_options;

typedef struct river_net river_net;

/** Create a network without tiles. Returns NULL when there is no memory. */
river_net *river_net_create(const river_net_options *options);

void river_net_destroy(river_net *net);

/** Make the tiles of a window of cells that the network does not have yet, with points, on all processors. share: of
 * the progress that is reached at the end. Errors RESULT_FAILED; RESULT_INTERRUPTED */
result river_net_load(river_net *net, const ter_river_window *cells, double share);

/** The edge of a cell, or NULL. If its tile must be made and that fails, NULL: see river_net_state. */
const ter_river_edge *river_net_find(river_net *net, int64_t column, int64_t row);

/** The edge that an edge flows into; NULL where the water ends. */
const ter_river_edge *river_net_below(river_net *net, const ter_river_edge *edge);

/** As river_net_below, but only among tiles that have been made: NULL, too, if the next edge lies in another one. */
const ter_river_edge *river_net_below_made(const river_net *net, const ter_river_edge *edge);

/** Called for an edge. points: its points. Returns false to end the visit. */
typedef bool (*river_net_visitor)(void *user, const ter_river_edge *edge, const ter_river_point *points);

/** Visit the edges of all tiles that have points, in an order that depends only on the tiles and on the order in which
 * they were made. The arguments of the visitor are valid as long as the network. Returns false if the visitor does. */
bool river_net_visit(const river_net *net, river_net_visitor visit, void *user);

/** The edges that flow into an edge, in the order of their cells; at most 8. Returns their number. */
int river_net_inflows(river_net *net, const ter_river_edge *edge, const ter_river_edge *inflows[8]);

/** The points of an edge. Makes its tile a second time if the tile was made without points. count: receives
 * edge->n_points. Returns NULL on failure: see river_net_state. */
const ter_river_point *river_net_points(river_net *net, const ter_river_edge *edge, size_t *count);

/** Order of an edge, Strahler 1957: 1 without inflows; one more than that of its inflows where two have the greatest
 * order; else the greatest. Follows the river up to all its springs. 0: see river_net_state */
int river_net_order(river_net *net, const ter_river_edge *edge);

/** The last edge downstream: that which ends in the sea or in a basin. */
const ter_river_edge *river_net_mouth(river_net *net, const ter_river_edge *edge);

/** Why the network could not go on: interrupted, or no memory. RESULT_DONE: nothing has failed. */
const result *river_net_state(const river_net *net);

#endif
