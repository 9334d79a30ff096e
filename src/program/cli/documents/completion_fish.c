/* completion_fish.c - prints the completion for fish: a line `complete` for every option. */
#include <string.h>

#include "program/cli/documents/documents.h"
#include "program/cli/documents/option_words.h"

/** Print a text in '...'. */
static void print_quoted(FILE *to, const char *text)
{
    fputc('\'', to);
    for (const char *c = text; *c; c++)
        fprintf(to, *c == '\'' || *c == '\\' ? "\\%c" : "%c", *c);
    fputc('\'', to);
}

/** Print the options of `complete` that describe the value. */
static void print_value(FILE *to, const option *o)
{
    switch (completion_of(o)) {
    case COMPLETION_NONE:
        return;
    case COMPLETION_FREE:
        fputs(" -x", to);
        return;
    case COMPLETION_FILES:
        fputs(" -rF", to);
        return;
    case COMPLETION_FOLDERS:
        fputs(" -xa '(__fish_complete_directories)'", to);
        return;
    case COMPLETION_LIST:
        fputs(" -xa '(__fish_append , ", to);
        print_words(to, o->choices);
        fputs(")'", to);
        return;
    case COMPLETION_WORLDS:
        fputs(" -rF -a '", to);
        break;
    default:
        fputs(" -xa '", to);
        break;
    }
    print_words(to, o->choices);
    fputc('\'', to);
}

static void print_command(const usage_reader *reader, const usage *u, const option_group *groups, size_t count,
                          void *user, const setup *setup)
{
    FILE *to = reader->context;
    (void)user, (void)setup;
    if (u->takes_words)
        fprintf(to, "complete -c terrane -n '__fish_seen_subcommand_from %s' -F\n", u->name);
    for (size_t g = 0; g < count; g++)
        for (size_t n = 0; n < groups[g].count; n++) {
            const option *o = &groups[g].options[n];
            fprintf(to, "complete -c terrane -n '__fish_seen_subcommand_from %s' -%c %s", u->name,
                    strlen(o->name) == 1 ? 's' : 'l', o->name);
            if (o->letter)
                fprintf(to, " -s %c", o->letter);
            print_value(to, o);
            fputs(" -d ", to);
            print_quoted(to, o->help);
            fputc('\n', to);
        }
}

void completion_fish(FILE *to)
{
    const usage_reader page = {print_command, to};
    fputs("# completion of terrane's commands and options for fish, made of their tables\ncomplete -c terrane -f\n",
          to);
    for (size_t n = 0; n < n_commands; n++) {
        fprintf(to, "complete -c terrane -n __fish_use_subcommand -a %s -d ", commands[n].name);
        print_quoted(to, commands[n].help);
        fputc('\n', to);
    }
    fputs("complete -c terrane -n __fish_use_subcommand -a help -d 'print the help of a command'\n"
          "complete -c terrane -n __fish_use_subcommand -l version -d 'print the version'\n"
          "complete -c terrane -n __fish_use_subcommand -s h -l help -d 'print the help'\n"
          "complete -c terrane -n '__fish_seen_subcommand_from help' -a '",
          to);
    for (size_t n = 0; n < n_commands; n++)
        fprintf(to, "%s%s", n == 0 ? "" : " ", commands[n].name);
    fputs("'\n", to);
    read_usages(&page);
}
