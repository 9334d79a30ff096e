/* report.c - prints results as table columns and as JSON members. */
#include "program/bench/report.h"

void report_header(FILE *out)
{
    fprintf(out, "%-7s %-15s %-10s %7s %3s %11s %11s %6s %11s %11s %9s %7s %11s %s\n", "backend", "generator", "world",
            "size", "lod", "median ms", "min ms", "noise", "ns/sample", "Gsamples/s", "GB/s", "of fill", "x recursive",
            "bits");
}

static void print_name(FILE *out, const bench_row *r, const char *generator, const char *world)
{
    char size[24] = "batch", lod[12] = "-";
    if (r->size > 0) {
        snprintf(size, sizeof size, "%lld", (long long)r->size);
        snprintf(lod, sizeof lod, "%d", r->lod);
    }
    fprintf(out, "%-7s %-15s %-10s %7s %3s ", ter_backend_name(r->backend), generator, world, size, lod);
}

static void print_row(FILE *out, const bench_row *rows, size_t count, const bench_row *r)
{
    print_name(out, r, bench_row_generator(r), r->world_name);
    if (!r->is_identical) {
        fprintf(out, "%11s %11s %6s %11s %11s %9s %7s %11s DIFFER\n", "-", "-", "-", "-", "-", "-", "-", "-");
        return;
    }
    const double recursive = bench_row_recursive_ms(rows, count, r);
    char ratio[16] = "-";
    if (recursive > 0.0)
        snprintf(ratio, sizeof ratio, "%.2f", recursive / r->median_ms);
    fprintf(out, "%11.4f %11.4f %5.1f%% %11.5g %11.4f %9.3f %6.1f%% %11s identical\n", r->median_ms, r->min_ms,
            r->noise * 100.0, bench_row_ns_per_sample(r), bench_row_gsamples_per_s(r), bench_row_gb_per_s(r),
            r->fill_ms / r->median_ms * 100.0, ratio);
}

void report_rows(FILE *out, const bench_row *rows, size_t count)
{
    for (size_t n = 0; n < count; n++)
        print_row(out, rows, count, &rows[n]);
    bench_row fill = rows[0];
    fill.median_ms = fill.fill_ms;
    char name[32] = "(fill)";
    if (fill.n_devices > 1)
        snprintf(name, sizeof name, "(fill x %d)", fill.n_devices);
    print_name(out, &fill, name, "");
    fprintf(out, "%11.4f %11s %6s %11.5g %11.4f %9.3f %6.1f%%\n", fill.fill_ms, "", "", bench_row_ns_per_sample(&fill),
            bench_row_gsamples_per_s(&fill), bench_row_gb_per_s(&fill), 100.0);
}

void report_pipeline(FILE *out, const bench_pipeline *p, const char *world_name)
{
    fprintf(out, "\npipeline: %s x %d, world %s, %lld x %lld heights, %.2f GB\n", ter_backend_name(p->backend),
            p->n_devices, world_name, (long long)p->size, (long long)p->size, p->gigabytes);
    if (p->copy_gb_per_s > 0.0)
        fprintf(out, "  pinned copies alone                %8.2f GB/s\n", p->copy_gb_per_s);
    const char *made = p->copy_gb_per_s > 0.0 ? "generate and copy" : "generate";
    for (int is_written = 0; is_written < 2; is_written++) {
        const double rate = is_written ? p->written_gb_per_s : p->made_gb_per_s;
        fprintf(out, "  %-17s%-17s %8.2f GB/s", made, is_written ? ", to /dev/null" : "", rate);
        if (p->copy_gb_per_s > 0.0)
            fprintf(out, " %6.1f%% of the copies", rate / p->copy_gb_per_s * 100.0);
        fprintf(out, "\n");
    }
}

#ifdef TER_HAVE_JSON

cJSON *report_pipeline_json(const bench_pipeline *p, const char *world_name)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "backend", ter_backend_name(p->backend));
    cJSON_AddStringToObject(root, "world", world_name);
    cJSON_AddNumberToObject(root, "devices", p->n_devices);
    cJSON_AddNumberToObject(root, "size", (double)p->size);
    cJSON_AddNumberToObject(root, "made_gb_per_s", p->made_gb_per_s);
    cJSON_AddNumberToObject(root, "written_gb_per_s", p->written_gb_per_s);
    if (p->copy_gb_per_s > 0.0)
        cJSON_AddNumberToObject(root, "copy_gb_per_s", p->copy_gb_per_s);
    return root;
}

cJSON *report_json(const bench_row *rows, size_t count)
{
    cJSON *results = cJSON_CreateArray();
    for (size_t n = 0; n < count; n++) {
        const bench_row *r = &rows[n];
        cJSON *row = cJSON_CreateObject();
        cJSON_AddItemToArray(results, row);
        cJSON_AddStringToObject(row, "backend", ter_backend_name(r->backend));
        cJSON_AddStringToObject(row, "generator", bench_row_generator(r));
        cJSON_AddStringToObject(row, "world", r->world_name);
        cJSON_AddNumberToObject(row, "devices", r->n_devices > 1 ? r->n_devices : 1);
        cJSON_AddStringToObject(row, "work", r->size > 0 ? "array" : "batch");
        cJSON_AddNumberToObject(row, "size", (double)(r->size > 0 ? r->size : BENCH_BATCH_SIDE));
        if (r->size > 0)
            cJSON_AddNumberToObject(row, "lod", r->lod);
        cJSON_AddNumberToObject(row, "bits", (double)(8 * bench_work_sample_bytes(&r->work)));
        cJSON_AddNumberToObject(row, "tiles", (double)r->work.count);
        cJSON_AddBoolToObject(row, "identical", r->is_identical);
        if (!r->is_identical)
            continue;
        cJSON_AddNumberToObject(row, "median_ms", r->median_ms);
        cJSON_AddNumberToObject(row, "min_ms", r->min_ms);
        cJSON_AddNumberToObject(row, "noise", r->noise);
        cJSON_AddNumberToObject(row, "ns_per_sample", bench_row_ns_per_sample(r));
        cJSON_AddNumberToObject(row, "gsamples_per_s", bench_row_gsamples_per_s(r));
        cJSON_AddNumberToObject(row, "gb_per_s", bench_row_gb_per_s(r));
        cJSON_AddNumberToObject(row, "fill_ms", r->fill_ms);
        cJSON_AddNumberToObject(row, "fill_fraction", r->fill_ms / r->median_ms);
        const double recursive = bench_row_recursive_ms(rows, count, r);
        if (recursive > 0.0)
            cJSON_AddNumberToObject(row, "times_recursive", recursive / r->median_ms);
    }
    return results;
}

#endif
