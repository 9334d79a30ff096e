/* sidecar.c - JSON: writing, reading, and whose it is. */
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
#include "export/place_file.h"
#include "export/export_file.h"

#define JSON_MARK "\"generator\":\t\"terrane\""
enum { MARK_TEXT = 2048 }; /* as much of a file as is looked at for a mark */

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

void sidecar_name(const char *path, bool replaces_ending, char json[1040])
{
    snprintf(json, 1040, "%.*s.json", replaces_ending ? (int)(path_dot(path) - path) : (int)strlen(path), path);
}

#ifdef TER_HAVE_JSON

/* ---- writing ---- */

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

static outcome make_json(const char *path, const export_file *file, const file_facts *facts, char **text)
{
    cJSON *root = json_create();
    cJSON_AddStringToObject(root, "generator", "terrane");
    cJSON_AddStringToObject(root, "file", path_base(path));
    cJSON_AddStringToObject(root, "version", ter_version());
    cJSON_AddNumberToObject(root, "world_format", TER_WORLD_FORMAT);
    json_add_integer(root, "width", file->width);
    json_add_integer(root, "height", file->height);
    cJSON_AddNumberToObject(root, "bpp", file->format->bits);
    cJSON_AddStringToObject(root, "format", file->format->name);
    cJSON_AddStringToObject(root, "byte_order", file->is_big_endian ? "be" : "le");
    cJSON_AddStringToObject(root, "row_order", file->is_south_first ? "south" : "north");
    json_add_integer(root, "x", file->x);
    json_add_integer(root, "z", file->z);
    cJSON_AddNumberToObject(root, "lod", file->lod);
    cJSON_AddNumberToObject(root, "sample_spacing_m", export_file_spacing_m(file));
    cJSON_AddNumberToObject(root, "min_m", (double)facts->min_m);
    cJSON_AddNumberToObject(root, "max_m", (double)facts->max_m);
    if (export_file_is_scaled(file)) {
        cJSON_AddItemToObject(root, "range_m", cJSON_CreateDoubleArray(file->range, 2));
        cJSON_AddNumberToObject(root, "step_m", (file->range[1] - file->range[0]) / 65535.0);
        json_add_integer(root, "clamped", (int64_t)facts->n_clamped);
    }
    cJSON_AddBoolToObject(root, "normalised", file->is_normalised);
    cJSON_AddBoolToObject(root, "linear", file->is_marked_linear);
    cJSON_AddStringToObject(root, "channel", file->channel);
    if (*facts->checksum)
        cJSON_AddStringToObject(root, "checksum", facts->checksum);
    add_world(root, &file->world);
    return json_text(root, text);
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
    const bool fits = cJSON_IsNumber(item) && isfinite(item->valuedouble);
    if (!fits && !r->missing)
        r->missing = name;
    return fits ? item->valuedouble : 0.0;
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

/** The seed with all its digits, from the text: a double would round it. */
static uint64_t read_seed(reader *r, const char *text)
{
    const double rounded = number(r, "seed");
    const char *at = strstr(text, "\"seed\":");
    const uint64_t seed = at ? strtoull(at + strlen("\"seed\":"), NULL, 10) : 0;
    const bool fits = at && rounded >= 0.0 && (double)seed == rounded;
    if (!fits && !r->missing)
        r->missing = "seed";
    return fits ? seed : 0;
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
    const bool fits = cJSON_IsNumber(low) && cJSON_IsNumber(high) && isfinite(low->valuedouble) && isfinite(high->valuedouble) &&
                      low->valuedouble < high->valuedouble;
    if (!fits && !r->missing)
        r->missing = "range_m";
    range[0] = fits ? low->valuedouble : 0.0;
    range[1] = fits ? high->valuedouble : 1.0;
}

/** Width and height within what the format can hold, so that nobody's sidecar makes a codec ask for more memory than a file of this
 *  program would, and so that no product of them overflows. */
static void read_size(reader *r, export_file *file)
{
    const int64_t step = INT64_C(1) << file->lod, lattice = 2 * TER_COORDINATE_MAX / step + 1;
    const int64_t side_max = file->format && file->format->side_max < lattice ? file->format->side_max : lattice;
    file->width = integer(r, "width", 1, side_max);
    file->height = integer(r, "height", 1, file->format && file->format->envi_type ? lattice : side_max);
    if (!r->missing && file->height > INT64_MAX / 8 / file->width)
        r->missing = "height";
    if (!r->missing && file->x + (file->width - 1) * (__int128)step > TER_COORDINATE_MAX)
        r->missing = "width";
    if (!r->missing && file->z + (file->height - 1) * (__int128)step > TER_COORDINATE_MAX)
        r->missing = "height";
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
    read_size(r, file);
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

static outcome read_json(const char *path, export_file *file, file_facts *facts)
{
    cJSON *root;
    char *text;
    const outcome o = json_read(path, &root, &text);
    if (o.kind != OUTCOME_DONE)
        return o;
    reader r = {root, NULL};
    read_members(&r, text, file, facts);
    cJSON_Delete(root);
    free(text);
    if (r.missing)
        return outcome_of(OUTCOME_FILE, "'%s' is not a sidecar of this version of terrane: \"%s\" is missing or out of range", path,
                          r.missing);
    return outcome_done();
}

/** Whether NAME.json is a file's: what it says to describe has the same ending. Those of earlier versions did not say it. */
static bool describes(const char *json, const char *path, bool otherwise)
{
    cJSON *root;
    char *text;
    if (json_read(json, &root, &text).kind != OUTCOME_DONE)
        return otherwise;
    const cJSON *file = cJSON_GetObjectItemCaseSensitive(root, "file");
    const bool is_said = cJSON_IsString(file), is_same = is_said && strcmp(path_dot(file->valuestring), path_dot(path)) == 0;
    cJSON_Delete(root);
    free(text);
    return is_said ? is_same : otherwise;
}

/** The sidecar of a file: FILE.json, or NAME.json if that is no other's; of both the one that was written last. */
static outcome find_json(const char *path, char json[1040])
{
    char other[1040];
    struct stat facts, other_facts;
    sidecar_name(path, false, json);
    sidecar_name(path, true, other);
    const bool is_there = stat(json, &facts) == 0;
    const bool is_other_there = strcmp(other, path) != 0 && stat(other, &other_facts) == 0 && describes(other, path, !is_there);
    if (!is_there && !is_other_there) {
        errno = ENOENT;
        return outcome_of_file("read", json);
    }
    const struct timespec *a = &facts.st_mtim, *b = &other_facts.st_mtim;
    if (!is_there || (is_other_there && (b->tv_sec > a->tv_sec || (b->tv_sec == a->tv_sec && b->tv_nsec > a->tv_nsec))))
        strcpy(json, other);
    return outcome_done();
}

/** What marks a JSON that may be replaced: that it is terrane's, and, where files of several endings would share a name, this
 *  file's. False when there is no memory. */
static bool mark_json(const char *path, bool replaces_ending, char mark[MARK_TEXT])
{
    snprintf(mark, MARK_TEXT, "%s", JSON_MARK);
    if (!replaces_ending)
        return true;
    cJSON *name = cJSON_CreateString(path_base(path));
    char *quoted = name ? cJSON_PrintUnformatted(name) : NULL;
    if (quoted)
        snprintf(mark, MARK_TEXT, "%s,\n\t\"file\":\t%s,", JSON_MARK, quoted);
    cJSON_free(quoted);
    cJSON_Delete(name);
    return quoted != NULL;
}

outcome sidecar_read(const char *path, export_file *file, file_facts *facts)
{
    char json[1040];
    const outcome o = find_json(path, json);
    return o.kind == OUTCOME_DONE ? read_json(json, file, facts) : o;
}

bool sidecar_is_possible(void)
{
    return true;
}

#else

static bool mark_json(const char *path, bool replaces_ending, char mark[MARK_TEXT])
{
    (void)path, (void)replaces_ending;
    snprintf(mark, MARK_TEXT, "%s", JSON_MARK);
    return true;
}

static outcome make_json(const char *path, const export_file *file, const file_facts *facts, char **text)
{
    (void)path, (void)file, (void)facts;
    *text = NULL;
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

/** Names of a file's sidecars; an empty one for none. */
static void name_sidecars(const char *path, bool replaces_ending, const export_file *file, char json[1040], char header[1040])
{
    sidecar_name(path, replaces_ending, json);
    place_file_name(path, file, header);
}

/** Whether a sidecar may be written under a name; `whose` it must be, to be replaced. */
static outcome check_name(const char *name, const char *mark, const char *whose)
{
    struct stat facts;
    if (lstat(name, &facts) != 0)
        return errno == ENOENT ? outcome_done() : outcome_of_file("write", name);
    if (output_file_may_replace(name, mark))
        return outcome_done();
    return outcome_of(OUTCOME_FILE, "'%s' exists already and is not %s; --force replaces it", name, whose);
}

outcome sidecar_check(const char *path, bool replaces_ending, const export_file *file)
{
    char json[1040], header[1040], text[PLACE_FILE_TEXT], mark[MARK_TEXT];
    name_sidecars(path, replaces_ending, file, json, header);
    if (strcmp(json, path) == 0 || strcmp(header, path) == 0)
        return outcome_of(OUTCOME_USAGE, "-o is '%s', which would be the name of its own sidecar", path);
    if (!mark_json(path, replaces_ending, mark))
        return outcome_of(OUTCOME_FAILED, "no memory for the sidecar of '%s'", path);
    outcome o = check_name(json, JSON_MARK, "terrane's");
    if (o.kind == OUTCOME_DONE)
        o = check_name(json, mark, "of this file");
    if (o.kind == OUTCOME_DONE && *header)
        o = check_name(header, place_file_text(file, text), file->format->envi_type ? "terrane's" : "of this file");
    return o;
}

/** Write a sidecar that has no name yet. */
static outcome write_sidecar(const char *path, const char *text, const char *mark, bool may_replace, bool is_durable,
                             output_file *out)
{
    outcome o = output_file_open(out, path, strlen(text), true);
    out->may_replace = may_replace;
    out->mark = mark;
    out->is_durable = is_durable;
    if (o.kind == OUTCOME_DONE)
        o = output_file_write(out, text, strlen(text));
    if (o.kind != OUTCOME_DONE)
        output_file_discard(out);
    return o;
}

outcome sidecar_commit(output_file *data, bool replaces_ending, bool may_replace, const export_file *file, const file_facts *facts)
{
    char json[1040], header[1040], header_text[PLACE_FILE_TEXT], json_mark[MARK_TEXT], *json_text = NULL;
    output_file beside[2], *files[3];
    int count = 0;
    outcome o = outcome_done();
    if (!*data->temporary) /* a device or a pipe */
        return output_file_commit(data);
    name_sidecars(data->path, replaces_ending, file, json, header);
    if (*header) {
        const char *mark = place_file_text(file, header_text);
        files[count] = &beside[count];
        o = write_sidecar(header, header_text, mark, may_replace, data->is_durable, files[count]);
        count += o.kind == OUTCOME_DONE;
    }
    if (o.kind == OUTCOME_DONE)
        o = make_json(data->path, file, facts, &json_text);
    if (o.kind == OUTCOME_DONE && !mark_json(data->path, replaces_ending, json_mark))
        o = outcome_of(OUTCOME_FAILED, "no memory for the sidecar of '%s'", data->path);
    if (o.kind == OUTCOME_DONE && json_text) {
        files[count] = &beside[count];
        o = write_sidecar(json, json_text, json_mark, may_replace, data->is_durable, files[count]);
        count += o.kind == OUTCOME_DONE;
    }
    free(json_text);
    files[count] = data;
    if (o.kind == OUTCOME_DONE)
        return output_files_commit(files, count + 1);
    for (int n = 0; n <= count; n++)
        output_file_discard(files[n]);
    return o;
}
