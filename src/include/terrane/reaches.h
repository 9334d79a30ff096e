/* terrane/reaches.h - rivers as lines: the edges of the drainage network from which samples of rivers are drawn. */
#ifndef TERRANE_REACHES_H
#define TERRANE_REACHES_H

#include "terrane/world.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TER_EDGE_CELL     512       /**< lattice steps; width of a cell of the network, in the network's plane */
#define TER_EDGE_SIDE_MAX 512       /**< cells; greatest side of a window of ter_river_edges_create */
#define TER_EDGE_AREA_MIN 524288.0  /**< lattice steps2; channels that drain no more than this have no bed */
#define TER_EDGE_AREA_WET 1048576.0 /**< lattice steps2; beds that drain at least this area hold water */
#define TER_EDGE_NONE     INT64_MIN /**< no edge */

/** The water at a point of an edge. */
typedef enum ter_river_water {
    TER_EDGE_RIVER, /**< the water of a river, or a bed without water */
    TER_EDGE_LAKE,  /**< the edge runs through a lake */
    TER_EDGE_SEA,   /**< the last point of a river that ends in the sea */
    TER_EDGE_WATER_COUNT
} ter_river_water;

/** Where the water of an edge goes. */
typedef enum ter_river_end {
    TER_EDGE_GOES_ON,   /**< into the edge `to` */
    TER_EDGE_INTO_SEA,  /**< into the sea, at the last point of the edge */
    TER_EDGE_INTO_BASIN /**< nowhere: a basin without an outlet */
} ter_river_end;

/** A point in the middle of a bed. Its values are those that samples of the river have, except for the height of the
 * ground: where the ground lies lower, samples of the water lie lower too. */
typedef struct ter_river_point {
    double x, z;           /**< lattice steps */
    float level_m;         /**< altitude of the water; in a lake, of the lake */
    float width_m;         /**< width of the bed */
    float depth_m;         /**< depth of the river's water in the middle; 0 in a bed without water */
    float bank_m;          /**< depth of the bed under its rim */
    float area_m2;         /**< drained area that sets the size of the bed; it grows already before a confluence */
    ter_river_water water; /**< from this point to the next one */
} ter_river_point;

/** An edge of the network: from a node to the node that it drains to. Each cell of the network has one node, and at
 * most one edge begins there. The edge is drawn from a point downstream of its node to a point downstream of the next
 * node, where all edges that drain to that node meet. */
typedef struct ter_river_edge {
    int64_t id;         /**< 2^32 times the row of the cell, plus its column modulo 2^32 */
    int64_t to;         /**< id of the next edge; TER_EDGE_NONE unless the edge goes on */
    int64_t column;     /**< of the cell */
    int64_t row;        /**< of the cell */
    double area_m2;     /**< area that drains through the node; areas add up downstream */
    size_t first_point; /**< index of its first point */
    size_t n_points;    /**< at least 2; 0 without points */
    ter_river_end end;
    ter_river_water water; /**< at its first point */
    int n_changes;         /**< how often its water changes from river to lake, or from lake to river */
} ter_river_edge;

/** A window of cells of the network. */
typedef struct ter_river_window {
    int64_t column, row; /**< of the north-west cell */
    int columns, rows;   /**< 1..TER_EDGE_SIDE_MAX in ter_river_edges_create */
} ter_river_window;

typedef struct ter_river_edges_options {
    size_t struct_size; /**< sizeof(ter_river_edges_options) */
    ter_river_window cells;
    double min_area_m2; /**< edges whose node drains less are left out. 0: TER_EDGE_AREA_WET, in m2 of the world */
    int has_points;     /**< not 0: the edges get points */
    /** Lattice steps, 1 or more; greatest distance between neighbouring points of an edge, in the network's plane. 0:
     * only the eight points that define the bed, about 75 steps apart */
    double point_distance;
    /** Called from time to time. After it has returned a value other than 0, ter_river_edges_create fails with
     *  TER_ECANCELLED. NULL: never cancelled */
    int (*is_cancelled)(void *user);
    void *user; /**< argument of is_cancelled */
} ter_river_edges_options;

/** Edges of a window of cells: immutable. */
typedef struct ter_river_edges ter_river_edges;

/** Make the edges that begin in a window of cells. Edges below the sea are left out. The same cell always has the same
 * edge with the same points, whatever the window. Edges that meet have exactly the same point.
 *
 *  options  copied
 *  out      receives the edges, ordered by row and column; free them with ter_river_edges_destroy
 *  Errors   TER_EINVAL the basis has no rivers, a member is out of range, or the window lies outside the world.
 *           TER_ENOMEM. TER_ECANCELLED
 *
 *  Threads  any, any number at once; a call uses one thread
 */
TER_API ter_status ter_river_edges_create(const ter_world *world, const ter_river_edges_options *options,
                                          ter_river_edges **out);

/** Free edges; NULL is allowed. */
TER_API void ter_river_edges_destroy(ter_river_edges *edges);

/** Returns the edges, valid as long as `edges`. count: receives their number */
TER_API const ter_river_edge *ter_river_edges_list(const ter_river_edges *edges, size_t *count);

/** Returns the points of all edges, valid as long as `edges`. count: receives their number */
TER_API const ter_river_point *ter_river_edges_points(const ter_river_edges *edges, size_t *count);

/** The cells whose edges can have points in a rectangle; the window may be larger than ter_river_edges_create accepts.
 *
 *  rect    of any level
 *  Errors  TER_EINVAL the basis has no rivers, or the rectangle lies outside the world
 */
TER_API ter_status ter_river_edges_window(const ter_world *world, const ter_rect *rect, ter_river_window *out);

typedef struct ter_river_owners_options {
    size_t struct_size; /**< sizeof(ter_river_owners_options) */
    ter_rect rect;      /**< points, of any level; over at most TER_EDGE_SIDE_MAX cells of the network a side */
    double min_area_m2; /**< as in ter_river_edges_options */
    int (*is_cancelled)(void *user); /**< as in ter_river_edges_options */
    void *user;
} ter_river_owners_options;

/** For each point of a rectangle, find the edge that its water reaches first. The water begins in the channel whose
 * valley side is the lowest at the point, and follows the network downstream. The points with the same edge are the
 * land that drains to it.
 *
 *  options  copied
 *  out      rect.width * rect.height ids, row-major. TER_EDGE_NONE: the water reaches the sea or a basin before any
 *           edge. A point under the sea has the id that its ground would have without the sea. Unspecified on error
 *  Errors   TER_EINVAL the basis has no rivers, a member is out of range, or the rectangle lies outside the world or
 *           covers too many cells. TER_ENOMEM. TER_ECANCELLED
 *
 *  Threads  any, any number at once; a call uses one thread
 */
TER_API ter_status ter_river_owners(const ter_world *world, const ter_river_owners_options *options, int64_t *out);

#ifdef __cplusplus
}
#endif

#endif
