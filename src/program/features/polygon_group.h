/* polygon_group.h - polygons that become one feature. */
#ifndef TERRANE_PROGRAM_FEATURES_POLYGON_GROUP_H
#define TERRANE_PROGRAM_FEATURES_POLYGON_GROUP_H

#include "program/features/feature_run.h"

/** The polygons of a feature. */
typedef struct polygon_group {
    vector_ring *rings;
    size_t n_rings, room;
    ring_measure measure;
} polygon_group;

/** Create a group without polygons. Returns NULL when there is no memory. */
polygon_group *polygon_group_create(void);

/** Free a group; NULL is allowed. */
void polygon_group_destroy(polygon_group *group);

/** Add a polygon, whose points are taken over. Errors RESULT_FAILED */
result polygon_group_add(polygon_group *group, const feature_run *run, vector_ring *rings, size_t n_rings);

/** Write the polygons of a group as a feature of run->file, once. altitude: of all points */
result polygon_group_write(polygon_group *group, feature_run *run, double altitude, const vector_value *values);

#endif
