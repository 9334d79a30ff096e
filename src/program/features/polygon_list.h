/* polygon_list.h - polygons that are collected by their number, so that those of one number become one feature. */
#ifndef TERRANE_PROGRAM_FEATURES_POLYGON_LIST_H
#define TERRANE_PROGRAM_FEATURES_POLYGON_LIST_H

#include "program/features/feature_run.h"

/** The polygons of a number. */
typedef struct polygon_group {
    vector_ring *rings;
    size_t n_rings, room;
    double area, length; /* samples2, samples */
    bool is_cut;
} polygon_group;

/** The groups of numbers 0 .. count - 1. */
typedef struct polygon_list {
    const feature_run *run;
    polygon_group *groups;
    size_t count;
} polygon_list;

/** Begin a list. Free it. Errors RESULT_FAILED */
result polygon_list_begin(polygon_list *list, const feature_run *run, size_t count);

void polygon_list_free(polygon_list *list);

/** A trace_polygon: add a polygon, whose rings are taken over, to the group of its value. user: the list */
result polygon_list_add(void *user, int64_t value, vector_ring *rings, size_t n_rings);

/** Write the polygons of a group as a feature. altitude: of all points */
result polygon_list_write(polygon_list *list, size_t number, double altitude, vector_file *file,
                          const vector_value *values);

#endif
