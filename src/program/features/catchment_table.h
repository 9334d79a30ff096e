/* catchment_table.h - a table of the catchments of a rectangle, each with the facts of its reach. It grows with the
 * number of reaches, not with that of samples. */
#ifndef TERRANE_PROGRAM_FEATURES_CATCHMENT_TABLE_H
#define TERRANE_PROGRAM_FEATURES_CATCHMENT_TABLE_H

#include "program/features/id_table.h"
#include "program/features/polygon_group.h"

enum {
    CATCHMENT_SEA = 0, /* number of the sea, which has no catchment */
    CATCHMENT_NO_REACH /* number of land that drains to no reach */
};

/** A catchment. */
typedef struct catchment {
    bool has_reach, has_downstream;
    bool is_cut, is_upstream_cut; /* the edge cuts it; it cuts one of those that drain through the end of the reach */
    int order;
    int64_t id, downstream, mouth; /* as in reach.h */
    double area_end_m2;
    uint64_t samples, upstream; /* its own; those of all catchments that drain through the end of the reach */
    int32_t below;              /* number of the catchment downstream; 0: none in the rectangle */
    int32_t inflows;            /* catchments that lie directly upstream */
    polygon_group *polygons;    /* those that are complete; NULL: none */
} catchment;

/** A catchment that was found for an owner. */
typedef struct catchment_memo {
    int32_t owner, number;
} catchment_memo;

typedef struct catchment_table {
    const feature_run *run;
    catchment *list; /* by number */
    size_t count, room;
    id_table reaches;     /* number of the catchment of each reach */
    catchment_memo *memo; /* of owners, found by their hash */
} catchment_table;

/** Begin a table. Free it in any case. Errors RESULT_FAILED */
result catchment_table_begin(catchment_table *table, const feature_run *run);

void catchment_table_free(catchment_table *table);

/** Find the number of the catchment of an owner, or add one. Errors RESULT_INTERRUPTED; RESULT_FAILED */
result catchment_table_number(catchment_table *table, int32_t owner, int32_t *number);

/** Follow each reach to the next one, and add up what lies upstream. Call it when each catchment has its samples.
 * Errors RESULT_FAILED */
result catchment_table_add_upstream(catchment_table *table);

#endif
