/* run.c - does the steps of an export in order. */
#include "program/export/run.h"

#include <stdio.h>
#include <string.h>

#include "program/export/formats/codec_raw.h"
#include "program/export/maps/vrt.h"
#include "program/export/sidecar/journal.h"
#include "program/export/write/check.h"
#include "program/export/write/estimate.h"
#include "program/export/write/range.h"
#include "program/export/write/resume.h"
#include "program/file/path_name.h"

result export_prepare(const export_job *job, const preset *preset, export_plan *plan)
{
    *plan = (export_plan){0};
    result res = export_check(job, preset);
    if (res.kind == RESULT_DONE)
        res = export_plan_make(job, plan);
    if (res.kind == RESULT_DONE && vrt_is_possible(plan) && vrt_fits(plan))
        res = vrt_check(plan);
    return res;
}

/** Upper bound of the bytes of a tile's files. *are_known becomes true if all formats are raw; then the bound is
 * exact. */
static double most_bytes(const export_plan *plan, bool *are_known)
{
    static const double MESH_SAMPLE_BYTES = 160.0; /* OBJ, the largest format: a vertex, a normal and two triangles */
    static const double TEXT_SAMPLE_BYTES = 17.0;  /* bytes of a sample in format asc */
    static const double COG_SAMPLE_BYTES = 5.4;    /* with all overviews */
    double bytes = 0.0;
    *are_known = true;
    for (int k = 0; k < plan->n_layers; k++) {
        const export_file *file = &plan->layers[k];
        *are_known &= file->format->is_raw;
        const double samples = (double)file->width * (double)file->height;
        bytes += file->format->is_mesh                         ? samples * MESH_SAMPLE_BYTES
                 : file->format == &export_formats[EXPORT_ASC] ? samples * TEXT_SAMPLE_BYTES
                 : file->format == &export_formats[EXPORT_COG] ? samples * COG_SAMPLE_BYTES
                                                               : (double)export_file_bytes(file);
    }
    return bytes;
}

/** Refuse a plan for which the disk has not enough space. If the upper bound of compressed files and meshes does not
 * fit, their size is estimated. For a kept part, output_file_open_kept checks the space. */
static result check_space(const export_plan *plan, const strips_source *source)
{
    if (!plan->is_regular || plan->n_to_make == 0 || plan->keeps_part)
        return result_done();
    bool are_known;
    const double n_tiles = (double)plan->n_to_make / plan->n_layers;
    double needed = most_bytes(plan, &are_known) * n_tiles;
    planned_file file;
    export_plan_file(plan, plan->to_make[0], &file);
    const double is_free = (double)output_file_free_bytes(file.path);
    if (needed > is_free && !are_known) {
        export_estimate e;
        const result res = export_estimate_plan(plan, source, &e);
        if (res.kind != RESULT_DONE)
            return res;
        needed = e.bytes * (double)plan->n_to_make / (double)plan->n_files;
    }
    return needed > is_free ? output_file_no_space(file.path, needed) : result_done();
}

/* ---- temporary files of earlier runs ---- */

/** Whether two names differ only in their endings, such as "a.r32.json" and "a.r32". */
static bool has_same_stem(const char *name, const char *path)
{
    const char *base = path_base(path);
    const size_t length = (size_t)(path_dot(path) - base);
    return strncmp(name, base, length) == 0 && (name[length] == '\0' || name[length] == '.');
}

/** Whether a name is that of a file of the plan, of its sidecars, or of its .vrt. */
static bool is_of_plan(void *user, const char *name)
{
    const export_plan *plan = user;
    char path[EXPORT_PATH_MAX];
    bool is_one = false;
    for (int k = 0; k < plan->n_layers && !is_one; k++) {
        file_names_set_path(&plan->names, k, ".vrt", path);
        is_one = has_same_stem(name, path);
    }
    for (int64_t n = 0; n < plan->n_files && !is_one; n++) {
        planned_file file;
        export_plan_file(plan, export_plan_number(plan, n), &file);
        is_one = has_same_stem(name, file.path);
    }
    return is_one;
}

/* ---- the run ---- */

/** Write the .vrt that joins the tiles of a set, and remove an old one. */
static result join_tiles(const export_plan *plan, const work_events *events)
{
    char sentence[160];
    result res = plan->tiles.is_set && plan->is_regular ? vrt_remove(plan) : result_done();
    if (res.kind != RESULT_DONE || !vrt_is_possible(plan))
        return res;
    if (vrt_fits(plan))
        return vrt_write(plan);
    snprintf(sentence, sizeof sentence,
             "no .vrt joins the tiles: together they have %lld x %lld samples, and GDAL takes %d a side",
             (long long)plan->whole.width, (long long)plan->whole.height, INT32_MAX);
    if (events->note)
        events->note(events->user, sentence);
    return res;
}

result export_run(export_plan *plan, const strips_source *source, const work_events *events, export_report *report)
{
    *report = export_report_none();
    result res = export_range_resolve(plan, source, events);
    if (res.kind == RESULT_DONE)
        res = export_resume(plan, events);
    report->n_kept = plan->n_complete;
    if (res.kind == RESULT_DONE)
        res = check_space(plan, source);
    if (res.kind == RESULT_DONE && plan->is_regular)
        temporary_clean(plan->names.pattern, is_of_plan, plan);
    if (res.kind == RESULT_DONE)
        res = export_make_files(plan, source, events, report);
    if (res.kind == RESULT_DONE && plan->is_regular && !plan->tiles.is_set)
        journal_clean(plan->names.pattern);
    return res.kind == RESULT_DONE ? join_tiles(plan, events) : res;
}
