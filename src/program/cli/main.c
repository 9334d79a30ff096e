/* main.c - finds and runs the command, prints its error, and returns its exit status. */
#include <stdio.h>
#include <string.h>

#include "program/cli/commands.h"
#include "program/cli/help.h"
#include "program/cli/interrupt.h"
#include "program/core/system.h"

/** Print the error of a command, and return the exit status.
 *
 *  command  name of the command; NULL for an error of the program itself
 */
static int end(const char *command, result res)
{
    if (res.kind == RESULT_DONE && (fflush(stdout) != 0 || ferror(stdout)))
        res = result_of_file("write", "standard output");
    const char *space = command ? " " : "", *name = command ? command : "";
    if (*res.text)
        fprintf(stderr, "terrane%s%s: %s\n", space, name, res.text);
    if (res.kind == RESULT_USAGE)
        fprintf(stderr, "terrane%s%s --help lists the %s.\n", space, name, command ? "options" : "commands");
    return (int)res.kind;
}

static int run(const command *c, int argc, char **argv)
{
    interrupt_watch(c->name);
    const command_line line = {.argc = argc, .argv = argv};
    return end(c->name, c->run(&line));
}

/** terrane help [COMMAND] */
static int help(int argc, char **argv)
{
    char *words[] = {"--help", NULL};
    const command *c = argc > 0 ? command_find(argv[0]) : NULL;
    if (argc > 0 && strcmp(argv[0], "help") != 0)
        return c ? run(c, 1, words) : end(NULL, command_unknown(argv[0]));
    help_print_program(stdout, commands, n_commands);
    return end(NULL, result_done());
}

int main(int argc, char **argv)
{
    if (!system_begin(&argc, &argv))
        return RESULT_FILE;
    if (argc < 2)
        return end(NULL, result_of(RESULT_USAGE, "no command is given, usage: terrane COMMAND [OPTIONS]"));
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return help(0, NULL);
    if (strcmp(argv[1], "help") == 0)
        return help(argc - 2, argv + 2);
    if (strcmp(argv[1], "--version") == 0) {
        help_print_version();
        return end(NULL, result_done());
    }
    const command *c = command_find(argv[1]);
    return c ? run(c, argc - 2, argv + 2) : end(NULL, command_unknown(argv[1]));
}
