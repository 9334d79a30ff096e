/* command.h - the type of a command, and the functions that run the commands. */
#ifndef TERRANE_PROGRAM_CLI_COMMAND_H
#define TERRANE_PROGRAM_CLI_COMMAND_H

#include "program/core/result.h"

struct usage_reader;

/** A call of a command: either it runs with the words of the command line, or it passes its usage to a reader. */
typedef struct command_line {
    int argc; /* number of words after the command's name */
    char **argv;
    const struct usage_reader *reader; /* if not NULL, the reader gets the usage and the command does nothing else */
} command_line;

typedef struct command {
    const char *name;
    const char *help; /* one line for terrane --help */
    result (*run)(const command_line *line);
} command;

result command_export(const command_line *line);
result command_probe(const command_line *line);
result command_serve(const command_line *line);
result command_scout(const command_line *line);
result command_info(const command_line *line);
result command_bench(const command_line *line);
#ifdef TER_HAVE_FLY
result command_fly(const command_line *line);
#endif

#endif
