/* export.c - run a job: measure the range, generate and write strip by strip. */
#include "export/export.h"

#include <math.h>
#include <string.h>

#include "export/codec_raw.h"
#include "export/journal.h"
#include "export/plan.h"
#include "export/samples.h"
#include "export/vrt.h"
#include "file/path_name.h"

/** A job under way. */
typedef struct run {
    export_job job; /* its range resolved */
    const ter_world *world;
    const export_events *events;
    export_report *report;
    export_plan plan;
    int64_t rows_before; /* rows of the only file that an interrupted run left */
    double samples_all, samples_done;

    /* the file being written */
    export_file file;
    output_file out;
    void *codec_state;
    file_facts facts;
    checksum *sum;
    journal journal;
    bool is_open, has_journal;
} run;

/* ---- before the first file ---- */

static bool go_on_measuring(void *user, double share)
{
    const run *r = user;
    return !r->events->progress || r->events->progress(r->events->user, "measuring the range", share);
}

static outcome resolve_range(run *r, ter_generator *generator)
{
    double *range = r->job.tile.range;
    if (!export_file_is_scaled(&r->job.tile) || !isnan(range[0]))
        return outcome_done();
    const export_file whole = export_job_request(&r->job);
    return samples_measure(&whole, r->world, generator, go_on_measuring, r, range);
}

/** Refuse what cannot fit before anything is made; a part that is kept is looked at when it is opened. Compressed files are
 *  estimated when they would not fit as they are. */
static outcome check_space(const run *r, ter_generator *const *generators, int n_generators)
{
    if (!output_file_is_regular(r->job.path) || r->plan.n_tiles == 0 || export_keeps_part(&r->job))
        return outcome_done();
    const export_file file = export_job_file(&r->job, 0);
    double needed = (double)export_file_bytes(&file) * (double)r->plan.n_tiles;
    const double is_free = (double)output_file_free_bytes(r->job.path);
    if (needed > is_free && file.format->codec != &codec_raw) {
        export_estimate e;
        const outcome o = export_estimate_job(&r->job, r->world, generators, n_generators, &e);
        if (o.kind != OUTCOME_DONE)
            return o;
        needed *= e.bytes / (double)e.samples_bytes;
    }
    return needed > is_free ? output_file_no_space(r->job.path, needed) : outcome_done();
}

/* ---- one file ---- */

/** Open a file's output, and its journal, which may shorten the only rectangle to the rows that are missing. */
static outcome open_output(run *r, const char *path)
{
    const export_file *f = &r->file;
    const uint64_t bytes = f->format->codec == &codec_raw ? codec_raw_offset(f, f->height) : 0;
    const bool replace = r->job.force || r->job.resume; /* what must not be replaced was refused in the plan */
    if (!export_keeps_part(&r->job))
        return output_file_open(&r->out, path, bytes, replace);
    outcome o = output_file_open_kept(&r->out, path, bytes, replace);
    r->is_open = o.kind == OUTCOME_DONE;
    r->out.sums[0] = r->sum;
    if (o.kind == OUTCOME_DONE) {
        r->has_journal = true;
        o = journal_open(&r->journal, f, r->job.force, &r->out, &r->facts);
    }
    if (o.kind != OUTCOME_DONE || r->out.written == 0)
        return o;
    const uint64_t header = codec_raw_offset(f, 0), row = codec_raw_offset(f, 1) - header;
    char sentence[1280];
    r->rows_before = (int64_t)((r->out.written - header) / row);
    r->plan.rects[0].height -= r->rows_before;
    r->plan.rects[0].j += f->is_south_first ? 0 : r->rows_before;
    r->samples_done = (double)r->rows_before * (double)f->width;
    snprintf(sentence, sizeof sentence, "'%s': %lld of %lld rows are there and sound", path, (long long)r->rows_before,
             (long long)f->height);
    if (r->events->note)
        r->events->note(r->events->user, sentence);
    return o;
}

static outcome begin_file(run *r, size_t k)
{
    char path[1024];
    r->file = export_job_file(&r->job, r->plan.tiles[k]);
    r->facts = file_facts_none();
    checksum_destroy(r->sum);
    r->sum = output_file_is_regular(r->job.path) ? checksum_create() : NULL;
    outcome o = export_job_path(&r->job, r->plan.tiles[k], path);
    if (o.kind == OUTCOME_DONE)
        o = open_output(r, path);
    r->is_open |= o.kind == OUTCOME_DONE;
    r->out.sums[0] = r->sum;
    r->out.is_durable = r->job.durable;
    r->codec_state = NULL;
    return o.kind == OUTCOME_DONE ? r->file.format->codec->open(&r->file, &r->out, &r->codec_state) : o;
}

static bool go_on_reading(void *user)
{
    const run *r = user;
    return !r->events->progress || r->events->progress(r->events->user, r->out.path, r->samples_done / r->samples_all);
}

/** Checksum of a complete file: made on the way, or read back where the format does not write from front to back. */
static outcome find_checksum(run *r)
{
    if (!r->sum)
        return outcome_done();
    if (r->file.format->needs_seeking)
        return checksum_of_file(r->out.temporary, go_on_reading, r, r->facts.checksum);
    checksum_text(r->sum, r->facts.checksum);
    return outcome_done();
}

static void count_file(run *r)
{
    export_report *report = r->report;
    report->n_files++;
    report->bytes += r->out.written;
    report->min_m = fminf(report->min_m, r->facts.min_m);
    report->max_m = fmaxf(report->max_m, r->facts.max_m);
    report->n_clamped += r->facts.n_clamped;
}

static void close_codec(run *r)
{
    if (r->codec_state)
        r->file.format->codec->close(r->codec_state);
    r->codec_state = NULL;
}

/** Give back what the file holds: nothing is left of one that has no name yet but a part that is kept. */
static void leave_file(run *r, bool is_complete)
{
    close_codec(r);
    if (r->has_journal)
        journal_close(&r->journal, is_complete);
    if (r->is_open)
        output_file_discard(&r->out);
    r->is_open = r->has_journal = false;
}

static outcome end_file(run *r)
{
    outcome o = r->file.format->codec->finish(r->codec_state);
    close_codec(r);
    if (o.kind == OUTCOME_DONE)
        o = find_checksum(r);
    if (o.kind == OUTCOME_DONE)
        o = sidecar_commit(&r->out, export_replaces_ending(&r->job), r->job.force, &r->file, &r->facts);
    if (o.kind != OUTCOME_DONE)
        return o;
    count_file(r);
    leave_file(r, true);
    return o;
}

/* ---- strips ---- */

static outcome interrupted(const run *r)
{
    if (r->job.tiles.is_set)
        return outcome_of(OUTCOME_INTERRUPTED, "interrupted; %lld of %lld files are complete, --resume makes the others",
                          (long long)(r->report->n_files + r->report->n_kept),
                          (long long)r->plan.n_tiles + (long long)r->report->n_kept);
    if (export_keeps_part(&r->job))
        return outcome_of(OUTCOME_INTERRUPTED, "interrupted; '%s.part' is kept, the same command goes on", r->job.path);
    return outcome_of(OUTCOME_INTERRUPTED, "interrupted; nothing is left of '%s'", r->job.path);
}

static outcome write_strip(run *r, strip *strip)
{
    file_facts facts;
    const block block = samples_block(&r->file, r->rows_before, strip, &facts);
    outcome o = r->file.format->codec->write(r->codec_state, &block);
    file_facts_add(&r->facts, &facts);
    if (o.kind == OUTCOME_DONE && r->has_journal)
        o = journal_add(&r->journal, &r->out, &facts, block.column + block.width == r->file.width);
    r->samples_done += (double)strip->width * (double)strip->rows;
    if (o.kind == OUTCOME_DONE && !go_on_reading(r))
        o = interrupted(r);
    return o;
}

/** Write all planned files; the first is open already. */
static outcome write_files(run *r, strips *strips)
{
    outcome o;
    strip strip;
    size_t k = 0;
    while ((o = strips_next(strips, &strip)).kind == OUTCOME_DONE && strip.rows > 0) {
        if (strip.rect != k) {
            o = end_file(r);
            k = strip.rect;
            if (o.kind == OUTCOME_DONE)
                o = begin_file(r, k);
        }
        if (o.kind == OUTCOME_DONE)
            o = write_strip(r, &strip);
        if (o.kind != OUTCOME_DONE)
            return o;
    }
    return o.kind == OUTCOME_DONE ? end_file(r) : o;
}

static outcome make_files(run *r, ter_generator *const *generators, int n_generators)
{
    strips *strips = NULL;
    const ter_rect *first = &r->plan.rects[0];
    r->samples_all = (double)first->width * (double)first->height * (double)r->plan.n_tiles;
    outcome o = begin_file(r, 0);
    if (o.kind == OUTCOME_DONE && first->height == 0) /* interrupted between its last row and its name */
        return end_file(r);
    if (o.kind == OUTCOME_DONE)
        o = samples_open(&r->file, r->world, r->plan.rects, r->plan.n_tiles, generators, n_generators, &strips);
    if (o.kind == OUTCOME_DONE)
        o = write_files(r, strips);
    strips_close(strips);
    return o;
}

/* ---- what earlier runs left ---- */

/** Whether a file's name is another's but for the endings: "a.r32" or "a.r32.json" of "a.r32". */
static bool is_named_as(const char *name, const char *path)
{
    const char *base = path_base(path);
    const size_t length = (size_t)(path_dot(path) - base);
    return strncmp(name, base, length) == 0 && (name[length] == '\0' || name[length] == '.');
}

static bool is_of_job(void *user, const char *name)
{
    const export_job *job = user;
    char path[1024];
    export_job_set_path(job, ".vrt", path);
    bool is_one = is_named_as(name, path);
    for (int64_t n = job->shard; n < export_job_tiles(job) && !is_one; n += job->n_shards)
        is_one = export_job_path(job, n, path).kind == OUTCOME_DONE && is_named_as(name, path);
    return is_one;
}

/* ---- the job ---- */

outcome export_check(const export_job *job, const export_events *events)
{
    export_plan plan = {0};
    outcome o = export_job_check(job);
    if (o.kind == OUTCOME_DONE && job->resume && (!checksum_is_possible() || !sidecar_is_possible()))
        o = outcome_of(OUTCOME_USAGE, "--resume: this build has no %s", checksum_is_possible() ? "JSON" : "checksums");
    if (o.kind == OUTCOME_DONE)
        o = output_file_check_folder(job->path);
    if (o.kind == OUTCOME_DONE && !job->resume)
        o = export_plan_make(job, events, &plan);
    export_plan_free(&plan);
    if (o.kind == OUTCOME_DONE && vrt_is_possible(job) && !job->force)
        o = vrt_check(job);
    return o;
}

outcome export_run(const export_job *job, const ter_world *world, ter_generator *const *generators, int n_generators,
                   const export_events *events, export_report *report)
{
    run r = {.job = *job, .world = world, .events = events, .report = report};
    *report = (export_report){.min_m = INFINITY, .max_m = -INFINITY};
    outcome o = resolve_range(&r, generators[0]);
    if (o.kind == OUTCOME_DONE)
        o = export_plan_make(&r.job, events, &r.plan);
    memcpy(report->range, r.job.tile.range, sizeof report->range);
    report->n_kept = r.plan.n_kept;
    if (o.kind == OUTCOME_DONE)
        o = check_space(&r, generators, n_generators);
    if (o.kind == OUTCOME_DONE && output_file_is_regular(r.job.path))
        temporary_clean(r.job.path, is_of_job, &r.job);
    if (o.kind == OUTCOME_DONE && r.plan.n_tiles > 0)
        o = make_files(&r, generators, n_generators);
    leave_file(&r, false);
    if (o.kind == OUTCOME_DONE && output_file_is_regular(r.job.path) && !r.job.tiles.is_set)
        journal_clean(r.job.path);
    if (o.kind == OUTCOME_DONE && vrt_is_possible(&r.job))
        o = vrt_write(&r.job);
    checksum_destroy(r.sum);
    export_plan_free(&r.plan);
    return o;
}
