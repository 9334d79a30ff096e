/* sidecar_drainage.c - writes and reads the member "drainage" of a sidecar. */
#include "program/export/sidecar/sidecar_drainage.h"

#include <math.h>

#include "program/drainage/drained_area.h"

void sidecar_add_drainage(cJSON *root, const export_file *file)
{
    const file_drainage *d = &file->drainage;
    const double step = export_file_step(file);
    if (!export_file_is_drained(file))
        return;
    cJSON *object = cJSON_AddObjectToObject(root, "drainage");
    cJSON_AddNumberToObject(object, "x", (double)d->rect.i * step);
    cJSON_AddNumberToObject(object, "z", (double)d->rect.j * step);
    json_add_integer(object, "width", d->rect.width);
    json_add_integer(object, "height", d->rect.height);
    cJSON_AddBoolToObject(object, "conditioned", d->is_conditioned);
    cJSON_AddNumberToObject(object, "min_area_km2", d->min_area_km2);
}

/** Read an integer from `low` to `high`. Returns false if the member is no such integer. */
static bool integer(const cJSON *object, const char *name, double low, double high, int64_t *value)
{
    const double found = json_number(object, name, (double)NAN);
    const bool fits = found >= low && found <= high && found == floor(found);
    *value = fits ? (int64_t)found : 0;
    return fits;
}

/** Whether a rectangle contains the file and can be drained. */
static bool fits_file(const ter_rect *r, const export_file *file)
{
    const ter_rect own = export_file_rect(file);
    return own.i >= r->i && own.j >= r->j && own.i + own.width <= r->i + r->width &&
           own.j + own.height <= r->j + r->height &&
           (double)(r->width + 2) * (double)(r->height + 2) <= (double)DRAINED_SAMPLES_MAX;
}

bool sidecar_read_drainage(const cJSON *root, export_file *file)
{
    const cJSON *object = cJSON_GetObjectItemCaseSensitive(root, "drainage");
    file_drainage *d = &file->drainage;
    const double step = export_file_step(file), end = (double)TER_COORDINATE_MAX,
                 x = json_number(object, "x", (double)NAN), z = json_number(object, "z", (double)NAN);
    if (!object)
        return !export_layers[file->layer].is_drained;
    if (!(x >= -end && x <= end && z >= -end && z <= end))
        return false;
    d->rect = (ter_rect){.level = file->world.levels - file->lod, .i = (int64_t)(x / step), .j = (int64_t)(z / step)};
    d->is_conditioned = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "conditioned"));
    d->min_area_km2 = json_number(object, "min_area_km2", (double)NAN);
    return integer(object, "width", 1.0, DRAINED_SAMPLES_MAX, &d->rect.width) &&
           integer(object, "height", 1.0, DRAINED_SAMPLES_MAX, &d->rect.height) && d->min_area_km2 >= 0.0 &&
           isfinite(d->min_area_km2) && fits_file(&d->rect, file);
}
