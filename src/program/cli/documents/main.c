/* main.c - terrane_documents, a program that runs during the build and prints one document.
 *
 *     terrane_documents man DATE [COMMAND]
 *     terrane_documents bash | zsh | fish
 */
#include "program/cli/documents/documents.h"

#include <stdbool.h>
#include <string.h>

static bool print_manual(int argc, char **argv)
{
    const command *c = argc > 3 ? command_find(argv[3]) : NULL;
    if (argc < 3 || (argc > 3 && !c))
        return false;
    if (c)
        manual_command(stdout, c, argv[2]);
    else
        manual_program(stdout, argv[2]);
    return true;
}

int main(int argc, char **argv)
{
    const char *kind = argc > 1 ? argv[1] : "";
    bool is_known = true;
    if (strcmp(kind, "man") == 0)
        is_known = print_manual(argc, argv);
    else if (strcmp(kind, "bash") == 0)
        completion_bash(stdout);
    else if (strcmp(kind, "zsh") == 0)
        completion_zsh(stdout);
    else if (strcmp(kind, "fish") == 0)
        completion_fish(stdout);
    else
        is_known = false;
    if (!is_known)
        fprintf(stderr, "usage: terrane_documents man DATE [COMMAND] | bash | zsh | fish\n");
    return !is_known ? RESULT_USAGE : fflush(stdout) == 0 && !ferror(stdout) ? RESULT_DONE : RESULT_FILE;
}
