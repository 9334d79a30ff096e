/* run_options.c - parses options, and answers --help and --version, for all commands. */
#include "program/cli/run_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/cli/help.h"
#include "program/cli/notes.h"
#include "program/core/system.h"

/** The state of parsing one command line. */
typedef struct parsing {
    const usage *usage;
    void *user;
    const command_line *line;
    setup setup;
    option_group groups[SETUP_GROUPS + 1];
    size_t n_groups;
    const char **words; /* words that are not options; argc entries */
    int n_words;
} parsing;

/** Whether a command has a group of the common options. */
static bool has_group(const usage *u, int group)
{
    const bool is_of_guide = group == SETUP_WORLD || group == SETUP_GUIDE;
    return group == SETUP_COMMON || !u->makes_no_heights || (is_of_guide && u->takes_guide);
}

static void begin(parsing *p)
{
    option_group groups[SETUP_GROUPS];
    setup_begin(&p->setup, groups);
    if (p->usage->options.count > 0)
        p->groups[p->n_groups++] = p->usage->options;
    for (int n = 0; n < SETUP_GROUPS; n++)
        if (has_group(p->usage, n))
            p->groups[p->n_groups++] = groups[n];
}

/** Parse all words. The first pass finds the name of the world file; the second sets the options again, because they
 * override the file. */
static result parse(parsing *p)
{
    const command_line *line = p->line;
    result res = options_parse(p->groups, p->n_groups, line->argc, line->argv, p->words, &p->n_words);
    if (res.kind == RESULT_DONE && p->setup.world_file) {
        res = setup_read_world(&p->setup);
        if (res.kind == RESULT_DONE)
            res = options_parse(p->groups, p->n_groups, line->argc, line->argv, p->words, &p->n_words);
    }
    return res.kind == RESULT_DONE ? setup_check_world(&p->setup) : res;
}

static bool asks_for_help(const command_line *line)
{
    for (int n = 0; n < line->argc && strcmp(line->argv[n], "--") != 0; n++)
        if (strcmp(line->argv[n], "--help") == 0 || strcmp(line->argv[n], "-h") == 0)
            return true;
    return false;
}

/** Print the help. The text shows the defaults, so it is made before parsing overwrites them. */
static result answer_help(parsing *p)
{
    const usage *u = p->usage;
    system_text text;
    if (!system_text_open(&text))
        return result_of(RESULT_FAILED, "out of memory");
    help_print_command(text.to, u, p->groups, p->n_groups);
    if (!system_text_close(&text))
        return result_of(RESULT_FAILED, "out of memory");
    const result res = parse(p);
    if (res.kind != RESULT_DONE || !u->topic_help || !u->topic_help(p->user, &p->setup)) {
        fputs(text.text, stdout);
        if (u->more_help)
            u->more_help(p->user, &p->setup);
        help_print_end(stdout, u);
    }
    free(text.text);
    return res;
}

static result parse_and_run(parsing *p, command_body body)
{
    if (asks_for_help(p->line))
        return answer_help(p);
    const result res = parse(p);
    if (res.kind != RESULT_DONE)
        return res;
    if (p->setup.is_version) {
        help_print_version();
        return res;
    }
    if (p->setup.is_quiet)
        notes_silence();
    if (p->n_words > 0 && !p->usage->takes_words) {
        char quoted[RESULT_QUOTE];
        return result_of(RESULT_USAGE, "unexpected word %s", result_quote(p->words[0], quoted));
    }
    const result opened = setup_open_guide(&p->setup);
    if (opened.kind != RESULT_DONE)
        return opened;
    return body(p->user, &p->setup, p->n_words, p->words);
}

result run_command(const usage *u, const command_line *line, command_body body, void *user)
{
    parsing p = {.usage = u, .user = user, .line = line};
    begin(&p);
    if (line->reader) {
        line->reader->read(line->reader, u, p.groups, p.n_groups, user, &p.setup);
        return result_done();
    }
    p.words = calloc((size_t)line->argc + 1, sizeof *p.words);
    if (!p.words)
        return result_of(RESULT_FAILED, "out of memory");
    const result res = parse_and_run(&p, body);
    free(p.words);
    return res;
}
