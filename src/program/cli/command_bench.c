/* command_bench.c - terrane bench: turns options into a race, runs it, and writes the files of results. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/bench/pipeline.h"
#include "program/bench/plot.h"
#include "program/bench/race.h"
#include "program/bench/report.h"
#include "program/cli/command.h"
#include "program/cli/interrupt.h"
#include "program/cli/machine.h"
#include "program/cli/notes.h"
#include "program/cli/run_options.h"
#include "program/cli/world_file.h"
#include "program/core/system.h"
#include "program/export/write/strips.h"
#include "program/file/output_file.h"

#ifdef TER_HAVE_JSON
#include "program/file/json_file.h"
#endif

typedef struct bench_options {
    const char *sizes, *generators, *backends, *worlds, *json, *plot;
    int samples;
    int simd; /* ter_simd */
    int gpus;
    int lods[2]; /* finest and coarsest level of detail of the arrays */
    bool has_lods;
    bool is_batch, is_u16, is_pipeline;
} bench_options;

/* ---- lists ---- */

/** The words of a comma-separated list. `words` points into `text`. */
typedef struct list {
    char text[512];
    const char *words[RACE_LIST_MAX];
    int count;
} list;

static result cut_list(const char *name, const char *text, list *out)
{
    *out = (list){0};
    if (snprintf(out->text, sizeof out->text, "%s", text) >= (int)sizeof out->text)
        return result_of(RESULT_USAGE, "--%s has %zu characters, expected at most %zu", name, strlen(text),
                         sizeof out->text - 1);
    char *rest = NULL;
    for (char *word = strtok_r(out->text, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        if (out->count == RACE_LIST_MAX)
            return result_of(RESULT_USAGE, "--%s has more than %d entries", name, RACE_LIST_MAX);
        out->words[out->count++] = word;
    }
    if (out->count == 0)
        return result_of(RESULT_USAGE, "--%s is empty", name);
    return result_done();
}

static result read_sizes(const bench_options *b, race_request *q)
{
    list words;
    const result res = cut_list("size", b->sizes, &words);
    for (int n = 0; res.kind == RESULT_DONE && n < words.count; n++) {
        char *end, quoted[RESULT_QUOTE];
        const long long size = strtoll(words.words[n], &end, 10);
        if (*end || size < 16 || size > 65536)
            return result_of(RESULT_USAGE, "--size is %s, expected a list of integers from 16 to 65536",
                             result_quote(words.words[n], quoted));
        q->sizes[q->n_sizes++] = size;
    }
    if (b->is_batch)
        q->sizes[q->n_sizes++] = 0;
    return res;
}

static result read_methods(const bench_options *b, race_request *q)
{
    list words;
    const result res = cut_list("generators", b->generators, &words);
    for (int n = 0; res.kind == RESULT_DONE && n < words.count; n++) {
        int method = 0; /* the option allows only names of methods */
        while (strcmp(ter_method_name((ter_method)method), words.words[n]) != 0)
            method++;
        q->methods[q->n_methods++] = (ter_method)method;
    }
    return res;
}

static result read_backends(const bench_options *b, race_request *q)
{
    char reason[256];
    const int n_devices = ter_device_count(reason, sizeof reason);
    if (!b->backends) { /* all backends that can run */
        q->backends[q->n_backends++] = TER_BACKEND_CPU;
        if (n_devices > 0)
            q->backends[q->n_backends++] = TER_BACKEND_CUDA;
        return result_done();
    }
    list words;
    const result res = cut_list("backends", b->backends, &words);
    for (int n = 0; res.kind == RESULT_DONE && n < words.count; n++) {
        const bool is_cuda = strcmp(words.words[n], "cuda") == 0;
        if (is_cuda && n_devices == 0)
            return result_of(RESULT_MISSING, "backend cuda cannot run: %s", reason);
        q->backends[q->n_backends++] = is_cuda ? TER_BACKEND_CUDA : TER_BACKEND_CPU;
    }
    return res;
}

/** Whether options change more of the default world than its seed. The worlds classic and smooth use the seed too. */
static bool is_world_given(const setup *s)
{
    for (int n = 0; n < WORLD_PARAMETERS; n++)
        if (s->is_world_option_given[n] && s->world_options[n].target != &s->params.seed)
            return true;
    return s->world_file != NULL;
}

/** Read --worlds into a request.
 *
 *  names  the words of --worlds; must live as long as the request
 */
static result read_worlds(const bench_options *b, const setup *s, list *names, race_request *q)
{
    const char *default_list = b->has_lods         ? "default"
                               : is_world_given(s) ? "classic,smooth,default"
                                                   : "classic,smooth";
    result res = cut_list("worlds", b->worlds ? b->worlds : default_list, names);
    for (int n = 0; res.kind == RESULT_DONE && n < names->count; n++) {
        race_world *w = &q->worlds[q->n_worlds++];
        look look;
        if (race_world_named(names->words[n], s->params.seed, w))
            continue;
        w->params = s->params;
        if (strcmp(names->words[n], "default") == 0)
            continue;
        ter_params_default(&w->params);
        res = world_file_open("--worlds", names->words[n], &w->params, &look);
    }
    return res;
}

/** Find how many CUDA devices share arrays. */
static result find_devices(const bench_options *b, race_request *q)
{
    char reason[256];
    bool is_used = false;
    for (int n = 0; n < q->n_backends; n++)
        is_used = is_used || q->backends[n] == TER_BACKEND_CUDA;
    if (!is_used)
        return result_done();
    const int n = ter_device_count(reason, sizeof reason),
              usable = n < STRIPS_GENERATORS_MAX ? n : STRIPS_GENERATORS_MAX;
    if (b->gpus > n)
        return setup_missing_gpus(b->gpus, n, "");
    q->n_devices = b->gpus > 0 ? b->gpus : usable;
    return result_done();
}

static void show_step(const char *text)
{
    if (system_is_terminal(fileno(stderr)) && notes_are_wanted())
        fprintf(stderr, "\r\033[K%s", text);
}

static result read_request(const bench_options *b, const setup *s, list *world_names, race_request *q)
{
    *q = (race_request){
        .is_u16 = b->is_u16,
        .lods = {b->lods[0], b->lods[1]},
        .run = {.samples = b->samples, .threads = s->threads, .simd = (ter_simd)b->simd, .progress = show_step}};
    result res = read_sizes(b, q);
    if (res.kind == RESULT_DONE)
        res = read_methods(b, q);
    if (res.kind == RESULT_DONE)
        res = read_worlds(b, s, world_names, q);
    if (res.kind == RESULT_DONE)
        res = race_check_lods(q);
    if (res.kind == RESULT_DONE)
        res = read_backends(b, q);
    return res.kind == RESULT_DONE ? find_devices(b, q) : res;
}

/* ---- pipelines ---- */

typedef struct pipelines {
    struct {
        bench_pipeline result;
        const char *world_name;
    } rows[RACE_LIST_MAX * RACE_LIST_MAX];
    size_t count;
} pipelines;

static int64_t largest(const race_request *q)
{
    int64_t most = 0;
    for (int n = 0; n < q->n_sizes; n++)
        most = q->sizes[n] > most ? q->sizes[n] : most;
    return most;
}

static result run_pipeline(race *race, const race_world *w, ter_generator *const *generators, const race_request *q,
                           bench_pipeline *p)
{
    const ter_world *world = NULL;
    result res = race_add_world(race, w, p->size, 0, &world);
    if (res.kind != RESULT_DONE)
        return res;
    show_step("pipeline");
    res = bench_pipeline_measure(world, generators, q->run.samples, p);
    show_step("");
    if (res.kind == RESULT_DONE)
        report_pipeline(stdout, p, w->name);
    return res;
}

/** Measure the pipeline of a backend for every world, with generator `tiled` and the largest size. */
static result run_pipelines(const setup *given, int gpus, const race_request *q, ter_backend backend, race *race,
                            pipelines *out)
{
    ter_generator *generators[STRIPS_GENERATORS_MAX];
    int n_generators = 0;
    setup s = *given;
    s.backend = (int)backend;
    s.generator = TER_METHOD_TILED;
    s.simd = (int)q->run.simd;
    result res =
        setup_generators(&s, backend == TER_BACKEND_CUDA ? gpus : 0, generators, STRIPS_GENERATORS_MAX, &n_generators);
    for (int w = 0; w < q->n_worlds && res.kind == RESULT_DONE; w++) {
        bench_pipeline p = {.backend = backend, .n_devices = n_generators, .size = largest(q)};
        res = run_pipeline(race, &q->worlds[w], generators, q, &p);
        if (res.kind != RESULT_DONE)
            break;
        out->rows[out->count].result = p;
        out->rows[out->count++].world_name = q->worlds[w].name;
    }
    setup_destroy(generators, n_generators);
    return res;
}

/* ---- files of results ---- */

#ifdef TER_HAVE_JSON

static result write_json(const char *path, ter_simd simd, const race *race, const pipelines *p)
{
    cJSON *root = json_create();
    cJSON_AddItemToObject(root, "machine", machine_json(simd));
    cJSON_AddItemToObject(root, "results", report_json(race->rows, race->count));
    cJSON *rows = p->count > 0 ? cJSON_AddArrayToObject(root, "pipelines") : NULL;
    for (size_t n = 0; n < p->count; n++)
        cJSON_AddItemToArray(rows, report_pipeline_json(&p->rows[n].result, p->rows[n].world_name));
    return json_write(root, path);
}

static result check_json(const char *path)
{
    return output_file_check_folder(path);
}

#else

static result write_json(const char *path, ter_simd simd, const race *race, const pipelines *p)
{
    (void)path, (void)simd, (void)race, (void)p;
    return result_done(); /* not reached: check_json has refused the file */
}

static result check_json(const char *path)
{
    char quoted[RESULT_QUOTE];
    return result_of(RESULT_USAGE, "--json %s: this build cannot write JSON (cJSON was missing)",
                     result_quote(path, quoted));
}

#endif

/** Check that options fit together and that the files of results can be written, before anything is measured. */
static result check_options(const bench_options *b)
{
    if (b->is_pipeline && b->has_lods)
        return result_of(RESULT_USAGE, "--pipeline measures samples 1 m apart, so it excludes --lod");
    if (b->plot && b->lods[0] != b->lods[1])
        return result_of(RESULT_USAGE, "--plot draws one level of detail, but --lod has levels %d to %d", b->lods[0],
                         b->lods[1]);
    result res = b->json ? check_json(b->json) : result_done();
    if (res.kind == RESULT_DONE && b->plot)
        res = output_file_check_folder(b->plot);
    return res;
}

static result write_files(const bench_options *b, const race *race, const pipelines *p)
{
    result res = b->json ? write_json(b->json, (ter_simd)b->simd, race, p) : result_done();
    if (res.kind == RESULT_DONE && b->plot)
        res = bench_plot(b->plot, race->rows, race->count);
    return res;
}

/* ---- the command ---- */

static result measure(const bench_options *b, const setup *s, const race_request *q, race *race, pipelines *p)
{
    machine_print((ter_simd)b->simd);
    report_header(stdout);
    fflush(stdout);
    /* A row of large arrays takes long, and bench leaves no unfinished file: a signal may end the process at once. */
    interrupt_end_at_once(system_is_terminal(fileno(stderr)) ? "\r\033[Kterrane bench: interrupted\n"
                                                             : "terrane bench: interrupted\n");
    result res = race_run(race, q, stdout);
    for (int k = 0; res.kind == RESULT_DONE && b->is_pipeline && k < q->n_backends; k++)
        res = run_pipelines(s, b->gpus, q, q->backends[k], race, p);
    interrupt_end_at_once(NULL);
    return res;
}

static result bench(void *user, const setup *s, int n_words, const char *const *words)
{
    static race race;
    static pipelines pipelines;
    const bench_options *b = user;
    race_request request;
    list world_names;
    (void)n_words, (void)words;
    result res = read_request(b, s, &world_names, &request);
    if (res.kind == RESULT_DONE)
        res = check_options(b);
    if (res.kind == RESULT_DONE)
        res = measure(b, s, &request, &race, &pipelines);
    if (res.kind == RESULT_DONE)
        res = write_files(b, &race, &pipelines);
    if (res.kind == RESULT_DONE)
        res = race_verdict(&race);
    race_destroy(&race);
    return res;
}

result command_bench(const command_line *line)
{
    static const char *const generators[] = {"tiled", "recursive", "single-pass", NULL};
    static const char *const backends[] = {"cpu", "cuda", NULL};
    const char *simd_names[TER_SIMD_COUNT + 1] = {NULL};
    for (int n = 0; n < TER_SIMD_COUNT; n++)
        simd_names[n] = ter_simd_name((ter_simd)n);
    bench_options b = {.sizes = "1024", .generators = "recursive,single-pass,tiled", .samples = 15};
    const option options[] = {
        {"size", "N[,N...]", "arrays of N x N samples", OPTION_TEXT, &b.sizes},
        {"generators", "LIST", "generators to race", OPTION_LIST, &b.generators, .choices = generators},
        {"backends", "LIST", "backends to race", OPTION_LIST, &b.backends, .choices = backends,
         .otherwise = "all that can run"},
        {"worlds", "LIST", "classic, smooth, default, names of worlds or world files", OPTION_LIST, &b.worlds,
         .otherwise = "classic and smooth, and default with a world option other than --seed; default with --lod"},
        {"lod",
         "A..B",
         "levels of detail of the arrays: samples 2^A to 2^B metres apart, with the default spacing",
         OPTION_LODS,
         b.lods,
         {-TER_FINE_LODS, TER_LEVELS_MAX, 0, 0},
         .is_given = &b.has_lods},
        {"samples", "N", "timed rounds", OPTION_INTEGER, &b.samples, {1, 1000, 0, 0}},
        {"simd", "NAME", "the CPU's instruction set level", OPTION_CHOICE, &b.simd, .choices = simd_names},
        {"batch", NULL, "also the viewer's work: 256 tiles of 67 x 67 from eight levels at once", OPTION_FLAG,
         &b.is_batch},
        {"u16", NULL, "also tiled with 16-bit samples, quantised where they are made (CUDA)", OPTION_FLAG, &b.is_u16},
        {"pipeline", NULL, "also generation, copies to the host and writing at the same time, for the largest size",
         OPTION_FLAG, &b.is_pipeline},
        {"gpus",
         "N",
         "CUDA devices that share arrays and are used by --pipeline",
         OPTION_INTEGER,
         &b.gpus,
         {1, STRIPS_GENERATORS_MAX, 0, 0},
         .otherwise = "all"},
        {"plot", "FILE.svg", "draw the results: size against samples a second; replaces the file", OPTION_PATH, &b.plot,
         .otherwise = "no chart"},
        {"json", "FILE", "write the results as JSON; replaces the file", OPTION_PATH, &b.json, .otherwise = "no file"},
    };
    static const usage_example examples[] = {
        {"bench", "race all generators at 1024 x 1024 on all backends"},
        {"bench --size 1024,4096 --generators tiled --worlds smooth", "measure one generator at two sizes"},
        {"bench --size 256,512,1024,2048 --plot race.svg --json race.json", "keep a chart and the figures"},
        {"bench --lod -4..24 --generators tiled --size 512", "measure the default world at every level of detail"},
        {"bench --worlds alps,moon --backends cpu --threads 1", "measure two worlds on one core"},
        {NULL, NULL},
    };
    const usage usage = {
        .name = "bench",
        .synopsis = "[OPTIONS]",
        .text =
            "Verifies every generator bit by bit against the reference, then times them in turns and prints "
            "medians.\n"
            "World classic: midpoint, valley 0, gain 0.5, levels = log2 of the size. World smooth: the parameters of\n"
            "World format 1. World default: the default world, or the world that the world options describe.",
        .options = {"Bench", options, sizeof options / sizeof options[0]},
        .examples = examples};
    return run_command(&usage, line, bench, &b);
}
