/* read_raw.c - reads raw 32-bit floats with the sidecar that terrane writes beside them. */
#include <stdio.h>
#include <string.h>

#include "program/file/input_file.h"
#include "program/guide/guide_readers.h"

#ifdef TER_HAVE_JSON

#include <math.h>
#include <stdlib.h>

#include "program/file/json_file.h"
#include "program/file/path_name.h"

enum { GUIDE_SIDECAR = 4200 };

/** Read FILE.json, or NAME.json if there is no FILE.json. */
static result read_sidecar(const char *path, cJSON **root, char **text)
{
    char json[GUIDE_SIDECAR];
    snprintf(json, sizeof json, "%s.json", path);
    const result res = json_read(json, root, text);
    if (res.kind == RESULT_DONE)
        return res;
    snprintf(json, sizeof json, "%.*s.json", (int)(path_dot(path) - path), path);
    return json_read(json, root, text).kind == RESULT_DONE ? result_done() : res;
}

static bool is_text(const cJSON *root, const char *name, const char *value)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(root, name);
    return cJSON_IsString(item) && strcmp(item->valuestring, value) == 0;
}

/** Size, spacing and place of a sidecar. bytes: of the file */
static result read_facts(const char *path, const cJSON *root, uint64_t bytes, guide_raster *out)
{
    const cJSON *world = cJSON_GetObjectItemCaseSensitive(root, "world");
    const double width = json_number(root, "width", 0.0), height = json_number(root, "height", 0.0);
    if (is_text(root, "byte_order", "be") || is_text(root, "row_order", "south"))
        return result_of(RESULT_FILE,
                         "'%s' has big-endian numbers or begins in the south, expected little-endian ones "
                         "from the north",
                         path);
    if (!(width >= 1.0 && width <= 1e6 && height >= 1.0 && height <= 1e6) || width != floor(width) ||
        height != floor(height))
        return result_of(RESULT_FILE, "the sidecar of '%s' has no width and height", path);
    out->spacing = json_number(root, "sample_spacing_m", 0.0);
    const double x = json_number(root, "x", NAN), z = json_number(root, "z", NAN),
                 step = json_number(world, "spacing", 1.0);
    out->has_place = !isnan(x) && !isnan(z);
    out->x = x * step;
    out->z = z * step;
    const result res = guide_raster_check(path, (int64_t)width, (int64_t)height);
    if (res.kind != RESULT_DONE)
        return res;
    const uint64_t needed = (uint64_t)width * (uint64_t)height * sizeof(float);
    if (bytes != needed)
        return result_of(RESULT_FILE, "'%s' has %llu bytes, expected %llu for %.0f x %.0f floats", path,
                         (unsigned long long)bytes, (unsigned long long)needed, width, height);
    return guide_raster_allocate(path, (int64_t)width, (int64_t)height, out);
}

result guide_read_raw(const char *path, guide_raster *out)
{
    FILE *file = NULL;
    uint64_t bytes = 0;
    cJSON *root = NULL;
    char *text = NULL;
    result res = input_file_open(path, &file, &bytes);
    if (res.kind != RESULT_DONE)
        return res;
    res = read_sidecar(path, &root, &text);
    if (res.kind == RESULT_DONE)
        res = read_facts(path, root, bytes, out);
    const size_t count = res.kind == RESULT_DONE ? (size_t)out->cols * (size_t)out->rows : 0;
    if (res.kind == RESULT_DONE && fread(out->numbers, sizeof(float), count, file) != count)
        res = result_of_file("read", path);
    cJSON_Delete(root);
    free(text);
    fclose(file);
    return res;
}

#else

result guide_read_raw(const char *path, guide_raster *out)
{
    (void)out;
    return result_of(RESULT_FILE,
                     "cannot read '%s': raw guides have a JSON sidecar, and this build has no JSON "
                     "(cJSON was missing)",
                     path);
}

#endif
