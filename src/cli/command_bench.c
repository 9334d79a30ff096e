/* command_bench.c - terrane bench: which rows to measure, the table, the JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef TER_HAVE_JSON
#include "file/json_file.h"
#endif

#include "bench/bench.h"
#include "bench/plot.h"
#include "bench/report.h"
#include "bench/target.h"
#include "cli/commands.h"
#include "cli/machine.h"
#include "cli/run_options.h"
#include "export/strips.h"

enum { LIST_MAX = 16, ROWS_MAX = LIST_MAX * 32 };

typedef struct bench_options {
    const char *sizes, *generators, *backends, *worlds, *json, *plot;
    int samples;
    int simd; /* ter_simd */
    int gpus;
    bool is_batch, is_u16, is_pipeline;
} bench_options;

/** A comma-separated list, cut into words in `text`. */
typedef struct list {
    char text[512];
    const char *words[LIST_MAX];
    int count;
} list;

static outcome cut_list(const char *name, const char *text, list *out)
{
    *out = (list){0};
    snprintf(out->text, sizeof out->text, "%s", text);
    for (char *word = strtok(out->text, ","); word; word = strtok(NULL, ",")) {
        if (out->count == LIST_MAX)
            return outcome_of(OUTCOME_USAGE, "--%s has more than %d entries", name, LIST_MAX);
        out->words[out->count++] = word;
    }
    if (out->count == 0)
        return outcome_of(OUTCOME_USAGE, "--%s is empty", name);
    return outcome_done();
}

/* ---- worlds ---- */

typedef struct bench_world {
    const char *name;
    ter_params params;
    bool is_classic; /* as many levels as the size has */
} bench_world;

static outcome find_bench_world(const char *name, const setup *given, bench_world *out)
{
    *out = (bench_world){.name = name, .params = given->params};
    if (strcmp(name, "classic") == 0) {
        ter_params_default(&out->params);
        out->params.basis = TER_BASIS_MIDPOINT;
        out->params.valley = 0.0;
        out->params.broad = 0;
        out->params.gain = 0.5;
        out->params.seed = given->params.seed;
        out->is_classic = true;
        return outcome_done();
    }
    if (strcmp(name, "default") == 0)
        return outcome_done();
    setup s;
    option_group groups[SETUP_GROUPS];
    char words[2][512];
    snprintf(words[0], sizeof words[0], "--world");
    snprintf(words[1], sizeof words[1], "%s", name);
    char *argv[] = {words[0], words[1]};
    setup_begin(&s, groups);
    const outcome o = setup_read_world(&s, 2, argv);
    out->params = s.params;
    return o;
}

static int classic_levels(int64_t size)
{
    int levels = 1;
    while (levels < TER_LEVELS_MAX && (INT64_C(1) << levels) < size)
        levels++;
    return levels;
}

static void show_step(const char *text)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K%s", text);
}

/* ---- the race ---- */

typedef struct race {
    bench_row rows[ROWS_MAX];
    size_t count;
    ter_world *worlds[ROWS_MAX];
    size_t n_worlds;
    struct {
        bench_pipeline result;
        const char *world_name;
    } pipelines[LIST_MAX * LIST_MAX];
    size_t n_pipelines;
} race;

static outcome write_json(const char *path, ter_simd simd, const race *race)
{
#ifdef TER_HAVE_JSON
    cJSON *root = json_create();
    cJSON_AddItemToObject(root, "machine", machine_json(simd));
    cJSON_AddItemToObject(root, "results", report_json(race->rows, race->count));
    cJSON *pipelines = race->n_pipelines > 0 ? cJSON_AddArrayToObject(root, "pipelines") : NULL;
    for (size_t n = 0; n < race->n_pipelines; n++)
        cJSON_AddItemToArray(pipelines, report_pipeline_json(&race->pipelines[n].result, race->pipelines[n].world_name));
    return json_write(root, path);
#else
    (void)race, (void)simd;
    return outcome_of(OUTCOME_USAGE, "--json '%s': this build cannot write JSON (cJSON was missing)", path);
#endif
}

static outcome parse_sizes(const char *text, int64_t sizes[LIST_MAX], int *count)
{
    list words;
    const outcome o = cut_list("size", text, &words);
    *count = 0;
    for (int n = 0; o.kind == OUTCOME_DONE && n < words.count; n++) {
        char *end;
        const long long size = strtoll(words.words[n], &end, 10);
        if (*end || size < 16 || size > 65536)
            return outcome_of(OUTCOME_USAGE, "--size is '%s', expected a list of integers from 16 to 65536", words.words[n]);
        sizes[(*count)++] = size;
    }
    return o;
}

static outcome parse_methods(const char *text, ter_method methods[LIST_MAX], int *count)
{
    list words;
    const outcome o = cut_list("generators", text, &words);
    *count = 0;
    for (int n = 0; o.kind == OUTCOME_DONE && n < words.count; n++) {
        int method = 0;
        while (method < TER_METHOD_COUNT && strcmp(ter_method_name((ter_method)method), words.words[n]) != 0)
            method++;
        if (method == TER_METHOD_COUNT)
            return outcome_of(OUTCOME_USAGE, "--generators is '%s', expected a list of tiled, recursive and single-pass",
                              words.words[n]);
        methods[(*count)++] = (ter_method)method;
    }
    return o;
}

static outcome parse_backends(const char *text, ter_backend backends[LIST_MAX], int *count)
{
    char reason[256];
    const int n_devices = ter_device_count(reason, sizeof reason);
    *count = 0;
    if (!text) { /* all that can run */
        backends[(*count)++] = TER_BACKEND_CPU;
        if (n_devices > 0)
            backends[(*count)++] = TER_BACKEND_CUDA;
        return outcome_done();
    }
    list words;
    const outcome o = cut_list("backends", text, &words);
    for (int n = 0; o.kind == OUTCOME_DONE && n < words.count; n++) {
        const bool is_cuda = strcmp(words.words[n], "cuda") == 0;
        if (!is_cuda && strcmp(words.words[n], "cpu") != 0)
            return outcome_of(OUTCOME_USAGE, "--backends is '%s', expected a list of cpu and cuda", words.words[n]);
        if (is_cuda && n_devices == 0)
            return outcome_of(OUTCOME_MISSING, "backend cuda cannot run: %s", reason);
        backends[(*count)++] = is_cuda ? TER_BACKEND_CUDA : TER_BACKEND_CPU;
    }
    return o;
}

/** A world of the race; one of the talk's kind has as many levels as an array of this size. */
static outcome add_world(race *race, const bench_world *w, int64_t size, const ter_world **out)
{
    ter_params params = w->params;
    if (race->n_worlds == ROWS_MAX)
        return outcome_of(OUTCOME_USAGE, "more than %d worlds to measure; name fewer sizes or worlds", ROWS_MAX);
    if (w->is_classic && size > 0)
        params.levels = classic_levels(size);
    const outcome o = outcome_of_library(ter_world_create(&params, &race->worlds[race->n_worlds]), "world");
    if (o.kind == OUTCOME_DONE)
        *out = race->worlds[race->n_worlds++];
    return o;
}

static outcome add_row(race *race, const bench_row *row)
{
    if (race->count == ROWS_MAX)
        return outcome_of(OUTCOME_USAGE, "more than %d rows to measure; name fewer sizes or worlds", ROWS_MAX);
    race->rows[race->count++] = *row;
    return outcome_done();
}

/** The rows of one backend and work, every generator on every world; size 0 is the batch. is_u16: those of 16-bit samples alone. */
static outcome add_rows(race *race, ter_backend backend, int64_t size, bool is_u16, const bench_world *worlds, int n_worlds,
                        const ter_method *methods, int n_methods)
{
    const bench_target *target = bench_target_find(backend, 1);
    outcome o = outcome_done();
    for (int w = 0; w < n_worlds && o.kind == OUTCOME_DONE; w++) {
        bench_row row = {.backend = backend, .world_name = worlds[w].name, .size = size};
        o = add_world(race, &worlds[w], size, &row.world);
        if (o.kind != OUTCOME_DONE)
            break;
        const ter_params *params = ter_world_params(row.world);
        row.work = size > 0 ? bench_work_array(params->levels, size) : bench_work_batch(params->levels);
        row.work.is_u16 = is_u16;
        row.work.range[0] = params->base - 2.0 * params->amplitude;
        row.work.range[1] = params->base + 2.0 * params->amplitude;
        for (int m = 0; m < n_methods && o.kind == OUTCOME_DONE; m++) {
            row.method = methods[m];
            row.is_replayed = false;
            if (!is_u16 || methods[m] == TER_METHOD_TILED)
                o = add_row(race, &row);
            row.is_replayed = true;
            if (o.kind == OUTCOME_DONE && !is_u16 && methods[m] == TER_METHOD_RECURSIVE && size > 0 && target && target->can_replay)
                o = add_row(race, &row);
            row.is_replayed = false;
            row.is_by_sample = true;
            if (o.kind == OUTCOME_DONE && !is_u16 && methods[m] == TER_METHOD_SINGLE_PASS && backend == TER_BACKEND_CUDA)
                o = add_row(race, &row);
            row.is_by_sample = false;
        }
    }
    return o;
}

/** The rows of arrays that all devices share: those of `tiled` in the rows from `first` on. */
static outcome add_shared_rows(race *race, size_t first, int n_devices)
{
    outcome o = outcome_done();
    const size_t end = race->count;
    for (size_t n = first; n < end && o.kind == OUTCOME_DONE; n++) {
        bench_row row = race->rows[n];
        row.n_devices = n_devices;
        if (row.backend == TER_BACKEND_CUDA && row.method == TER_METHOD_TILED && row.size >= n_devices && !row.work.is_u16)
            o = add_row(race, &row);
    }
    return o;
}

/** Devices that arrays may share. */
static outcome find_devices(int wanted, const ter_backend *backends, int n_backends, int *count)
{
    char reason[256];
    bool is_used = false;
    for (int n = 0; n < n_backends; n++)
        is_used = is_used || backends[n] == TER_BACKEND_CUDA;
    if (!is_used)
        return outcome_done();
    const int n = ter_device_count(reason, sizeof reason), there = n < STRIPS_GENERATORS_MAX ? n : STRIPS_GENERATORS_MAX;
    if (wanted > n)
        return setup_missing_gpus(wanted, n, "");
    *count = wanted > 0 ? wanted : there;
    return outcome_done();
}

static bool is_stopped(void)
{
    return command_is_interrupted() != 0;
}

/** The way to the host of every world, by `tiled`. */
static outcome run_pipelines(const bench_options *b, const setup *given, race *race, ter_backend backend, int64_t size,
                             const bench_world *worlds, int n_worlds)
{
    ter_generator *generators[STRIPS_GENERATORS_MAX];
    int n_generators = 0;
    setup s = *given;
    s.backend = (int)backend;
    s.generator = TER_METHOD_TILED;
    s.simd = b->simd;
    outcome o = setup_generators(&s, backend == TER_BACKEND_CUDA ? b->gpus : 0, generators, STRIPS_GENERATORS_MAX, &n_generators);
    for (int w = 0; w < n_worlds && o.kind == OUTCOME_DONE; w++) {
        const ter_world *world = NULL;
        o = add_world(race, &worlds[w], size, &world);
        if (o.kind != OUTCOME_DONE)
            break;
        bench_pipeline p = {.backend = backend, .n_devices = n_generators, .size = size};
        show_step("pipeline");
        o = bench_pipeline_measure(world, generators, b->samples, &p);
        show_step("");
        if (o.kind != OUTCOME_DONE)
            break;
        report_pipeline(stdout, &p, worlds[w].name);
        race->pipelines[race->n_pipelines].result = p;
        race->pipelines[race->n_pipelines++].world_name = worlds[w].name;
    }
    setup_destroy(generators, n_generators);
    return o;
}

static int64_t largest(const int64_t *sizes, int count)
{
    int64_t most = 0;
    for (int n = 0; n < count; n++)
        most = sizes[n] > most ? sizes[n] : most;
    return most;
}

/** Measure and print rows `first` to end - 1. */
static outcome measure(const bench_options *b, const setup *s, race *race, size_t first, size_t end)
{
    if (first == end)
        return outcome_done();
    const outcome o =
        bench_measure(race->rows + first, end - first, b->samples, s->threads, (ter_simd)b->simd, show_step, is_stopped);
    show_step("");
    if (o.kind == OUTCOME_DONE)
        report_rows(stdout, race->rows + first, end - first);
    fflush(stdout);
    return o;
}

static outcome run_race(const bench_options *b, const setup *s, race *race)
{
    int64_t sizes[LIST_MAX + 1]; /* and the batch */
    ter_method methods[LIST_MAX];
    ter_backend backends[LIST_MAX];
    bench_world worlds[LIST_MAX];
    list world_names;
    int n_sizes, n_methods, n_backends = 0, n_worlds = 0, n_devices = 0;
    outcome o = parse_sizes(b->sizes, sizes, &n_sizes);
    if (b->is_batch)
        sizes[n_sizes++] = 0;
    if (o.kind == OUTCOME_DONE)
        o = parse_methods(b->generators, methods, &n_methods);
    if (o.kind == OUTCOME_DONE)
        o = cut_list("worlds", b->worlds, &world_names);
    for (int n = 0; o.kind == OUTCOME_DONE && n < world_names.count; n++)
        o = find_bench_world(world_names.words[n], s, &worlds[n_worlds++]);
    if (o.kind == OUTCOME_DONE)
        o = parse_backends(b->backends, backends, &n_backends);
    if (o.kind == OUTCOME_DONE)
        o = find_devices(b->gpus, backends, n_backends, &n_devices);
    if (o.kind == OUTCOME_DONE) {
        machine_print((ter_simd)b->simd);
        report_header(stdout);
    }
    for (int k = 0; o.kind == OUTCOME_DONE && k < n_backends; k++)
        for (int n = 0; o.kind == OUTCOME_DONE && n < n_sizes * (b->is_u16 ? 2 : 1); n++) {
            const size_t first = race->count;
            const bench_target *target = bench_target_find(backends[k], 1);
            const bool is_u16 = n >= n_sizes;
            if (is_u16 && !(target && target->can_quantise))
                break;
            o = add_rows(race, backends[k], sizes[n % n_sizes], is_u16, worlds, n_worlds, methods, n_methods);
            const size_t end = race->count;
            if (o.kind == OUTCOME_DONE)
                o = measure(b, s, race, first, end);
            if (o.kind == OUTCOME_DONE && n_devices > 1)
                o = add_shared_rows(race, first, n_devices);
            if (o.kind == OUTCOME_DONE)
                o = measure(b, s, race, end, race->count);
        }
    for (int k = 0; o.kind == OUTCOME_DONE && b->is_pipeline && k < n_backends; k++)
        o = run_pipelines(b, s, race, backends[k], largest(sizes, n_sizes), worlds, n_worlds);
    if (o.kind == OUTCOME_DONE && b->json)
        o = write_json(b->json, (ter_simd)b->simd, race);
    if (o.kind == OUTCOME_DONE && b->plot)
        o = bench_plot(b->plot, race->rows, race->count);
    for (size_t n = 0; o.kind == OUTCOME_DONE && n < race->count; n++)
        if (!race->rows[n].is_identical)
            o = outcome_of(OUTCOME_FAILED, "%s %s differs from the reference in world %s at size %lld",
                           ter_backend_name(race->rows[n].backend), bench_row_generator(&race->rows[n]), race->rows[n].world_name,
                           (long long)race->rows[n].size);
    return o;
}

static outcome bench(void *user, const setup *s, int n_words, const char *const *words)
{
    static race race;
    (void)n_words, (void)words;
    const outcome o = run_race(user, s, &race);
    for (size_t n = 0; n < race.n_worlds; n++)
        ter_world_destroy(race.worlds[n]);
    return o;
}

outcome command_bench(int argc, char **argv)
{
    const char *simd_names[TER_SIMD_COUNT + 1] = {NULL};
    for (int n = 0; n < TER_SIMD_COUNT; n++)
        simd_names[n] = ter_simd_name((ter_simd)n);
    bench_options b = {.sizes = "1024", .generators = "recursive,single-pass,tiled", .worlds = "classic,default", .samples = 15};
    const option options[] = {
        {"size", "N[,N...]", "arrays of N x N samples", OPTION_TEXT, &b.sizes, {0}, NULL, NULL},
        {"generators", "LIST", "generators to race", OPTION_TEXT, &b.generators, {0}, NULL, NULL},
        {"backends", "LIST", "backends to race; without it, all that can run", OPTION_TEXT, &b.backends, {0}, NULL, NULL},
        {"worlds", "LIST", "classic, default, or world files", OPTION_TEXT, &b.worlds, {0}, NULL, NULL},
        {"samples", "N", "timed rounds", OPTION_INTEGER, &b.samples, {1, 1000, 0, 0}, NULL, NULL},
        {"simd", "NAME", "the CPU's instruction set level", OPTION_CHOICE, &b.simd, {0}, simd_names, NULL},
        {"batch",
         NULL,
         "also the viewer's work: 256 tiles of 67 x 67 from eight levels at once",
         OPTION_FLAG,
         &b.is_batch,
         {0},
         NULL,
         NULL},
        {"u16",
         NULL,
         "also tiled with 16-bit samples, quantised where they are made (CUDA)",
         OPTION_FLAG,
         &b.is_u16,
         {0},
         NULL,
         NULL},
        {"pipeline",
         NULL,
         "also the way to the host: generation, copies and writing at the same time, largest size",
         OPTION_FLAG,
         &b.is_pipeline,
         {0},
         NULL,
         NULL},
        {"gpus",
         "N",
         "CUDA devices that share arrays, and of the pipeline; without it, all",
         OPTION_INTEGER,
         &b.gpus,
         {1, STRIPS_GENERATORS_MAX, 0, 0},
         NULL,
         NULL},
        {"plot", "FILE.svg", "draw the results: size against samples a second", OPTION_TEXT, &b.plot, {0}, NULL, NULL},
        {"json", "FILE", "write the results as JSON", OPTION_TEXT, &b.json, {0}, NULL, NULL},
    };
    const usage usage = {"bench",
                         "[OPTIONS]",
                         "Verifies every generator bit by bit against the reference, then times them in turns and prints medians.\n"
                         "World classic: midpoint, valley 0, gain 0.5, levels = log2 of the size. World default: the default "
                         "world, or that of the world options.",
                         {"Bench", options, sizeof options / sizeof options[0]}};
    return run_command(&usage, argc, argv, bench, &b);
}
