/* help.h - the text of --help. */
#ifndef TERRANE_PROGRAM_CLI_HELP_H
#define TERRANE_PROGRAM_CLI_HELP_H

#include <stdio.h>

#include "program/cli/command.h"
#include "program/cli/usage.h"

/** The program's help: commands, exit statuses, examples. */
void help_print_program(FILE *to, const command *table, size_t count);

/** Version line on stdout. */
void help_print_version(void);

/** Usage, description and options with their limits and defaults. */
void help_print_command(FILE *to, const usage *usage, const option_group *groups, size_t count);

/** What ends a command's help: exit statuses and examples. */
void help_print_end(FILE *to, const usage *usage);

/** What an option's value may be and what holds without it, "a number from 0 to 1; default 0.5"; empty for a flag. */
void help_describe_value(const option *option, char *text, size_t size);

/** Examples of the program. */
extern const usage_example help_examples[];

#endif
