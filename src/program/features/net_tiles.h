/* net_tiles.h - tiles of the drainage network: made when something asks for them, and dropped when there are too many.
 * Of a dropped tile, what was found out about the edges in its outer cells stays. */
#ifndef TERRANE_PROGRAM_FEATURES_NET_TILES_H
#define TERRANE_PROGRAM_FEATURES_NET_TILES_H

#include "program/core/events.h"
#include "program/core/result.h"
#include "program/features/id_table.h"
#include "terrane/reaches.h"

enum { NET_TILE = 64 }; /* cells; side of a tile */

/** How a network is made. */
typedef struct river_net_options {
    const ter_world *world;
    double min_area_m2;    /* as in ter_river_edges_options */
    double point_distance; /* as in ter_river_edges_options */
    int most_tiles;        /* so many tiles stay in memory, NET_TILES_LEAST or more; 0: all */
    int (*is_cancelled)(void *user);
    void *cancel_user;
    work_events events;
    const char *path; /* of the file that is made, for the progress */
} river_net_options;

enum {
    NET_TILES_LEAST = 4
}; /* tiles that meet at a corner: what was just found out about their edges is still there */

/** A tile. */
typedef struct net_tile {
    int64_t column, row;            /* in tiles */
    ter_river_edges *edges, *drawn; /* drawn: the edges with points; NULL: not made yet; may be equal to `edges` */
    int *at;                        /* for each cell, the index of the edge that begins there; -1: none begins there */
    unsigned char *order;           /* of each edge; 0: not known */
    int64_t *mouth;                 /* of each edge, the number of its mouth; TER_EDGE_NONE: not known */
    uint64_t used;                  /* time of the last use */
} net_tile;

/** Orders and mouths of the edges that begin in the outer cells of a tile that was dropped. */
typedef struct net_rim {
    unsigned char order[4 * NET_TILE];
    int64_t mouth[4 * NET_TILE];
} net_rim;

/** The tiles of a network; at first all members are 0, except for `options`. */
typedef struct net_tiles {
    river_net_options options;
    net_tile **tiles; /* a hash table; NULL: a free entry */
    size_t room, count;
    uint64_t time; /* counts uses */
    id_table rims; /* for each tile that was dropped, its number in `rim`, plus 1 */
    net_rim **rim;
    size_t n_rims, rim_room;
    ter_river_window drawn; /* tiles of these cells are made with points */
    double share;           /* of the progress that was reached */
    result state;           /* of the first failure */
} net_tiles;

void net_tiles_free(net_tiles *tiles);

/** Note the first failure. Returns NULL. */
void *net_tiles_fail(net_tiles *tiles, result res);

/** The tile of a cell, made if it is missing; valid until the next call. NULL: see `state`. */
net_tile *net_tiles_of_cell(net_tiles *tiles, int64_t column, int64_t row);

/** The tile of a cell if it is in memory, else NULL. */
net_tile *net_tiles_in_memory(const net_tiles *tiles, int64_t column, int64_t row);

/** Note the mouth of an edge, unless its tile was dropped and its cell is not an outer one. */
void net_tiles_note_mouth(net_tiles *tiles, const ter_river_edge *edge, int64_t mouth);

/** Make the missing tiles of a window of cells on all processors.
 *
 *  has_points             the missing tiles get points
 *  share_from, share_to  shares of the progress at the beginning and at the end
 */
result net_tiles_load(net_tiles *tiles, const ter_river_window *cells, bool has_points, double share_from,
                      double share_to);

/** Make the points of a tile that was made without them. Returns false: see `state`. */
bool net_tiles_draw(net_tiles *tiles, net_tile *tile);

/** The tile in which a cell lies, along one axis. */
static inline int64_t net_tile_of(int64_t cell)
{
    return cell >= 0 ? cell / NET_TILE : -((-cell + NET_TILE - 1) / NET_TILE);
}

/** Index of a cell in its tile. */
static inline int net_tile_cell(const net_tile *t, int64_t column, int64_t row)
{
    return (int)((row - t->row * NET_TILE) * NET_TILE + column - t->column * NET_TILE);
}

#endif
