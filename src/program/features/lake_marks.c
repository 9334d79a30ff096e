/* lake_marks.c - gathers neighbouring samples of equal level, drops the small areas, and asks the network for lakes. */
#include "program/features/lake_marks.h"

#include <math.h>
#include <stdlib.h>

#include "library/core/grow.h"

static bool is_fresh_water(const feature_run *run, size_t at)
{
    return !isnan(run->water[at]) && (double)run->water[at] > run->params->sea;
}

static lake *add_lake(lake_marks *m, float level)
{
    lake *lakes = ter_grow(m->lakes, &m->room, m->count + 1, sizeof *lakes);
    if (!lakes)
        return NULL;
    m->lakes = lakes;
    m->lakes[m->count] = (lake){.level = level};
    return &m->lakes[m->count++];
}

/** Mark the samples of one level around a sample. waiting: room for all samples */
static void spread(const feature_run *run, lake_marks *m, int32_t first, int32_t *waiting)
{
    const int width = run->raster.width, height = run->raster.height;
    const int32_t number = (int32_t)m->count - 1;
    lake *l = &m->lakes[number];
    size_t n_waiting = 0;
    m->numbers[first] = number;
    waiting[n_waiting++] = first;
    while (n_waiting > 0) {
        const int32_t at = waiting[--n_waiting];
        const int x = at % width, y = at / width;
        const int32_t next[4] = {x > 0 ? at - 1 : at, x < width - 1 ? at + 1 : at, y > 0 ? at - width : at,
                                 y < height - 1 ? at + width : at};
        const double depth = fmax((double)l->level - (double)run->height[at], 0.0);
        l->samples++;
        l->volume += depth;
        l->depth = fmax(l->depth, depth);
        for (int n = 0; n < 4; n++)
            if (m->numbers[next[n]] == 0 && run->water[next[n]] == l->level) {
                m->numbers[next[n]] = number;
                waiting[n_waiting++] = next[n];
            }
    }
}

static result gather(const feature_run *run, lake_marks *m, int32_t *waiting)
{
    const size_t all = (size_t)run->raster.width * (size_t)run->raster.height;
    if (!add_lake(m, 0.0f))
        return result_of(RESULT_FAILED, "out of memory");
    for (size_t at = 0; at < all; at++) {
        if (m->numbers[at] != 0 || !is_fresh_water(run, at))
            continue;
        if (!add_lake(m, run->water[at]))
            return result_of(RESULT_FAILED, "out of memory");
        spread(run, m, (int32_t)at, waiting);
    }
    return result_done();
}

/** Let the points of an edge that lie in a lake name the lake. */
static void ask_edge(const feature_run *run, lake_marks *m, const ter_river_edge *edge)
{
    size_t count = 0;
    const ter_river_point *p = river_net_points(run->fine_net, edge, &count);
    const double step = ldexp(1.0, run->job->lod);
    int part = 0;
    for (size_t n = 0; p && n + 1 < count; n++) {
        part += n > 0 && p[n].water != p[n - 1].water && p[n].water != TER_EDGE_SEA;
        const double column = rint((p[n].x - run->job->x) / step), row = rint((p[n].z - run->job->z) / step);
        if (p[n].water != TER_EDGE_LAKE || column < 0.0 || row < 0.0 || column >= run->raster.width ||
            row >= run->raster.height)
            continue;
        lake *l = &m->lakes[m->numbers[(size_t)row * (size_t)run->raster.width + (size_t)column]];
        if (fabsf(l->level - p[n].level_m) < 0.5f && !l->is_known) {
            l->is_known = true;
            l->part = (edge_part){*edge, part};
        }
    }
}

static result ask_network(const feature_run *run, lake_marks *m)
{
    for (int64_t row = 0; row < run->cells.rows; row++)
        for (int64_t column = 0; column < run->cells.columns; column++) {
            ter_river_edge edge;
            if (river_net_find(run->fine_net, run->cells.column + column, run->cells.row + row, &edge) &&
                (edge.water == TER_EDGE_LAKE || edge.n_changes > 0))
                ask_edge(run, m, &edge);
        }
    return *river_net_state(run->fine_net);
}

/** Forget lakes that are too small, and areas that are a level stretch of a river. */
static void drop(const feature_run *run, lake_marks *m)
{
    const size_t all = (size_t)run->raster.width * (size_t)run->raster.height;
    for (size_t at = 0; at < all; at++) {
        const lake *l = &m->lakes[m->numbers[at]];
        if (l->samples < LAKE_SAMPLES_MIN || !l->is_known)
            m->numbers[at] = 0;
    }
}

result lake_marks_make(feature_run *run, lake_marks *marks)
{
    const size_t all = (size_t)run->raster.width * (size_t)run->raster.height;
    int32_t *waiting = malloc(all * sizeof *waiting);
    marks->numbers = calloc(all, sizeof *marks->numbers);
    result res = waiting && marks->numbers ? gather(run, marks, waiting) : result_of(RESULT_FAILED, "out of memory");
    free(waiting);
    if (res.kind == RESULT_DONE)
        res = ask_network(run, marks);
    if (res.kind == RESULT_DONE)
        drop(run, marks);
    return res;
}

void lake_marks_free(lake_marks *marks)
{
    free(marks->numbers);
    free(marks->lakes);
}
