/* export.c - plan the files of a job, measure the range, generate and write strip by strip. */
#include "export/export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "export/codec_raw.h"
#include "export/journal.h"
#include "export/samples.h"
#include "export/vrt.h"

/** A job under way. */
typedef struct run {
    export_job job; /* its range resolved */
    const ter_world *world;
    const export_events *events;
    export_report *report;
    int64_t *tiles; /* the files to write, in order */
    ter_rect *rects;
    size_t n_tiles;
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

static bool exists(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0;
}

static void note(const run *r, const char *sentence)
{
    if (r->events->note)
        r->events->note(r->events->user, sentence);
}

/* ---- plan ---- */

/** Whether tile n is there already, complete and sound. Errors OUTCOME_FILE a file that is not this job's, without --force */
static outcome find_complete(const run *r, int64_t n, const char *path, bool *is_complete)
{
    export_file found;
    file_facts facts;
    char wanted[1024], got[1024], sum[CHECKSUM_TEXT];
    const export_file file = export_job_file(&r->job, n);
    *is_complete = false;
    if (!exists(path))
        return outcome_done();
    outcome o = sidecar_read(path, &found, &facts);
    export_file_describe(&file, wanted);
    if (o.kind == OUTCOME_DONE)
        export_file_describe(&found, got);
    if (o.kind != OUTCOME_DONE || strcmp(wanted, got) != 0)
        return r->job.force ? outcome_done()
                            : outcome_of(OUTCOME_FILE, "'%s' is not of this job (%s); --force replaces it", path,
                                         o.kind != OUTCOME_DONE ? "it has no sidecar" : "its sidecar says otherwise");
    o = checksum_of_file(path, sum);
    *is_complete = o.kind == OUTCOME_DONE && *sum && strcmp(sum, facts.checksum) == 0;
    if (o.kind == OUTCOME_DONE && !*is_complete) {
        char sentence[1280];
        snprintf(sentence, sizeof sentence, "'%s' is damaged (its checksum is %s, expected %s) and is made again", path, sum,
                 facts.checksum);
        note(r, sentence);
    }
    return o;
}

/** Whether the tool reads NAME.json beside a raw file. */
static bool has_replaced_ending(const export_job *job)
{
    return job->preset && job->preset->json_replaces_ending && job->tile.format->envi_type != 0;
}

/** Tiles of this shard that are not there yet. */
static outcome plan_tiles(run *r)
{
    const int64_t count = export_job_tiles(&r->job);
    r->tiles = malloc((size_t)count * sizeof *r->tiles);
    r->rects = malloc((size_t)count * sizeof *r->rects);
    if (!r->tiles || !r->rects)
        return outcome_of(OUTCOME_FAILED, "no memory for %lld tiles", (long long)count);
    for (int64_t n = r->job.shard; n < count; n += r->job.n_shards) {
        char path[1024];
        bool is_complete = false;
        outcome o = export_job_path(&r->job, n, path);
        if (o.kind == OUTCOME_DONE && output_file_is_regular(path) && exists(path)) {
            if (r->job.resume)
                o = find_complete(r, n, path, &is_complete);
            else if (!r->job.force)
                o = outcome_of(OUTCOME_FILE, "'%s' exists already; --force replaces it%s", path,
                               r->job.tiles.is_set ? ", --resume makes what is missing" : "");
        }
        const export_file file = export_job_file(&r->job, n);
        if (o.kind == OUTCOME_DONE && !r->job.force && output_file_is_regular(path))
            o = sidecar_check(path, has_replaced_ending(&r->job), &file);
        if (o.kind != OUTCOME_DONE)
            return o;
        if (is_complete) {
            r->report->n_kept++;
            continue;
        }
        r->tiles[r->n_tiles] = n;
        r->rects[r->n_tiles++] = export_file_rect(&file);
    }
    return outcome_done();
}

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
    const export_file whole = export_job_whole(&r->job);
    return samples_measure(&whole, r->world, generator, go_on_measuring, r, range);
}

/** Refuse what cannot fit before anything is made. Compressed files are estimated when they would not fit as they are. */
static outcome check_space(const run *r, ter_generator *const *generators, int n_generators)
{
    const double gib = 1.0 / (1024.0 * 1024.0 * 1024.0);
    if (!output_file_is_regular(r->job.path) || r->n_tiles == 0)
        return outcome_done();
    const export_file file = export_job_file(&r->job, 0);
    double needed = (double)export_file_bytes(&file) * (double)r->n_tiles * (1.0 - (double)r->rows_before / (double)file.height);
    const double is_free = (double)output_file_free_bytes(r->job.path);
    if (needed > is_free && file.format->codec != &codec_raw) {
        export_estimate e;
        const outcome o = export_estimate_job(&r->job, r->world, generators, n_generators, &e);
        if (o.kind != OUTCOME_DONE)
            return o;
        needed *= e.bytes / (double)e.samples_bytes;
    }
    if (needed > is_free)
        return outcome_of(OUTCOME_FILE, "cannot write '%s': No space left on device (%.1f GiB needed, %.1f GiB free)", r->job.path,
                          needed * gib, is_free * gib);
    return outcome_done();
}

/* ---- one file ---- */

/** Whether what is written of a job is kept when it is interrupted: a single raw file of --resume. */
static bool keeps_part(const export_job *job)
{
    return job->resume && !job->tiles.is_set && job->tile.format->codec == &codec_raw && output_file_is_regular(job->path);
}

/** Open a file's output, and its journal, which may shorten the only rectangle to the rows that are missing. */
static outcome open_output(run *r, const char *path)
{
    const export_file *f = &r->file;
    const uint64_t bytes = f->format->codec == &codec_raw ? codec_raw_offset(f, f->height) : 0;
    const bool replace = r->job.force || r->job.resume; /* what must not be replaced was refused in the plan */
    if (!keeps_part(&r->job))
        return output_file_open(&r->out, path, bytes, replace);
    outcome o = output_file_open_kept(&r->out, path, bytes, replace);
    r->out.sums[0] = r->sum;
    if (o.kind == OUTCOME_DONE) {
        r->has_journal = true;
        o = journal_open(&r->journal, f, &r->out, &r->facts);
    }
    if (o.kind != OUTCOME_DONE || r->out.written == 0)
        return o;
    const uint64_t header = codec_raw_offset(f, 0), row = codec_raw_offset(f, 1) - header;
    char sentence[1280];
    r->rows_before = (int64_t)((r->out.written - header) / row);
    r->rects[0].height -= r->rows_before;
    r->rects[0].j += f->is_south_first ? 0 : r->rows_before;
    r->samples_done = (double)r->rows_before * (double)f->width;
    snprintf(sentence, sizeof sentence, "'%s': %lld of %lld rows are there and sound", path, (long long)r->rows_before,
             (long long)f->height);
    note(r, sentence);
    return o;
}

static outcome begin_file(run *r, size_t k)
{
    char path[1024];
    r->file = export_job_file(&r->job, r->tiles[k]);
    r->facts = file_facts_none();
    checksum_destroy(r->sum);
    r->sum = output_file_is_regular(r->job.path) ? checksum_create() : NULL;
    outcome o = export_job_path(&r->job, r->tiles[k], path);
    if (o.kind == OUTCOME_DONE)
        o = open_output(r, path);
    r->is_open = o.kind == OUTCOME_DONE || r->has_journal;
    r->out.sums[0] = r->sum;
    r->codec_state = NULL;
    return o.kind == OUTCOME_DONE ? r->file.format->codec->open(&r->file, &r->out, &r->codec_state) : o;
}

/** Checksum of a complete file: made on the way, or read back where the format does not write from front to back. */
static outcome find_checksum(run *r)
{
    if (!r->sum)
        return outcome_done();
    if (r->file.format->needs_seeking)
        return checksum_of_file(r->out.temporary, r->facts.checksum);
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

static outcome end_file(run *r)
{
    outcome o = r->file.format->codec->finish(r->codec_state);
    close_codec(r);
    r->facts.bytes = r->out.written;
    if (o.kind == OUTCOME_DONE)
        o = find_checksum(r);
    if (o.kind == OUTCOME_DONE)
        o = sidecar_write(r->out.path, has_replaced_ending(&r->job), &r->file, &r->facts);
    if (o.kind != OUTCOME_DONE)
        return o;
    count_file(r);
    r->is_open = false;
    o = output_file_commit(&r->out);
    if (r->has_journal)
        journal_close(&r->journal, o.kind == OUTCOME_DONE);
    r->has_journal = false;
    return o;
}

/** Leave nothing, or, where parts are kept, what is sound. */
static void abandon_file(run *r)
{
    close_codec(r);
    if (r->is_open)
        output_file_discard(&r->out);
    if (r->has_journal)
        journal_close(&r->journal, false);
    r->is_open = r->has_journal = false;
}

/* ---- strips ---- */

static outcome interrupted(const run *r)
{
    if (r->job.tiles.is_set)
        return outcome_of(OUTCOME_INTERRUPTED, "interrupted; %lld of %lld files are complete, --resume makes the others",
                          (long long)(r->report->n_files + r->report->n_kept), (long long)(r->n_tiles + (size_t)r->report->n_kept));
    if (keeps_part(&r->job))
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
        o = journal_add(&r->journal, &r->out, &facts);
    r->samples_done += (double)strip->width * (double)strip->rows;
    if (o.kind == OUTCOME_DONE && r->events->progress &&
        !r->events->progress(r->events->user, r->out.path, r->samples_done / r->samples_all))
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
    r->samples_all = (double)r->rects[0].width * (double)r->rects[0].height * (double)r->n_tiles;
    outcome o = begin_file(r, 0);
    if (o.kind == OUTCOME_DONE && r->rects[0].height == 0) /* interrupted between its last row and its name */
        return end_file(r);
    if (o.kind == OUTCOME_DONE)
        o = samples_open(&r->file, r->world, r->rects, r->n_tiles, generators, n_generators, &strips);
    if (o.kind == OUTCOME_DONE)
        o = write_files(r, strips);
    strips_close(strips);
    return o;
}

outcome export_run(const export_job *job, const ter_world *world, ter_generator *const *generators, int n_generators,
                   const export_events *events, export_report *report)
{
    run r = {.job = *job, .world = world, .events = events, .report = report};
    *report = (export_report){.min_m = INFINITY, .max_m = -INFINITY};
    outcome o = export_job_check(job);
    if (o.kind == OUTCOME_DONE && job->resume && !checksum_is_possible())
        o = outcome_of(OUTCOME_USAGE, "--resume: this build has no checksums (libxxhash was missing)");
    if (o.kind == OUTCOME_DONE && !job->resume)
        o = plan_tiles(&r); /* before the range is measured: a file that exists is said at once */
    if (o.kind == OUTCOME_DONE)
        o = resolve_range(&r, generators[0]);
    if (o.kind == OUTCOME_DONE && job->resume)
        o = plan_tiles(&r);
    memcpy(report->range, r.job.tile.range, sizeof report->range);
    if (o.kind == OUTCOME_DONE && vrt_is_possible(&r.job) && !job->force)
        o = vrt_check(&r.job);
    if (o.kind == OUTCOME_DONE)
        o = check_space(&r, generators, n_generators);
    if (o.kind == OUTCOME_DONE && r.n_tiles > 0)
        o = make_files(&r, generators, n_generators);
    if (o.kind != OUTCOME_DONE)
        abandon_file(&r);
    if (o.kind == OUTCOME_DONE && vrt_is_possible(&r.job))
        o = vrt_write(&r.job);
    checksum_destroy(r.sum);
    free(r.tiles);
    free(r.rects);
    return o;
}
