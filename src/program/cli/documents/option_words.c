/* option_words.c - spells options, and finds how their values are completed. */
#include "program/cli/documents/option_words.h"

#include <string.h>

#include "program/cli/commands.h"

completion completion_of(const option *o)
{
    switch (o->kind) {
    case OPTION_FLAG:
        return COMPLETION_NONE;
    case OPTION_CHOICE:
        return COMPLETION_WORDS;
    case OPTION_LIST:
        return o->choices ? COMPLETION_LIST : COMPLETION_FREE;
    case OPTION_WORLD:
        return COMPLETION_WORLDS;
    case OPTION_PATH:
        return COMPLETION_FILES;
    case OPTION_FOLDER:
        return COMPLETION_FOLDERS;
    default:
        return COMPLETION_FREE;
    }
}

void option_spell(const option *o, char text[72])
{
    snprintf(text, 72, "%s%s", strlen(o->name) == 1 ? "-" : "--", o->name);
}

void print_words(FILE *to, const char *const *words)
{
    for (int n = 0; words[n]; n++)
        fprintf(to, "%s%s", n == 0 ? "" : " ", words[n]);
}

void read_usages(const usage_reader *reader)
{
    const command_line line = {.reader = reader};
    for (size_t n = 0; n < n_commands; n++)
        commands[n].run(&line);
}
