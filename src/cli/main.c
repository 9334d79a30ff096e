/* main.c - the program: finds the command, prints how it ended, returns the exit status. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"

static volatile sig_atomic_t interrupted;

static const command commands[] = {
#ifdef TER_HAVE_FLY
    {"fly", "fly over the land, in a window or headless", command_fly},
#endif
    {"export", "write heights to a file", command_export},
    {"bench", "verify and race the generators", command_bench},
    {"probe", "print heights at points", command_probe},
    {"info", "print version, build, CPU, devices, OpenGL", command_info},
};
enum { N_COMMANDS = sizeof commands / sizeof commands[0] };

static void on_signal(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
}

int command_is_interrupted(void)
{
    return interrupted;
}

void command_print_version(void)
{
    printf("terrane %s, world format %d\n", ter_version(), TER_WORLD_FORMAT);
}

static void print_help(FILE *to)
{
    fprintf(
        to,
        "terrane - endless terrain by midpoint displacement, on the GPU and on the CPU\n\nusage: terrane COMMAND [OPTIONS]\n\n");
    for (size_t n = 0; n < N_COMMANDS; n++)
        fprintf(to, "  %-8s %s\n", commands[n].name, commands[n].help);
    fprintf(to, "\nterrane COMMAND --help lists a command's options.\n");
}

static const command *find_command(const char *name)
{
    for (size_t n = 0; n < N_COMMANDS; n++)
        if (strcmp(commands[n].name, name) == 0)
            return &commands[n];
    return NULL;
}

static int run(const command *c, int argc, char **argv)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    outcome o = c->run(argc, argv);
    if (o.kind == OUTCOME_DONE && (fflush(stdout) != 0 || ferror(stdout)))
        o = outcome_of_file("write", "standard output");
    if (*o.text)
        fprintf(stderr, "terrane %s: %s\n", c->name, o.text);
    if (o.kind == OUTCOME_USAGE)
        fprintf(stderr, "terrane %s --help lists the options.\n", c->name);
    return (int)o.kind;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return OUTCOME_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0) {
        print_help(stdout);
        return fflush(stdout) == 0 ? OUTCOME_DONE : OUTCOME_FILE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        command_print_version();
        return fflush(stdout) == 0 ? OUTCOME_DONE : OUTCOME_FILE;
    }
    const command *c = find_command(argv[1]);
    if (!c) {
        if (strcmp(argv[1], "fly") == 0)
            fprintf(stderr, "terrane: the viewer was left out of this build: %s\n\n", TER_LEFT_OUT);
        else
            fprintf(stderr, "terrane: unknown command '%s'\n\n", argv[1]);
        print_help(stderr);
        return OUTCOME_USAGE;
    }
    return run(c, argc - 2, argv + 2);
}
