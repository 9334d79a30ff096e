/* documents.h - texts made of the option tables: manual pages and the shells' completions. They go to a stream, at build time. */
#ifndef TERRANE_PROGRAM_CLI_DOCUMENTS_DOCUMENTS_H
#define TERRANE_PROGRAM_CLI_DOCUMENTS_DOCUMENTS_H

#include <stdio.h>

#include "program/cli/commands.h"
#include "program/cli/usage.h"

/** The manual page terrane.1, in man(7).
 *
 *  date  of the page, YYYY-MM-DD
 */
void manual_program(FILE *to, const char *date);

/** The manual page terrane-NAME.1 of a command. What the command's help lists besides its options is printed to stdout, which `to`
 *  must be. */
void manual_command(FILE *to, const command *command, const char *date);

void completion_bash(FILE *to);
void completion_zsh(FILE *to);
void completion_fish(FILE *to);

/** What an option's value is completed by. */
typedef enum completion {
    COMPLETION_NONE, /* a flag: it has no value */
    COMPLETION_FREE, /* a value that no list has */
    COMPLETION_WORDS,
    COMPLETION_LIST,   /* words with commas between them */
    COMPLETION_WORLDS, /* words, and files */
    COMPLETION_FILES,
    COMPLETION_FOLDERS
} completion;

completion completion_of(const option *option);

/** "--name", or "-o" for a name of one letter. */
void option_spell(const option *option, char text[72]);

/** Words of a NULL-terminated list with spaces between them. */
void print_words(FILE *to, const char *const *words);

/** Call a reader with the usage of every command. */
void read_usages(const usage_reader *reader);

#endif
