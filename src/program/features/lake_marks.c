/* lake_marks.c - joins samples of equal level to areas, row after row. An area that does not go on is a lake if the
 * network has one there. */
#include "program/features/lake_marks.h"

#include <math.h>
#include <stdlib.h>

#include "library/core/grow.h"
#include "program/features/row_sets.h"

/** An area of samples of equal level. */
typedef struct water_area {
    lake lake;        /* what is known about it so far; without facts */
    int32_t number;   /* when it has ended: of the lake; 0: it is no lake. Otherwise OPEN */
    bool is_known;    /* whether the network has a lake here */
    lake_point point; /* the first point of the network in it */
} water_area;

enum { OPEN = -1 };

/** Runs of a row. */
typedef struct run_row {
    lake_run *at;
    size_t count, room;
} run_row;

typedef struct lake_scan {
    feature_run *run;
    lake_marks *marks;
    lake_points points;
    row_sets sets; /* of the numbers of areas */
    water_area *areas;
    size_t room;
    run_row row, before; /* this row, and the one before */
} lake_scan;

static result out_of_memory(void)
{
    return result_of(RESULT_FAILED, "out of memory");
}

/* ---- areas ---- */

/** A new area; ROW_SETS_NONE without memory. */
static int32_t add_area(lake_scan *s, float level)
{
    const int32_t n = row_sets_add(&s->sets);
    water_area *areas = ter_grow(s->areas, &s->room, s->sets.count, sizeof *areas);
    s->areas = areas ? areas : s->areas;
    if (!areas || n == ROW_SETS_NONE)
        return ROW_SETS_NONE;
    areas[n] = (water_area){.lake = {.level = level, .first = INT64_MAX}, .number = OPEN};
    return n;
}

/** Let a point of the network name an area, if no earlier point does. */
static void name_area(water_area *a, const lake_point *p)
{
    if (!a->is_known || lake_point_is_before(p, &a->point))
        a->point = *p;
    a->is_known = true;
}

/** Join two areas. Returns the one that stays. */
static int32_t unite(lake_scan *s, int32_t a, int32_t b)
{
    a = row_sets_find(&s->sets, a);
    b = row_sets_find(&s->sets, b);
    if (a == b)
        return a;
    water_area *stays = &s->areas[a], *goes = &s->areas[b];
    lake *l = &stays->lake;
    const lake *m = &goes->lake;
    row_sets_join(&s->sets, a, b);
    l->depth = fmax(l->depth, m->depth);
    l->volume += m->volume;
    l->samples += m->samples;
    l->first = m->first < l->first ? m->first : l->first;
    l->last_row = m->last_row > l->last_row ? m->last_row : l->last_row;
    l->is_cut |= m->is_cut;
    if (goes->is_known)
        name_area(stays, &goes->point);
    return a;
}

/* ---- runs ---- */

/** List the runs of equal level in a row, above the level of the sea. Returns false when there is no memory. */
static bool list_runs(lake_scan *s, const float *water)
{
    run_row *r = &s->row;
    r->count = 0;
    for (int n = 0; n < s->run->raster.width; n++) {
        if (!((double)water[n] > s->run->params->sea)) /* also without water */
            continue;
        if (r->count > 0 && r->at[r->count - 1].end == n && water[n - 1] == water[n]) {
            r->at[r->count - 1].end++;
            continue;
        }
        lake_run *at = ter_grow(r->at, &r->room, r->count + 1, sizeof *at);
        if (!at)
            return false;
        r->at = at;
        r->at[r->count++] = (lake_run){n, n + 1, ROW_SETS_NONE, 0};
    }
    return true;
}

/** Give the runs of the row their areas: those of the runs of equal level above them, or new ones. Returns false when
 * there is no memory. */
static bool join_runs(lake_scan *s, const float *water)
{
    size_t above = 0;
    for (size_t n = 0; n < s->row.count; n++) {
        lake_run *r = &s->row.at[n];
        while (above < s->before.count && s->before.at[above].end <= r->start)
            above++;
        for (size_t k = above; k < s->before.count && s->before.at[k].start < r->end; k++) {
            const int32_t area = row_sets_find(&s->sets, s->before.at[k].area);
            if (s->areas[area].lake.level == water[r->start])
                r->area = r->area == ROW_SETS_NONE ? area : unite(s, r->area, area);
        }
        if (r->area == ROW_SETS_NONE)
            r->area = add_area(s, water[r->start]);
        if (r->area == ROW_SETS_NONE)
            return false;
    }
    return true;
}

/** Add the samples of the row to their areas. */
static void add_samples(lake_scan *s, int64_t row, const float *height)
{
    const trace_raster raster = s->run->raster;
    for (size_t n = 0; n < s->row.count; n++) {
        const lake_run *r = &s->row.at[n];
        lake *l = &s->areas[row_sets_find(&s->sets, r->area)].lake;
        const int64_t first = row * raster.width + r->start;
        l->first = first < l->first ? first : l->first;
        l->last_row = row;
        l->samples += r->end - r->start;
        l->is_cut |= row == 0 || row == raster.height - 1 || r->start == 0 || r->end == raster.width;
        for (int k = r->start; k < r->end; k++) {
            const double depth = fmax((double)l->level - (double)height[k], 0.0);
            l->volume += depth;
            l->depth = fmax(l->depth, depth);
        }
    }
}

/** The run that contains a column; NULL: there is none. */
static const lake_run *run_at(const run_row *row, int32_t column)
{
    size_t low = 0, high = row->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (row->at[middle].end <= column)
            low = middle + 1;
        else
            high = middle;
    }
    return low < row->count && row->at[low].start <= column ? &row->at[low] : NULL;
}

/** Let the points of the network name the areas in which they lie. */
static result name_areas(lake_scan *s, int64_t row)
{
    const lake_point *points;
    size_t count;
    const result res = lake_points_of_row(&s->points, row, &points, &count);
    for (size_t n = 0; n < count && res.kind == RESULT_DONE; n++) {
        const lake_run *r = run_at(&s->row, points[n].column);
        water_area *a = r ? &s->areas[row_sets_find(&s->sets, r->area)] : NULL;
        if (a && fabsf(a->lake.level - points[n].level_m) < 0.5f)
            name_area(a, &points[n]);
    }
    return res;
}

/* ---- lakes ---- */

/** End an area: it becomes a lake, unless it is too small or a level stretch of a river. */
static result end_area(lake_scan *s, int32_t area)
{
    lake_marks *m = s->marks;
    water_area *a = &s->areas[area];
    a->number = 0;
    row_sets_end(&s->sets, area);
    if (a->lake.samples < LAKE_SAMPLES_MIN || !a->is_known)
        return result_done();
    lake *lakes = m->count < INT32_MAX ? ter_grow(m->lakes, &m->room, m->count + 1, sizeof *lakes) : NULL;
    if (!lakes)
        return out_of_memory();
    m->lakes = lakes;
    a->number = (int32_t)m->count;
    lakes[m->count++] = a->lake;
    return lake_facts_find(s->run, &a->point, &lakes[m->count - 1].facts);
}

/** End the areas that do not reach into the row, and write the runs of the row before. */
static result end_row_before(lake_scan *s, int64_t row)
{
    result res = result_done();
    for (size_t n = 0; n < s->before.count && res.kind == RESULT_DONE; n++) {
        lake_run *r = &s->before.at[n];
        const int32_t area = row_sets_find(&s->sets, r->area);
        if (s->areas[area].lake.last_row < row && s->areas[area].number == OPEN)
            res = end_area(s, area);
        r->next = s->areas[area].number == OPEN ? area : -1 - s->areas[area].number;
    }
    return res.kind == RESULT_DONE && row > 0 ? lake_runs_add(s->marks->runs, s->before.at, s->before.count) : res;
}

/** The row becomes the row before. */
static void settle_row(lake_scan *s)
{
    const run_row before = s->before;
    for (size_t n = 0; n < s->row.count; n++)
        s->row.at[n].area = row_sets_find(&s->sets, s->row.at[n].area);
    row_sets_end_row(&s->sets);
    s->before = s->row;
    s->row = before;
}

static result add_row(lake_scan *s, int64_t row)
{
    feature_row at;
    result res = feature_read_row(s->run, row, &at);
    if (res.kind == RESULT_DONE && (!list_runs(s, at.water) || !join_runs(s, at.water)))
        res = out_of_memory();
    if (res.kind != RESULT_DONE)
        return res;
    add_samples(s, row, at.height);
    res = name_areas(s, row);
    if (res.kind == RESULT_DONE)
        res = end_row_before(s, row);
    if (res.kind == RESULT_DONE)
        settle_row(s);
    return res;
}

static result scan(lake_scan *s)
{
    enum { REPORT = 16 }; /* rows */
    const int64_t height = s->run->raster.height;
    result res = result_done();
    for (int64_t row = 0; row < height && res.kind == RESULT_DONE; row++) {
        if (row % REPORT == 0)
            res = feature_run_goes_on(s->run, s->points.share * (double)row / (double)height);
        if (res.kind == RESULT_DONE)
            res = add_row(s, row);
    }
    s->row.count = 0;
    if (res.kind == RESULT_DONE)
        res = end_row_before(s, height);
    return res.kind == RESULT_DONE ? lake_runs_resolve(s->marks->runs, s->sets.count) : res;
}

static void free_scan(lake_scan *s)
{
    lake_points_free(&s->points);
    row_sets_free(&s->sets);
    free(s->areas);
    free(s->row.at);
    free(s->before.at);
}

result lake_marks_make(feature_run *run, double share, lake_marks *marks)
{
    lake_scan s = {.run = run, .marks = marks, .points = {.run = run, .share = share}};
    marks->lakes = calloc(1, sizeof *marks->lakes);
    marks->count = marks->room = marks->lakes ? 1 : 0;
    result res = marks->lakes ? lake_runs_open(run->beside, run->raster.height, &marks->runs) : out_of_memory();
    if (res.kind == RESULT_DONE)
        res = scan(&s);
    free_scan(&s);
    return res;
}

void lake_marks_free(lake_marks *m)
{
    for (size_t n = 0; n < m->count; n++)
        polygon_group_destroy(m->lakes[n].polygons);
    free(m->lakes);
    lake_runs_close(m->runs);
}
