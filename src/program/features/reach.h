/* reach.h - reaches: stretches of a river from one spring, confluence or lake to the next confluence, lake or mouth. A
 * reach is made of edges of the network, in the order of the flow. */
#ifndef TERRANE_PROGRAM_FEATURES_REACH_H
#define TERRANE_PROGRAM_FEATURES_REACH_H

#include "program/features/river_net.h"

/** A part of an edge on which the water is that of a river, or of a lake. Most edges have only part 0. */
typedef struct edge_part {
    ter_river_edge edge;
    int part;
} edge_part;

/** Where a reach ends. */
typedef enum reach_end {
    REACH_AT_CONFLUENCE,
    REACH_IN_LAKE,   /* it flows into a lake */
    REACH_AT_OUTLET, /* it is the way through a lake, up to the outlet */
    REACH_IN_SEA,
    REACH_IN_BASIN, /* a basin without an outlet */
    REACH_ENDS
} reach_end;

extern const char *const reach_end_names[REACH_ENDS];

/** A reach. Altitudes are metres, lengths are metres of the world. */
typedef struct reach {
    int64_t id;
    bool has_downstream;
    int64_t downstream; /* id of the next reach */
    int64_t mouth;      /* id of the last reach of the river */
    bool has_lake;
    int64_t lake; /* of the lake that the reach runs through or flows into */
    bool is_lake;
    reach_end end;
    int order;
    double area_start_m2, area_end_m2;
    double level_start_m, level_end_m;
    double length_m;
    double width_m, depth_m, bank_m; /* means along the reach: width of the bed, depth of its water, depth of the bed */
    ter_river_point *points;
    size_t n_points, room;
} reach;

/** Find the part upstream on the same reach. Returns false at the head. */
bool reach_part_above(river_net *net, edge_part part, edge_part *out);

/** The reach on which a part of an edge lies: its first part. */
edge_part reach_head(river_net *net, edge_part part);

/** Id of the reach that begins with a part of an edge: 4 times the id of the edge, plus the part. */
int64_t reach_id(edge_part head);

/** The end of a lake: the part that leaves it, or the last part in it where none does.
 *
 *  p       a part in the lake
 *  leaves  receives whether the end leaves the lake
 */
edge_part reach_lake_end(river_net *net, edge_part p, bool *leaves);

/** Whether a part of an edge runs through a lake. */
bool reach_part_is_lake(edge_part p);

/** The first point of a part. Returns false: see river_net_state. */
bool reach_part_start(river_net *net, edge_part part, ter_river_point *out);

/** Fall of a reach over its length, m/m. */
double reach_slope_of(const reach *r);

/** Follow a reach from its head to its end, without its points and what is measured along them: length, width, depth,
 * bank, and levels. Errors RESULT_FAILED; RESULT_INTERRUPTED */
result reach_follow_edges(river_net *net, edge_part head, reach *out);

/** Follow a reach from its head to its end. The points are allocated, or reused if `out` has some; free them. Errors
 * RESULT_FAILED; RESULT_INTERRUPTED */
result reach_follow(river_net *net, edge_part head, double spacing, reach *out);

/** Discharge of a channel that is full up to its rim, m3/s.
 *
 *  width, depth  m; of the bed, which is a parabola
 *  slope         m/m; counts as at least 0.0001
 *  Source        Manning 1891 with the roughness of Jarrett 1984, "Hydraulics of high-gradient streams",
 *                n = 0.32 S^0.38 R^-0.16, R in metres
 */
double reach_discharge(double width_m, double depth_m, double slope);

#endif
