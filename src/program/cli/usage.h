/* usage.h - the usage of a command: its options and the texts of its help. */
#ifndef TERRANE_PROGRAM_CLI_USAGE_H
#define TERRANE_PROGRAM_CLI_USAGE_H

#include "program/cli/setup.h"

/** An example of a command line. */
typedef struct usage_example {
    const char *words; /* the command line after "terrane " */
    const char *text;  /* what it does: one sentence without its full stop */
} usage_example;

/** A command's usage. */
typedef struct usage {
    const char *name;
    const char *synopsis;                               /* the words after "terrane NAME" */
    const char *text;                                   /* a few sentences for --help */
    option_group options;                               /* the command's options, besides the common ones */
    bool takes_words;                                   /* allows words that are not options */
    void (*more_help)(void *user, const setup *setup);  /* prints lists after the options in --help; may be NULL */
    bool (*topic_help)(void *user, const setup *setup); /* if the options name a topic, prints its help, which replaces
                                                           the whole help, and returns true; may be NULL */
    const usage_example *examples;                      /* the last has no words */
    bool makes_no_heights;                              /* has no options for worlds and backends */
    bool takes_guide;                                   /* with makes_no_heights: has options for worlds and guides */
} usage;

/** A callback that gets the usage of commands, for documents.
 *
 *  groups  all options of the command, with their defaults
 *  user    argument for more_help
 */
typedef struct usage_reader {
    void (*read)(const struct usage_reader *reader, const usage *usage, const option_group *groups, size_t count,
                 void *user, const setup *setup);
    void *context; /* for the callback */
} usage_reader;

#endif
