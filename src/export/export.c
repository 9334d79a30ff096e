/* export.c - the files of a plan, one after the other: strips, codec, file, sidecar. */
#include "export/export.h"

#include <math.h>
#include <stdio.h>

#include "export/codec_raw.h"
#include "export/journal.h"
#include "export/samples.h"

/** A plan under way. */
typedef struct run {
    const export_plan *plan;
    const export_events *events;
    export_report *report;
    int64_t rows_before; /* rows of the only file that an interrupted run left */
    double samples_all, samples_done;

    /* the file being written */
    planned_file planned;
    export_file file;
    output_file out;
    void *codec_state;
    file_facts facts;
    checksum *sum;
    journal journal;
    bool is_open, has_journal;
} run;

export_report export_report_none(void)
{
    return (export_report){.min_m = INFINITY, .max_m = -INFINITY};
}

/** What is to be generated of the n-th file: all of it, or what an interrupted run did not come to. */
static ter_rect rect_to_make(const void *set, size_t n)
{
    const run *r = set;
    ter_rect rect = export_plan_rect(r->plan, n);
    rect.height -= r->rows_before;
    rect.j += r->plan->whole.is_south_first ? 0 : r->rows_before;
    return rect;
}

/* ---- one file ---- */

/** Open the output of a file that is kept when it is interrupted, and its journal, which says which rows are there. */
static outcome open_kept(run *r, uint64_t bytes, bool replace)
{
    const export_file *f = &r->file;
    outcome o = output_file_open_kept(&r->out, r->planned.path, bytes, replace);
    r->is_open = o.kind == OUTCOME_DONE;
    r->out.sums[0] = r->sum;
    if (o.kind == OUTCOME_DONE) {
        r->has_journal = true;
        o = journal_open(&r->journal, f, r->plan->job.force, &r->out, &r->facts);
    }
    if (o.kind != OUTCOME_DONE || r->out.written == 0)
        return o;
    const uint64_t header = codec_raw_offset(f, 0), row = codec_raw_offset(f, 1) - header;
    char sentence[1280];
    r->rows_before = (int64_t)((r->out.written - header) / row);
    r->samples_done = (double)r->rows_before * (double)f->width;
    snprintf(sentence, sizeof sentence, "'%s': %lld of %lld rows are there and sound", r->planned.path, (long long)r->rows_before,
             (long long)f->height);
    if (r->events->note)
        r->events->note(r->events->user, sentence);
    return o;
}

static outcome open_output(run *r)
{
    const export_file *f = &r->file;
    const export_job *job = &r->plan->job;
    const uint64_t bytes = f->format->codec == &codec_raw ? codec_raw_offset(f, f->height) : 0;
    const bool replace = job->force || job->resume; /* what must not be replaced was refused in the plan */
    return r->plan->keeps_part ? open_kept(r, bytes, replace) : output_file_open(&r->out, r->planned.path, bytes, replace);
}

static outcome begin_file(run *r, size_t k)
{
    export_plan_file(r->plan, r->plan->to_make[k], &r->planned);
    r->file = r->planned.file;
    r->facts = file_facts_none();
    checksum_destroy(r->sum);
    r->sum = r->plan->is_regular ? checksum_create() : NULL;
    const outcome o = open_output(r);
    r->is_open |= o.kind == OUTCOME_DONE;
    r->out.sums[0] = r->sum;
    r->out.is_durable = r->plan->job.durable;
    r->codec_state = NULL;
    return o.kind == OUTCOME_DONE ? r->file.format->codec->open(&r->file, &r->out, &r->codec_state) : o;
}

static bool go_on_reading(void *user)
{
    const run *r = user;
    return export_goes_on(r->events, r->out.path, r->samples_done / r->samples_all);
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
    report->n_samples += (uint64_t)r->file.width * (uint64_t)r->file.height;
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
        o = sidecar_commit(&r->out, r->plan->job.json_replaces_ending, r->plan->job.force, &r->file, &r->facts);
    if (o.kind != OUTCOME_DONE)
        return o;
    count_file(r);
    leave_file(r, true);
    return o;
}

/* ---- strips ---- */

static outcome interrupted(const run *r)
{
    const export_job *job = &r->plan->job;
    if (job->tiles.is_set)
        return outcome_of(OUTCOME_INTERRUPTED, "interrupted; %lld of %lld files are complete, --resume makes the others",
                          (long long)(r->report->n_files + r->plan->n_complete), (long long)r->plan->n_files);
    if (r->plan->keeps_part)
        return outcome_of(OUTCOME_INTERRUPTED, "interrupted; '%s.part' is kept, the same command goes on", r->planned.path);
    return outcome_of(OUTCOME_INTERRUPTED, "interrupted; nothing is left of '%s'", r->planned.path);
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

/** Open the first file, and generate what is missing of all. */
static outcome make_files(run *r, const strips_source *source)
{
    strips *strips = NULL;
    outcome o = begin_file(r, 0);
    if (o.kind != OUTCOME_DONE)
        return o;
    if (r->rows_before == r->file.height) /* interrupted between its last row and its name */
        return end_file(r);
    strips_request request = samples_request(&r->file, source->world);
    request.rect_at = rect_to_make;
    request.rect_set = r;
    request.n_rects = r->plan->n_to_make;
    o = strips_open(&request, source->generators, source->n_generators, &strips);
    if (o.kind == OUTCOME_DONE)
        o = write_files(r, strips);
    strips_close(strips);
    return o;
}

outcome export_make_files(const export_plan *plan, const strips_source *source, const export_events *events, export_report *report)
{
    run r = {.plan = plan, .events = events, .report = report};
    if (plan->n_to_make == 0)
        return outcome_done();
    const ter_rect first = export_plan_rect(plan, 0);
    r.samples_all = (double)first.width * (double)first.height * (double)plan->n_to_make;
    const outcome o = make_files(&r, source);
    leave_file(&r, false);
    checksum_destroy(r.sum);
    return o;
}
