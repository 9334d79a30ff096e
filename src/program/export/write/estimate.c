/* estimate.c - makes larger and larger parts of a plan, until a part takes long enough to be timed. */
#include "program/export/write/estimate.h"

#include "program/core/clock.h"
#include "program/export/formats/codec_raw.h"
#include "program/export/write/export.h"
#include "program/export/write/range.h"

/** Measurement of a part of the plan. */
typedef struct trial {
    double elapsed_s;
    double samples_bytes; /* bytes of the samples before compression */
    double bytes;         /* bytes of the written files */
} trial;

/** Find how many bytes the samples of one tile's files have before compression. Returns whether all these files are
 * raw; if so, *bytes becomes the size of the files. */
static bool find_tile_bytes(const export_plan *plan, uint64_t *samples_bytes, uint64_t *bytes)
{
    bool is_exact = true;
    *samples_bytes = *bytes = 0;
    for (int k = 0; k < plan->n_layers; k++) {
        const export_file *file = &plan->layers[k];
        is_exact &= file->format->is_raw;
        *samples_bytes += export_file_bytes(file);
        *bytes += is_exact ? codec_raw_offset(file, file->height) : 0;
    }
    return is_exact;
}

/** Make a part of about `samples` samples, and measure it. */
static result try_part(const export_plan *plan, const strips_source *source, int64_t samples, trial *t)
{
    static const work_events silent = {0};
    export_plan part;
    export_report report = export_report_none();
    const double start = clock_now_s();
    result res = export_plan_sample(plan, samples, &part);
    if (res.kind == RESULT_DONE)
        res = export_range_resolve(&part, source, &silent);
    if (res.kind == RESULT_DONE)
        res = export_make_files(&part, source, &silent, &report);
    uint64_t samples_bytes = 0, raw_bytes = 0;
    if (res.kind == RESULT_DONE)
        find_tile_bytes(&part, &samples_bytes, &raw_bytes);
    *t = (trial){clock_now_s() - start, (double)samples_bytes, (double)report.bytes};
    export_plan_free(&part);
    return res;
}

result export_estimate_plan(const export_plan *plan, const strips_source *source, export_estimate *e)
{
    static const double SHORT_S = 5.0;       /* shorter exports need no better estimate */
    static const double LONG_ENOUGH_S = 0.1; /* the time of a large part that takes this long is precise enough */
    static const double ENOUGH_S = 1.0;      /* limit of the time of all parts */
    enum { SAMPLES_FIRST = 1 << 6, SAMPLES_LARGE = 1 << 16 };
    result res = result_done();
    uint64_t samples_bytes, bytes;
    const int64_t whole = plan->layers[0].width * plan->layers[0].height, n_tiles = plan->n_files / plan->n_layers;
    const double begun_s = clock_now_s();
    *e = (export_estimate){.is_exact = find_tile_bytes(plan, &samples_bytes, &bytes)};
    e->samples_bytes = samples_bytes * (uint64_t)n_tiles;
    trial t = {0};
    bool is_enough = false;
    for (int64_t samples = SAMPLES_FIRST; res.kind == RESULT_DONE && !is_enough; samples *= 4) {
        res = try_part(plan, source, samples, &t);
        const bool is_short = t.elapsed_s * (double)e->samples_bytes < SHORT_S * t.samples_bytes;
        is_enough = samples >= whole || (is_short && samples >= SAMPLES_LARGE && t.elapsed_s >= LONG_ENOUGH_S) ||
                    clock_now_s() - begun_s > ENOUGH_S;
    }
    if (res.kind == RESULT_INTERRUPTED)
        return result_of(RESULT_INTERRUPTED, "interrupted"); /* the part's message names its file, /dev/null */
    e->seconds = t.elapsed_s / t.samples_bytes * (double)e->samples_bytes;
    e->bytes = e->is_exact ? (double)bytes * (double)n_tiles : t.bytes / t.samples_bytes * (double)e->samples_bytes;
    return res;
}
