/* run_options.h - runs a command: parses its options and the common options, and answers --help and --version. */
#ifndef TERRANE_PROGRAM_CLI_RUN_OPTIONS_H
#define TERRANE_PROGRAM_CLI_RUN_OPTIONS_H

#include "program/cli/command.h"
#include "program/cli/usage.h"

/** The function that does a command's work after its options are parsed. */
typedef result (*command_body)(void *user, const setup *setup, int n_words, const char *const *words);

/** Parse the words of a command and run its body. With --help or --version, print the help or the version instead. If
 * the line has a reader, pass the usage to it instead. */
result run_command(const usage *usage, const command_line *line, command_body body, void *user);

#endif
