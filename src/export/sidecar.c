/* sidecar.c - JSON and ENVI headers of raw files. */
#include "export/sidecar.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#ifdef TER_HAVE_JSON
#include "json_file.h"
#endif
#include "output_file.h"

/** Names of the sidecars; 0 when the job has none (standard output, devices). */
static int sidecar_paths(const export_job *job, char json[1024], char header[1024])
{
    struct stat facts;
    if (strcmp(job->path, "-") == 0 || (stat(job->path, &facts) == 0 && !S_ISREG(facts.st_mode)))
        return 0;
    snprintf(json, 1024, "%s.json", job->path);
    snprintf(header, 1024, "%s.hdr", job->path);
    return 1;
}

#ifdef TER_HAVE_JSON

/** A 64-bit integer that JSON readers with doubles would round: written as a number's digits. */
static void add_integer(cJSON *object, const char *name, long long value)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", value);
    cJSON_AddRawToObject(object, name, text);
}

static void add_world(cJSON *object, const ter_params *p)
{
    cJSON *world = cJSON_AddObjectToObject(object, "world");
    json_add_seed(world, p->seed);
    cJSON_AddNumberToObject(world, "levels", p->levels);
    cJSON_AddNumberToObject(world, "amplitude", p->amplitude);
    cJSON_AddNumberToObject(world, "gain", p->gain);
    cJSON_AddNumberToObject(world, "broad", p->broad);
    cJSON_AddNumberToObject(world, "broad_gain", p->broad_gain);
    cJSON_AddNumberToObject(world, "base", p->base);
    cJSON_AddStringToObject(world, "basis", p->basis == TER_BASIS_SMOOTH ? "smooth" : "midpoint");
    cJSON_AddNumberToObject(world, "valley", p->valley);
    cJSON_AddNumberToObject(world, "sea", p->sea);
    cJSON_AddNumberToObject(world, "spacing", p->spacing);
}

static outcome write_json(const char *path, const export_job *job, const ter_world *world, const export_report *report)
{
    const export_format *format = &export_formats[job->format];
    const ter_params *p = ter_world_params(world);
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "generator", "terrane");
    cJSON_AddStringToObject(root, "version", ter_version());
    cJSON_AddNumberToObject(root, "world_format", TER_WORLD_FORMAT);
    add_integer(root, "width", job->width);
    add_integer(root, "height", job->height);
    cJSON_AddNumberToObject(root, "bpp", format->bits);
    cJSON_AddStringToObject(root, "format", format->name);
    cJSON_AddStringToObject(root, "byte_order", job->is_big_endian ? "be" : "le");
    cJSON_AddStringToObject(root, "row_order", job->is_south_first ? "south" : "north");
    add_integer(root, "x", job->x);
    add_integer(root, "z", job->z);
    cJSON_AddNumberToObject(root, "lod", job->lod);
    cJSON_AddNumberToObject(root, "sample_spacing_m", p->spacing * (double)(INT64_C(1) << job->lod));
    cJSON_AddNumberToObject(root, "min_m", (double)report->min_m);
    cJSON_AddNumberToObject(root, "max_m", (double)report->max_m);
    if (format->is_scaled) {
        const double range[2] = {report->range[0], report->range[1]};
        cJSON_AddItemToObject(root, "range_m", cJSON_CreateDoubleArray(range, 2));
        cJSON_AddNumberToObject(root, "step_m", (range[1] - range[0]) / 65535.0);
        add_integer(root, "clamped", (long long)report->n_clamped);
    }
    add_world(root, p);
    return json_write(root, path);
}

#endif

/** Source of the format: ENVI header as GDAL's driver reads it; map info gives the outer corner of the first sample. */
static outcome write_header(const char *path, const export_job *job, const ter_world *world)
{
    char text[1024];
    const export_format *format = &export_formats[job->format];
    const double spacing = ter_world_params(world)->spacing, step = spacing * (double)(INT64_C(1) << job->lod);
    int n = snprintf(text, sizeof text,
                     "ENVI\ndescription = {terrane %s}\nsamples = %lld\nlines = %lld\nbands = 1\nheader offset = 0\n"
                     "file type = ENVI Standard\ndata type = %d\ninterleave = bsq\nbyte order = %d\n",
                     ter_version(), (long long)job->width, (long long)job->height, format->envi_type, job->is_big_endian);
    if (!job->is_south_first)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "map info = {Arbitrary, 1, 1, %.17g, %.17g, %.17g, %.17g, 0, units=Meters}\n",
                      (double)job->x * spacing - step / 2, -(double)job->z * spacing + step / 2, step, step);
    snprintf(text + n, sizeof text - (size_t)n, "band names = {height}\n");
    return output_file_text(path, text);
}

outcome sidecar_write(const export_job *job, const ter_world *world, const export_report *report)
{
    char json[1024], header[1024];
    if (!sidecar_paths(job, json, header))
        return outcome_done();
    outcome o = write_header(header, job, world);
#ifdef TER_HAVE_JSON
    if (o.kind == OUTCOME_DONE)
        o = write_json(json, job, world, report);
#else
    (void)report;
#endif
    return o;
}
