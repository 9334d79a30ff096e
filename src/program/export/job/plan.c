/* plan.c - makes plans from jobs, and finds out which of their files exist already. */
#include "program/export/job/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "program/core/system.h"
#include "program/export/job/job.h"
#include "program/export/sidecar/sidecar.h"

/* ---- one file ---- */

int64_t export_plan_number(const export_plan *plan, int64_t n)
{
    const int64_t tile = plan->shard + n / plan->n_layers * plan->n_shards;
    return tile * plan->n_layers + n % plan->n_layers;
}

planned_state export_plan_state(const export_plan *plan, int64_t number)
{
    const int64_t tile = number / plan->n_layers, of_shard = (tile - plan->shard) / plan->n_shards;
    return plan->states[of_shard * plan->n_layers + number % plan->n_layers];
}

void export_plan_file(const export_plan *plan, int64_t number, planned_file *f)
{
    f->file = plan->layers[number % plan->n_layers];
    f->tile = number / plan->n_layers;
    tile_set_place(&plan->tiles, f->tile, plan->tile_width, plan->tile_height, &f->column, &f->row);
    f->file.x += (double)f->column * export_file_step(&f->file);
    f->file.z += (double)f->row * export_file_step(&f->file);
    f->rect = export_file_rect(&f->file);
    f->bytes = export_file_bytes(&f->file);
    file_names_path(&plan->names, &plan->tiles, number, f->path); /* export_check has checked the length */
    f->json_replaces_ending =
        plan->json_replaces_ending && f->file.format->envi_type != 0 && f->file.layer == EXPORT_HEIGHT;
    f->json[0] = '\0';
    if (plan->is_regular)
        sidecar_name(f->path, f->json_replaces_ending, f->json);
}

ter_rect export_plan_rect(const export_plan *plan, int64_t number)
{
    ter_rect rect = export_file_rect(&plan->layers[number % plan->n_layers]);
    int64_t column, row;
    tile_set_place(&plan->tiles, number / plan->n_layers, plan->tile_width, plan->tile_height, &column, &row);
    rect.i += column;
    rect.j += row;
    return rect;
}

/* ---- existing files ---- */

static bool exists(const char *path)
{
    system_facts facts;
    return system_facts_of_name(path, &facts);
}

/** Find out whether a file exists already. Errors RESULT_FILE it exists and must not be replaced, or something else has
 * one of the names; RESULT_USAGE and RESULT_FAILED as for sidecar_check */
static result look_up(const export_plan *plan, const planned_file *f, planned_state *state)
{
    char part[EXPORT_PATH_MAX + 16];
    *state = PLANNED_NEW;
    if (!plan->is_regular)
        return result_done();
    snprintf(part, sizeof part, "%s.part", f->path);
    if (exists(f->path))
        *state = plan->resumes ? PLANNED_FOUND : PLANNED_REPLACES;
    else if (plan->keeps_part && exists(part))
        *state = PLANNED_PART;
    if (*state == PLANNED_REPLACES && !plan->may_replace)
        return result_of(RESULT_FILE, "'%s' exists already; --force replaces it%s", f->path,
                         plan->tiles.is_set || plan->is_of_chain ? ", --resume makes what is missing" : "");
    result res = output_file_check_kind(f->path);
    if (res.kind == RESULT_DONE && *f->json)
        res = sidecar_check_kinds(f->path, f->json_replaces_ending, &f->file);
    if (res.kind != RESULT_DONE || plan->may_replace || !*f->json)
        return res;
    return sidecar_check(f->path, f->json_replaces_ending, &f->file);
}

static result look_up_all(export_plan *plan)
{
    result res = result_done();
    for (int64_t n = 0; n < plan->n_files && res.kind == RESULT_DONE; n++) {
        planned_file f;
        planned_state state;
        export_plan_file(plan, export_plan_number(plan, n), &f);
        res = look_up(plan, &f, &state);
        plan->states[n] = (uint8_t)state;
        plan->n_existing += state == PLANNED_REPLACES || state == PLANNED_FOUND;
    }
    return res;
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

/** Make a plan without the states of its files and without the list of files to make. */
static export_plan plan_of_job(const export_job *job)
{
    const int64_t n_tiles = tile_set_count(&job->tiles),
                  n_tiles_of_shard = job->shard < n_tiles ? (n_tiles - job->shard - 1) / job->n_shards + 1 : 0;
    export_plan plan = {.n_layers = export_job_layer_count(job),
                        .names = export_job_names(job),
                        .tiles = job->tiles,
                        .tile_width = job->tile.width,
                        .tile_height = job->tile.height,
                        .whole = export_job_whole(job),
                        .request = export_job_request(job),
                        .shard = job->shard,
                        .n_shards = job->n_shards,
                        .n_tiles = n_tiles,
                        .n_files = n_tiles_of_shard * export_job_layer_count(job),
                        .is_regular = output_file_is_regular(job->path),
                        .may_replace = job->force,
                        .resumes = job->resume,
                        .is_durable = job->durable,
                        .is_of_chain = job->is_of_chain,
                        .json_replaces_ending = job->json_replaces_ending};
    for (int k = 0; k < plan.n_layers; k++)
        plan.layers[k] = export_job_file(job, k);
    plan.keeps_part =
        plan.resumes && plan.is_regular && !plan.tiles.is_set && plan.n_layers == 1 && plan.layers[0].format->is_raw;
    return plan;
}

static result allocate(export_plan *plan)
{
    plan->states = calloc((size_t)plan->n_files + 1, sizeof *plan->states);
    plan->to_make = malloc(((size_t)plan->n_files + 1) * sizeof *plan->to_make);
    if (!plan->states || !plan->to_make)
        return result_of(RESULT_FAILED, "no memory for the list of %lld files", (long long)plan->n_files);
    return result_done();
}

result export_plan_make(const export_job *job, export_plan *plan)
{
    *plan = plan_of_job(job);
    result res = output_file_check_folder(job->path);
    if (res.kind == RESULT_DONE)
        res = allocate(plan);
    if (res.kind == RESULT_DONE)
        res = look_up_all(plan);
    if (res.kind == RESULT_DONE)
        export_plan_list(plan);
    return res;
}

result export_plan_sample(const export_plan *plan, int64_t samples, export_plan *part)
{
    const int border = plan->tiles.border;
    *part = *plan;
    part->names.pattern = system_null_device;
    part->tiles = (tile_set){.columns = 1, .rows = 1};
    part->shard = 0;
    part->n_shards = 1;
    part->n_tiles = 1;
    part->n_files = plan->n_layers;
    part->n_existing = 0;
    part->is_regular = part->resumes = part->is_durable = part->keeps_part = false;
    for (int k = 0; k < plan->n_layers; k++) {
        export_file tile = plan->layers[k];
        tile.x += border * export_file_step(&tile);
        tile.z += border * export_file_step(&tile);
        tile.width = plan->tile_width;
        tile.height = plan->tile_height;
        part->layers[k] = export_file_middle(&tile, samples);
        part->layers[k].drainage.rect = export_file_rect(&part->layers[k]);
    }
    part->whole = part->request = part->layers[0];
    part->tile_width = part->whole.width;
    part->tile_height = part->whole.height;
    const result res = allocate(part);
    if (res.kind == RESULT_DONE)
        export_plan_list(part);
    return res;
}

void export_plan_free(export_plan *plan)
{
    free(plan->states);
    free(plan->to_make);
    *plan = (export_plan){0};
}

/* ---- the range ---- */

const export_file *export_plan_heights(const export_plan *plan)
{
    for (int k = 0; k < plan->n_layers; k++)
        if (plan->layers[k].layer == EXPORT_HEIGHT)
            return &plan->layers[k];
    return NULL;
}

/** Whether a file holds solids whose bottom is not known yet. */
static bool needs_bottom(const export_file *file)
{
    return file->format->is_mesh && file->mesh.base_m > 0.0 && isnan(file->mesh.bottom_m);
}

bool export_plan_needs_range(const export_plan *plan)
{
    const export_file *heights = export_plan_heights(plan);
    return heights && ((export_file_is_scaled(heights) && isnan(heights->range[0])) || needs_bottom(heights));
}

static void set_range(export_file *file, const double heights_m[2])
{
    if (needs_bottom(file)) {
        file->mesh.bottom_m = export_file_below((float)heights_m[0], file->mesh.base_m);
    } else if (file->layer == EXPORT_HEIGHT) { /* whole metres */
        file->range[0] = floor(heights_m[0]);
        file->range[1] = ceil(heights_m[1]);
        file->range[1] += file->range[0] == file->range[1];
    }
}

void export_plan_set_range(export_plan *plan, const double heights_m[2])
{
    set_range(&plan->whole, heights_m);
    set_range(&plan->request, heights_m);
    for (int k = 0; k < plan->n_layers; k++)
        set_range(&plan->layers[k], heights_m);
}
