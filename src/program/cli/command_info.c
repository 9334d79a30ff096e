/* command_info.c - terrane info: prints version, build, CPU, devices, OpenGL, and what this build lacks; or facts about
 * a guide. */
#include <stdio.h>

#include "program/cli/command.h"
#include "program/cli/guide_facts.h"
#include "program/cli/machine.h"
#include "program/cli/run_options.h"

#ifdef TER_HAVE_FLY
#include "program/render/headless.h"
#endif

static void print_build(void)
{
    printf("terrane %s, world format %d\n", ter_version(), TER_WORLD_FORMAT);
    printf("build: %s, %s\n", TER_BUILD_TYPE, TER_COMPILER);
    printf("left out of this build: %s\n", *TER_LEFT_OUT ? TER_LEFT_OUT : "nothing");
}

static void print_gl(void)
{
#ifdef TER_HAVE_FLY
    headless_context *context = NULL;
    const result res = headless_create(&context);
    if (res.kind == RESULT_DONE)
        printf("opengl (headless): %s\n", headless_describe(context));
    else
        printf("opengl (headless): none (%s)\n", res.text);
    headless_destroy(context);
#else
    printf("opengl: none (this build has no viewer)\n");
#endif
}

/** Refuse options of a world, which change nothing without a guide. */
static result check_no_world(const setup *s)
{
    for (int n = 0; n < WORLD_PARAMETERS; n++)
        if (s->is_world_option_given[n])
            return result_of(RESULT_USAGE, "--%s has no meaning without a guide, expected --guide FILE with it",
                             s->world_options[n].name);
    if (s->world_file)
        return result_of(RESULT_USAGE, "--world has no meaning without a guide, expected --guide FILE with it, or a "
                                       "world file that names a guide");
    return result_done();
}

static result info(void *user, const setup *s, int n_words, const char *const *words)
{
    (void)user, (void)n_words, (void)words;
    if (s->params.guide)
        return guide_facts_print(stdout, &s->params);
    const result res = check_no_world(s);
    if (res.kind != RESULT_DONE)
        return res;
    print_build();
    machine_print(TER_SIMD_AUTO);
    print_gl();
    return result_done();
}

result command_info(const command_line *line)
{
    static const usage_example examples[] = {
        {"info", "print all facts"},
        {"info | grep cuda", "say which CUDA devices there are, or why there are none"},
        {"info | grep 'left out'", "say what this build lacks"},
        {"info --guide island.npy --guide-spacing 2000", "say what a guide is, and what a world makes of it"},
        {NULL, NULL},
    };
    const usage usage = {
        .name = "info",
        .synopsis = "[OPTIONS]",
        .text =
            "Prints version, build, CPU, CUDA devices and OpenGL, with the reason where something is missing. With a\n"
            "guide, prints instead its size, place, heights and checksum, and the network that a world makes of it.",
        .examples = examples,
        .makes_no_heights = true,
        .takes_guide = true,
    };
    return run_command(&usage, line, info, NULL);
}
