/* estimate.c - larger and larger parts, until one takes long enough to be timed. */
#include "export/estimate.h"

#include "export/codec_raw.h"
#include "export/export.h"
#include "export/range.h"
#include "program/clock.h"

/** What a part that was made says of the whole. */
typedef struct trial {
    double elapsed_s;
    double samples_bytes; /* of its samples */
    double bytes;         /* of the file */
} trial;

/** Make a part of about `samples` samples. */
static outcome try_part(const export_plan *plan, const strips_source *source, int64_t samples, trial *t)
{
    static const export_events silent = {0};
    export_plan part;
    export_report report = export_report_none();
    const double start = clock_now_s();
    outcome o = export_plan_sample(plan, samples, &part);
    if (o.kind == OUTCOME_DONE)
        o = export_range_resolve(&part, source, &silent);
    if (o.kind == OUTCOME_DONE)
        o = export_make_files(&part, source, &silent, &report);
    *t = (trial){clock_now_s() - start, (double)export_file_bytes(&part.whole), (double)report.bytes};
    export_plan_free(&part);
    return o;
}

outcome export_estimate_plan(const export_plan *plan, const strips_source *source, export_estimate *e)
{
    static const double LONG_ENOUGH_S = 0.1;
    planned_file file;
    outcome o = outcome_done();
    export_plan_file(plan, 0, &file);
    const int64_t whole = file.file.width * file.file.height;
    *e =
        (export_estimate){.samples_bytes = file.bytes * (uint64_t)plan->n_files, .is_exact = file.file.format->codec == &codec_raw};
    trial t = {0};
    int64_t samples = 1 << 18;
    /* The first part only warms up. */
    for (bool is_warm = false; o.kind == OUTCOME_DONE && (!is_warm || (t.elapsed_s < LONG_ENOUGH_S && samples < whole));) {
        samples *= is_warm ? 4 : 1;
        o = try_part(plan, source, samples, &t);
        is_warm = true;
    }
    e->seconds = t.elapsed_s / t.samples_bytes * (double)e->samples_bytes;
    e->bytes = e->is_exact ? (double)codec_raw_offset(&file.file, file.file.height) * (double)plan->n_files
                           : t.bytes / t.samples_bytes * (double)e->samples_bytes;
    return o;
}
