/* lake_points.h - what the network knows about lakes: where its edges run through them, and where their water leaves
 * them. */
#ifndef TERRANE_PROGRAM_FEATURES_LAKE_POINTS_H
#define TERRANE_PROGRAM_FEATURES_LAKE_POINTS_H

#include "program/features/feature_run.h"

/** A point of an edge of run->fine_net that lies in a lake. */
typedef struct lake_point {
    int32_t column, row;           /* of the nearest sample */
    float level_m;                 /* of the lake */
    int32_t index, part;           /* of the point on its edge; of the edge's part in the lake */
    int64_t cell_column, cell_row; /* of the edge */
} lake_point;

/** The points among some rows of samples. */
typedef struct lake_points {
    feature_run *run;
    lake_point *at; /* ordered by rows, then by edges as in ter_river_edges_create, then along each edge */
    size_t count, room;
    size_t next;  /* index of the first point that was not asked for */
    int64_t end;  /* points of the rows before this one are there */
    double share; /* of the step that is reached at the last row */
} lake_points;

/** Find the points in a row. Rows are asked for one after another. Errors RESULT_INTERRUPTED; RESULT_FAILED */
result lake_points_of_row(lake_points *points, int64_t row, const lake_point **out, size_t *count);

void lake_points_free(lake_points *points);

/** Whether a point comes before another one in the order of edges, and along the edge. */
bool lake_point_is_before(const lake_point *a, const lake_point *b);

/** What the network says about a lake. */
typedef struct lake_facts {
    bool has_id, has_outlet, has_point;
    int64_t id, outlet;
    ter_river_point point; /* where its water leaves it */
} lake_facts;

/** Ask for the lake at a point. Errors RESULT_INTERRUPTED; RESULT_FAILED */
result lake_facts_find(const feature_run *run, const lake_point *point, lake_facts *out);

#endif
