/* sidecar.c - JSON and ENVI headers. */
#include "export/sidecar.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifdef TER_HAVE_JSON
#include "file/json_file.h"
#endif
#include "file/path_name.h"
#include "export/format.h"
#include "export/job.h"

file_facts file_facts_none(void)
{
    return (file_facts){.min_m = INFINITY, .max_m = -INFINITY};
}

void file_facts_add(file_facts *facts, const file_facts *more)
{
    facts->min_m = fminf(facts->min_m, more->min_m);
    facts->max_m = fmaxf(facts->max_m, more->max_m);
    facts->n_clamped += more->n_clamped;
}

/** NAME.json of NAME.ending. */
static void replace_ending(const char *path, char json[1040])
{
    snprintf(json, 1040, "%.*s.json", (int)(path_dot(path) - path), path);
}

#ifdef TER_HAVE_JSON

/* ---- writing ---- */

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

static outcome write_json(const char *path, const export_file *file, const file_facts *facts)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "generator", "terrane");
    cJSON_AddStringToObject(root, "version", ter_version());
    cJSON_AddNumberToObject(root, "world_format", TER_WORLD_FORMAT);
    add_integer(root, "width", file->width);
    add_integer(root, "height", file->height);
    cJSON_AddNumberToObject(root, "bpp", file->format->bits);
    cJSON_AddStringToObject(root, "format", file->format->name);
    cJSON_AddStringToObject(root, "byte_order", file->is_big_endian ? "be" : "le");
    cJSON_AddStringToObject(root, "row_order", file->is_south_first ? "south" : "north");
    add_integer(root, "x", file->x);
    add_integer(root, "z", file->z);
    cJSON_AddNumberToObject(root, "lod", file->lod);
    cJSON_AddNumberToObject(root, "sample_spacing_m", export_file_spacing_m(file));
    cJSON_AddNumberToObject(root, "min_m", (double)facts->min_m);
    cJSON_AddNumberToObject(root, "max_m", (double)facts->max_m);
    if (export_file_is_scaled(file)) {
        cJSON_AddItemToObject(root, "range_m", cJSON_CreateDoubleArray(file->range, 2));
        cJSON_AddNumberToObject(root, "step_m", (file->range[1] - file->range[0]) / 65535.0);
        add_integer(root, "clamped", (long long)facts->n_clamped);
    }
    cJSON_AddBoolToObject(root, "normalised", file->is_normalised);
    cJSON_AddBoolToObject(root, "linear", file->is_marked_linear);
    cJSON_AddStringToObject(root, "channel", file->channel);
    if (*facts->checksum)
        cJSON_AddStringToObject(root, "checksum", facts->checksum);
    add_world(root, &file->world);
    return json_write(root, path);
}

/* ---- reading ---- */

static const char *const channels[] = {"Y", "R"};

/** Reads members and remembers the first that is missing or not of its kind. */
typedef struct reader {
    const cJSON *object;
    const char *missing;
} reader;

static double number(reader *r, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(r->object, name);
    if (!cJSON_IsNumber(item) && !r->missing)
        r->missing = name;
    return cJSON_IsNumber(item) ? item->valuedouble : 0.0;
}

/** A number that must be an integer of some range. */
static int64_t integer(reader *r, const char *name, int64_t low, int64_t high)
{
    const double value = number(r, name);
    const bool fits = value >= (double)low && value <= (double)high && value == floor(value);
    if (!fits && !r->missing)
        r->missing = name;
    return fits ? (int64_t)value : low;
}

static const char *word(reader *r, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(r->object, name);
    if (!cJSON_IsString(item) && !r->missing)
        r->missing = name;
    return cJSON_IsString(item) ? item->valuestring : "";
}

static bool flag(const reader *r, const char *name)
{
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(r->object, name));
}

/** The seed with all its digits: a double would round it. */
static uint64_t read_seed(reader *r, const char *text)
{
    const char *at = strstr(text, "\"seed\":");
    if (!at && !r->missing)
        r->missing = "seed";
    return at ? strtoull(at + strlen("\"seed\":"), NULL, 10) : 0;
}

static void read_world(reader *r, const char *text, ter_params *p)
{
    reader world = {cJSON_GetObjectItemCaseSensitive(r->object, "world"), r->missing};
    p->seed = read_seed(&world, text);
    p->levels = (int)integer(&world, "levels", 1, TER_LEVELS_MAX);
    p->amplitude = number(&world, "amplitude");
    p->gain = number(&world, "gain");
    p->broad = (int)integer(&world, "broad", 0, TER_LEVELS_MAX);
    p->broad_gain = number(&world, "broad_gain");
    p->base = number(&world, "base");
    p->basis = strcmp(word(&world, "basis"), "smooth") == 0 ? TER_BASIS_SMOOTH : TER_BASIS_MIDPOINT;
    p->valley = number(&world, "valley");
    p->sea = number(&world, "sea");
    p->spacing = number(&world, "spacing");
    r->missing = world.missing;
}

static void read_range(reader *r, double range[2])
{
    const cJSON *pair = cJSON_GetObjectItemCaseSensitive(r->object, "range_m");
    const cJSON *low = cJSON_GetArrayItem(pair, 0), *high = cJSON_GetArrayItem(pair, 1);
    const bool fits = cJSON_IsNumber(low) && cJSON_IsNumber(high) && low->valuedouble < high->valuedouble;
    if (!fits && !r->missing)
        r->missing = "range_m";
    range[0] = fits ? low->valuedouble : 0.0;
    range[1] = fits ? high->valuedouble : 1.0;
}

static void read_members(reader *r, const char *text, export_file *file, file_facts *facts)
{
    const char *format = word(r, "format"), *channel = word(r, "channel");
    *file = (export_file){.channel = channels[strcmp(channel, channels[1]) == 0]};
    file->format = export_format_named(format);
    if ((!file->format || !file->format->codec) && !r->missing)
        r->missing = "format";
    file->lod = (int)integer(r, "lod", 0, TER_LEVELS_MAX);
    file->x = integer(r, "x", -TER_COORDINATE_MAX, TER_COORDINATE_MAX);
    file->z = integer(r, "z", -TER_COORDINATE_MAX, TER_COORDINATE_MAX);
    file->width = integer(r, "width", 1, TER_COORDINATE_MAX);
    file->height = integer(r, "height", 1, TER_COORDINATE_MAX);
    file->is_big_endian = strcmp(word(r, "byte_order"), "be") == 0;
    file->is_south_first = strcmp(word(r, "row_order"), "south") == 0;
    file->is_normalised = flag(r, "normalised");
    file->is_marked_linear = flag(r, "linear");
    read_world(r, text, &file->world);
    const int64_t step = INT64_C(1) << file->lod;
    if (!r->missing && (file->lod > file->world.levels || file->x % step != 0 || file->z % step != 0))
        r->missing = "lod";
    if (integer(r, "world_format", TER_WORLD_FORMAT, TER_WORLD_FORMAT) != TER_WORLD_FORMAT && !r->missing)
        r->missing = "world_format";
    if (file->format && export_file_is_scaled(file))
        read_range(r, file->range);
    const cJSON *sum = cJSON_GetObjectItemCaseSensitive(r->object, "checksum");
    *facts = (file_facts){.min_m = (float)number(r, "min_m"), .max_m = (float)number(r, "max_m")};
    snprintf(facts->checksum, sizeof facts->checksum, "%s", cJSON_IsString(sum) ? sum->valuestring : "");
}

static outcome read_json(const char *path, const char *text, export_file *file, file_facts *facts)
{
    cJSON *root = cJSON_Parse(text);
    if (!root)
        return outcome_of(OUTCOME_FILE, "'%s' is not JSON", path);
    reader r = {root, NULL};
    read_members(&r, text, file, facts);
    cJSON_Delete(root);
    if (r.missing)
        return outcome_of(OUTCOME_FILE, "'%s' is not a sidecar of this version of terrane: \"%s\" is missing or out of range", path,
                          r.missing);
    return outcome_done();
}

/** The sidecar of a file: FILE.json or NAME.json, the one that was written last. */
static outcome find_json(const char *path, char json[1040])
{
    char other[1040];
    struct stat facts, other_facts;
    snprintf(json, 1040, "%s.json", path);
    replace_ending(path, other);
    const bool is_there = stat(json, &facts) == 0, is_other_there = strcmp(other, path) != 0 && stat(other, &other_facts) == 0;
    if (!is_there && !is_other_there) {
        errno = ENOENT;
        return outcome_of_file("read", json);
    }
    const struct timespec *a = &facts.st_mtim, *b = &other_facts.st_mtim;
    if (!is_there || (is_other_there && (b->tv_sec > a->tv_sec || (b->tv_sec == a->tv_sec && b->tv_nsec > a->tv_nsec))))
        strcpy(json, other);
    return outcome_done();
}

outcome sidecar_read(const char *path, export_file *file, file_facts *facts)
{
    char json[1040], *text = NULL;
    outcome o = find_json(path, json);
    if (o.kind == OUTCOME_DONE)
        o = json_read_text(json, &text);
    if (o.kind == OUTCOME_DONE)
        o = read_json(json, text, file, facts);
    free(text);
    return o;
}

bool sidecar_is_possible(void)
{
    return true;
}

#else

static outcome write_json(const char *path, const export_file *file, const file_facts *facts)
{
    (void)path, (void)file, (void)facts;
    return outcome_done();
}

outcome sidecar_read(const char *path, export_file *file, file_facts *facts)
{
    (void)file, (void)facts;
    return outcome_of(OUTCOME_USAGE, "cannot read the sidecar of '%s': this build has no JSON (cJSON was missing)", path);
}

bool sidecar_is_possible(void)
{
    return false;
}

#endif

/** Source of the format: ENVI header as GDAL's driver reads it; map info gives the outer corner of the first sample. */
static outcome write_header(const char *path, const export_file *file)
{
    char text[1024];
    const double spacing = file->world.spacing, step = export_file_spacing_m(file);
    int n = snprintf(text, sizeof text,
                     "ENVI\ndescription = {terrane %s}\nsamples = %lld\nlines = %lld\nbands = 1\nheader offset = 0\n"
                     "file type = ENVI Standard\ndata type = %d\ninterleave = bsq\nbyte order = %d\n",
                     ter_version(), (long long)file->width, (long long)file->height, file->format->envi_type, file->is_big_endian);
    if (!file->is_south_first)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "map info = {Arbitrary, 1, 1, %.17g, %.17g, %.17g, %.17g, 0, units=Meters}\n",
                      (double)file->x * spacing - step / 2, -(double)file->z * spacing + step / 2, step, step);
    if (export_format_is_scaled(file->format))
        n += snprintf(text + n, sizeof text - (size_t)n, "data gain values = {%.17g}\ndata offset values = {%.17g}\n",
                      (file->range[1] - file->range[0]) / 65535.0, file->range[0]);
    snprintf(text + n, sizeof text - (size_t)n, "band names = {height}\n");
    return output_file_text(path, text);
}

/** Names of a file's sidecars; an empty one for none. */
static void name_sidecars(const char *path, bool replaces_ending, const export_file *file, char json[1040], char header[1040])
{
    snprintf(json, 1040, "%s.json", path);
    if (replaces_ending)
        replace_ending(path, json);
    header[0] = '\0';
    if (file->format->envi_type)
        snprintf(header, 1040, "%s.hdr", path);
}

outcome sidecar_check(const char *path, bool replaces_ending, const export_file *file)
{
    char json[1040], header[1040];
    name_sidecars(path, replaces_ending, file, json, header);
    if (strcmp(json, path) == 0 || strcmp(header, path) == 0)
        return outcome_of(OUTCOME_USAGE, "-o is '%s', which would be the name of its own sidecar", path);
    const bool may_write = output_file_may_replace(json, "\"generator\":\t\"terrane\"");
    if (may_write && (!*header || output_file_may_replace(header, "ENVI\ndescription = {terrane")))
        return outcome_done();
    return outcome_of(OUTCOME_FILE, "'%s' exists already and is not terrane's; --force replaces it", may_write ? header : json);
}

outcome sidecar_write(const char *path, bool replaces_ending, const export_file *file, const file_facts *facts)
{
    char json[1040], header[1040];
    if (!output_file_is_regular(path))
        return outcome_done();
    name_sidecars(path, replaces_ending, file, json, header);
    const outcome o = *header ? write_header(header, file) : outcome_done();
    return o.kind == OUTCOME_DONE ? write_json(json, file, facts) : o;
}
