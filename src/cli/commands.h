/* commands.h - the commands of the program: each takes the words behind its name. */
#ifndef TERRANE_CLI_COMMANDS_H
#define TERRANE_CLI_COMMANDS_H

#include "program/outcome.h"

typedef struct command {
    const char *name;
    const char *help; /* one line for terrane --help */
    outcome (*run)(int argc, char **argv);
} command;

outcome command_export(int argc, char **argv);
outcome command_probe(int argc, char **argv);
outcome command_info(int argc, char **argv);
outcome command_bench(int argc, char **argv);
#ifdef TER_HAVE_FLY
outcome command_fly(int argc, char **argv);
#endif

/** Set by SIGINT and SIGTERM: long work ends with OUTCOME_INTERRUPTED, files half written are removed. */
int command_is_interrupted(void);

/** Version line on stdout. */
void command_print_version(void);

#endif
