/* feature_run.c - gives rows of samples, and places and measures lines that were traced from them. */
#include "program/features/feature_run.h"

#include <math.h>

result feature_run_goes_on(const feature_run *run, double share)
{
    const double whole = run->step_from + share * (run->step_to - run->step_from);
    river_net *nets[2] = {run->net, run->fine_net};
    for (int n = 0; n < 2; n++)
        if (nets[n])
            river_net_note_share(nets[n], share);
    return work_goes_on(run->events, run->job->path, whole)
               ? result_done()
               : result_of(RESULT_INTERRUPTED, "interrupted; nothing was written");
}

result feature_read_row(const feature_run *run, int64_t row, feature_row *out)
{
    const float *samples;
    const size_t width = (size_t)run->raster.width;
    const result res = sample_spool_row(run->spool, row, &samples);
    if (res.kind != RESULT_DONE)
        return res;
    out->height = samples;
    out->water = run->spools_water ? samples + width : NULL;
    out->owners =
        run->spools_owners ? (const int32_t *)(const void *)(samples + (run->spools_water ? 2 : 1) * width) : NULL;
    return res;
}

result feature_surface_row(const feature_run *run, int64_t row, float *out)
{
    feature_row at;
    const result res = feature_read_row(run, row, &at);
    if (res.kind != RESULT_DONE)
        return res;
    for (int n = 0; n < run->raster.width; n++)
        out[n] = at.water && at.water[n] > at.height[n] ? at.water[n] : at.height[n];
    return res;
}

static result heights_go_on(void *user, double share)
{
    return feature_run_goes_on(user, share);
}

static result give_heights(void *user, int64_t row, const float **out)
{
    feature_row at;
    const result res = feature_read_row(user, row, &at);
    *out = res.kind == RESULT_DONE ? at.height : NULL;
    return res;
}

trace_source feature_heights(feature_run *run)
{
    return (trace_source){run->raster, give_heights, heights_go_on, run};
}

int64_t feature_samples_along(const feature_run *run, int64_t cells)
{
    const int64_t samples = (int64_t)ldexp((double)(cells * TER_EDGE_CELL), -run->job->lod);
    return samples > 1 ? samples : 1;
}

result feature_cells(const feature_run *run, const feature_block *block, ter_river_window *out)
{
    const ter_rect *all = &run->request.rect;
    const ter_rect rect = {all->level, all->i + block->column, all->j + block->row, block->columns, block->rows};
    const ter_status status = ter_river_edges_window(run->job->world, &rect, out);
    return status == TER_OK ? result_done() : result_of_library(status, "features");
}

double feature_step_m(const feature_run *run)
{
    return ldexp(run->params->spacing, run->job->lod);
}

earth_place feature_place_of_sample(const feature_run *run, double column, double row)
{
    const double step = ldexp(1.0, run->job->lod);
    return feature_place(run, run->job->x + column * step, run->job->z + row * step);
}

void feature_place_points(const feature_run *run, double *points, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        const earth_place place = feature_place_of_sample(run, points[3 * n], points[3 * n + 1]);
        points[3 * n] = place.east;
        points[3 * n + 1] = place.north;
    }
}

ring_measure feature_measure(const feature_run *run, const vector_ring *rings, size_t n_rings)
{
    const double east = run->raster.width - 0.5, south = run->raster.height - 0.5;
    ring_measure m = {0.0, 0.0, false};
    for (size_t n = 0; n < n_rings; n++) {
        const double *p = rings[n].points;
        double area = 0.0;
        for (size_t k = 1; k < rings[n].count; k++) {
            const double *a = p + 3 * k - 3, *b = p + 3 * k;
            const bool is_rim =
                (a[0] == b[0] && (a[0] <= -0.5 || a[0] >= east)) || (a[1] == b[1] && (a[1] <= -0.5 || a[1] >= south));
            area += 0.5 * ((a[0] - p[0]) * (b[1] - p[1]) - (b[0] - p[0]) * (a[1] - p[1]));
            m.length += is_rim ? 0.0 : hypot(b[0] - a[0], b[1] - a[1]);
            m.is_cut |= is_rim;
        }
        m.area += rings[n].is_hole ? -fabs(area) : fabs(area);
    }
    return m;
}
