/* options.h - tables of command-line options: one table drives parsing, range checks, error sentences and --help. */
#ifndef TERRANE_CLI_OPTIONS_H
#define TERRANE_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "program/outcome.h"

typedef enum option_kind {
    OPTION_FLAG,     /* bool */
    OPTION_INTEGER,  /* int */
    OPTION_UNSIGNED, /* uint64_t */
    OPTION_REAL,     /* double */
    OPTION_TEXT,     /* const char * */
    OPTION_CHOICE,   /* int: index into choices */
    OPTION_PLACE,    /* int64_t[2]: X,Z */
    OPTION_SIZE,     /* int64_t[2]: WxH */
    OPTION_RANGE,    /* double[2]: LO,HI, or auto: two NANs */
    OPTION_SHARD,    /* int[2]: I/N */
    OPTION_ANGLES    /* double[2]: azimuth, elevation, degrees */
} option_kind;

/** Limits of a number; `is_open` ends are excluded. */
typedef struct option_limits {
    double low, high;
    bool is_low_open, is_high_open;
} option_limits;

typedef struct option {
    const char *name;     /* without the dashes; one letter is a short option */
    const char *argument; /* how --help names the value, NULL for a flag */
    const char *help;
    option_kind kind;
    void *target;
    option_limits limits;       /* INTEGER and REAL */
    const char *const *choices; /* CHOICE: NULL-terminated */
    bool *is_given;             /* optional: set when the option occurs */
} option;

typedef struct option_group {
    const char *title;
    const option *options;
    size_t count;
} option_group;

/** Set one option from text. A usage outcome names `label` (as "--seed" or "alps.ini:3: seed"), the value and what is allowed. */
outcome option_set(const option *option, const char *label, const char *text);

/** The option of that name in the groups, or NULL. */
const option *option_find(const option_group *groups, size_t count, const char *name);

/** Parse a command's words: --name value, --name=value, -o value, flags. Words that are no options (and a single "-") are moved to
 *  `words` (argc entries); negative numbers are words. */
outcome options_parse(const option_group *groups, size_t count, int argc, char **argv, const char **words, int *n_words);

/** Print the options with their help and limits on stdout. */
void options_print(const option_group *groups, size_t count);

#endif
