/* command.h - what a command is, and the functions that run them. */
#ifndef TERRANE_PROGRAM_CLI_COMMAND_H
#define TERRANE_PROGRAM_CLI_COMMAND_H

#include "program/core/result.h"

struct usage_reader;

/** How a command is called: to obey its words, or to show its usage. */
typedef struct command_line {
    int argc; /* words behind the command's name */
    char **argv;
    const struct usage_reader *reader; /* not NULL: is given the usage, and the command does nothing */
} command_line;

typedef struct command {
    const char *name;
    const char *help; /* one line for terrane --help */
    outcome (*run)(const command_line *line);
} command;

outcome command_export(const command_line *line);
outcome command_probe(const command_line *line);
outcome command_scout(const command_line *line);
outcome command_info(const command_line *line);
outcome command_bench(const command_line *line);
#ifdef TER_HAVE_FLY
outcome command_fly(const command_line *line);
#endif

#endif
