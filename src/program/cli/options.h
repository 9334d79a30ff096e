/* options.h - parses the words of a command line by tables of options. */
#ifndef TERRANE_PROGRAM_CLI_OPTIONS_H
#define TERRANE_PROGRAM_CLI_OPTIONS_H

#include "program/cli/option.h"

/** Find an option by its name or letter in the groups; NULL if there is none. */
const option *option_find(const option_group *groups, size_t count, const char *name);

/** Parse the words of a command: --name value, --name=value, -o value, flags. All other words are written to `words`,
 * which has argc entries. Negative numbers, a single "-", and all words after "--" are such words. Errors RESULT_USAGE
 * an unknown option, a wrong value, or a value that is missing */
result options_parse(const option_group *groups, size_t count, int argc, char **argv, const char **words, int *n_words);

#endif
