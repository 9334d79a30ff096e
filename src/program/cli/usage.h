/* usage.h - what a command tells about itself: its options and what its help says besides. */
#ifndef TERRANE_PROGRAM_CLI_USAGE_H
#define TERRANE_PROGRAM_CLI_USAGE_H

#include "program/cli/setup.h"

/** A line to try, and what it does. */
typedef struct usage_example {
    const char *words; /* what follows "terrane " */
    const char *text;  /* one sentence without its full stop */
} usage_example;

/** A command's usage. */
typedef struct usage {
    const char *name;
    const char *synopsis; /* what follows "terrane NAME" */
    const char *text;     /* a few sentences for --help */
    option_group own;
    bool takes_words;                                   /* words that are no options; else one is an error */
    void (*more_help)(void *user, const setup *setup);  /* prints lists that --help has besides; or NULL */
    bool (*topic_help)(void *user, const setup *setup); /* prints, instead of all, the help of one topic that the
                                                           options name, and returns true; or NULL */
    const usage_example *examples;                      /* the last has no words */
    bool makes_no_heights;                              /* takes no options of worlds and backends */
} usage;

/** Who looks at usages. groups: all options of the command, with their defaults; user: what more_help takes. */
typedef struct usage_reader {
    void (*read)(const struct usage_reader *reader, const usage *usage, const option_group *groups, size_t count,
                 void *user, const setup *setup);
    void *context; /* the reader's own */
} usage_reader;

#endif
