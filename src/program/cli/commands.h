/* commands.h - the table of commands. */
#ifndef TERRANE_PROGRAM_CLI_COMMANDS_H
#define TERRANE_PROGRAM_CLI_COMMANDS_H

#include <stddef.h>

#include "program/cli/command.h"

/** All commands, in the order of the help. */
extern const command commands[];
extern const size_t n_commands;

/** The command of that name, or NULL. */
const command *command_find(const char *name);

/** A usage outcome for a name that no command has: what was meant, or that this build lacks it. */
outcome command_unknown(const char *name);

#endif
