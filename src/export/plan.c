/* plan.c - what is there, and what is missing. */
#include "export/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "export/sidecar.h"

/** What a checksum in the making asks. */
typedef struct question {
    const export_events *events;
    const char *path;
} question;

static bool go_on(void *user)
{
    const question *q = user;
    return !q->events->progress || q->events->progress(q->events->user, q->path, 0.0);
}

static void note_damage(const export_events *events, const char *path, const char *sum, const char *expected)
{
    char sentence[1280];
    if (*expected)
        snprintf(sentence, sizeof sentence, "'%s' is damaged (its checksum is %s, expected %s) and is made again", path, sum,
                 expected);
    else
        snprintf(sentence, sizeof sentence, "'%s' has no checksum in its sidecar and is made again", path);
    if (events->note)
        events->note(events->user, sentence);
}

/** Whether a file is there already, complete and sound. Errors OUTCOME_FILE a file that is not this job's, without --force */
static outcome find_complete(const export_job *job, const export_file *file, const char *path, const export_events *events,
                             bool *is_complete)
{
    export_file found;
    file_facts facts;
    char wanted[1024], got[1024] = "", sum[CHECKSUM_TEXT];
    const question question = {events, path};
    outcome o = sidecar_read(path, &found, &facts);
    export_file_describe(file, wanted);
    if (o.kind == OUTCOME_DONE)
        export_file_describe(&found, got);
    if (strcmp(wanted, got) != 0)
        return job->force ? outcome_done()
                          : outcome_of(OUTCOME_FILE, "'%s' is not of this job (%s); --force replaces it", path,
                                       *got ? "its sidecar says otherwise" : "it has no sidecar");
    o = checksum_of_file(path, go_on, (void *)(uintptr_t)&question, sum);
    *is_complete = o.kind == OUTCOME_DONE && strcmp(sum, facts.checksum) == 0;
    if (o.kind == OUTCOME_DONE && !*is_complete)
        note_damage(events, path, sum, facts.checksum);
    return o;
}

/** Look at what stands where a file will be. */
static outcome look_at(const export_job *job, const export_file *file, const char *path, const export_events *events,
                       bool *is_complete)
{
    struct stat facts;
    if (!output_file_is_regular(path))
        return outcome_done();
    const bool exists = lstat(path, &facts) == 0;
    outcome o = outcome_done();
    if (exists && job->resume)
        o = find_complete(job, file, path, events, is_complete);
    else if (exists && !job->force)
        o = outcome_of(OUTCOME_FILE, "'%s' exists already; --force replaces it%s", path,
                       job->tiles.is_set ? ", --resume makes what is missing" : "");
    if (o.kind == OUTCOME_DONE && !job->force)
        o = sidecar_check(path, export_replaces_ending(job), file);
    return o;
}

outcome export_plan_make(const export_job *job, const export_events *events, export_plan *plan)
{
    const int64_t count = export_job_tiles(job);
    *plan =
        (export_plan){.tiles = malloc((size_t)count * sizeof *plan->tiles), .rects = malloc((size_t)count * sizeof *plan->rects)};
    if (!plan->tiles || !plan->rects)
        return outcome_of(OUTCOME_FAILED, "no memory for %lld tiles", (long long)count);
    for (int64_t n = job->shard; n < count; n += job->n_shards) {
        char path[1024];
        bool is_complete = false;
        const export_file file = export_job_file(job, n);
        outcome o = export_job_path(job, n, path);
        if (o.kind == OUTCOME_DONE)
            o = look_at(job, &file, path, events, &is_complete);
        if (o.kind != OUTCOME_DONE)
            return o;
        plan->n_kept += is_complete;
        if (is_complete)
            continue;
        plan->tiles[plan->n_tiles] = n;
        plan->rects[plan->n_tiles++] = export_file_rect(&file);
    }
    return outcome_done();
}

void export_plan_free(export_plan *plan)
{
    free(plan->tiles);
    free(plan->rects);
    *plan = (export_plan){0};
}

bool export_replaces_ending(const export_job *job)
{
    return job->preset && job->preset->json_replaces_ending && job->tile.format->envi_type != 0;
}

bool export_keeps_part(const export_job *job)
{
    return job->resume && !job->tiles.is_set && job->tile.format->codec == &codec_raw && output_file_is_regular(job->path);
}
