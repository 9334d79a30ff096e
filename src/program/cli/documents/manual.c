/* manual.c - prints manual pages in the format of man(7), section by section. */
#include <ctype.h>
#include <string.h>

#include "program/cli/documents/documents.h"
#include "program/cli/documents/option_words.h"
#include "program/cli/help.h"
#include "program/cli/world_file.h"

enum { TEXT_WIDTH = 72 };

/** Print a text so that roff finds no requests and no escapes in it. '-' stays ASCII, so that examples can be copied.
 * With `is_filled`, long lines are broken at spaces. */
static void print_escaped(FILE *to, const char *text, bool is_filled)
{
    int column = 0;
    for (const char *c = text; *c; c++, column++) {
        if (column == 0 && (*c == '.' || *c == '\''))
            fputs("\\&", to);
        const bool is_end = *c == '\n' || (is_filled && *c == ' ' && column + (int)strcspn(c + 1, " \n") >= TEXT_WIDTH);
        if (is_end)
            column = -1;
        if (*c == '-' || *c == '\\')
            fputs(*c == '-' ? "\\-" : "\\e", to);
        else
            fputc(is_end ? '\n' : *c, to);
    }
}

static void print_text(FILE *to, const char *text)
{
    print_escaped(to, text, false);
}

/** Print a text, and end its line. */
static void print_line(FILE *to, const char *text)
{
    print_escaped(to, text, true);
    fputc('\n', to);
}

/** Print a text, and a full stop after it. */
static void print_sentence(FILE *to, const char *text)
{
    char sentence[1400];
    snprintf(sentence, sizeof sentence, "%s.", text);
    print_line(to, sentence);
}

static void print_head(FILE *to, const char *title, const char *date, const char *help)
{
    fprintf(to, ".\\\" made of the option tables of terrane %s\n.TH ", ter_version());
    for (const char *c = title; *c; c++)
        fputc(toupper((unsigned char)*c), to);
    fprintf(to, " 1 %s \"terrane %s\" \"User Commands\"\n.SH NAME\n", date, ter_version());
    print_text(to, title);
    fputs(" \\- ", to);
    print_line(to, help);
}

/** Print an option's names, value and help. With is_key, print it as a key of a world file. */
static void print_option(FILE *to, const option *o, bool is_key)
{
    char value[700], text[1200], name[72];
    option_spell(o, name);
    fputs(".TP\n", to);
    if (o->letter)
        fprintf(to, "\\fB\\-%c\\fR, ", o->letter);
    for (char *c = name; is_key && *c; c++)
        *c = *c == '-' ? '_' : *c;
    fputs("\\fB", to);
    print_text(to, is_key ? name + 2 : name);
    fputs("\\fR", to);
    if (o->argument) {
        fprintf(to, "%s\\fI", is_key ? " = " : " ");
        print_text(to, o->argument);
        fputs("\\fR", to);
    }
    fputc('\n', to);
    help_describe_value(o, value, sizeof value);
    snprintf(text, sizeof text, *value ? "%s (%s)" : "%s", o->help, value);
    print_sentence(to, text);
}

static void print_statuses(FILE *to)
{
    fputs(".SH EXIT STATUS\n", to);
    for (size_t n = 0; n < RESULT_KINDS; n++)
        fprintf(to, ".TP\n\\fB%d\\fR\n%s.\n", (int)result_kinds[n], result_meaning(result_kinds[n]));
}

static void print_examples(FILE *to, const usage_example *examples)
{
    fputs(".SH EXAMPLES\n", to);
    for (const usage_example *e = examples; e && e->words; e++) {
        fputs(".TP\n\\fBterrane ", to);
        print_text(to, e->words);
        fputs("\\fR\n", to);
        print_sentence(to, e->text);
    }
}

/** Print references to the other pages.
 *
 *  command  command of this page; NULL for the page of the program
 */
static void print_see_also(FILE *to, const char *command)
{
    fputs(".SH SEE ALSO\n", to);
    bool is_first = true;
    if (command) {
        fputs(".BR terrane (1)", to);
        is_first = false;
    }
    for (size_t n = 0; n < n_commands; n++) {
        if (command && strcmp(commands[n].name, command) == 0)
            continue;
        fprintf(to, "%s.BR terrane\\-%s (1)", is_first ? "" : ",\n", commands[n].name);
        is_first = false;
    }
    fputc('\n', to);
}

/* ---- the page of a command ---- */

/** Print the lines of a synopsis. All lines but the first begin with the command's name. */
static void print_synopsis(FILE *to, const usage *u)
{
    fputs(".SH SYNOPSIS\n", to);
    for (const char *line = u->synopsis; line; line = strchr(line, '\n')) {
        char name[64], words[200];
        line += *line == '\n';
        line += strspn(line, " ");
        const int length = snprintf(name, sizeof name, "terrane %s ", u->name);
        line += strncmp(line, name, (size_t)length) == 0 ? length : 0;
        snprintf(words, sizeof words, "%.*s", (int)strcspn(line, "\n"), line);
        fprintf(to, "%s\\fBterrane %s\\fR ", line == u->synopsis ? "" : ".br\n", u->name);
        print_line(to, words);
    }
}

static void print_command(const usage_reader *reader, const usage *u, const option_group *groups, size_t count,
                          void *user, const setup *setup)
{
    FILE *to = reader->context;
    print_synopsis(to, u);
    fputs(".SH DESCRIPTION\n", to);
    print_line(to, u->text);
    fputs(".SH OPTIONS\nAn option without a value is off unless it is given. After\n.B \\-\\-\nno word is an option.\n",
          to);
    for (size_t g = 0; g < count; g++) {
        fprintf(to, ".SS %s\n", groups[g].title);
        for (size_t n = 0; n < groups[g].count; n++)
            print_option(to, &groups[g].options[n], false);
    }
    if (u->more_help) {
        fputs(".SH LISTS\n.nf\n", to);
        fflush(to);
        u->more_help(user, setup);
        fflush(stdout);
        fputs(".fi\n", to);
    }
    print_statuses(to);
    print_examples(to, u->examples);
}

void manual_command(FILE *to, const command *c, const char *date)
{
    const usage_reader page = {print_command, to};
    const command_line line = {.reader = &page};
    char title[64];
    snprintf(title, sizeof title, "terrane-%s", c->name);
    print_head(to, title, date, c->help);
    c->run(&line);
    print_see_also(to, c->name);
}

/* ---- the page of the program ---- */

static void print_world_files(FILE *to)
{
    static const char *const text = "A world file has lines key = value in the sections [world], the parameters of the "
                                    "land, and [look], its colours\n"
                                    "and sky in flights and maps. Lines that begin with ; or # are comments. A key "
                                    "that is not there keeps its default.\n"
                                    "Worlds that come with the program are named without their folder and ending:";
    ter_params params;
    look look;
    int palette = LOOK_TEMPERATE;
    option world[WORLD_PARAMETERS], dress[LOOK_PARAMETERS];
    ter_params_default(&params);
    look_default(&look);
    world_options(&params, world);
    look_options(&look, &palette, dress);
    fputs(".SH WORLD FILES\n", to);
    print_line(to, text);
    print_words(to, world_names());
    fputs("\n.SS [world]\n", to);
    for (int n = 0; n < WORLD_PARAMETERS; n++)
        print_option(to, &world[n], true);
    fputs(".SS [look]\n", to);
    for (int n = 0; n < LOOK_PARAMETERS; n++)
        print_option(to, &dress[n], true);
}

void manual_program(FILE *to, const char *date)
{
    print_head(to, "terrane", date, "endless terrain by midpoint displacement, on the GPU and on the CPU");
    fputs(".SH SYNOPSIS\n\\fBterrane\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n.br\n\\fBterrane help\\fR "
          "[\\fICOMMAND\\fR]\n.br\n"
          "\\fBterrane\\fR \\fB\\-\\-version\\fR\n.SH DESCRIPTION\n",
          to);
    print_line(to,
               "Terrane makes the heights of a land without end: the height of a point depends only on its place and "
               "on the\n"
               "parameters of the world. Terrane writes heights to files that other programs read, and flies over "
               "the land.\n"
               "Results go to files or standard output, notes and errors to standard error.");
    fputs(".SH COMMANDS\n", to);
    for (size_t n = 0; n < n_commands; n++) {
        fprintf(to, ".TP\n\\fB%s\\fR\n", commands[n].name);
        print_sentence(to, commands[n].help);
    }
    fputs(".TP\n\\fBhelp\\fR [\\fICOMMAND\\fR]\nprint the help of the program or of a command.\n", to);
    print_world_files(to);
    print_statuses(to);
    print_examples(to, help_examples);
    print_see_also(to, NULL);
}
