/* export.c - makes the files of a plan, tile after tile. The files of a tile's layers are made together: codecs write
 * the samples of strips to files. A complete file and its sidecars get their names together. */
#include "program/export/write/export.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "program/export/formats/codec_raw.h"
#include "program/export/sidecar/journal.h"
#include "program/export/write/codecs.h"
#include "program/export/write/drained.h"
#include "program/export/write/file_samples.h"

/** A file that is being written: one layer of a tile. */
typedef struct written_file {
    planned_file planned;
    export_file file;
    output_file out;
    void *codec_state;
    file_facts facts;
    checksum *sum;
    sample_buffer buffer;
    bool is_open;
} written_file;

/** The work on a plan. It takes up to two passes: one for files whose rows begin in the north, and one for files whose
 * rows begin in the south. */
typedef struct run {
    const export_plan *plan;
    const work_events *events;
    export_report *report;
    bool from_south; /* the rows of this pass begin in the south */
    uint32_t *tiles; /* numbers of the tiles with files of this pass */
    size_t n_tiles;
    int64_t rows_before;               /* rows of a single raw file that an interrupted run has written */
    double samples_all, samples_done;  /* samples of the pass; number of them that are written */
    double samples_before;             /* samples that an interrupted run has written */
    const strips *strips;              /* the strips being generated; NULL if none */
    drained_area drained;              /* for files of export_file_is_drained */
    written_file files[EXPORT_LAYERS]; /* files of the current tile */
    int n_files;
    journal journal; /* journal of a single raw file, whose FILE.part is kept if the run is interrupted */
    bool has_journal;
} run;

export_report export_report_none(void)
{
    return (export_report){.min_m = INFINITY, .max_m = -INFINITY};
}

/** The rectangle to generate for the n-th tile: all rows, or the rows that an interrupted run has not written. */
static ter_rect rect_to_make(const void *set, size_t n)
{
    const run *r = set;
    ter_rect rect = export_plan_rect(r->plan, (int64_t)r->tiles[n] * r->plan->n_layers);
    rect.height -= r->rows_before;
    rect.j += r->from_south ? 0 : r->rows_before;
    return rect;
}

/* ---- one file ---- */

/** Open FILE.part and its journal, and find out from the journal which rows FILE.part has. */
static result open_kept(run *r, written_file *w, uint64_t bytes, bool replace)
{
    const export_file *f = &w->file;
    result res = output_file_open_kept(&w->out, w->planned.path, bytes, replace);
    w->is_open = res.kind == RESULT_DONE;
    w->out.sums[0] = w->sum;
    if (res.kind == RESULT_DONE) {
        r->has_journal = true;
        res = journal_open(&r->journal, f, r->plan->may_replace, &w->out, &w->facts);
    }
    if (res.kind != RESULT_DONE || w->out.written == 0)
        return res;
    const uint64_t header = codec_raw_offset(f, 0), row = codec_raw_offset(f, 1) - header;
    char sentence[1280];
    r->rows_before = (int64_t)((w->out.written - header) / row);
    r->samples_done = r->samples_before = (double)r->rows_before * (double)f->width;
    snprintf(sentence, sizeof sentence, "'%s': %lld of %lld rows are written and undamaged", w->planned.path,
             (long long)r->rows_before, (long long)f->height);
    if (r->events->note)
        r->events->note(r->events->user, sentence);
    return res;
}

static result open_output(run *r, written_file *w)
{
    const export_file *f = &w->file;
    const uint64_t bytes = f->format->is_raw ? codec_raw_offset(f, f->height) : 0;
    /* export_plan_make has refused to replace files that must stay */
    const bool replace = r->plan->may_replace || r->plan->resumes;
    if (r->plan->keeps_part)
        return open_kept(r, w, bytes, replace);
    return (r->plan->is_regular ? output_file_open_beside : output_file_open)(&w->out, w->planned.path, bytes, replace);
}

static result begin_file(run *r, int64_t number)
{
    written_file *w = &r->files[r->n_files++];
    export_plan_file(r->plan, number, &w->planned);
    w->file = w->planned.file;
    w->facts = file_facts_none();
    w->sum = r->plan->is_regular ? checksum_create() : NULL;
    if (!w->sum && r->plan->is_regular && checksum_is_possible())
        return result_of(RESULT_FAILED, "no memory for a checksum");
    const result res = open_output(r, w);
    w->is_open |= res.kind == RESULT_DONE;
    w->out.sums[0] = w->sum;
    w->out.is_durable = r->plan->is_durable;
    return res.kind == RESULT_DONE ? codec_of(w->file.format)->open(&w->file, &w->out, &w->codec_state) : res;
}

/** User data of callbacks about one file. */
typedef struct file_context {
    const run *run;
    const written_file *file;
} file_context;

/** Report the share of samples that are generated, including those not written yet. Returns false when interrupted. */
static bool goes_on(const run *r, const written_file *w)
{
    const double made = r->strips
                            ? r->samples_before + strips_share_made(r->strips) * (r->samples_all - r->samples_before)
                            : r->samples_done;
    return work_goes_on(r->events, w->out.path, made / r->samples_all);
}

static bool go_on_reading(void *user)
{
    const file_context *context = user;
    return goes_on(context->run, context->file);
}

/** Report the progress of a file. If the pass has one tile and the codec names its step, report the share of this step.
 * Otherwise report the share of all samples. */
static bool go_on_with_file(void *user, const char *step, double share)
{
    const file_context *context = user;
    char label[sizeof context->file->out.path + 32];
    if (!step || context->run->n_tiles > 1)
        return goes_on(context->run, context->file);
    snprintf(label, sizeof label, "%s: %s", context->file->out.path, step);
    return work_goes_on(context->run->events, label, share);
}

static bool go_on_waiting(void *user)
{
    const run *r = user;
    return goes_on(r, &r->files[0]);
}

/** Find the checksum of a complete file. Usually it has been computed while the file was written. A file that was not
 * written from front to back must be read again. */
static result find_checksum(const run *r, written_file *w)
{
    file_context context = {r, w};
    if (!w->sum)
        return result_done();
    if (w->file.format->needs_seeking)
        return checksum_of_file(w->out.temporary, go_on_reading, &context, w->facts.checksum);
    checksum_text(w->sum, w->facts.checksum);
    return result_done();
}

static void count_file(const run *r, const written_file *w)
{
    export_report *report = r->report;
    report->n_files++;
    report->bytes += w->out.written;
    if (w->file.layer == r->plan->whole.layer) {
        report->n_samples += (uint64_t)w->file.width * (uint64_t)w->file.height;
        report->n_clamped += w->facts.n_clamped;
    }
    if (w->file.layer != EXPORT_HEIGHT)
        return;
    report->min_m = fminf(report->min_m, w->facts.min_m);
    report->max_m = fmaxf(report->max_m, w->facts.max_m);
}

static void close_codec(written_file *w)
{
    if (w->codec_state)
        codec_of(w->file.format)->close(w->codec_state);
    w->codec_state = NULL;
}

/** Close all files of the tile. Incomplete files are removed, but a file with a journal stays as FILE.part. */
static void close_files(run *r, bool is_complete)
{
    if (r->has_journal)
        journal_close(&r->journal, is_complete);
    r->has_journal = false;
    for (int n = 0; n < r->n_files; n++) {
        written_file *w = &r->files[n];
        close_codec(w);
        checksum_destroy(w->sum);
        if (w->is_open)
            output_file_discard(&w->out);
        w->is_open = false;
        w->sum = NULL;
    }
    r->n_files = 0;
}

static result end_file(run *r, written_file *w)
{
    file_context context = {r, w};
    const work_progress progress = {go_on_with_file, &context};
    result res = codec_of(w->file.format)->finish(w->codec_state, &progress);
    close_codec(w);
    if (res.kind == RESULT_DONE)
        res = find_checksum(r, w);
    if (res.kind == RESULT_DONE)
        res = sidecar_commit(&w->out, w->planned.json_replaces_ending, r->plan->may_replace, &w->file, &w->facts);
    if (res.kind == RESULT_DONE)
        count_file(r, w);
    return res;
}

/* ---- the files of a tile ---- */

/** Whether a file has the order of rows of this pass. */
static bool is_of_pass(const run *r, int64_t number)
{
    return r->plan->layers[number % r->plan->n_layers].is_south_first == r->from_south;
}

static result begin_tile(run *r, size_t n)
{
    const int n_layers = r->plan->n_layers;
    result res = result_done();
    for (int k = 0; k < n_layers && res.kind == RESULT_DONE; k++) {
        const int64_t number = (int64_t)r->tiles[n] * n_layers + k;
        if (export_plan_state(r->plan, number) != PLANNED_COMPLETE && is_of_pass(r, number))
            res = begin_file(r, number);
    }
    return res;
}

static result end_tile(run *r)
{
    result res = result_done();
    for (int n = 0; n < r->n_files && res.kind == RESULT_DONE; n++)
        res = end_file(r, &r->files[n]);
    if (res.kind == RESULT_DONE)
        close_files(r, true);
    return res;
}

/* ---- overviews ---- */

/** Report the progress of an overview. */
static bool go_on_with_overview(void *user)
{
    return go_on_with_file(user, "overviews", 0.0);
}

/** Write the strips of overview number n. */
static result write_overview(run *r, written_file *w, int n, const export_file *overview, strips *strips)
{
    file_context context = {r, w};
    const work_progress progress = {go_on_with_file, &context};
    result res;
    strip strip;
    while ((res = strips_next(strips, &strip)).kind == RESULT_DONE && strip.rows > 0) {
        file_facts facts;
        block block;
        res = samples_block(overview, 0, &strip, &progress, &w->buffer, &block, &facts);
        if (res.kind == RESULT_DONE)
            res = codec_of(w->file.format)->write_overview(w->codec_state, n, &block);
        if (res.kind != RESULT_DONE)
            break;
    }
    return res;
}

/** Make an overview from the land's own coarser level. */
static result make_overview(run *r, written_file *w, int n, const export_file *overview, const strips_source *source)
{
    const ter_rect rect = export_file_rect(overview);
    const export_file *files[] = {overview};
    file_context context = {r, w};
    strips *strips = NULL;
    strips_request request = samples_request(files, 1, source->world);
    request.rects = &rect;
    request.n_rects = 1;
    request.go_on = go_on_with_overview;
    request.user = &context;
    result res = strips_open(&request, source->generators, source->n_generators, &strips);
    if (res.kind == RESULT_DONE)
        res = write_overview(r, w, n, overview, strips);
    strips_close(strips);
    return res;
}

/** Make all overviews of the open files, the coarsest one first. */
static result make_overviews(run *r, const strips_source *source)
{
    result res = result_done();
    for (int k = 0; k < r->n_files && res.kind == RESULT_DONE; k++) {
        written_file *w = &r->files[k];
        const codec *codec = codec_of(w->file.format);
        export_file overview;
        int count = 0;
        while (codec->overview && codec->overview(&w->file, count + 1, &overview))
            count++;
        for (int n = count; n > 0 && res.kind == RESULT_DONE; n--)
            if (codec->overview(&w->file, n, &overview))
                res = make_overview(r, w, n, &overview, source);
    }
    return res;
}

/* ---- strips ---- */

static result interrupted(const run *r)
{
    if (r->plan->tiles.is_set || r->plan->n_layers > 1)
        return result_of(RESULT_INTERRUPTED, "interrupted; %lld of %lld files are complete, --resume makes the others",
                         (long long)(r->report->n_files + r->plan->n_complete), (long long)r->plan->n_files);
    if (r->plan->keeps_part)
        return result_of(RESULT_INTERRUPTED, "interrupted; '%s.part' is kept, the same command continues it",
                         r->files[0].planned.path);
    return result_of(RESULT_INTERRUPTED, "interrupted; nothing is left of '%s'", r->files[0].planned.path);
}

static result write_block(run *r, written_file *w, const strip *strip)
{
    file_facts facts;
    block block;
    file_context context = {r, w};
    const work_progress progress = {go_on_with_file, &context};
    result res = samples_block(&w->file, r->rows_before, strip, &progress, &w->buffer, &block, &facts);
    if (res.kind == RESULT_DONE)
        res = codec_of(w->file.format)->write(w->codec_state, &block);
    file_facts_add(&w->facts, &facts);
    if (res.kind == RESULT_DONE && r->has_journal)
        res = journal_add(&r->journal, &w->out, &facts, block.column + block.width == w->file.width);
    return res;
}

static result write_strip(run *r, const strip *strip)
{
    result res = result_done();
    for (int n = 0; n < r->n_files && res.kind == RESULT_DONE; n++)
        res = write_block(r, &r->files[n], strip);
    r->samples_done += (double)strip->width * (double)strip->rows;
    if (res.kind == RESULT_DONE && !goes_on(r, &r->files[0]))
        res = result_of(RESULT_INTERRUPTED, "interrupted");
    return res;
}

/** Write all tiles. The files of the first tile are open already. */
static result write_tiles(run *r, strips *strips)
{
    result res;
    strip strip;
    size_t n = 0;
    while ((res = strips_next(strips, &strip)).kind == RESULT_DONE && strip.rows > 0) {
        if (strip.rect != n) {
            res = end_tile(r);
            n = strip.rect;
            if (res.kind == RESULT_DONE)
                res = begin_tile(r, n);
        }
        if (res.kind == RESULT_DONE)
            res = write_strip(r, &strip);
        if (res.kind != RESULT_DONE)
            return res;
    }
    return res.kind == RESULT_DONE ? end_tile(r) : res;
}

/** Make the request for strips: the layers of all files of a tile in this pass. The request is the same for all tiles,
 * even if some files of a tile are complete already. */
static strips_request request_of(run *r, const ter_world *world)
{
    const export_file *files[EXPORT_LAYERS];
    int n_files = 0;
    for (int k = 0; k < r->plan->n_layers; k++)
        if (is_of_pass(r, k))
            files[n_files++] = &r->plan->layers[k];
    strips_request request = samples_request(files, n_files, world);
    request.rect_at = rect_to_make;
    request.rect_set = r;
    request.n_rects = r->n_tiles;
    request.go_on = go_on_waiting;
    request.user = r;
    return request;
}

/** Make all tiles of the pass. */
static result make_tiles(run *r, const strips_source *source)
{
    strips *strips = NULL;
    result res = begin_tile(r, 0);
    if (res.kind != RESULT_DONE)
        return res;
    if (r->rows_before == r->files[0].file.height) /* the last run was interrupted after the last row */
        return end_tile(r);
    res = make_overviews(r, source);
    if (res.kind != RESULT_DONE)
        return res.kind == RESULT_INTERRUPTED ? interrupted(r) : res;
    const strips_request request = request_of(r, source->world);
    res = strips_open(&request, source->generators, source->n_generators, &strips);
    r->strips = strips;
    if (res.kind == RESULT_DONE)
        res = write_tiles(r, strips);
    if (res.kind == RESULT_INTERRUPTED)
        res = interrupted(r);
    r->strips = NULL;
    strips_close(strips);
    return res;
}

/** List the tiles that have files to make in this pass. */
static void list_tiles(run *r)
{
    r->n_tiles = 0;
    for (size_t n = 0; n < r->plan->n_to_make; n++) {
        const uint32_t tile = r->plan->to_make[n] / (uint32_t)r->plan->n_layers;
        if (is_of_pass(r, r->plan->to_make[n]) && (r->n_tiles == 0 || r->tiles[r->n_tiles - 1] != tile))
            r->tiles[r->n_tiles++] = tile;
    }
}

/** Make the files of one order of rows. Each order needs a pass, because all strips of a request have one order. */
static result make_pass(run *r, bool from_south, const strips_source *source)
{
    r->from_south = from_south;
    list_tiles(r);
    if (r->n_tiles == 0)
        return result_done();
    const ter_rect first = rect_to_make(r, 0);
    r->samples_done = 0.0;
    r->samples_all = (double)first.width * (double)first.height * (double)r->n_tiles;
    const result res = make_tiles(r, source);
    close_files(r, false);
    return res;
}

/** Make the drainage of the request, if a file needs it. */
static result make_drained(run *r, const strips_source *source)
{
    const export_file *file = NULL;
    for (int k = 0; k < r->plan->n_layers && !file; k++)
        file = export_file_is_drained(&r->plan->layers[k]) ? &r->plan->layers[k] : NULL;
    if (!file)
        return result_done();
    const result res = drained_make(file, source, r->events, &r->drained);
    for (int n = 0; n < EXPORT_LAYERS; n++)
        r->files[n].buffer.drained = &r->drained;
    if (res.kind == RESULT_INTERRUPTED)
        return result_of(RESULT_INTERRUPTED, "interrupted; nothing was written");
    return res;
}

result export_make_files(const export_plan *plan, const strips_source *source, const work_events *events,
                         export_report *report)
{
    if (plan->n_to_make == 0)
        return result_done();
    run *r = calloc(1, sizeof *r);
    uint32_t *tiles = malloc(plan->n_to_make * sizeof *tiles);
    result res = r && tiles ? result_done() : result_of(RESULT_FAILED, "no memory for %zu files", plan->n_to_make);
    if (res.kind == RESULT_DONE)
        *r = (run){.plan = plan, .events = events, .report = report, .tiles = tiles};
    if (res.kind == RESULT_DONE)
        res = make_drained(r, source);
    for (int from_south = 0; from_south < 2 && res.kind == RESULT_DONE; from_south++)
        res = make_pass(r, from_south, source);
    for (int n = 0; r && n < EXPORT_LAYERS; n++)
        sample_buffer_free(&r->files[n].buffer);
    if (r)
        drained_area_free(&r->drained);
    free(tiles);
    free(r);
    return res;
}
