/* commands.h - the table of commands. */
#ifndef TERRANE_PROGRAM_CLI_COMMANDS_H
#define TERRANE_PROGRAM_CLI_COMMANDS_H

#include <stddef.h>

#include "program/cli/command.h"

/** All commands, in the order of the help. */
extern const command commands[];
extern const size_t n_commands;

/** Find a command by its name; NULL if there is none. */
const command *command_find(const char *name);

/** The error for an unknown command. It names the most similar command, if there is one. For fly and serve it says that
 * this build lacks the viewer or the server. */
result command_unknown(const char *name);

#endif
