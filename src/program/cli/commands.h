/* commands.h - the commands of the program. */
#ifndef TERRANE_PROGRAM_CLI_COMMANDS_H
#define TERRANE_PROGRAM_CLI_COMMANDS_H

#include <stddef.h>

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

/** All commands, in the order of the help. */
extern const command commands[];
extern const size_t n_commands;

/** The command of that name, or NULL. */
const command *command_find(const char *name);

/** A usage outcome for a name that no command has: what was meant, or that this build lacks it. */
outcome command_unknown(const char *name);

/** Set by the signals that end the program: long work ends with OUTCOME_INTERRUPTED, files half written are removed. */
int command_is_interrupted(void);

/** Version line on stdout. */
void command_print_version(void);

#endif
