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
    bool takes_words;                                  /* words that are no options; else one is an error */
    void (*more_help)(void *user, const setup *setup); /* prints what --help has besides, with the options as far as they could be
                                                          read; or NULL */
} usage;

/** What a command does once its options are read. */
typedef outcome (*command_body)(void *user, const setup *setup, int n_words, const char *const *words);

/** Parse a command's words and run its body, unless --help or --version was asked for and is answered. */
outcome run_command(const usage *usage, int argc, char **argv, command_body body, void *user);

#endif
