/* lake_layer.c - writes lakes: polygons whose outlines lie where the ground between samples reaches the level. A lake
 * is written when no row to come can add to its outlines; those that the edge cuts are written at the end. */
#include <math.h>

#include "program/features/lake_depths.h"
#include "program/features/outline.h"

static const vector_field fields[] = {
    {"id", VECTOR_ID},          {"outlet", VECTOR_ID},       {"level_m", VECTOR_REAL},  {"depth_m", VECTOR_REAL},
    {"volume_m3", VECTOR_REAL}, {"area_km2", VECTOR_REAL},   {"shore_km", VECTOR_REAL}, {"outlet_x", VECTOR_REAL},
    {"outlet_y", VECTOR_REAL},  {"islands", VECTOR_INTEGER}, {"cut", VECTOR_TEXT},
};

enum { FIELDS = sizeof fields / sizeof fields[0] };

#define MARKED 0.6 /* share of the step at which all lakes are found */

/** Polygons of the lakes, which are found by their samples. */
typedef struct lake_shapes {
    feature_run *run;
    lake_marks marks;
    lake_depths depths;
    size_t next;    /* lakes before this one are written, if they are to be */
    int64_t newest; /* the last row that was read */
} lake_shapes;

/* ---- writing ---- */

static result write_lake(const lake_shapes *s, lake *l)
{
    feature_run *run = s->run;
    const polygon_group *g = l->polygons;
    const double step = feature_step_m(run);
    const lake_facts *f = &l->facts;
    const earth_place outlet = feature_place(run, f->point.x, f->point.z);
    int64_t islands = 0;
    for (size_t n = 0; n < g->n_rings; n++)
        islands += g->rings[n].is_hole;
    const vector_value values[FIELDS] = {vector_id(f->has_id, f->id),
                                         vector_id(f->has_outlet, f->outlet),
                                         vector_real((double)l->level),
                                         vector_real(l->depth),
                                         vector_real(l->volume * step * step),
                                         vector_real(g->measure.area * step * step * 1e-6),
                                         vector_real(g->measure.length * step * 1e-3),
                                         vector_real_or_null(f->has_point, outlet.east),
                                         vector_real_or_null(f->has_point, outlet.north),
                                         vector_integer(islands),
                                         vector_text(g->measure.is_cut ? "edge" : "")};
    const result res = polygon_group_write(l->polygons, run, (double)l->level, values);
    polygon_group_destroy(l->polygons);
    l->polygons = NULL;
    return res;
}

/** Write the lakes whose last row lies before a row. Lakes are ordered by their last rows.
 *
 *  is_end  whether those that the edge cuts are complete, too
 */
static result write_lakes_before(lake_shapes *s, int64_t row, bool is_end)
{
    result res = result_done();
    for (; s->next < s->marks.count && s->marks.lakes[s->next].last_row < row && res.kind == RESULT_DONE; s->next++) {
        lake *l = &s->marks.lakes[s->next];
        if (l->polygons && (is_end || !l->is_cut))
            res = write_lake(s, l);
    }
    return res;
}

/* ---- outlines ---- */

/** Find the lake beside a point of a shore: 0 if there is none. */
static result lake_beside(lake_shapes *s, const double *point, int32_t *number)
{
    const trace_raster raster = s->run->raster;
    result res = result_done();
    for (int n = 0; n < 4 && *number == 0 && res.kind == RESULT_DONE; n++) {
        const int x = (int)floor(point[0]) + (n & 1), y = (int)floor(point[1]) + (n >> 1);
        if (x >= 0 && y >= 0 && x < raster.width && y < raster.height)
            res = lake_depths_lake(&s->depths, x, y, number);
    }
    return res;
}

/** A trace_polygon: give a polygon to the lake beside its outer ring. The search begins in the south, where rows were
 * read last. */
static result add_shape(void *user, int64_t value, vector_ring *rings, size_t n_rings)
{
    lake_shapes *s = user;
    const size_t count = rings->count;
    size_t south = 0;
    int32_t number = 0;
    result res = result_done();
    (void)value;
    for (size_t n = 1; n < count; n++)
        south = rings->points[3 * n + 1] > rings->points[3 * south + 1] ? n : south;
    for (size_t n = 0; n < count && number == 0 && res.kind == RESULT_DONE; n++)
        res = lake_beside(s, rings->points + 3 * ((south + n) % count), &number);
    if (number == 0 || res.kind != RESULT_DONE)
        return res;
    lake *l = &s->marks.lakes[number];
    if (!l->polygons)
        l->polygons = polygon_group_create();
    return l->polygons ? polygon_group_add(l->polygons, s->run, rings, n_rings)
                       : result_of(RESULT_FAILED, "out of memory");
}

static result give_depths(void *user, int64_t row, const float **out)
{
    lake_shapes *s = user;
    result res = result_done();
    if (row > s->newest) { /* the lines between the rows before this one are complete */
        s->newest = row;
        res = write_lakes_before(s, row - 1, false);
    }
    return res.kind == RESULT_DONE ? lake_depths_row(&s->depths, row, out) : res;
}

static result go_on(void *user, double share)
{
    const lake_shapes *s = user;
    return feature_run_goes_on(s->run, MARKED + (1.0 - MARKED) * share);
}

static result write_lakes(lake_shapes *s)
{
    const trace_source source = {s->run->raster, give_depths, go_on, s};
    result res = lake_depths_begin(&s->depths, s->run, &s->marks);
    if (res.kind == RESULT_DONE)
        res = outline_trace(&source, 0.0, add_shape, s);
    s->next = 1;
    return res.kind == RESULT_DONE ? write_lakes_before(s, INT64_MAX, true) : res;
}

result write_lake_layer(feature_run *run)
{
    lake_shapes s = {.run = run, .next = 1, .newest = -1};
    result res = vector_file_layer(run->file, feature_names[FEATURE_LAKES], VECTOR_POLYGONS, fields, FIELDS);
    if (res.kind == RESULT_DONE)
        res = lake_marks_make(run, MARKED, &s.marks);
    if (res.kind == RESULT_DONE)
        res = write_lakes(&s);
    lake_marks_free(&s.marks);
    lake_depths_free(&s.depths);
    return res;
}
