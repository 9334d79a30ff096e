/* lake_layer.c - writes lakes: polygons whose outlines lie where the ground between samples reaches the level. */
#include <math.h>
#include <stdlib.h>

#include "program/features/lake_marks.h"
#include "program/features/outline.h"
#include "program/features/polygon_list.h"

static const vector_field fields[] = {
    {"id", VECTOR_ID},          {"outlet", VECTOR_ID},       {"level_m", VECTOR_REAL},  {"depth_m", VECTOR_REAL},
    {"volume_m3", VECTOR_REAL}, {"area_km2", VECTOR_REAL},   {"shore_km", VECTOR_REAL}, {"outlet_x", VECTOR_REAL},
    {"outlet_y", VECTOR_REAL},  {"islands", VECTOR_INTEGER}, {"cut", VECTOR_TEXT},
};

enum { FIELDS = sizeof fields / sizeof fields[0] };

static const float SHALLOW = 1e-3f; /* m; least height above or below a shore, so that it lies between two samples */

/** Polygons of the lakes, which are found by their samples. */
typedef struct lake_shapes {
    feature_run *run;
    lake_marks marks;
    float *depth; /* m; below 0 outside lakes */
    polygon_list polygons;
} lake_shapes;

/** Depth at a sample, or how far its ground lies above the nearest lake, as a number below 0. Where two lakes touch,
 * samples of the lake with the greater number count as outside, which keeps the lakes apart. */
static float depth_at(const lake_shapes *s, int32_t at)
{
    const feature_run *run = s->run;
    const int width = run->raster.width, height = run->raster.height, x = at % width, y = at / width;
    const int32_t number = s->marks.numbers[at];
    float out = number ? fmaxf(s->marks.lakes[number].level - run->height[at], SHALLOW) : -1e6f;
    for (int n = 0; n < 9; n++) {
        const int u = x + n % 3 - 1, v = y + n / 3 - 1;
        if (u < 0 || v < 0 || u >= width || v >= height)
            continue;
        const int32_t other = s->marks.numbers[v * width + u];
        if (number && other && other < number)
            return -SHALLOW;
        if (!number && other)
            out = fmaxf(out, fminf(s->marks.lakes[other].level - run->height[at], -SHALLOW));
    }
    return out;
}

/** The lake beside a point of a shore: 0 if there is none. */
static int32_t lake_beside(const lake_shapes *s, const double *point)
{
    const int width = s->run->raster.width, height = s->run->raster.height;
    for (int n = 0; n < 4; n++) {
        const int x = (int)floor(point[0]) + (n & 1), y = (int)floor(point[1]) + (n >> 1);
        if (x < 0 || y < 0 || x >= width || y >= height)
            continue;
        if (s->depth[y * width + x] > 0.0f)
            return s->marks.numbers[y * width + x];
    }
    return 0;
}

static result add_shape(void *user, int64_t value, vector_ring *rings, size_t n_rings)
{
    lake_shapes *s = user;
    int32_t number = 0;
    (void)value;
    for (size_t n = 0; n < rings->count && number == 0; n++)
        number = lake_beside(s, rings->points + 3 * n);
    return number ? polygon_list_add(&s->polygons, number, rings, n_rings) : result_done();
}

/** What the network says about a lake. */
typedef struct lake_facts {
    bool has_id, has_outlet, has_point;
    int64_t id, outlet;
    ter_river_point point; /* where its water leaves it */
} lake_facts;

static lake_facts facts_of(const feature_run *run, const lake *l)
{
    lake_facts f = {0};
    bool leaves;
    ter_river_edge edge;
    if (river_net_find(run->net, l->part.edge.column, l->part.edge.row, &edge)) {
        f.has_id = true;
        f.id = reach_id(reach_lake_end(run->net, (edge_part){edge, l->part.part}, &f.has_outlet));
        f.outlet = f.id;
    }
    const edge_part end = reach_lake_end(run->fine_net, l->part, &leaves);
    f.has_point = leaves && reach_part_start(run->fine_net, end, &f.point);
    return f;
}

static result write_lake(lake_shapes *s, size_t number)
{
    feature_run *run = s->run;
    const lake *l = &s->marks.lakes[number];
    const polygon_group *g = &s->polygons.groups[number];
    const double step = feature_step_m(run);
    const lake_facts f = facts_of(run, l);
    const earth_place outlet = feature_place(run, f.point.x, f.point.z);
    int64_t islands = 0;
    for (size_t n = 0; n < g->n_rings; n++)
        islands += g->rings[n].is_hole;
    const vector_value values[FIELDS] = {vector_id(f.has_id, f.id),
                                         vector_id(f.has_outlet, f.outlet),
                                         vector_real(l->level),
                                         vector_real(l->depth),
                                         vector_real(l->volume * step * step),
                                         vector_real(g->area * step * step * 1e-6),
                                         vector_real(g->length * step * 1e-3),
                                         vector_real_or_null(f.has_point, outlet.east),
                                         vector_real_or_null(f.has_point, outlet.north),
                                         vector_integer(islands),
                                         vector_text(g->is_cut ? "edge" : "")};
    run->count++;
    return polygon_list_write(&s->polygons, number, l->level, run->file, values);
}

static result write_lakes(lake_shapes *s)
{
    feature_run *run = s->run;
    const int32_t all = run->raster.width * run->raster.height;
    s->depth = malloc((size_t)all * sizeof *s->depth);
    if (!s->depth)
        return result_of(RESULT_FAILED, "out of memory");
    for (int32_t at = 0; at < all; at++)
        s->depth[at] = depth_at(s, at);
    result res = polygon_list_begin(&s->polygons, run, s->marks.count);
    feature_rows rows = {run, s->depth};
    const trace_source source = feature_rows_source(&rows);
    if (res.kind == RESULT_DONE)
        res = outline_trace(&source, 0.0, add_shape, s);
    for (size_t n = 1; n < s->marks.count && res.kind == RESULT_DONE; n++)
        if (s->polygons.groups[n].n_rings > 0)
            res = write_lake(s, n);
    if (res.kind != RESULT_DONE)
        return res;
    return *river_net_state(run->net);
}

result write_lake_layer(feature_run *run)
{
    lake_shapes s = {.run = run};
    result res = vector_file_layer(run->file, feature_names[FEATURE_LAKES], VECTOR_POLYGONS, fields, FIELDS);
    if (res.kind == RESULT_DONE)
        res = lake_marks_make(run, &s.marks);
    if (res.kind == RESULT_DONE)
        res = write_lakes(&s);
    lake_marks_free(&s.marks);
    polygon_list_free(&s.polygons);
    free(s.depth);
    return res;
}
