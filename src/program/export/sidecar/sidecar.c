/* sidecar.c - names sidecars, finds out which file an existing sidecar belongs to, and writes and removes sidecars. */
#include "program/export/sidecar/sidecar.h"
#include "program/core/system.h"
#include "program/file/commit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/export/formats/format.h"
#include "program/export/sidecar/place_file.h"
#include "program/file/input_file.h"
#include "program/file/path_name.h"
#ifdef TER_HAVE_JSON
#include "program/export/sidecar/sidecar_json.h"
#include "program/file/json_file.h"
#endif

#define JSON_MARK "\"generator\":\t\"terrane\""
enum { MARK_TEXT = 2048 }; /* bytes of a file that are searched for a mark */

void sidecar_name(const char *path, bool replaces_ending, char json[1040])
{
    snprintf(json, 1040, "%.*s.json", replaces_ending ? (int)(path_dot(path) - path) : (int)strlen(path), path);
}

#ifdef TER_HAVE_JSON

/** Whether NAME.json describes the file `path`, which is NAME with another ending. NAME.json does so if the name in its
 * member "file" ends like `path`. Returns `otherwise` if NAME.json cannot be read, or has no such member, as in earlier
 * versions. */
static bool describes(const char *json, const char *path, bool otherwise)
{
    cJSON *root;
    char *text;
    if (json_read(json, &root, &text).kind != RESULT_DONE)
        return otherwise;
    const cJSON *file = cJSON_GetObjectItemCaseSensitive(root, "file");
    const bool has_member = cJSON_IsString(file),
               is_same = has_member && strcmp(path_dot(file->valuestring), path_dot(path)) == 0;
    cJSON_Delete(root);
    free(text);
    return has_member ? is_same : otherwise;
}

/** Find the sidecar of a file: FILE.json, or NAME.json unless NAME.json describes another file. If both exist, take the
 * sidecar that was written last. */
static result find_json(const char *path, char json[1040])
{
    char other[1040];
    system_facts facts, other_facts;
    sidecar_name(path, false, json);
    sidecar_name(path, true, other);
    const bool exists = system_facts_of_target(json, &facts);
    const bool other_exists =
        strcmp(other, path) != 0 && system_facts_of_target(other, &other_facts) && describes(other, path, !exists);
    if (!exists && !other_exists) {
        errno = ENOENT;
        return result_of_file("read", json);
    }
    const system_facts *a = &facts, *b = &other_facts;
    if (!exists || (other_exists &&
                    (b->written_s > a->written_s || (b->written_s == a->written_s && b->written_ns > a->written_ns))))
        strcpy(json, other);
    return result_done();
}

/** Make the text that a JSON file must contain if it may be replaced: the text by which a sidecar of terrane begins.
 * NAME.json may belong to a file with another ending, so it must also name this file. Returns false if there is no
 * memory. */
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

result sidecar_read(const char *path, export_file *file, file_facts *facts)
{
    char json[1040];
    const result res = find_json(path, json);
    return res.kind == RESULT_DONE ? sidecar_read_json(json, file, facts) : res;
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

static result sidecar_make_json(const char *path, const export_file *file, const file_facts *facts, char **text)
{
    (void)path, (void)file, (void)facts;
    *text = NULL;
    return result_done();
}

result sidecar_read(const char *path, export_file *file, file_facts *facts)
{
    (void)file, (void)facts;
    return result_of(RESULT_USAGE, "cannot read the sidecar of '%s': this build has no JSON (cJSON was missing)", path);
}

bool sidecar_is_possible(void)
{
    return false;
}

#endif

/** Make the names of a file's sidecars. A name becomes empty if the file has no such sidecar. */
static void name_sidecars(const char *path, bool replaces_ending, const export_file *file, char json[1040],
                          char places[PLACE_FILES][1040])
{
    sidecar_name(path, replaces_ending, json);
    for (int n = 0; n < PLACE_FILES; n++)
        place_file_name(path, file, n, places[n]);
}

/** Check that a sidecar may be written under a name.
 *
 *  mark     a file with this text may be replaced
 *  owner    to whom a file with this mark belongs, as the error message says it
 */
static result check_name(const char *name, const char *mark, const char *owner)
{
    system_facts facts;
    if (!system_facts_of_name(name, &facts))
        return errno == ENOENT ? result_done() : result_of_file("write", name);
    if (output_file_may_replace(name, mark))
        return result_done();
    return result_of(RESULT_FILE, "'%s' exists already and is not %s; --force replaces it", name, owner);
}

result sidecar_check(const char *path, bool replaces_ending, const export_file *file)
{
    char json[1040], places[PLACE_FILES][1040], text[PLACE_FILE_TEXT], mark[MARK_TEXT];
    name_sidecars(path, replaces_ending, file, json, places);
    if (strcmp(json, path) == 0 || strcmp(places[0], path) == 0)
        return result_of(RESULT_USAGE, "-o is '%s', which would be the name of its own sidecar", path);
    if (!mark_json(path, replaces_ending, mark))
        return result_of(RESULT_FAILED, "no memory for the sidecar of '%s'", path);
    result res = check_name(json, JSON_MARK, "terrane's");
    if (res.kind == RESULT_DONE)
        res = check_name(json, mark, "this file's");
    for (int n = 0; n < PLACE_FILES && res.kind == RESULT_DONE; n++)
        if (*places[n])
            res = check_name(places[n], place_file_text(file, n, text),
                             file->format->envi_type ? "terrane's" : "this file's");
    return res;
}

result sidecar_check_kinds(const char *path, bool replaces_ending, const export_file *file)
{
    char json[1040], places[PLACE_FILES][1040];
    name_sidecars(path, replaces_ending, file, json, places);
    result res = output_file_check_kind(json);
    for (int n = 0; n < PLACE_FILES && res.kind == RESULT_DONE; n++)
        res = *places[n] ? output_file_check_kind(places[n]) : res;
    return res;
}

/** Write a sidecar under a temporary name. */
static result write_sidecar(const char *path, const char *text, const char *mark, bool may_replace, bool is_durable,
                            output_file *out)
{
    result res = output_file_open_beside(out, path, strlen(text), true);
    out->may_replace = may_replace;
    out->mark = mark;
    out->is_durable = is_durable;
    if (res.kind == RESULT_DONE)
        res = output_file_write(out, text, strlen(text));
    if (res.kind != RESULT_DONE)
        output_file_discard(out);
    return res;
}

/* ---- sidecars of an older file ---- */

/** Names of sidecars to remove. */
typedef struct stale_names {
    char texts[OUTPUT_FILES_MAX][1040];
    const char *names[OUTPUT_FILES_MAX];
    int count;
} stale_names;

/** List a sidecar for removal if it exists and contains `mark`, unless it is among the files that are written. */
static void add_stale(stale_names *stale, const char *name, const char *mark, output_file *const written[],
                      int n_written)
{
    system_facts facts;
    bool is_kept = !system_facts_of_name(name, &facts) || !output_file_may_replace(name, mark);
    for (int n = 0; n < n_written; n++)
        is_kept |= strcmp(written[n]->path, name) == 0;
    for (int n = 0; n < stale->count; n++)
        is_kept |= strcmp(stale->names[n], name) == 0;
    if (is_kept)
        return;
    strcpy(stale->texts[stale->count], name);
    stale->names[stale->count] = stale->texts[stale->count];
    stale->count++;
}

/** Find sidecars of an older file with the same name that are not written again. Readers would take them for sidecars
 * of the new file. A georeference file (NAME.pgw) does not say that terrane wrote it. It counts as a sidecar of the
 * older file if it contains exactly the text that follows from the older JSON. */
static result find_stale(const char *path, output_file *const written[], int n_written, stale_names *stale)
{
    char name[1040], mark[MARK_TEXT], text[PLACE_FILE_TEXT];
    export_file old;
    file_facts facts;
    stale->count = 0;
    const result res = sidecar_is_possible() ? sidecar_read(path, &old, &facts) : result_of(RESULT_FILE, "no JSON");
    if (res.kind == RESULT_FAILED || !mark_json(path, true, mark))
        return result_of(RESULT_FAILED, "no memory for the sidecar of '%s'", path);
    for (int n = 0; n < PLACE_FILES && res.kind == RESULT_DONE; n++) {
        place_file_name(path, &old, n, name);
        if (*name)
            add_stale(stale, name, place_file_text(&old, n, text), written, n_written);
    }
    sidecar_name(path, true, name);
    add_stale(stale, name, mark, written, n_written);
    sidecar_name(path, false, name);
    add_stale(stale, name, JSON_MARK, written, n_written);
    return result_done();
}

/** Give files their names, in place of older files and their sidecars. On error, discard the new files. */
static result commit_over(output_file *const files[], int count)
{
    stale_names stale;
    const result res = find_stale(files[count - 1]->path, files, count, &stale);
    if (res.kind == RESULT_DONE)
        return output_files_commit_over(files, count, stale.names, stale.count);
    for (int n = 0; n < count; n++)
        output_file_discard(files[n]);
    return res;
}

/** Whether a file contains exactly this text. */
static bool holds(const char *path, const char *text)
{
    char *found;
    if (input_file_text(path, PLACE_FILE_TEXT, &found).kind != RESULT_DONE)
        return false;
    const bool is_same = strcmp(found, text) == 0;
    free(found);
    return is_same;
}

/** Write one of the files again, if it is missing or damaged. */
static result restore(const char *name, const char *text, bool is_durable, char restored[1040])
{
    output_file out;
    if (!*name || holds(name, text))
        return result_done();
    result res = write_sidecar(name, text, NULL, true, is_durable, &out);
    if (res.kind == RESULT_DONE)
        res = output_file_commit(&out);
    if (res.kind == RESULT_DONE)
        strcpy(restored, name);
    return res;
}

result sidecar_restore(const char *path, const export_file *file, bool is_durable, char restored[1040])
{
    char name[1040], text[PLACE_FILE_TEXT];
    result res = result_done();
    *restored = '\0';
    for (int n = PLACE_FILES - 1; n >= 0 && res.kind == RESULT_DONE; n--) {
        place_file_name(path, file, n, name);
        place_file_text(file, n, text);
        res = restore(name, text, is_durable, restored);
    }
    return res;
}

/* ---- writing ---- */

/** The sidecars of a file while they are written: place files and the JSON. */
typedef struct written_sidecars {
    output_file at[PLACE_FILES + 1];
    char texts[PLACE_FILES][PLACE_FILE_TEXT]; /* the marks of place files lie in their texts */
    int count;
} written_sidecars;

static result write_next(written_sidecars *w, const char *path, const char *text, const char *mark, bool may_replace,
                         bool is_durable)
{
    const result res = write_sidecar(path, text, mark, may_replace, is_durable, &w->at[w->count]);
    w->count += res.kind == RESULT_DONE;
    return res;
}

/** Write the place files and the JSON. json_mark: the mark of the JSON; must stay valid */
static result write_all(written_sidecars *w, const output_file *data, bool replaces_ending, bool may_replace,
                        const export_file *file, const char *json_text, const char *json_mark)
{
    char json[1040], places[PLACE_FILES][1040];
    result res = result_done();
    name_sidecars(data->path, replaces_ending, file, json, places);
    for (int n = 0; n < PLACE_FILES && res.kind == RESULT_DONE; n++) {
        if (!*places[n])
            continue;
        const char *mark = place_file_text(file, n, w->texts[n]);
        res = write_next(w, places[n], w->texts[n], mark, may_replace, data->is_durable);
    }
    if (res.kind == RESULT_DONE && json_text)
        res = write_next(w, json, json_text, json_mark, may_replace, data->is_durable);
    return res;
}

result sidecar_commit(output_file *data, bool replaces_ending, bool may_replace, const export_file *file,
                      const file_facts *facts)
{
    char json_mark[MARK_TEXT], *json_text = NULL;
    written_sidecars w = {.count = 0};
    output_file *files[PLACE_FILES + 2];
    if (!*data->temporary) /* devices and pipes have no sidecars */
        return output_file_commit(data);
    result res = sidecar_make_json(data->path, file, facts, &json_text);
    if (res.kind == RESULT_DONE && !mark_json(data->path, replaces_ending, json_mark))
        res = result_of(RESULT_FAILED, "no memory for the sidecar of '%s'", data->path);
    if (res.kind == RESULT_DONE)
        res = write_all(&w, data, replaces_ending, may_replace, file, json_text, json_mark);
    free(json_text);
    for (int n = 0; n < w.count; n++)
        files[n] = &w.at[n];
    files[w.count] = data;
    if (res.kind == RESULT_DONE)
        return commit_over(files, w.count + 1);
    for (int n = 0; n <= w.count; n++)
        output_file_discard(files[n]);
    return res;
}
