/* documents.h - texts made of the option tables: manual pages and the shells' completions. They go to a stream, at
 * build time. */
#ifndef TERRANE_PROGRAM_CLI_DOCUMENTS_DOCUMENTS_H
#define TERRANE_PROGRAM_CLI_DOCUMENTS_DOCUMENTS_H

#include <stdio.h>

#include "program/cli/commands.h"

/** The manual page terrane.1, in man(7).
 *
 *  date  of the page, YYYY-MM-DD
 */
void manual_program(FILE *to, const char *date);

/** The manual page terrane-NAME.1 of a command. What the command's help lists besides its options is printed to stdout,
 * which `to` must be. */
void manual_command(FILE *to, const command *command, const char *date);

void completion_bash(FILE *to);
void completion_zsh(FILE *to);
void completion_fish(FILE *to);

#endif
