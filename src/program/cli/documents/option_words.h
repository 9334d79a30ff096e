/* option_words.h - spelling and completion of options, and a walk over the usages of all commands. */
#ifndef TERRANE_PROGRAM_CLI_DOCUMENTS_OPTION_WORDS_H
#define TERRANE_PROGRAM_CLI_DOCUMENTS_OPTION_WORDS_H

#include <stdio.h>

#include "program/cli/usage.h"

/** How the value of an option is completed. */
typedef enum completion {
    COMPLETION_NONE,   /* a flag has no value */
    COMPLETION_FREE,   /* no completion */
    COMPLETION_WORDS,  /* one word of a list */
    COMPLETION_LIST,   /* words of a list, with commas between them */
    COMPLETION_WORLDS, /* a word of a list or a file */
    COMPLETION_FILES,
    COMPLETION_FOLDERS
} completion;

completion completion_of(const option *option);

/** Spell an option: "--name", or "-o" for a name of one letter. */
void option_spell(const option *option, char text[72]);

/** Print the words of a NULL-terminated list with spaces between them. */
void print_words(FILE *to, const char *const *words);

/** Call the reader with the usage of every command. */
void read_usages(const usage_reader *reader);

#endif
