/* command_info.c - terrane info: version, build, CPU, devices, OpenGL, what this build lacks. */
#include <stdio.h>
#include <stdlib.h>

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

outcome command_info(int argc, char **argv)
{
    const usage usage = {
        "info", "", "Prints version, build, CPU, CUDA devices and OpenGL, with the reason where something is missing.", {0}};
    setup s;
    const char **words = calloc((size_t)argc + 1, sizeof *words);
    int n_words;
    bool is_answered;
    outcome o =
        words ? run_options(&usage, &s, argc, argv, words, &n_words, &is_answered) : outcome_of(OUTCOME_FAILED, "out of memory");
    if (o.kind == OUTCOME_DONE && !is_answered) {
        if (n_words > 0)
            o = outcome_of(OUTCOME_USAGE, "unexpected word '%s'", words[0]);
    }
    if (o.kind == OUTCOME_DONE && !is_answered) {
        print_build();
        machine_print();
        print_gl();
    }
    free(words);
    return o;
}
