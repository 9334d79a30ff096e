/* setup.c - world and backend options, and world files. */
#include "cli/setup.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef TER_HAVE_INI
#include <ini.h>
#endif

static const char *const basis_names[] = {"midpoint", "smooth", NULL};
static const char *const backend_names[] = {"auto", "cpu", "cuda", NULL};
static const char *const generator_names[] = {"tiled", "recursive", "single-pass", NULL};

/** Options of the world's parameters; in world files the same names, with '_' for '-'. */
static size_t make_world_options(setup *s)
{
    ter_params *p = &s->params;
    const option options[WORLD_OPTIONS_MAX] = {
        {"seed", "N", "key of the random field", OPTION_UNSIGNED, &p->seed, {0}, NULL, NULL},
        {"levels", "N", "subdivision levels", OPTION_INTEGER, &p->levels, {1, TER_LEVELS_MAX, 0, 0}, NULL, NULL},
        {"amplitude", "M", "displacement at level 0, metres", OPTION_REAL, &p->amplitude, {0, INFINITY, 1, 0}, NULL, NULL},
        {"gain", "G", "amplitude ratio from level to level", OPTION_REAL, &p->gain, {0, 1, 1, 1}, NULL, NULL},
        {"broad", "N", "leading levels that use --broad-gain", OPTION_INTEGER, &p->broad, {0, TER_LEVELS_MAX, 0, 0}, NULL, NULL},
        {"broad-gain", "G", "amplitude ratio over the broad levels", OPTION_REAL, &p->broad_gain, {0, 1, 1, 0}, NULL, NULL},
        {"base", "M", "mean altitude, metres", OPTION_REAL, &p->base, {-INFINITY, INFINITY, 1, 1}, NULL, NULL},
        {"basis", "NAME", "prediction of new points", OPTION_CHOICE, &p->basis, {0}, basis_names, NULL},
        {"valley", "V", "smoothing of low ground", OPTION_REAL, &p->valley, {0, 1, 0, 0}, NULL, NULL},
        {"sea", "M", "sea level, metres", OPTION_REAL, &p->sea, {-INFINITY, INFINITY, 1, 1}, NULL, NULL},
        {"spacing", "M", "metres a lattice step", OPTION_REAL, &p->spacing, {0, INFINITY, 1, 0}, NULL, NULL},
        {"world", "FILE", "world file, or the name of one that comes with Terrane", OPTION_TEXT, &s->world_file, {0}, NULL, NULL},
    };
    memcpy(s->world_options, options, sizeof options);
    return sizeof options / sizeof options[0];
}

/** Keys of a world file's section [look], written with '_' for '-'. */
static void make_look_options(setup *s)
{
    look *l = &s->look;
    const option options[LOOK_OPTIONS] = {
        {"palette", "NAME", "colours of the ground", OPTION_CHOICE, &s->palette, {0}, look_palette_names, NULL},
        {"tree-line", "M", "where forest ends, metres over the sea", OPTION_REAL, &l->tree_line_m, {-1e5, 1e5, 0, 0}, NULL, NULL},
        {"snow-line", "M", "where snow begins, metres over the sea", OPTION_REAL, &l->snow_line_m, {-1e5, 1e5, 0, 0}, NULL, NULL},
        {"aridity", "A", "0 wet, 1 no plants", OPTION_REAL, &l->aridity, {0, 1, 0, 0}, NULL, NULL},
        {"strata", "S", "how much layers show in rock", OPTION_REAL, &l->strata, {0, 1, 0, 0}, NULL, NULL},
        {"haze", "H", "1 is a clear day", OPTION_REAL, &l->haze, {0, 50, 0, 0}, NULL, NULL},
        {"clouds", "C", "cover of the sky", OPTION_REAL, &l->clouds, {0, 1, 0, 0}, NULL, NULL},
        {"cloud-base", "M", "metres over the sea", OPTION_REAL, &l->cloud_base_m, {100, 20000, 0, 0}, NULL, NULL},
        {"cloud-depth", "M", "metres", OPTION_REAL, &l->cloud_depth_m, {50, 10000, 0, 0}, NULL, NULL},
        {"air", "D", "density of the air, 0 is none", OPTION_REAL, &l->air, {0, 10, 0, 0}, NULL, NULL},
    };
    memcpy(s->look_options, options, sizeof options);
}

static size_t make_backend_options(setup *s)
{
    const option options[BACKEND_OPTIONS_MAX] = {
        {"backend", "NAME", "where heights are computed", OPTION_CHOICE, &s->backend, {0}, backend_names, NULL},
        {"generator", "NAME", "how heights are computed", OPTION_CHOICE, &s->generator, {0}, generator_names, NULL},
        {"threads", "N", "CPU threads, 0 for all", OPTION_INTEGER, &s->threads, {0, 4096, 0, 0}, NULL, NULL},
    };
    memcpy(s->backend_options, options, sizeof options);
    return sizeof options / sizeof options[0];
}

void setup_begin(setup *s, option_group *groups)
{
    _Static_assert(sizeof(ter_basis) == sizeof(int), "a choice is stored as an int");
    *s = (setup){.backend = TER_BACKEND_AUTO, .generator = TER_METHOD_TILED};
    ter_params_default(&s->params);
    look_default(&s->look);
    make_look_options(s);
    const option common[COMMON_OPTIONS_MAX] = {
        {"help", NULL, "this text", OPTION_FLAG, &s->is_help, {0}, NULL, NULL},
        {"version", NULL, "version", OPTION_FLAG, &s->is_version, {0}, NULL, NULL},
    };
    memcpy(s->common_options, common, sizeof common);
    groups[0] = (option_group){"World", s->world_options, make_world_options(s)};
    groups[1] = (option_group){"Backend", s->backend_options, make_backend_options(s)};
    groups[2] = (option_group){"Other", s->common_options, COMMON_OPTIONS_MAX};
}

/* ---- world files ---- */

#ifdef TER_HAVE_INI

typedef struct world_reader {
    setup *setup;
    const char *path;
    FILE *file;
    int line; /* last line read */
    outcome result;
} world_reader;

static char *read_line(char *text, int size, void *user)
{
    world_reader *reader = user;
    reader->line++;
    return fgets(text, size, reader->file);
}

/** Names of a group's keys as world files spell them: "seed, levels, ... or spacing". */
static void list_keys(const option_group *group, char *text, size_t size)
{
    size_t used = 0;
    for (size_t n = 0; n < group->count && used < size; n++)
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 n == 0                  ? ""
                                 : n + 1 == group->count ? " or "
                                                         : ", ",
                                 group->options[n].name);
    for (char *c = text; *c; c++)
        *c = *c == '-' ? '_' : *c;
}

static int read_key(void *user, const char *section, const char *key, const char *value)
{
    world_reader *reader = user;
    const int line = reader->line;
    char name[64], label[512], keys[256];
    if (reader->result.kind != OUTCOME_DONE)
        return 0;
    snprintf(name, sizeof name, "%s", key);
    for (char *c = name; *c; c++)
        *c = *c == '_' ? '-' : *c;
    snprintf(label, sizeof label, "%s:%d: %s", reader->path, line, key);
    const bool is_look = strcmp(section, "look") == 0;
    const option_group world = {"", reader->setup->world_options, WORLD_OPTIONS_MAX - 1}; /* not --world itself */
    const option_group look = {"", reader->setup->look_options, LOOK_OPTIONS};
    const option_group *group = is_look ? &look : &world;
    const option *o = option_find(group, 1, name);
    if (!is_look && strcmp(section, "world") != 0 && strcmp(section, "") != 0) {
        reader->result =
            outcome_of(OUTCOME_USAGE, "%s:%d: unknown section [%s], expected [world] or [look]", reader->path, line, section);
    } else if (!o || strchr(key, '-')) {
        list_keys(group, keys, sizeof keys);
        reader->result = outcome_of(OUTCOME_USAGE, "%s:%d: unknown key '%s', expected %s", reader->path, line, key, keys);
    } else {
        reader->result = option_set(o, label, value);
    }
    return reader->result.kind == OUTCOME_DONE;
}

static outcome read_world_file(setup *s, const char *path)
{
    world_reader reader = {.setup = s, .path = path, .file = fopen(path, "r"), .result = outcome_done()};
    if (!reader.file)
        return outcome_of(OUTCOME_USAGE, "--world: cannot read '%s': %s", path, strerror(errno));
    const int line = ini_parse_stream(read_line, &reader, read_key, &reader);
    fclose(reader.file);
    if (reader.result.kind != OUTCOME_DONE)
        return reader.result;
    if (line > 0)
        return outcome_of(OUTCOME_USAGE, "%s:%d: not a 'key = value' line", path, line);
    return outcome_done();
}

#else

static outcome read_world_file(setup *s, const char *path)
{
    (void)s;
    return outcome_of(OUTCOME_USAGE, "--world '%s': this build cannot read world files (inih was missing)", path);
}

#endif

/** Folder of the running program, with a trailing slash; empty when unknown. */
static void program_folder(char *folder, size_t size)
{
    const ssize_t n = readlink("/proc/self/exe", folder, size - 1);
    folder[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[1] = '\0';
}

/** Path of a world: as given, or NAME.ini among the worlds that come with Terrane. */
static outcome find_world(const char *name, char *path, size_t size)
{
    struct stat facts;
    if (stat(name, &facts) == 0 && !S_ISDIR(facts.st_mode) && access(name, R_OK) == 0) {
        snprintf(path, size, "%s", name);
        return outcome_done();
    }
    char program[1024];
    program_folder(program, sizeof program);
    const char *folders[] = {program, "", TER_SOURCE_DIR "/"};
    const char *inner[] = {"../share/terrane/worlds/", "assets/worlds/", "assets/worlds/"};
    for (size_t n = 0; n < sizeof folders / sizeof folders[0] && !strchr(name, '/'); n++) {
        snprintf(path, size, "%s%s%s.ini", folders[n], inner[n], name);
        if (access(path, R_OK) == 0)
            return outcome_done();
    }
    return outcome_of(OUTCOME_USAGE, "--world is '%s', expected a world file or the name of one that comes with Terrane", name);
}

outcome setup_read_world(setup *s, int argc, char **argv)
{
    const char *name = NULL;
    for (int n = 0; n < argc; n++) {
        if (strcmp(argv[n], "--world") == 0 && n + 1 < argc)
            name = argv[n + 1];
        else if (strncmp(argv[n], "--world=", 8) == 0)
            name = argv[n] + 8;
    }
    if (!name)
        return outcome_done();
    char path[2048];
    outcome o = find_world(name, path, sizeof path);
    if (o.kind == OUTCOME_DONE)
        o = read_world_file(s, path);
    look_set_palette(&s->look, (look_palette)s->palette);
    return o;
}

outcome setup_read_named_world(const char *name, ter_params *params, look *look)
{
    char *arguments[] = {"--world", (char *)name, NULL};
    setup s;
    option_group groups[SETUP_GROUPS];
    setup_begin(&s, groups);
    const outcome o = setup_read_world(&s, 2, arguments);
    *params = s.params;
    *look = s.look;
    return o;
}

/* ---- what the options make ---- */

outcome setup_world(const setup *s, ter_world **world)
{
    return outcome_of_library(ter_world_create(&s->params, world), "world");
}

outcome setup_generator(const setup *s, ter_generator **generator)
{
    const ter_generator_options options = {
        .backend = (ter_backend)s->backend, .method = (ter_method)s->generator, .threads = s->threads, .simd = (ter_simd)s->simd};
    const ter_status status = ter_generator_create(&options, generator);
    if (status != TER_OK)
        return outcome_of_library(status, "--backend");
    if (s->backend == TER_BACKEND_AUTO)
        fprintf(stderr, "terrane: backend %s (%s)\n", ter_backend_name(ter_generator_backend(*generator)),
                ter_generator_reason(*generator));
    return outcome_done();
}

outcome setup_missing_gpus(int wanted, int usable, const char *why)
{
    return outcome_of(OUTCOME_MISSING, "--gpus is %d, but %d CUDA devices can be used%s", wanted, usable, why);
}

outcome setup_generators(const setup *s, int gpus, ter_generator **generators, int max, int *count)
{
    char reason[256];
    *count = 0;
    outcome o = setup_generator(s, &generators[0]);
    if (o.kind != OUTCOME_DONE)
        return o;
    *count = 1;
    const bool is_cuda = ter_generator_backend(generators[0]) == TER_BACKEND_CUDA;
    const int n_devices = is_cuda ? ter_device_count(reason, sizeof reason) : 0;
    if (gpus > (is_cuda ? n_devices : 0))
        return setup_missing_gpus(gpus, n_devices, is_cuda ? "" : " with backend cpu");
    const int wanted = gpus > 0 ? gpus : n_devices;
    for (int n = 1; n < wanted && n < max && o.kind == OUTCOME_DONE; n++) {
        const ter_generator_options options = {
            .backend = TER_BACKEND_CUDA, .method = (ter_method)s->generator, .threads = s->threads, .device = n};
        o = outcome_of_library(ter_generator_create(&options, &generators[n]), "--gpus");
        *count += o.kind == OUTCOME_DONE;
    }
    return o;
}

void setup_destroy(ter_generator **generators, int count)
{
    for (int n = 0; n < count; n++)
        ter_generator_destroy(generators[n]);
}
