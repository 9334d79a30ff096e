/* commands.c - the table of commands. */
#include "program/cli/commands.h"

#include <string.h>

#include "program/cli/suggest.h"

const command commands[] = {
#ifdef TER_HAVE_FLY
    {"fly", "fly over the land, in a window or headless", command_fly},
#endif
#ifdef TER_HAVE_SERVE
    {"serve", "show the land as a web map", command_serve},
#endif
    {"scout", "find places worth flying to", command_scout},
    {"export", "write heights to a file", command_export},
    {"bench", "verify and race the generators", command_bench},
    {"probe", "print heights at points", command_probe},
    {"info", "print version, build, CPU, devices, OpenGL", command_info},
};
const size_t n_commands = sizeof commands / sizeof commands[0];

const command *command_find(const char *name)
{
    for (size_t n = 0; n < n_commands; n++)
        if (strcmp(commands[n].name, name) == 0)
            return &commands[n];
    return NULL;
}

result command_unknown(const char *name)
{
    char quoted[RESULT_QUOTE];
    suggestion search = suggest_for(name);
    if (strcmp(name, "fly") == 0)
        return result_of(RESULT_USAGE, "the viewer was left out of this build: %s", TER_LEFT_OUT);
    if (strcmp(name, "serve") == 0)
        return result_of(RESULT_USAGE, "the server was left out of this build: %s", TER_LEFT_OUT);
    for (size_t n = 0; n < n_commands; n++)
        suggest_try(&search, commands[n].name);
    suggest_try(&search, "help");
    return search.nearest ? result_of(RESULT_USAGE, "unknown command %s, did you mean %s?", result_quote(name, quoted),
                                      search.nearest)
                          : result_of(RESULT_USAGE, "unknown command %s", result_quote(name, quoted));
}
