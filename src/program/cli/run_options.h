/* run_options.h - how every command begins: parse its options together with the common ones, answer --help and
 * --version. */
#ifndef TERRANE_PROGRAM_CLI_RUN_OPTIONS_H
#define TERRANE_PROGRAM_CLI_RUN_OPTIONS_H

#include "program/cli/command.h"
#include "program/cli/usage.h"

/** What a command does once its options are read. */
typedef outcome (*command_body)(void *user, const setup *setup, int n_words, const char *const *words);

/** Parse a command's words and run its body, unless --help or --version was asked for and is answered, or a reader asks
 * for the usage. */
outcome run_command(const usage *usage, const command_line *line, command_body body, void *user);

#endif
