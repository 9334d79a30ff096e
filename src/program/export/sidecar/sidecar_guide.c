/* sidecar_guide.c - writes and reads the member "guide" of a sidecar's world. */
#include "program/export/sidecar/sidecar_guide.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/core/system.h"
#include "program/file/json_file.h"
#include "program/file/path_name.h"
#include "program/guide/guide_request.h"

/* ---- writing ---- */

/** Add what a world made of the guide. The guide keeps the tables, so they are not made again. */
static void add_report(cJSON *guide, const ter_params *params)
{
    ter_world *world = NULL;
    ter_guide_report report = {TER_SIZED(ter_guide_report)};
    if (ter_world_create(params, &world) == TER_OK && ter_world_guide_report(world, &report) == TER_OK) {
        cJSON_AddStringToObject(guide, "tables_sha256", report.checksum);
        cJSON_AddNumberToObject(guide, "cell_m", report.cell_m);
    }
    ter_world_destroy(world);
}

/** Add the place of pixel (0, 0) on the Earth. It is not read again: the guide's file has it. */
static void add_crs(cJSON *guide, const guide_crs *crs)
{
    char name[32];
    if (!crs)
        return;
    snprintf(name, sizeof name, "EPSG:%d", crs->epsg);
    cJSON_AddStringToObject(guide, "crs", name);
    cJSON_AddNumberToObject(guide, "east", crs->east);
    cJSON_AddNumberToObject(guide, "north", crs->north);
}

/** Add the absolute path of a file. */
static void add_file(cJSON *to, const char *file)
{
    char *whole = system_absolute_path(file);
    cJSON_AddStringToObject(to, "file", whole ? whole : file);
    free(whole);
}

static void add_rasters(cJSON *guide, const guide_request *r, const ter_guide *of)
{
    for (int k = 0; k < TER_GUIDE_RASTER_COUNT; k++) {
        char sum[TER_GUIDE_CHECKSUM];
        if (!r->rasters[k])
            continue;
        cJSON *raster = cJSON_AddObjectToObject(guide, ter_guide_raster_name((ter_guide_raster)k));
        add_file(raster, r->rasters[k]);
        ter_guide_raster_checksum(of, (ter_guide_raster)k, sum);
        cJSON_AddStringToObject(raster, "sha256", sum);
    }
}

static void add_rivers(cJSON *guide, const guide_request *r, const ter_guide *of)
{
    char sum[TER_GUIDE_CHECKSUM];
    if (!r->rivers)
        return;
    cJSON *rivers = cJSON_AddObjectToObject(guide, "rivers");
    add_file(rivers, r->rivers);
    ter_guide_river_checksum(of, sum);
    cJSON_AddStringToObject(rivers, "sha256", sum);
}

void sidecar_add_guide(cJSON *world, const ter_params *params)
{
    const guide_request *r = params->guide ? guide_request_of(params->guide) : NULL;
    char sum[TER_GUIDE_CHECKSUM];
    if (!r)
        return;
    cJSON *guide = cJSON_AddObjectToObject(world, "guide");
    add_file(guide, r->file);
    ter_guide_checksum(params->guide, sum);
    cJSON_AddStringToObject(guide, "sha256", sum);
    json_add_integer(guide, "x", r->at[0]);
    json_add_integer(guide, "z", r->at[1]);
    cJSON_AddNumberToObject(guide, "spacing", r->spacing);
    add_crs(guide, guide_crs_of(params->guide));
    if (!isnan(r->range[0]))
        cJSON_AddItemToObject(guide, "range", cJSON_CreateDoubleArray(r->range, 2));
    cJSON_AddNumberToObject(guide, "vertical", r->vertical);
    cJSON_AddNumberToObject(guide, "level", r->level);
    cJSON_AddStringToObject(guide, "surround", ter_guide_surround_name((ter_guide_surround)r->surround));
    cJSON_AddNumberToObject(guide, "lakes", r->lakes);
    cJSON_AddNumberToObject(guide, "endorheic", r->endorheic);
    cJSON_AddNumberToObject(guide, "rim", r->rim);
    cJSON_AddNumberToObject(guide, "rough", r->rough);
    cJSON_AddNumberToObject(guide, "steep", r->steep);
    add_rasters(guide, r, params->guide);
    add_rivers(guide, r, params->guide);
    add_report(guide, params);
}

/* ---- reading ---- */

static const char *text(const cJSON *guide, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(guide, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

static int64_t place(const cJSON *guide, const char *name)
{
    const double value = json_number(guide, name, 0.0);
    return fabs(value) <= 1e15 ? (int64_t)value : 0;
}

/** Find a file of the guide: at its path, else beside the sidecar. The found path is stored in the request, and `*file`
 * points to it. */
static void find_file(const char *path, const char *name, guide_request *r, const char **file)
{
    char *found = guide_request_path(r, file);
    snprintf(found, GUIDE_PATH, "%s", name);
    if (!system_can_read(name))
        snprintf(found, GUIDE_PATH, "%.*s%s", (int)(path_base(path) - path), path, path_base(name));
    *file = found;
}

static void read_request(const cJSON *guide, guide_request *r)
{
    const cJSON *range = cJSON_GetObjectItemCaseSensitive(guide, "range");
    const cJSON *low = cJSON_GetArrayItem(range, 0), *high = cJSON_GetArrayItem(range, 1);
    r->at[0] = place(guide, "x");
    r->at[1] = place(guide, "z");
    r->has_place = true;
    r->spacing = json_number(guide, "spacing", 0.0);
    if (cJSON_IsNumber(low) && cJSON_IsNumber(high)) {
        r->range[0] = low->valuedouble;
        r->range[1] = high->valuedouble;
    }
    r->vertical = json_number(guide, "vertical", 0.0);
    r->level = (int)fmin(fmax(json_number(guide, "level", 0.0), 0.0), TER_GUIDE_LEVEL_MAX);
    r->surround = strcmp(text(guide, "surround"), "sea") == 0 ? TER_GUIDE_SEA : TER_GUIDE_ENDLESS;
    r->lakes = json_number(guide, "lakes", 0.0);
    r->endorheic = json_number(guide, "endorheic", 0.0);
    r->rim = json_number(guide, "rim", 0.0);
    r->rough = json_number(guide, "rough", 0.0);
    r->steep = json_number(guide, "steep", 0.0);
}

static const cJSON *find_raster(const cJSON *guide, int raster)
{
    return cJSON_GetObjectItemCaseSensitive(guide, ter_guide_raster_name((ter_guide_raster)raster));
}

/** The error for a file of the guide that has changed. path: the sidecar */
static result is_other(const char *file, const char *what, const char *path, const char *sum, const char *expected)
{
    return result_of(RESULT_FILE,
                     "the guide '%s' has other %s than when '%s' was made (SHA-256 %.12s, expected %.12s): the "
                     "land would differ",
                     file, what, path, sum, expected);
}

/** Check the rasters and the rivers of an opened guide against a sidecar. path: the sidecar */
static result check_sums(const char *path, const cJSON *guide, const guide_request *r, const ter_guide *opened)
{
    char sum[TER_GUIDE_CHECKSUM];
    for (int k = 0; k < TER_GUIDE_RASTER_COUNT; k++) {
        if (!r->rasters[k])
            continue;
        const char *expected = text(find_raster(guide, k), "sha256");
        ter_guide_raster_checksum(opened, (ter_guide_raster)k, sum);
        if (strcmp(sum, expected) != 0)
            return is_other(r->rasters[k], "values", path, sum, expected);
    }
    const char *expected = text(cJSON_GetObjectItemCaseSensitive(guide, "rivers"), "sha256");
    ter_guide_river_checksum(opened, sum);
    return strcmp(sum, expected) == 0 ? result_done() : is_other(r->rivers, "rivers", path, sum, expected);
}

result sidecar_open_guide(const char *path, const cJSON *root, ter_params *params)
{
    const cJSON *world = cJSON_GetObjectItemCaseSensitive(root, "world");
    const cJSON *guide = cJSON_GetObjectItemCaseSensitive(world, "guide");
    char sum[TER_GUIDE_CHECKSUM];
    guide_request r;
    if (!guide)
        return result_done();
    guide_request_default(&r);
    find_file(path, text(guide, "file"), &r, &r.file);
    read_request(guide, &r);
    for (int k = 0; k < TER_GUIDE_RASTER_COUNT; k++) {
        const cJSON *raster = find_raster(guide, k);
        if (raster)
            find_file(path, text(raster, "file"), &r, &r.rasters[k]);
    }
    const cJSON *rivers = cJSON_GetObjectItemCaseSensitive(guide, "rivers");
    if (rivers)
        find_file(path, text(rivers, "file"), &r, &r.rivers);
    const result res = guide_open(&r, path, &params->guide);
    if (res.kind != RESULT_DONE)
        return result_of(RESULT_FILE, "the world of '%s' has a guide: %.500s", path, res.text);
    ter_guide_checksum(params->guide, sum);
    if (strcmp(sum, text(guide, "sha256")) != 0)
        return is_other(r.file, "heights", path, sum, text(guide, "sha256"));
    return check_sums(path, guide, &r, params->guide);
}
