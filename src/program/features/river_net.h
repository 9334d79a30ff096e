/* river_net.h - the drainage network around a rectangle. Tiles of it are made when something asks for them, so that a
 * river can be followed out of the rectangle: up to its springs, or down to its mouth. Edges are copied, because the
 * tile of an edge may be dropped and made again. */
#ifndef TERRANE_PROGRAM_FEATURES_RIVER_NET_H
#define TERRANE_PROGRAM_FEATURES_RIVER_NET_H

#include "program/features/net_tiles.h"

typedef struct river_net river_net;

/** Create a network without tiles. Returns NULL when there is no memory. */
river_net *river_net_create(const river_net_options *options);

void river_net_destroy(river_net *net);

/** As net_tiles_load. */
result river_net_load(river_net *net, const ter_river_window *cells, bool has_points, double share_from,
                      double share_to);

/** Note the share of the progress that is reached: tiles that are made from now on report it. */
void river_net_note_share(river_net *net, double share);

/** Keep more tiles in memory from now on. most_tiles: as in river_net_options; a smaller number changes nothing */
void river_net_widen(river_net *net, int most_tiles);

/** Find the edge of a cell. Returns false if there is none, or if its tile must be made and that fails: see
 * river_net_state */
bool river_net_find(river_net *net, int64_t column, int64_t row, ter_river_edge *out);

/** Find the edge that an edge flows into; false where the water ends. out: may be `edge` itself */
bool river_net_below(river_net *net, const ter_river_edge *edge, ter_river_edge *out);

/** The edge that an edge flows into, only among tiles that have been made: NULL, too, if the next edge lies in another
 * one. For networks that keep all tiles: valid as long as the network */
const ter_river_edge *river_net_below_made(const river_net *net, const ter_river_edge *edge);

/** Called for an edge. points: its points. Returns false to end the visit. */
typedef bool (*river_net_visitor)(void *user, const ter_river_edge *edge, const ter_river_point *points);

/** Visit the edges of all tiles that have points, in an order that depends only on the tiles and on the order in which
 * they were made. For networks that keep all tiles: the arguments of the visitor are valid as long as the network.
 * Returns false if the visitor does. */
bool river_net_visit(const river_net *net, river_net_visitor visit, void *user);

/** The edges that flow into an edge, in the order of their cells; at most 8. Returns their number. */
int river_net_inflows(river_net *net, const ter_river_edge *edge, ter_river_edge inflows[8]);

/** The points of an edge, valid until the next call. Makes its tile a second time if the tile was made without points.
 * count: receives the number of points. Returns NULL on failure: see river_net_state. */
const ter_river_point *river_net_points(river_net *net, const ter_river_edge *edge, size_t *count);

/** Order of an edge, Strahler 1957: 1 without inflows; one more than that of its inflows where two have the greatest
 * order; else the greatest. Follows the river up to all its springs. 0: see river_net_state */
int river_net_order(river_net *net, const ter_river_edge *edge);

/** The number that a caller gives the mouth of a river. last: the edge that ends in the sea or in a basin */
typedef int64_t (*river_net_number)(river_net *net, const ter_river_edge *last);

/** The number of the mouth of an edge's river. number: called unless the network knows the number; the same function in
 * all calls */
int64_t river_net_mouth(river_net *net, const ter_river_edge *edge, river_net_number number);

/** Why the network could not go on: interrupted, or no memory. RESULT_DONE: nothing has failed. */
const result *river_net_state(const river_net *net);

#endif
