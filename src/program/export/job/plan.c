/* plan.c - files from jobs, and what is there of them. */
#include "program/export/job/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "program/export/sidecar/sidecar.h"

/* ---- one file ---- */

int64_t export_plan_number(const export_plan *plan, int64_t n)
{
    const int n_layers = export_job_layers(&plan->job);
    return (plan->job.shard + n / n_layers * plan->job.n_shards) * n_layers + n % n_layers;
}

void export_plan_file(const export_plan *plan, int64_t number, planned_file *f)
{
    const export_job *job = &plan->job;
    const tile_set *t = &job->tiles;
    f->tile = number / export_job_layers(job);
    f->column = f->tile % t->columns * (job->tile.width - t->overlap);
    f->row = f->tile / t->columns * (job->tile.height - t->overlap);
    f->file = export_job_file(job, number);
    f->rect = export_file_rect(&f->file);
    f->bytes = export_file_bytes(&f->file);
    export_job_path(job, number, f->path); /* its length was checked with the job */
    f->json[0] = '\0';
    if (plan->is_regular)
        sidecar_name(f->path, export_job_json_replaces_ending(job, &f->file), f->json);
}

ter_rect export_plan_rect(const export_plan *plan, size_t n)
{
    const export_file file = export_job_file(&plan->job, plan->to_make[n]);
    return export_file_rect(&file);
}

/* ---- what is there ---- */

static bool exists(const char *path)
{
    struct stat facts;
    return lstat(path, &facts) == 0;
}

/** Look at what stands where a file will be. Errors OUTCOME_FILE something that must not be replaced */
static outcome look_at(const export_plan *plan, const planned_file *f, planned_state *state)
{
    const export_job *job = &plan->job;
    char part[EXPORT_PATH_MAX + 16];
    *state = PLANNED_NEW;
    if (!plan->is_regular)
        return outcome_done();
    snprintf(part, sizeof part, "%s.part", f->path);
    if (exists(f->path))
        *state = job->resume ? PLANNED_FOUND : PLANNED_REPLACES;
    else if (plan->keeps_part && exists(part))
        *state = PLANNED_PART;
    if (*state == PLANNED_REPLACES && !job->force)
        return outcome_of(OUTCOME_FILE, "'%s' exists already; --force replaces it%s", f->path,
                          job->tiles.is_set ? ", --resume makes what is missing" : "");
    outcome o = output_file_check_kind(f->path);
    if (o.kind == OUTCOME_DONE && *f->json)
        o = sidecar_check_kinds(f->path, export_job_json_replaces_ending(job, &f->file), &f->file);
    if (o.kind != OUTCOME_DONE || job->force || !*f->json)
        return o;
    return sidecar_check(f->path, export_job_json_replaces_ending(job, &f->file), &f->file);
}

static outcome look_at_all(export_plan *plan)
{
    outcome o = outcome_done();
    for (int64_t n = 0; n < plan->n_files && o.kind == OUTCOME_DONE; n++) {
        planned_file f;
        planned_state state;
        export_plan_file(plan, export_plan_number(plan, n), &f);
        o = look_at(plan, &f, &state);
        plan->states[n] = (uint8_t)state;
        plan->n_there += state == PLANNED_REPLACES || state == PLANNED_FOUND;
    }
    return o;
}

/* ---- the plan ---- */

void export_plan_list(export_plan *plan)
{
    plan->n_to_make = 0;
    plan->n_complete = 0;
    for (int64_t n = 0; n < plan->n_files; n++)
        if (plan->states[n] == PLANNED_COMPLETE)
            plan->n_complete++;
        else
            plan->to_make[plan->n_to_make++] = (uint32_t)export_plan_number(plan, n);
}

static bool is_kept(const export_job *job)
{
    return job->resume && !job->tiles.is_set && export_job_layers(job) == 1 && job->tile.format->is_raw &&
           output_file_is_regular(job->path);
}

outcome export_plan_make(const export_job *job, export_plan *plan)
{
    const int64_t n_tiles = export_job_tiles(job),
                  n_mine = job->shard < n_tiles ? (n_tiles - job->shard - 1) / job->n_shards + 1 : 0;
    *plan = (export_plan){.job = *job,
                          .whole = export_job_whole(job),
                          .request = export_job_request(job),
                          .n_tiles = n_tiles,
                          .n_files = n_mine * export_job_layers(job),
                          .is_regular = output_file_is_regular(job->path),
                          .keeps_part = is_kept(job)};
    outcome o = output_file_check_folder(job->path);
    if (o.kind != OUTCOME_DONE)
        return o;
    plan->states = malloc((size_t)plan->n_files + 1);
    plan->to_make = malloc(((size_t)plan->n_files + 1) * sizeof *plan->to_make);
    if (!plan->states || !plan->to_make)
        return outcome_of(OUTCOME_FAILED, "no memory for %lld tiles", (long long)plan->n_files);
    o = look_at_all(plan);
    if (o.kind == OUTCOME_DONE)
        export_plan_list(plan);
    return o;
}

outcome export_plan_sample(const export_plan *plan, int64_t samples, export_plan *part)
{
    export_job job = plan->job;
    job.tile = export_file_middle(&plan->job.tile, samples);
    job.tiles = (tile_set){.columns = 1, .rows = 1};
    job.path = "/dev/null";
    job.shard = 0;
    job.n_shards = 1;
    job.resume = false;
    job.durable = false;
    return export_plan_make(&job, part);
}

/** Whether solids are asked for whose bottom is not known. */
static bool needs_bottom(const export_job *job)
{
    return job->tile.format->is_mesh && job->tile.mesh.base_m > 0.0 && isnan(job->tile.mesh.bottom_m);
}

bool export_plan_needs_range(const export_plan *plan)
{
    bool has_heights = false;
    for (int k = 0; k < export_job_layers(&plan->job); k++)
        has_heights |= export_job_layer(&plan->job, k) == EXPORT_HEIGHT;
    return has_heights &&
           ((export_file_is_scaled(&plan->job.tile) && isnan(plan->job.tile.range[0])) || needs_bottom(&plan->job));
}

/** The range in whole metres. */
static void set_range(export_file *file, const double heights_m[2])
{
    file->range[0] = floor(heights_m[0]);
    file->range[1] = ceil(heights_m[1]);
    file->range[1] += file->range[0] == file->range[1];
}

void export_plan_set_range(export_plan *plan, const double heights_m[2])
{
    export_file *files[] = {&plan->job.tile, &plan->whole, &plan->request};
    const bool has_bottom = needs_bottom(&plan->job);
    for (int n = 0; n < 3; n++) {
        if (has_bottom)
            files[n]->mesh.bottom_m = export_file_under((float)heights_m[0], files[n]->mesh.base_m);
        else if (files[n]->layer == EXPORT_HEIGHT)
            set_range(files[n], heights_m);
    }
}

void export_plan_free(export_plan *plan)
{
    free(plan->states);
    free(plan->to_make);
    *plan = (export_plan){0};
}
