/* documents.h - prints manual pages and completions for shells from the option tables, at build time. */
#ifndef TERRANE_PROGRAM_CLI_DOCUMENTS_DOCUMENTS_H
#define TERRANE_PROGRAM_CLI_DOCUMENTS_DOCUMENTS_H

#include <stdio.h>

#include "program/cli/commands.h"

/** Print the manual page terrane.1, in the format of man(7).
 *
 *  date  date of the page, YYYY-MM-DD
 */
void manual_program(FILE *to, const char *date);

/** Print the manual page terrane-NAME.1 of a command. `to` must be stdout, because the command prints the lists of its
 * help there. */
void manual_command(FILE *to, const command *command, const char *date);

void completion_bash(FILE *to);
void completion_zsh(FILE *to);
void completion_fish(FILE *to);

#endif
