/* command_info.c - terrane info: version, build, CPU, devices, OpenGL, what this build lacks. */
#include <stdio.h>

#include "cli/commands.h"
#include "cli/machine.h"
#include "cli/run_options.h"

#ifdef TER_HAVE_FLY
#include "render/headless.h"
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
    const outcome o = headless_create(&context);
    if (o.kind == OUTCOME_DONE)
        printf("opengl (headless): %s\n", headless_describe(context));
    else
        printf("opengl (headless): none (%s)\n", o.text);
    headless_destroy(context);
#else
    printf("opengl: none (this build has no viewer)\n");
#endif
}

static outcome info(void *user, const setup *s, int n_words, const char *const *words)
{
    (void)user, (void)s, (void)n_words, (void)words;
    print_build();
    machine_print(TER_SIMD_AUTO);
    print_gl();
    return outcome_done();
}

outcome command_info(int argc, char **argv)
{
    const usage usage = {
        .name = "info",
        .synopsis = "",
        .text = "Prints version, build, CPU, CUDA devices and OpenGL, with the reason where something is missing.",
    };
    return run_command(&usage, argc, argv, info, NULL);
}
