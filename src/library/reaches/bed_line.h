/* bed_line.h - the middle line of the bed of an edge: its points in the network's plane, and the water at them. */
#ifndef TERRANE_REACHES_BED_LINE_H
#define TERRANE_REACHES_BED_LINE_H

#include "library/fluvial/passes.h"
#include "library/reaches/unwarp.h"
#include "terrane/reaches.h"

enum { BED_LINE_POINTS_MAX = 8192 };

/** How far the ground can lower the water at a point. */
typedef struct bed_limit {
    float fall;  /* m; depth of the river's water below the rim of its bed */
    float least; /* m; level of the lake that the river flows into, or of the sea */
} bed_limit;

/** Points of a line. Their places in the network's plane are known, but not their coordinates in the world. */
typedef struct bed_line {
    int count;
    ter_river_end end; /* TER_EDGE_INTO_SEA where the line reaches the sea, else TER_EDGE_GOES_ON */
    reach_spot place[BED_LINE_POINTS_MAX];
    ter_river_point point[BED_LINE_POINTS_MAX]; /* x and z are not set */
    bed_limit limit[BED_LINE_POINTS_MAX];
} bed_line;

/** The water at the beginning of the bed that leaves the node of cell (x, y): TER_EDGE_SEA where the bed lies under the
 * sea. */
ter_river_water bed_line_water(const ter_fluvial_job *job, int64_t x, int64_t y);

/** Make only the first point of the line. */
void bed_line_make_first(const ter_fluvial_job *job, int64_t x, int64_t y, bed_line *line);

/** Make the line of the bed that leaves the node of cell (x, y), which lies in the job's window of pieces and does not
 * begin under the sea.
 *
 *  distance  units; greatest distance of two points; 0: the points of the bed alone
 */
void bed_line_make(const ter_fluvial_job *job, int64_t x, int64_t y, float distance, bed_line *line);

#endif
