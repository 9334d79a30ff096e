/* export_report.c - prints progress, results and estimates of exports. */
#include "program/cli/export_report.h"

#include <string.h>

#include "program/cli/forecast.h"
#include "program/cli/interrupt.h"
#include "program/cli/notes.h"
#include "program/cli/progress_bar.h"
#include "program/core/duration.h"
#include "program/export/presets/preset_help.h"
#include "program/file/output_file.h"

static const double CLAMPED_SHARE = 0.01; /* warn if a larger share of the samples is clamped */

/* ---- during the export ---- */

static bool show_progress(void *user, const char *path, double share)
{
    (void)user;
    progress_bar_show(path, share);
    forecast_follow(path, share);
    return !command_is_interrupted();
}

static void show_note(void *user, const char *sentence)
{
    (void)user;
    progress_bar_end();
    note("%s", sentence);
}

static int is_cancelled(void *user)
{
    (void)user;
    return command_is_interrupted();
}

const work_events export_terminal_events = {NULL, show_progress, show_note, is_cancelled};

/* ---- after the export ---- */

static void print_range(const export_plan *plan, const export_report *report)
{
    const double *range = plan->whole.range;
    const double share = report->n_samples > 0 ? (double)report->n_clamped / (double)report->n_samples : 0.0;
    const char *unit = export_layers[plan->whole.layer].unit, *space = " ";
    if (strcmp(unit, "1") == 0)
        unit = space = "";
    note("range %.10g to %.10g%s%s, a step is %.6g%s%s, %llu samples clamped", range[0], range[1], space, unit,
         (range[1] - range[0]) / 65535.0, space, unit, (unsigned long long)report->n_clamped);
    if (share > CLAMPED_SHARE && plan->whole.layer == EXPORT_HEIGHT)
        note("warning: %.1f %% of the samples are clamped, for heights go from %.3f to %.3f m; a wider --range keeps "
             "them",
             share * 100.0, (double)report->min_m, (double)report->max_m);
}

void export_print_report(const export_plan *plan, const export_report *report)
{
    char heights[96] = "";
    planned_file first;
    export_plan_file(plan, plan->n_files > 0 ? export_plan_number(plan, 0) : 0, &first);
    const long long width = first.file.width, height = first.file.height;
    const unsigned long long bytes = report->bytes;
    if (report->n_files > 0 && report->min_m <= report->max_m)
        snprintf(heights, sizeof heights, ", heights %.3f to %.3f m", (double)report->min_m, (double)report->max_m);
    if (plan->tiles.is_set || plan->n_layers > 1)
        note("%s%s: %lld files written, %lld kept; %lld x %lld samples each, %llu bytes%s", first.path,
             plan->n_files > 1 ? " and others" : "", (long long)report->n_files, (long long)report->n_kept, width,
             height, bytes, heights);
    else if (report->n_files == 0)
        note("%s: complete already, its checksum is right", first.path);
    else
        note("%s: %lld x %lld samples, %llu bytes%s", first.path, width, height, bytes, heights);
    if (export_file_is_scaled(&plan->whole))
        print_range(plan, report);
}

void export_explain_preset(FILE *to, const preset *preset, const import_sheet *sheet)
{
    fprintf(to, "%s:\n", preset->tool);
    preset_explain(preset, to, sheet);
}

/* ---- --dry-run ---- */

static void print_bytes(const export_plan *plan, const export_estimate *e, double free_bytes)
{
    char size[32], is_free[32];
    output_file_describe_bytes(e->bytes, size);
    output_file_describe_bytes(free_bytes, is_free);
    printf("files: %lld, %s%.0f bytes (%s) and sidecars", (long long)plan->n_files, e->is_exact ? "" : "about ",
           e->bytes, size);
    if (plan->n_existing > 0)
        printf("; %lld exist%s", (long long)plan->n_existing, plan->resumes ? " and are checked" : " and are replaced");
    if (plan->n_files > 0 && plan->states[0] == PLANNED_PART)
        printf("; goes on from %s.part", plan->names.pattern);
    if (plan->is_regular)
        printf("; free on this disk: %s", is_free);
    putchar('\n');
}

void export_print_map_estimate(const export_plan *plan, double seconds)
{
    char time[DURATION_TEXT];
    planned_file map;
    export_plan_file(plan, 0, &map);
    duration_describe(seconds, time);
    printf("%s: %lld x %lld pixels, a picture\n", map.path, (long long)map.file.width, (long long)map.file.height);
    printf("time: about %s\n", time);
}

result export_print_estimate(const export_plan *plan, const strips_source *source, export_estimate *estimate)
{
    char time[DURATION_TEXT];
    planned_file first;
    const bool is_set = plan->tiles.is_set || plan->n_layers > 1;
    export_plan_file(plan, plan->n_files > 0 ? export_plan_number(plan, 0) : 0, &first);
    const result res = export_estimate_plan(plan, source, estimate);
    const export_estimate e = *estimate;
    if (res.kind != RESULT_DONE)
        return res;
    const double free_bytes = (double)output_file_free_bytes(first.path);
    duration_describe(e.seconds, time);
    printf("%s%s: %lld x %lld samples%s, %llu bytes of samples\n", first.path, is_set ? " and others" : "",
           (long long)first.file.width, (long long)first.file.height, is_set ? " each" : "",
           (unsigned long long)e.samples_bytes);
    print_bytes(plan, &e, free_bytes);
    printf("time: about %s to make and pack, without waiting for the disk\n", time);
    return plan->is_regular && plan->n_existing == 0 && e.bytes > free_bytes ? output_file_no_space(first.path, e.bytes)
                                                                             : res;
}

result export_print_sum(const export_plan *finest, int n_levels, const export_estimate *sum)
{
    char time[DURATION_TEXT], size[32];
    planned_file first;
    export_plan_file(finest, finest->n_files > 0 ? export_plan_number(finest, 0) : 0, &first);
    duration_describe(sum->seconds, time);
    output_file_describe_bytes(sum->bytes, size);
    if (sum->bytes > 0.0)
        printf("all %d levels of detail: %s%.0f bytes (%s), time: about %s\n", n_levels, sum->is_exact ? "" : "about ",
               sum->bytes, size, time);
    else
        printf("all %d levels of detail: time: about %s\n", n_levels, time);
    return finest->is_regular && finest->n_existing == 0 && sum->bytes > (double)output_file_free_bytes(first.path)
               ? output_file_no_space(first.path, sum->bytes)
               : result_done();
}
