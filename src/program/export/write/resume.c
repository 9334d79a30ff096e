/* resume.c - checks existing files by their sidecars and checksums. */
#include "program/export/write/resume.h"

#include <stdio.h>
#include <string.h>

#include "program/export/sidecar/sidecar.h"

/** Progress of the check. */
typedef struct progress {
    const work_events *events;
    const char *path;
    double share; /* share of the files that are checked */
} progress;

static bool goes_on(void *user)
{
    const progress *p = user;
    return work_goes_on(p->events, p->path, p->share);
}

static void note_damage(const work_events *events, const char *path, const char *sum, const char *expected)
{
    char sentence[1280];
    if (*expected)
        snprintf(sentence, sizeof sentence, "'%s' is damaged (its checksum is %s, expected %s) and is made again", path,
                 sum, expected);
    else
        snprintf(sentence, sizeof sentence, "'%s' has no checksum in its sidecar and is made again", path);
    if (events->note)
        events->note(events->user, sentence);
}

/** If a place file (place_file.h) of a complete file is missing or damaged, write it again. */
static result restore(const export_plan *plan, const planned_file *f, const work_events *events)
{
    char restored[1040], sentence[1280];
    const result res = sidecar_restore(f->path, &f->file, plan->is_durable, restored);
    snprintf(sentence, sizeof sentence, "'%s' was missing or damaged and is written again", restored);
    if (*restored && events->note)
        events->note(events->user, sentence);
    return res;
}

/** Check whether a file is complete and undamaged. Errors RESULT_FILE the file belongs to another job, and --force was
 * not given; RESULT_USAGE it is of an earlier world format, and --force was not given */
static result check_file(const export_plan *plan, const planned_file *f, progress *p, bool *is_complete)
{
    export_file found;
    file_facts facts;
    char expected[EXPORT_FILE_TEXT], described[EXPORT_FILE_TEXT] = "", sum[CHECKSUM_TEXT];
    *is_complete = false;
    result res = sidecar_read(f->path, &found, &facts);
    export_file_describe(&f->file, expected);
    if (res.kind == RESULT_DONE)
        export_file_describe(&found, described);
    if (res.kind == RESULT_USAGE && !plan->may_replace) /* the file has an earlier world format */
        return res;
    if (strcmp(expected, described) != 0)
        return plan->may_replace ? result_done()
                                 : result_of(RESULT_FILE, "'%s' does not belong to this job (%s); --force replaces it",
                                             f->path, *described ? "its sidecar differs" : "it has no sidecar");
    res = checksum_of_file(f->path, goes_on, p, sum);
    *is_complete = res.kind == RESULT_DONE && strcmp(sum, facts.checksum) == 0;
    if (res.kind == RESULT_DONE && !*is_complete)
        note_damage(p->events, f->path, sum, facts.checksum);
    return *is_complete ? restore(plan, f, p->events) : res;
}

result export_resume(export_plan *plan, const work_events *events)
{
    result res = result_done();
    for (int64_t n = 0; n < plan->n_files && res.kind == RESULT_DONE; n++) {
        planned_file f;
        bool is_complete;
        if (plan->states[n] != PLANNED_FOUND)
            continue;
        export_plan_file(plan, export_plan_number(plan, n), &f);
        progress p = {events, f.path, (double)n / (double)plan->n_files};
        res = check_file(plan, &f, &p, &is_complete);
        if (res.kind == RESULT_DONE)
            plan->states[n] = is_complete ? PLANNED_COMPLETE : PLANNED_REPLACES;
    }
    export_plan_list(plan);
    return res;
}
