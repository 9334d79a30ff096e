/* range.c - statistics band by band. */
#include "export/range.h"

#include <math.h>

/** Least and greatest height of a rectangle. */
static outcome measure(const ter_rect *rect, const strips_source *source, const export_events *events, double range[2])
{
    static const int64_t BAND_SAMPLES = INT64_C(1) << 26;
    const int64_t band_rows = rect->width < BAND_SAMPLES ? BAND_SAMPLES / rect->width : 1;
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (int64_t row = 0; row < rect->height; row += band_rows) {
        ter_statistics found;
        const int64_t rows = rect->height - row < band_rows ? rect->height - row : band_rows;
        const ter_rect band = {rect->level, rect->i, rect->j + row, rect->width, rows};
        const ter_status status = ter_generator_statistics(source->generators[0], source->world, &band, NULL, &found);
        if (status != TER_OK)
            return outcome_of_library(status, "measuring the range");
        range[0] = fmin(range[0], (double)found.min_m);
        range[1] = fmax(range[1], (double)found.max_m);
        if (!export_goes_on(events, "measuring the range", (double)(row + rows) / (double)rect->height))
            return outcome_of(OUTCOME_INTERRUPTED, "interrupted while measuring the range; nothing was written");
    }
    return outcome_done();
}

outcome export_range_resolve(export_plan *plan, const strips_source *source, const export_events *events)
{
    double range[2];
    if (!export_file_is_scaled(&plan->request) || !isnan(plan->request.range[0]))
        return outcome_done();
    const ter_rect rect = export_file_rect(&plan->request);
    const outcome o = measure(&rect, source, events, range);
    if (o.kind != OUTCOME_DONE)
        return o;
    range[0] = floor(range[0]);
    range[1] = ceil(range[1]);
    range[1] += range[0] == range[1];
    export_plan_set_range(plan, range);
    return o;
}
