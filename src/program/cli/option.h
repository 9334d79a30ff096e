/* option.h - tables of command-line options: one table drives parsing, range checks, error sentences, --help, the
 * manual pages and the shells' completions. */
#ifndef TERRANE_PROGRAM_CLI_OPTION_H
#define TERRANE_PROGRAM_CLI_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "program/core/result.h"

typedef enum option_kind {
    OPTION_FLAG,     /* bool */
    OPTION_INTEGER,  /* int */
    OPTION_UNSIGNED, /* uint64_t */
    OPTION_REAL,     /* double */
    OPTION_TEXT,     /* const char * */
    OPTION_PATH,     /* const char *: a file, not empty */
    OPTION_FOLDER,   /* const char *: a folder, not empty */
    OPTION_WORLD,    /* const char *: a world file or a world's name */
    OPTION_CHOICE,   /* int: index into choices */
    OPTION_LIST,     /* const char *: choices with commas between them; without choices any words */
    OPTION_PLACE,    /* int64_t[2]: X,Z */
    OPTION_POINT,    /* double[2]: X,Z, which may have fractions */
    OPTION_SIZE,     /* int64_t[2]: WxH */
    OPTION_RANGE,    /* double[2]: LO,HI; or auto, which is stored as two NANs */
    OPTION_SHARD,    /* int[2]: I/N, shard I of N */
    OPTION_LODS,     /* int[2]: levels of detail A-B or A..B, A <= B; or D, which is stored twice */
    OPTION_ANGLES,   /* double[2]: azimuth, elevation, degrees */
    OPTION_KINDS
} option_kind;

/** Limits of a number. An open end is excluded. */
typedef struct option_limits {
    double low, high;
    bool is_low_open, is_high_open;
} option_limits;

typedef struct option {
    const char *name;     /* without the dashes; a name of one letter is a short option */
    const char *argument; /* name of the value in --help; NULL for a flag */
    const char *help;
    option_kind kind;
    void *target;               /* where the value is stored; holds the default before parsing */
    option_limits limits;       /* limits of the kinds INTEGER, REAL and LODS */
    const char *const *choices; /* NULL-terminated; of CHOICE and LIST; of WORLD, the worlds that come with Terrane */
    bool *is_given;             /* set to true if the option is given; may be NULL */
    const char *otherwise;      /* text for the default, if the target's value does not show it; or option_required */
    char letter;                /* second, short name; 0 for none */
} option;

/** `otherwise` of an option that must be given. */
extern const char option_required[];

typedef struct option_group {
    const char *title;
    const option *options;
    size_t count;
} option_group;

/** Set one option from text.
 *
 *  label   name of the option in errors, such as "--seed" or "alps.ini:3: seed"
 *  Errors  RESULT_USAGE, with the value and the allowed values
 */
result option_set(const option *option, const char *label, const char *text);

/** Describe the allowed values: "an integer from 1 to 24". */
void option_describe_allowed(const option *option, char *text, size_t size);

/** Print the default: "20". Empty for a flag, "required" if there is no default. */
void option_describe_default(const option *option, char *text, size_t size);

/** Join the words of a NULL-terminated list: "a, b and c". `last` is the word before the last one, such as "and". */
void options_join(const char *const *words, const char *last, char *text, size_t size);

#endif
