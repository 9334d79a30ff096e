/* export_report.c - bars, sentences, figures. */
#include "cli/export_report.h"

#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/notes.h"

static bool show_progress(void *user, const char *path, double share)
{
    (void)user;
    if (isatty(STDERR_FILENO) && notes_are_wanted()) {
        char bar[41];
        const int filled = (int)(share * 40.0);
        memset(bar, '.', 40);
        memset(bar, '#', (size_t)filled);
        bar[40] = '\0';
        fprintf(stderr, "\r\033[K%s [%s] %3.0f %%%s", path, bar, share * 100.0, share >= 1.0 ? "\n" : "");
    }
    return !command_is_interrupted();
}

static void show_note(void *user, const char *sentence)
{
    (void)user;
    note("%s", sentence);
}

const export_events export_terminal_events = {NULL, show_progress, show_note};

void export_print_report(const export_job *job, const export_report *report)
{
    const export_file *f = &job->tile;
    if (!notes_are_wanted())
        return;
    if (job->tiles.is_set)
        fprintf(stderr, "terrane: %s: %lld files written, %lld kept; %lld x %lld samples each, %llu bytes", job->path,
                (long long)report->n_files, (long long)report->n_kept, (long long)(f->width + 2 * job->tiles.border),
                (long long)(f->height + 2 * job->tiles.border), (unsigned long long)report->bytes);
    else if (report->n_files == 0)
        fprintf(stderr, "terrane: %s: complete already, its checksum is right", job->path);
    else
        fprintf(stderr, "terrane: %s: %lld x %lld samples, %llu bytes", job->path, (long long)f->width, (long long)f->height,
                (unsigned long long)report->bytes);
    if (report->n_files > 0)
        fprintf(stderr, ", heights %.3f to %.3f m", (double)report->min_m, (double)report->max_m);
    fputc('\n', stderr);
    if (export_file_is_scaled(f))
        fprintf(stderr, "terrane: range %.10g to %.10g m, a step is %.6g m, %llu samples clamped\n", report->range[0],
                report->range[1], (report->range[1] - report->range[0]) / 65535.0, (unsigned long long)report->n_clamped);
}

void export_explain_preset(FILE *to, const export_job *job, const double range[2])
{
    export_job resolved = *job;
    memcpy(resolved.tile.range, range, sizeof resolved.tile.range);
    fprintf(to, "%s:\n", job->preset->tool);
    job->preset->explain(to, &resolved);
}

static void describe_seconds(double s, char text[32])
{
    if (s < 99.5)
        snprintf(text, 32, "%.*f s", s < 9.95, s);
    else if (s < 99.5 * 60.0)
        snprintf(text, 32, "%.0f min", s / 60.0);
    else
        snprintf(text, 32, "%.1f h", s / 3600.0);
}

static outcome print_estimate(const export_job *job, const export_estimate *e, const char *first)
{
    char size[32], is_free[32] = "", time[32];
    const export_file file = export_job_file(job, 0);
    const bool is_exact = file.format->envi_type || file.format == &export_formats[EXPORT_PGM];
    const bool is_regular = output_file_is_regular(job->path);
    const double free_bytes = (double)output_file_free_bytes(job->path);
    output_file_describe_bytes(e->bytes, size);
    output_file_describe_bytes(free_bytes, is_free);
    describe_seconds(e->seconds, time);
    printf("%s%s: %lld x %lld samples%s, %llu bytes of samples\n", first, job->tiles.is_set ? " and others" : "",
           (long long)file.width, (long long)file.height, job->tiles.is_set ? " each" : "", (unsigned long long)e->samples_bytes);
    printf("files: %lld, %s%.0f bytes (%s) and sidecars", (long long)e->n_files, is_exact ? "" : "about ", e->bytes, size);
    if (e->n_existing > 0)
        printf("; %lld exist%s", (long long)e->n_existing, job->resume ? " and are checked" : " and are replaced");
    printf(is_regular ? "; free there: %s\n" : "\n", is_free);
    printf("time: about %s to make and pack, without waiting for the disk\n", time);
    return is_regular && e->n_existing == 0 && e->bytes > free_bytes ? output_file_no_space(job->path, e->bytes) : outcome_done();
}

outcome export_print_estimate(const export_job *job, const ter_world *world, ter_generator *const *generators, int n_generators)
{
    char first[1024];
    export_estimate e;
    outcome o = export_job_path(job, job->shard < export_job_tiles(job) ? job->shard : 0, first);
    if (o.kind == OUTCOME_DONE && !job->tile.format->codec) {
        printf("%s: %lld x %lld pixels, a picture\n", first, (long long)job->tile.width, (long long)job->tile.height);
        return o;
    }
    if (o.kind == OUTCOME_DONE)
        o = export_estimate_job(job, world, generators, n_generators, &e);
    return o.kind == OUTCOME_DONE ? print_estimate(job, &e, first) : o;
}
