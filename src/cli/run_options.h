/* run_options.h - how every command begins: parse its options together with the common ones, answer --help and --version. */
#ifndef TERRANE_CLI_RUN_OPTIONS_H
#define TERRANE_CLI_RUN_OPTIONS_H

#include "cli/setup.h"

/** A command's usage. */
typedef struct usage {
    const char *name;
    const char *synopsis; /* what follows "terrane NAME" */
    const char *text;     /* a few sentences for --help */
    option_group own;
} usage;

/** Parse. `words` has argc entries. *is_answered is set when --help or --version was printed and the command is done. */
outcome run_options(const usage *usage, setup *setup, int argc, char **argv, const char **words, int *n_words, bool *is_answered);

#endif
