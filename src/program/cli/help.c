/* help.c - prints --help in columns with wrapped lines. */
#include "program/cli/help.h"

#include <string.h>

enum { WIDTH = 100, COLUMN = 28 };

const usage_example help_examples[] = {
    {"info", "say what this machine and this build can do"},
    {"probe 5,7 -100,2000", "print two heights"},
    {"export --size 1024x1024 -o land.r32", "write a square of heights, one metre apart"},
    {"export --preset unreal --size 1009x1009 -o land.png",
     "write a landscape for Unreal Engine, and say what to enter in the engine"},
    {"help export", "list the options of a command"},
    {NULL, NULL},
};

/** Print a text in lines of at most WIDTH characters.
 *
 *  at      column of the cursor before the call
 *  indent  column at which the following lines begin
 */
static void print_wrapped(FILE *to, const char *text, int at, int indent)
{
    while (*text) {
        const int length = (int)strcspn(text, " ");
        if (at > indent && at + 1 + length > WIDTH) {
            fprintf(to, "\n%*s", indent, "");
            at = indent;
        } else if (at > indent) {
            fputc(' ', to);
            at++;
        }
        fprintf(to, "%.*s", length, text);
        at += length;
        text += length + (text[length] == ' ');
    }
    fputc('\n', to);
}

void help_describe_value(const option *o, char *text, size_t size)
{
    char allowed[512] = "", otherwise[256];
    text[0] = '\0';
    if (o->kind == OPTION_FLAG)
        return;
    if (o->kind == OPTION_CHOICE || o->kind == OPTION_WORLD || o->kind == OPTION_INTEGER || o->kind == OPTION_REAL ||
        (o->kind == OPTION_LIST && o->choices))
        option_describe_allowed(o, allowed, sizeof allowed);
    option_describe_default(o, otherwise, sizeof otherwise);
    const char *separator = *allowed && *otherwise ? "; " : "";
    const char *word = *otherwise && o->otherwise != option_required ? "default " : "";
    snprintf(text, size, "%s%s%s%s", allowed, separator, word, otherwise);
}

static void print_option(FILE *to, const option *o)
{
    char letter[8] = "", text[1200], value[700];
    if (o->letter)
        snprintf(letter, sizeof letter, "-%c, ", o->letter);
    help_describe_value(o, value, sizeof value);
    snprintf(text, sizeof text, *value ? "%s (%s)" : "%s", o->help, value);
    int at = fprintf(to, "  %s%s%s%s%s", letter, strlen(o->name) == 1 ? "-" : "--", o->name, o->argument ? " " : "",
                     o->argument ? o->argument : "");
    if (at >= COLUMN) {
        fputc('\n', to);
        at = 0;
    }
    fprintf(to, "%*s", COLUMN - at, "");
    print_wrapped(to, text, COLUMN, COLUMN);
}

static void print_statuses(FILE *to)
{
    fprintf(to, "\nExit status\n");
    for (size_t n = 0; n < RESULT_KINDS; n++)
        fprintf(to, "  %-4d %s\n", (int)result_kinds[n], result_meaning(result_kinds[n]));
}

static void print_examples(FILE *to, const usage_example *examples)
{
    fprintf(to, "\nExamples\n");
    for (const usage_example *e = examples; e->words; e++)
        fprintf(to, "  terrane %s\n      %s\n", e->words, e->text);
}

void help_print_program(FILE *to, const command *table, size_t count)
{
    fprintf(to, "terrane - endless terrain by midpoint displacement, on the GPU and on the CPU\n\n"
                "usage: terrane COMMAND [OPTIONS]\n\n");
    for (size_t n = 0; n < count; n++)
        fprintf(to, "  %-8s %s\n", table[n].name, table[n].help);
    fprintf(to, "  %-8s %s\n", "help", "print this text; with the name of a command, print its help");
    fprintf(to, "\nterrane COMMAND --help lists a command's options; terrane --version prints the version.\n");
    print_statuses(to);
    print_examples(to, help_examples);
}

void help_print_command(FILE *to, const usage *u, const option_group *groups, size_t count)
{
    fprintf(to, "usage: terrane %s %s\n\n%s\n", u->name, u->synopsis, u->text);
    for (size_t g = 0; g < count; g++) {
        fprintf(to, "\n%s\n", groups[g].title);
        for (size_t n = 0; n < groups[g].count; n++)
            print_option(to, &groups[g].options[n]);
    }
    fprintf(to, "\nAn option without a value is off unless it is given. After -- no word is an option.\n");
}

void help_print_end(FILE *to, const usage *u)
{
    print_statuses(to);
    if (u->examples)
        print_examples(to, u->examples);
}

void help_print_version(void)
{
    printf("terrane %s, world format %d\n", ter_version(), TER_WORLD_FORMAT);
}
