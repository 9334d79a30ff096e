/* option_words.h - what manual pages and completions say of an option, and how they read all of them. */
#ifndef TERRANE_PROGRAM_CLI_DOCUMENTS_OPTION_WORDS_H
#define TERRANE_PROGRAM_CLI_DOCUMENTS_OPTION_WORDS_H

#include <stdio.h>

#include "program/cli/usage.h"

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
