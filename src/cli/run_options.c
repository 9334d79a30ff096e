/* run_options.c - option parsing that all commands share. */
#include "cli/run_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"

static void print_usage(const usage *u, const option_group *groups, size_t count)
{
    printf("usage: terrane %s %s\n\n%s\n", u->name, u->synopsis, u->text);
    options_print(groups, count);
}

/** Parse; *is_answered is set when --help or --version was printed. `words` has argc entries. */
static outcome parse(const usage *u, void *user, setup *s, int argc, char **argv, const char **words, int *n_words,
                     bool *is_answered)
{
    option_group groups[SETUP_GROUPS + 1];
    size_t count = 0;
    if (u->own.count > 0)
        groups[count++] = u->own;
    setup_begin(s, groups + count);
    count += SETUP_GROUPS;
    for (int n = 0; n < argc; n++)
        s->is_help |= strcmp(argv[n], "--help") == 0;
    if (s->is_help) {
        *is_answered = true;
        print_usage(u, groups, count);
        if (!u->more_help)
            return outcome_done();
        outcome o = setup_read_world(s, argc, argv);
        if (o.kind == OUTCOME_DONE)
            o = options_parse(groups, count, argc, argv, words, n_words);
        u->more_help(user, s);
        return o;
    }
    outcome o = setup_read_world(s, argc, argv);
    if (o.kind == OUTCOME_DONE)
        o = options_parse(groups, count, argc, argv, words, n_words);
    if (o.kind == OUTCOME_DONE && s->is_version) {
        *is_answered = true;
        command_print_version();
    }
    return o;
}

outcome run_command(const usage *u, int argc, char **argv, command_body body, void *user)
{
    setup s;
    int n_words = 0;
    bool is_answered = false;
    const char **words = calloc((size_t)argc + 1, sizeof *words);
    if (!words)
        return outcome_of(OUTCOME_FAILED, "out of memory");
    outcome o = parse(u, user, &s, argc, argv, words, &n_words, &is_answered);
    if (o.kind == OUTCOME_DONE && !is_answered)
        o = n_words > 0 && !u->takes_words ? outcome_of(OUTCOME_USAGE, "unexpected word '%s'", words[0])
                                           : body(user, &s, n_words, words);
    free(words);
    return o;
}
