/* range.c - measures the least and the greatest height, piece by piece. */
#include "program/export/write/range.h"

#include <math.h>

#include "program/core/work_pieces.h"

static result interrupted(void)
{
    return result_of(RESULT_INTERRUPTED, "interrupted while measuring the range; nothing was written");
}

/** Find the least and the greatest height of a rectangle. */
static result measure(const ter_rect *rect, const strips_source *source, const work_events *events, double range[2])
{
    double share = 0.0;
    work_pieces p = work_pieces_create(INT64_C(1) << 26);
    work_pieces_begin(&p, rect->width, rect->height);
    range[0] = INFINITY;
    range[1] = -INFINITY;
    while (work_pieces_next(&p)) {
        ter_statistics found = {TER_SIZED(ter_statistics)};
        const ter_rect piece = {rect->level, rect->i + p.column, rect->j + p.row, p.piece_width, p.piece_rows};
        const ter_status status = ter_generator_statistics(source->generators[0], source->world, &piece, NULL, &found);
        if (status == TER_ECANCELLED)
            return interrupted();
        if (status != TER_OK)
            return result_of_library(status, "measuring the range");
        range[0] = fmin(range[0], (double)found.min_m);
        range[1] = fmax(range[1], (double)found.max_m);
        share += (double)p.piece_width * (double)p.piece_rows / ((double)rect->width * (double)rect->height);
        if (!work_goes_on(events, "measuring the range", share))
            return interrupted();
    }
    return result_done();
}

result export_range_resolve(export_plan *plan, const strips_source *source, const work_events *events)
{
    double range[2];
    if (!export_plan_needs_range(plan))
        return result_done();
    const ter_rect rect = export_file_rect(&plan->request);
    const result res = measure(&rect, source, events, range);
    if (res.kind == RESULT_DONE)
        export_plan_set_range(plan, range);
    return res;
}
