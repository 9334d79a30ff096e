/* setup.c - the options for worlds and backends, and the worlds and generators made from them. */
#include "program/cli/setup.h"

#include <stdio.h>
#include <string.h>

#include "program/cli/interrupt.h"
#include "program/cli/notes.h"
#include "program/cli/progress_bar.h"
#include "program/cli/start_place.h"
#include "program/cli/world_file.h"
#include "program/guide/guide_cache.h"

static const char *const backend_names[] = {"auto", "cpu", "cuda", NULL};
static const char *const generator_names[] = {"tiled", "recursive", "single-pass", NULL};

static void make_world_options(setup *s)
{
    world_options(&s->params, s->world_options);
    for (int n = 0; n < WORLD_PARAMETERS; n++)
        s->world_options[n].is_given = &s->is_world_option_given[n];
    s->world_options[WORLD_PARAMETERS] =
        (option){.name = "world",
                 .argument = "WORLD",
                 .help = "world file, or the name of one that comes with Terrane; other options "
                         "override what it says",
                 .kind = OPTION_WORLD,
                 .target = &s->world_file,
                 .choices = world_names(),
                 .otherwise = "the parameters above"};
}

static void make_guide_options(setup *s)
{
    guide_request_default(&s->guide);
    guide_options(&s->guide, s->guide_options);
    s->guide_options[GUIDE_PARAMETERS] =
        (option){.name = "guide-cache",
                 .help = "keep what is made of the guide in a file beside its file, and read it from there",
                 .kind = OPTION_FLAG,
                 .target = &s->keeps_tables};
    for (int n = 0; n < GUIDE_OPTIONS; n++)
        if (!s->guide_options[n].is_given)
            s->guide_options[n].is_given = &s->is_guide_option_given[n];
}

static void make_backend_options(setup *s)
{
    const option options[BACKEND_OPTIONS] = {
        {"backend", "NAME", "where heights are computed", OPTION_CHOICE, &s->backend, {0}, backend_names, NULL},
        {"generator", "NAME", "how heights are computed", OPTION_CHOICE, &s->generator, {0}, generator_names, NULL},
        {"threads", "N", "CPU threads, 0 for all", OPTION_INTEGER, &s->threads, {0, 4096, 0, 0}, NULL, NULL},
    };
    memcpy(s->backend_options, options, sizeof options);
}

static void make_common_options(setup *s)
{
    const option options[COMMON_OPTIONS] = {
        {"quiet", NULL, "no notes and no progress, only results and errors", OPTION_FLAG, &s->is_quiet, .letter = 'q'},
        {"help", NULL, "this text", OPTION_FLAG, &s->is_help, .letter = 'h'},
        {"version", NULL, "version of the program and of the world format", OPTION_FLAG, &s->is_version},
    };
    memcpy(s->common_options, options, sizeof options);
}

void setup_begin(setup *s, option_group *groups)
{
    *s = (setup){.backend = TER_BACKEND_AUTO, .generator = TER_METHOD_TILED};
    ter_params_default(&s->params);
    look_default(&s->look);
    make_world_options(s);
    make_guide_options(s);
    make_backend_options(s);
    make_common_options(s);
    groups[SETUP_WORLD] = (option_group){"World", s->world_options, WORLD_OPTIONS};
    groups[SETUP_GUIDE] = (option_group){"Guide", s->guide_options, GUIDE_OPTIONS};
    groups[SETUP_BACKEND] = (option_group){"Backend", s->backend_options, BACKEND_OPTIONS};
    groups[SETUP_COMMON] = (option_group){"Other", s->common_options, COMMON_OPTIONS};
}

result setup_read_world(setup *s)
{
    return s->world_file ? world_file_read("--world", s->world_file, &s->params, &s->guide, &s->look) : result_done();
}

result setup_check_world(const setup *s)
{
    const option *stray = world_options_stray(&s->params, s->world_options, s->is_world_option_given);
    char label[64];
    if (stray) {
        snprintf(label, sizeof label, "--%s", stray->name);
        return world_options_refuse(label, &s->params);
    }
    for (int n = 1; n < GUIDE_OPTIONS && !s->guide.file; n++)
        if (*s->guide_options[n].is_given)
            return result_of(RESULT_USAGE, "--%s has no meaning without a guide, expected --guide FILE with it",
                             s->guide_options[n].name);
    return result_done();
}

static int is_cancelled(void *user)
{
    (void)user;
    return command_is_interrupted();
}

static void show_tables(void *user, double share)
{
    (void)user;
    progress_bar_show("guide", share);
    if (share >= 1.0)
        progress_bar_end();
}

static void say(const char *sentence)
{
    note("%s", sentence);
}

result setup_open_guide(setup *s)
{
    const double spacing = s->params.spacing;
    const guide_hooks hooks = {.is_cancelled = is_cancelled,
                               .progress = show_tables,
                               .threads = s->threads,
                               .home = {(int64_t)(START_X * spacing), (int64_t)(START_Z * spacing)},
                               .options = "--guide-"};
    guide_set_hooks(&hooks);
    const result res = guide_open(&s->guide, "--guide", &s->params.guide);
    if (res.kind != RESULT_DONE || !s->params.guide || !s->keeps_tables)
        return res;
    return guide_cache_use(&s->params, say);
}

/* ---- worlds and generators ---- */

result setup_world(const setup *s, ter_world **world)
{
    return result_of_library(ter_world_create(&s->params, world), "world");
}

ter_generator_options setup_generator_options(const setup *s)
{
    return (ter_generator_options){TER_SIZED(ter_generator_options),   .backend = (ter_backend)s->backend,
                                   .method = (ter_method)s->generator, .threads = s->threads,
                                   .simd = (ter_simd)s->simd,          .is_cancelled = is_cancelled};
}

result setup_generator(const setup *s, ter_generator **generator)
{
    const ter_generator_options options = setup_generator_options(s);
    const ter_status status = ter_generator_create(&options, generator);
    if (status != TER_OK)
        return result_of_library(status, "--backend");
    if (s->backend == TER_BACKEND_AUTO && ter_generator_backend(*generator) == TER_BACKEND_CUDA)
        note("backend cuda (%s)", ter_generator_reason(*generator));
    return result_done();
}

result setup_missing_gpus(int wanted, int usable, const char *why)
{
    return result_of(RESULT_MISSING, "--gpus is %d, but %d CUDA devices can be used%s", wanted, usable, why);
}

result setup_generators(const setup *s, int gpus, ter_generator **generators, int max, int *count)
{
    char reason[256];
    *count = 0;
    result res = setup_generator(s, &generators[0]);
    if (res.kind != RESULT_DONE)
        return res;
    *count = 1;
    const bool is_cuda = ter_generator_backend(generators[0]) == TER_BACKEND_CUDA;
    const int n_devices = is_cuda ? ter_device_count(reason, sizeof reason) : 0;
    if (gpus > (is_cuda ? n_devices : 0))
        return setup_missing_gpus(gpus, n_devices, is_cuda ? "" : " with backend cpu");
    const int wanted = gpus > 0 ? gpus : n_devices;
    for (int n = 1; n < wanted && n < max && res.kind == RESULT_DONE; n++) {
        ter_generator_options options = setup_generator_options(s);
        options.backend = TER_BACKEND_CUDA;
        options.device = n;
        res = result_of_library(ter_generator_create(&options, &generators[n]), "--gpus");
        *count += res.kind == RESULT_DONE;
    }
    return res;
}

void setup_destroy(ter_generator **generators, int count)
{
    for (int n = 0; n < count; n++)
        ter_generator_destroy(generators[n]);
}
