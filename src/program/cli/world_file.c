/* world_file.c - reads worlds by the parser of inih, and finds them by name in the program and in the installed folder.
 */
#include "program/cli/world_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef TER_HAVE_INI
#include <ini.h>
#endif

#include "program/cli/suggest.h"
#include "program/cli/world_options.h"
#include "program/core/system.h"
#include "program/file/embedded.h"
#include "program/file/input_file.h"
#include "program/file/path_name.h"

/* ---- lines and keys ---- */

#ifdef TER_HAVE_INI

enum { WORLD_BYTES_MAX = 1 << 20, KEYS_MAX = WORLD_PARAMETERS + GUIDE_PARAMETERS };

/** A section of the file: its options, and for each option the line that set it, 0 for none. */
typedef struct section {
    option options[KEYS_MAX];
    size_t count;
    int lines[KEYS_MAX];
} section;

typedef struct reader {
    const char *path;    /* for errors */
    const char *file;    /* the whole path */
    const char *at;      /* rest of the text */
    int line;            /* number of the last line that was read */
    section world, look; /* options of the guide follow those of the world's parameters */
    guide_request *guide;
    result result;
} reader;

/** Refuse an unknown section at its line. inih reports a section only with its first key. */
static result check_section(const reader *r, const char *start, const char *end)
{
    char name[64], quoted[RESULT_QUOTE];
    const char *close = *start == '[' ? memchr(start, ']', (size_t)(end - start)) : NULL;
    if (!close)
        return result_done();
    snprintf(name, sizeof name, "%.*s", (int)(close - start - 1), start + 1);
    if (strcmp(name, "world") == 0 || strcmp(name, "look") == 0)
        return result_done();
    return result_of(RESULT_USAGE, "%s:%d: unknown section %s, expected [world] or [look]", r->path, r->line,
                     result_quote(name, quoted));
}

/** Give inih the next line. Lines end with "\n", "\r\n" or "\r". Comments may have any length. White space before a key
 * is skipped, because inih would add an indented key to the value before it. */
static char *read_line(char *text, int size, void *user)
{
    reader *r = user;
    if (!*r->at || r->result.kind != RESULT_DONE)
        return NULL;
    const size_t length = strcspn(r->at, "\r\n"), indent = strspn(r->at, " \t");
    const char *start = r->at + (indent < length ? indent : length), *end = r->at + length;
    r->line++;
    r->at = end + (*end == '\r' && end[1] == '\n' ? 2 : *end != '\0');
    if (*start == ';' || *start == '#')
        end = start;
    if (end - start > size - 2) {
        r->result = result_of(RESULT_USAGE, "%s:%d: the line has %zu characters, expected at most %d", r->path, r->line,
                              (size_t)(end - start), size - 2);
        return NULL;
    }
    r->result = check_section(r, start, end);
    if (r->result.kind != RESULT_DONE)
        return NULL;
    snprintf(text, (size_t)size, "%.*s\n", (int)(end - start), start);
    return text;
}

/** List the keys of a section in the spelling of world files: "seed, levels, ... or spacing". */
static void describe_keys(const section *s, char *text, size_t size)
{
    const char *names[KEYS_MAX + 1] = {NULL};
    for (size_t n = 0; n < s->count; n++)
        names[n] = s->options[n].name;
    options_join(names, "or", text, size);
    for (char *c = text; *c; c++)
        *c = *c == '-' ? '_' : *c;
}

/** Find the option that a key sets; NULL if there is none. */
static const option *find_key(const section *s, const char *key)
{
    const option_group group = {"", s->options, s->count};
    char name[64];
    snprintf(name, sizeof name, "%s", key);
    for (char *c = name; *c; c++)
        *c = *c == '_' ? '-' : *c;
    return strchr(key, '-') ? NULL : option_find(&group, 1, name);
}

/** Store the name of a file of the guide. A relative name counts from the folder of the world file. */
static result keep_path(const reader *r, const option *o, const char *label, const char *value)
{
    const char **file = o->target;
    char *path = guide_request_path(r->guide, file);
    const int folder = system_path_is_absolute(value) ? 0 : (int)(path_base(r->file) - r->file);
    if (snprintf(path, GUIDE_PATH, "%.*s%s", folder, r->file, value) >= GUIDE_PATH)
        return result_of(RESULT_USAGE, "%s: the name of the file is too long", label);
    *file = path;
    return result_done();
}

static result set_key(const reader *r, section *s, const char *key, const char *value)
{
    char label[RESULT_QUOTE + 96], keys[512], quoted[RESULT_QUOTE];
    const option *o = find_key(s, key);
    if (!o) {
        describe_keys(s, keys, sizeof keys);
        return result_of(RESULT_USAGE, "%s:%d: unknown key %s, expected %s", r->path, r->line,
                         result_quote(key, quoted), keys);
    }
    int *line = &s->lines[o - s->options];
    if (*line)
        return result_of(RESULT_USAGE, "%s:%d: %s is given a second time, first in line %d", r->path, r->line, key,
                         *line);
    *line = r->line;
    snprintf(label, sizeof label, "%s:%d: %s", r->path, r->line, key);
    const result res = option_set(o, label, value);
    return res.kind == RESULT_DONE && o->kind == OPTION_PATH ? keep_path(r, o, label, value) : res;
}

static int read_key(void *user, const char *name, const char *key, const char *value)
{
    reader *r = user;
    if (r->result.kind == RESULT_DONE)
        r->result = set_key(r, strcmp(name, "look") == 0 ? &r->look : &r->world, key, value);
    return r->result.kind == RESULT_DONE;
}

/** Number of the line, from 1 on, that contains the byte at `offset`. */
static int line_of(const char *text, size_t offset)
{
    int line = 1;
    for (size_t n = 0; n < offset; n++)
        line += text[n] == '\n' || (text[n] == '\r' && text[n + 1] != '\n');
    return line;
}

static result parse(reader *r, const char *text, size_t count)
{
    r->at = text;
    if (strlen(text) < count)
        return result_of(RESULT_USAGE, "%s:%d: a zero byte, expected text", r->path, line_of(text, strlen(text)));
    const int line = ini_parse_stream(read_line, r, read_key, r);
    if (r->result.kind == RESULT_DONE && line != 0)
        return result_of(RESULT_USAGE, "%s:%d: not a 'key = value' line", r->path, line > 0 ? line : r->line);
    return r->result;
}

/** Read a file and end it with a zero byte. The caller frees *text, also on error. */
static result read_text(const char *path, char **text, size_t *count)
{
    FILE *file = NULL;
    uint64_t bytes = 0;
    result res = input_file_open(path, &file, &bytes);
    if (res.kind != RESULT_DONE)
        return res;
    if (bytes > WORLD_BYTES_MAX)
        res = result_of(RESULT_FILE, "cannot read '%s': it has more than %d bytes", path, WORLD_BYTES_MAX);
    *text = res.kind == RESULT_DONE ? calloc(1, bytes + 1) : NULL;
    *count = *text ? fread(*text, 1, bytes, file) : 0;
    if (res.kind == RESULT_DONE && !*text)
        res = result_of(RESULT_FAILED, "out of memory");
    else if (ferror(file))
        res = result_of_file("read", path);
    fclose(file);
    return res;
}

/** Refuse keys that the world's basis does not use. One exception: a file without the key basis that has keys of the
 * bases smooth and midpoint has basis smooth. Such files exist, because smooth was once the default.
 */
static result check_basis(const reader *r, ter_params *params)
{
    bool given[WORLD_PARAMETERS], names_basis = false;
    char label[RESULT_QUOTE + 96];
    for (int n = 0; n < WORLD_PARAMETERS; n++) {
        given[n] = r->world.lines[n] != 0;
        names_basis = names_basis || (given[n] && r->world.options[n].target == &params->basis);
    }
    const option *stray = world_options_stray(params, r->world.options, given);
    if (stray && !names_basis && params->basis == TER_BASIS_FLUVIAL) {
        params->basis = TER_BASIS_SMOOTH;
        stray = world_options_stray(params, r->world.options, given);
    }
    if (!stray)
        return result_done();
    snprintf(label, sizeof label, "%s:%d: %s", r->path, r->world.lines[stray - r->world.options], stray->name);
    return world_options_refuse(label, params);
}

/** Read a world from text.
 *
 *  path   name of the text in errors
 *  text   `count` bytes and a zero byte
 */
static result read_world(const char *path, const char *text, size_t count, ter_params *params, guide_request *guide,
                         look *look)
{
    enum { PATH_SHOWN = 200 };
    const size_t length = strlen(path);
    reader r = {.path = path + (length > PATH_SHOWN ? length - PATH_SHOWN : 0),
                .file = path,
                .guide = guide,
                .world.count = WORLD_PARAMETERS + GUIDE_PARAMETERS,
                .look.count = LOOK_PARAMETERS,
                .result = result_done()};
    int palette = -1; /* the file has no palette */
    world_options(params, r.world.options);
    guide_options(guide, r.world.options + WORLD_PARAMETERS);
    look_options(look, &palette, r.look.options);
    result res = parse(&r, text, count);
    if (res.kind == RESULT_DONE)
        res = check_basis(&r, params);
    if (palette >= 0)
        look_set_palette(look, (look_palette)palette);
    return res;
}

static result read_file(const char *label, const char *path, ter_params *params, guide_request *guide, look *look)
{
    char *text = NULL;
    size_t count = 0;
    result res = read_text(path, &text, &count);
    if (res.kind == RESULT_DONE)
        res = read_world(path, text, count, params, guide, look);
    else
        res = result_of(res.kind == RESULT_FILE ? RESULT_USAGE : res.kind, "%s: %s", label, res.text);
    free(text);
    return res;
}

static result read_embedded(const char *label, const struct embedded_file *file, ter_params *params,
                            guide_request *guide, look *look)
{
    (void)label;
    return read_world(file->name, (const char *)file->bytes, file->size, params, guide, look);
}

#else

static result read_file(const char *label, const char *path, ter_params *params, guide_request *guide, look *look)
{
    char quoted[RESULT_QUOTE];
    (void)params, (void)guide, (void)look;
    return result_of(RESULT_USAGE, "%s %s: this build cannot read world files (inih was missing)", label,
                     result_quote(path, quoted));
}

static result read_embedded(const char *label, const struct embedded_file *file, ter_params *params,
                            guide_request *guide, look *look)
{
    return read_file(label, file->name, params, guide, look);
}

#endif

/* ---- worlds by name ---- */

enum { FOLDER_PATH = 1200, WORLD_NAMES_MAX = 64, WORLD_NAME = 48 };

typedef struct name_list {
    char names[WORLD_NAMES_MAX][WORLD_NAME];
    size_t count;
} name_list;

/** Path of the installed folder of worlds, relative to the running program. */
static void installed_folder(char folder[FOLDER_PATH])
{
    char program[1024];
    if (!system_program_path(program, sizeof program))
        program[0] = '\0';
    program[system_path_base(program)] = '\0';
    snprintf(folder, FOLDER_PATH, "%s../share/terrane/worlds", program);
}

/** Find a world inside the program by its name; NULL if there is none. */
static const struct embedded_file *find_embedded(const char *name)
{
    const size_t length = strlen(name);
    for (const struct embedded_file *f = embedded_worlds; f->name; f++)
        if (strncmp(f->name, name, length) == 0 && strcmp(f->name + length, ".ini") == 0)
            return f;
    return NULL;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

/** Add the name of a world file to the list without its ending ".ini", unless the list has it. Other files are left
 * out.
 */
static void add_name(void *user, const char *entry)
{
    name_list *list = user;
    const size_t length = strlen(entry);
    char name[WORLD_NAME];
    if (list->count == WORLD_NAMES_MAX || length < 5 || length - 4 >= WORLD_NAME ||
        strcmp(entry + length - 4, ".ini") != 0)
        return;
    snprintf(name, sizeof name, "%.*s", (int)(length - 4), entry);
    for (size_t n = 0; n < list->count; n++)
        if (strcmp(list->names[n], name) == 0)
            return;
    memcpy(list->names[list->count++], name, sizeof name);
}

static void list_names(name_list *list)
{
    char path[FOLDER_PATH];
    for (const struct embedded_file *f = embedded_worlds; f->name; f++)
        add_name(list, f->name);
    installed_folder(path);
    system_folder_list(path, add_name, list);
    qsort(list->names, list->count, sizeof list->names[0], compare_names);
}

const char *const *world_names(void)
{
    static name_list list;
    static const char *names[WORLD_NAMES_MAX + 1];
    if (list.count == 0) {
        list_names(&list);
        for (size_t n = 0; n < list.count; n++)
            names[n] = list.names[n];
    }
    return names;
}

/* ---- a world by name ---- */

static result unknown_world(const char *label, const char *name)
{
    const char *const *names = world_names();
    const option world = {.kind = OPTION_WORLD, .choices = names};
    char allowed[400], quoted[RESULT_QUOTE], meant[WORLD_NAME + 32] = "";
    suggestion search = suggest_for(name);
    for (int n = 0; names[n]; n++)
        suggest_try(&search, names[n]);
    if (search.nearest)
        snprintf(meant, sizeof meant, "; did you mean %s?", search.nearest);
    option_describe_allowed(&world, allowed, sizeof allowed);
    return result_of(RESULT_USAGE, "%s is %s, expected %s%s", label, result_quote(name, quoted), allowed, meant);
}

result world_file_read(const char *label, const char *name, ter_params *params, guide_request *guide, look *look)
{
    char folder[FOLDER_PATH], path[FOLDER_PATH + 64];
    system_facts facts;
    if (system_facts_of_target(name, &facts) && facts.kind != SYSTEM_FOLDER && system_can_read(name))
        return read_file(label, name, params, guide, look);
    const struct embedded_file *embedded = find_embedded(name);
    if (embedded)
        return read_embedded(label, embedded, params, guide, look);
    installed_folder(folder);
    const int length = snprintf(path, sizeof path, "%s/%s.ini", folder, name);
    if (path_base(name) == name && strlen(name) < WORLD_NAME && length < (int)sizeof path && system_can_read(path))
        return read_file(label, path, params, guide, look);
    return unknown_world(label, name);
}

result world_file_open(const char *label, const char *name, ter_params *params, look *look)
{
    guide_request guide;
    guide_request_default(&guide);
    const result res = world_file_read(label, name, params, &guide, look);
    return res.kind == RESULT_DONE ? guide_open(&guide, label, &params->guide) : res;
}
