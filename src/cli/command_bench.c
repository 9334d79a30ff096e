/* command_bench.c - terrane bench: which rows to measure, the table, the JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef TER_HAVE_JSON
#include "json_file.h"
#endif

#include "bench/bench.h"
#include "cli/commands.h"
#include "cli/machine.h"
#include "cli/run_options.h"

enum { LIST_MAX = 16, ROWS_MAX = LIST_MAX * 8 };

typedef struct bench_options {
    const char *sizes, *generators, *backends, *worlds, *json;
    int samples;
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

/* ---- table ---- */

static double gsamples_per_s(const bench_row *r)
{
    return (double)r->size * (double)r->size / r->median_ms * 1e-6;
}

static double recursive_ms(const bench_row *rows, size_t count, const bench_row *like)
{
    for (size_t n = 0; n < count; n++)
        if (rows[n].backend == like->backend && rows[n].method == TER_METHOD_RECURSIVE && rows[n].world == like->world &&
            rows[n].size == like->size && rows[n].is_identical)
            return rows[n].median_ms;
    return 0.0;
}

static void print_header(void)
{
    printf("%-7s %-12s %-10s %7s %11s %11s %6s %11s %9s %7s %11s %s\n", "backend", "generator", "world", "size", "median ms",
           "min ms", "noise", "Gsamples/s", "GB/s", "of fill", "x recursive", "bits");
}

static void print_row(const bench_row *rows, size_t count, const bench_row *r)
{
    printf("%-7s %-12s %-10s %7lld ", ter_backend_name(r->backend), ter_method_name(r->method), r->world_name, (long long)r->size);
    if (!r->is_identical) {
        printf("%11s %11s %6s %11s %9s %7s %11s DIFFER\n", "-", "-", "-", "-", "-", "-", "-");
        return;
    }
    const double recursive = recursive_ms(rows, count, r), rate = gsamples_per_s(r);
    char ratio[16] = "-";
    if (recursive > 0.0)
        snprintf(ratio, sizeof ratio, "%.2f", recursive / r->median_ms);
    printf("%11.4f %11.4f %5.1f%% %11.4f %9.3f %6.1f%% %11s identical\n", r->median_ms, r->min_ms, r->noise * 100.0, rate,
           rate * 4.0, r->fill_ms / r->median_ms * 100.0, ratio);
}

static void print_fill(const bench_row *r)
{
    const double rate = (double)r->size * (double)r->size / r->fill_ms * 1e-6;
    printf("%-7s %-12s %-10s %7lld %11.4f %11s %6s %11.4f %9.3f %6.1f%%\n", ter_backend_name(r->backend), "(fill)", "",
           (long long)r->size, r->fill_ms, "", "", rate, rate * 4.0, 100.0);
}

static void show_step(const char *text)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K%s", text);
}

/* ---- JSON ---- */

#ifdef TER_HAVE_JSON

static outcome write_json(const char *path, const bench_row *rows, size_t count)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddItemToObject(root, "machine", machine_json());
    cJSON *results = cJSON_AddArrayToObject(root, "results");
    for (size_t n = 0; n < count; n++) {
        const bench_row *r = &rows[n];
        cJSON *row = cJSON_CreateObject();
        cJSON_AddItemToArray(results, row);
        cJSON_AddStringToObject(row, "backend", ter_backend_name(r->backend));
        cJSON_AddStringToObject(row, "generator", ter_method_name(r->method));
        cJSON_AddStringToObject(row, "world", r->world_name);
        cJSON_AddNumberToObject(row, "size", (double)r->size);
        cJSON_AddBoolToObject(row, "identical", r->is_identical);
        if (!r->is_identical)
            continue;
        cJSON_AddNumberToObject(row, "median_ms", r->median_ms);
        cJSON_AddNumberToObject(row, "min_ms", r->min_ms);
        cJSON_AddNumberToObject(row, "noise", r->noise);
        cJSON_AddNumberToObject(row, "gsamples_per_s", gsamples_per_s(r));
        cJSON_AddNumberToObject(row, "gb_per_s", gsamples_per_s(r) * 4.0);
        cJSON_AddNumberToObject(row, "fill_ms", r->fill_ms);
        cJSON_AddNumberToObject(row, "fill_fraction", r->fill_ms / r->median_ms);
    }
    return json_write(root, path);
}

#else

static outcome write_json(const char *path, const bench_row *rows, size_t count)
{
    (void)rows, (void)count;
    return outcome_of(OUTCOME_USAGE, "--json '%s': this build cannot write JSON (cJSON was missing)", path);
}

#endif

/* ---- the race ---- */

typedef struct race {
    bench_row rows[ROWS_MAX];
    size_t count;
    ter_world *worlds[ROWS_MAX];
    size_t n_worlds;
} race;

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

/** The rows of one backend and size: every generator on every world. */
static outcome add_rows(race *race, ter_backend backend, int64_t size, const bench_world *worlds, int n_worlds,
                        const ter_method *methods, int n_methods)
{
    for (int w = 0; w < n_worlds; w++) {
        ter_params params = worlds[w].params;
        if (race->count + (size_t)n_methods > ROWS_MAX)
            return outcome_of(OUTCOME_USAGE, "more than %d rows to measure; name fewer sizes or worlds", ROWS_MAX);
        if (worlds[w].is_classic)
            params.levels = classic_levels(size);
        const outcome o = outcome_of_library(ter_world_create(&params, &race->worlds[race->n_worlds]), "world");
        if (o.kind != OUTCOME_DONE)
            return o;
        const ter_world *world = race->worlds[race->n_worlds++];
        for (int m = 0; m < n_methods; m++) {
            race->rows[race->count++] = (bench_row){.backend = backend,
                                                    .method = methods[m],
                                                    .world_name = worlds[w].name,
                                                    .world = world,
                                                    .size = size,
                                                    .level = params.levels};
        }
    }
    return outcome_done();
}

static outcome run_race(const bench_options *b, const setup *s, race *race)
{
    int64_t sizes[LIST_MAX];
    ter_method methods[LIST_MAX];
    ter_backend backends[LIST_MAX];
    bench_world worlds[LIST_MAX];
    list world_names;
    int n_sizes, n_methods, n_backends = 0, n_worlds = 0;
    outcome o = parse_sizes(b->sizes, sizes, &n_sizes);
    if (o.kind == OUTCOME_DONE)
        o = parse_methods(b->generators, methods, &n_methods);
    if (o.kind == OUTCOME_DONE)
        o = cut_list("worlds", b->worlds, &world_names);
    for (int n = 0; o.kind == OUTCOME_DONE && n < world_names.count; n++)
        o = find_bench_world(world_names.words[n], s, &worlds[n_worlds++]);
    if (o.kind == OUTCOME_DONE)
        o = parse_backends(b->backends, backends, &n_backends);
    if (o.kind == OUTCOME_DONE) {
        machine_print();
        print_header();
    }
    for (int k = 0; o.kind == OUTCOME_DONE && k < n_backends; k++)
        for (int n = 0; o.kind == OUTCOME_DONE && n < n_sizes; n++) {
            const size_t first = race->count;
            o = add_rows(race, backends[k], sizes[n], worlds, n_worlds, methods, n_methods);
            if (o.kind == OUTCOME_DONE)
                o = bench_measure(race->rows + first, race->count - first, b->samples, s->threads, show_step);
            show_step("");
            for (size_t r = first; o.kind == OUTCOME_DONE && r < race->count; r++)
                print_row(race->rows + first, race->count - first, &race->rows[r]);
            if (o.kind == OUTCOME_DONE)
                print_fill(&race->rows[first]);
            fflush(stdout);
            if (command_is_interrupted())
                o = outcome_of(OUTCOME_INTERRUPTED, "interrupted");
        }
    if (o.kind == OUTCOME_DONE && b->json)
        o = write_json(b->json, race->rows, race->count);
    for (size_t n = 0; o.kind == OUTCOME_DONE && n < race->count; n++)
        if (!race->rows[n].is_identical)
            o = outcome_of(OUTCOME_FAILED, "%s %s differs from the reference in world %s at size %lld",
                           ter_backend_name(race->rows[n].backend), ter_method_name(race->rows[n].method), race->rows[n].world_name,
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
    bench_options b = {.sizes = "1024", .generators = "recursive,single-pass,tiled", .worlds = "classic,default", .samples = 15};
    const option options[] = {
        {"size", "N[,N...]", "arrays of N x N samples", OPTION_TEXT, &b.sizes, {0}, NULL, NULL},
        {"generators", "LIST", "generators to race", OPTION_TEXT, &b.generators, {0}, NULL, NULL},
        {"backends", "LIST", "backends to race; without it, all that can run", OPTION_TEXT, &b.backends, {0}, NULL, NULL},
        {"worlds", "LIST", "classic, default, or world files", OPTION_TEXT, &b.worlds, {0}, NULL, NULL},
        {"samples", "N", "timed rounds", OPTION_INTEGER, &b.samples, {1, 1000, 0, 0}, NULL, NULL},
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
