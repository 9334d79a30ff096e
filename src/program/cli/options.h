/* options.h - a command's words, parsed by its tables of options. */
#ifndef TERRANE_PROGRAM_CLI_OPTIONS_H
#define TERRANE_PROGRAM_CLI_OPTIONS_H

#include "program/cli/option.h"

/** The option of that name in the groups, or NULL. */
const option *option_find(const option_group *groups, size_t count, const char *name);

/** Parse a command's words: --name value, --name=value, -o value, flags. Words that are no options (and a single "-")
 * are moved to `words` (argc entries); negative numbers are words, and so is all that stands behind "--". */
outcome options_parse(const option_group *groups, size_t count, int argc, char **argv, const char **words,
                      int *n_words);

#endif
