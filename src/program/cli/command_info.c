/* command_info.c - terrane info: prints version, build, CPU, devices, OpenGL, and what this build lacks. */
#include <stdio.h>

#include "program/cli/command.h"
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

static result info(void *user, const setup *s, int n_words, const char *const *words)
{
    (void)user, (void)s, (void)n_words, (void)words;
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
        {NULL, NULL},
    };
    const usage usage = {
        .name = "info",
        .synopsis = "[OPTIONS]",
        .text = "Prints version, build, CPU, CUDA devices and OpenGL, with the reason where something is missing.",
        .examples = examples,
        .makes_no_heights = true,
    };
    return run_command(&usage, line, info, NULL);
}
