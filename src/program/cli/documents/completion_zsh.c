/* completion_zsh.c - prints the completion script for zsh. For every command, the script has a list of specifications
 * for zsh's function _arguments. */
#include "program/cli/documents/documents.h"
#include "program/cli/documents/option_words.h"
#include "program/cli/world_file.h"

/** Print a description. It stands in brackets within single quotes: '...[description]'. Special characters are escaped.
 */
static void print_description(FILE *to, const char *text)
{
    for (const char *c = text; *c; c++) {
        if (*c == '\'')
            fputs("'\\''", to);
        else if (*c == '[' || *c == ']' || *c == ':' || *c == '\\')
            fprintf(to, "\\%c", *c);
        else
            fputc(*c, to);
    }
}

/** Print the zsh action that completes the value of an option. It stands within single quotes. */
static void print_action(FILE *to, const option *o)
{
    switch (completion_of(o)) {
    case COMPLETION_WORDS:
        fputc('(', to);
        print_words(to, o->choices);
        fputc(')', to);
        break;
    case COMPLETION_LIST:
        fputs("_sequence compadd - ", to);
        print_words(to, o->choices);
        break;
    case COMPLETION_WORLDS:
        fputs("_terrane_worlds", to);
        break;
    case COMPLETION_FILES:
        fputs("_files", to);
        break;
    case COMPLETION_FOLDERS:
        fputs("_files -/", to);
        break;
    default:
        break;
    }
}

static void print_option(FILE *to, const option *o)
{
    char name[72];
    option_spell(o, name);
    fputs("            '", to);
    if (o->letter)
        fprintf(to, "(-%c)%s[", o->letter, name);
    else
        fprintf(to, "%s%s[", name, o->argument && name[1] == '-' ? "=" : "");
    print_description(to, o->help);
    fputc(']', to);
    if (o->argument) {
        fputc(':', to);
        print_description(to, o->argument);
        fputc(':', to);
        print_action(to, o);
    }
    fputs("'\n", to);
    if (o->letter) {
        fprintf(to, "            '(%s)-%c[", name, o->letter);
        print_description(to, o->help);
        fputs("]'\n", to);
    }
}

static void print_command(const usage_reader *reader, const usage *u, const option_group *groups, size_t count,
                          void *user, const setup *setup)
{
    FILE *to = reader->context;
    (void)user, (void)setup;
    fprintf(to, "    %s)\n        specifications=(\n", u->name);
    for (size_t g = 0; g < count; g++)
        for (size_t n = 0; n < groups[g].count; n++)
            print_option(to, &groups[g].options[n]);
    if (u->takes_words)
        fputs("            '*:file:_files'\n", to);
    fputs("        ) ;;\n", to);
}

void completion_zsh(FILE *to)
{
    const usage_reader page = {print_command, to};
    fputs("#compdef terrane\n# completion of terrane's commands and options for zsh, made of their tables\n"
          "_terrane_worlds() {\n    compadd -- ",
          to);
    print_words(to, world_names());
    fputs("\n    _files\n}\n_terrane() {\n    local -a commands specifications\n    commands=(\n", to);
    for (size_t n = 0; n < n_commands; n++) {
        fprintf(to, "        '%s:", commands[n].name);
        print_description(to, commands[n].help);
        fputs("'\n", to);
    }
    fputs("        'help:print the help of a command'\n    )\n"
          "    if ((CURRENT == 2)); then\n        _describe command commands\n        return\n    fi\n"
          "    shift words\n    ((CURRENT--))\n    case $words[1] in\n"
          "    help)\n        _describe command commands\n        return ;;\n",
          to);
    read_usages(&page);
    fputs("    *) return 1 ;;\n    esac\n    _arguments -S $specifications\n}\n_terrane \"$@\"\n", to);
}
