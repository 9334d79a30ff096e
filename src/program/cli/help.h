/* help.h - the text of --help. */
#ifndef TERRANE_PROGRAM_CLI_HELP_H
#define TERRANE_PROGRAM_CLI_HELP_H

#include <stdio.h>

#include "program/cli/command.h"
#include "program/cli/usage.h"

/** Print the program's help: commands, exit statuses, examples. */
void help_print_program(FILE *to, const command *table, size_t count);

/** Print the version on stdout. */
void help_print_version(void);

/** Print a command's usage, description, and options with their limits and defaults. */
void help_print_command(FILE *to, const usage *usage, const option_group *groups, size_t count);

/** Print the end of a command's help: exit statuses and examples. */
void help_print_end(FILE *to, const usage *usage);

/** Write the allowed values and the default of an option: "a number from 0 to 1; default 0.5". Empty for a flag. */
void help_describe_value(const option *option, char *text, size_t size);

/** Examples in the program's help. The last entry has NULL for words. */
extern const usage_example help_examples[];

#endif
