/* options.c - parses a command line into options and other words. */
#include "program/cli/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/cli/suggest.h"

/** Whether `name` is an option's name or its letter. */
static bool is_named(const option *o, const char *name)
{
    return strcmp(o->name, name) == 0 || (o->letter && name[0] == o->letter && !name[1]);
}

const option *option_find(const option_group *groups, size_t count, const char *name)
{
    for (size_t g = 0; g < count; g++)
        for (size_t n = 0; n < groups[g].count; n++)
            if (is_named(&groups[g].options[n], name))
                return &groups[g].options[n];
    return NULL;
}

static result unknown_option(const option_group *groups, size_t count, const char *word, size_t length)
{
    char unknown[RESULT_QUOTE], quoted[RESULT_QUOTE];
    snprintf(unknown, sizeof unknown, "%.*s", (int)length, word);
    result_quote(unknown, quoted);
    suggestion search = suggest_for(unknown + strspn(unknown, "-"));
    for (size_t g = 0; g < count; g++)
        for (size_t n = 0; n < groups[g].count; n++)
            suggest_try(&search, groups[g].options[n].name);
    return search.nearest ? result_of(RESULT_USAGE, "unknown option %s, did you mean %s%s?", quoted,
                                      strlen(search.nearest) > 1 ? "--" : "-", search.nearest)
                          : result_of(RESULT_USAGE, "unknown option %s", quoted);
}

/** Whether a word begins an option: it begins with two dashes, or with one dash and a letter. */
static bool is_option(const char *word)
{
    if (word[0] != '-')
        return false;
    return word[1] == '-' || (word[1] >= 'a' && word[1] <= 'z') || (word[1] >= 'A' && word[1] <= 'Z');
}

/** Parse the option at argv[*n], and set *n to the index of its last word. */
static result parse_option(const option_group *groups, size_t count, int argc, char **argv, int *n)
{
    const char *word = argv[*n];
    char name[64];
    const char *start = word + (word[1] == '-' ? 2 : 1);
    const char *equals = word[1] == '-' ? strchr(start, '=') : NULL;
    const size_t length = equals ? (size_t)(equals - start) : strlen(start);
    snprintf(name, sizeof name, "%.*s", (int)length, start);
    const option *o = option_find(groups, count, name);
    if (!o || (word[1] == '-') != (strlen(name) > 1))
        return unknown_option(groups, count, word, length + (size_t)(start - word));
    char label[72];
    snprintf(label, sizeof label, "%s%s", word[1] == '-' ? "--" : "-", name);
    if (o->kind == OPTION_FLAG && equals) {
        char quoted[RESULT_QUOTE];
        return result_of(RESULT_USAGE, "%s takes no value, got %s", label, result_quote(equals + 1, quoted));
    }
    if (o->kind == OPTION_FLAG)
        return option_set(o, label, "");
    if (equals)
        return option_set(o, label, equals + 1);
    if (*n + 1 >= argc) {
        char allowed[400];
        option_describe_allowed(o, allowed, sizeof allowed);
        return result_of(RESULT_USAGE, "%s needs a value: %s, %s", label, o->argument, allowed);
    }
    return option_set(o, label, argv[++*n]);
}

result options_parse(const option_group *groups, size_t count, int argc, char **argv, const char **words, int *n_words)
{
    bool is_over = false; /* "--" was read: no later word is an option */
    *n_words = 0;
    for (int n = 0; n < argc; n++) {
        if (!is_over && strcmp(argv[n], "--") == 0) {
            is_over = true;
            continue;
        }
        if (is_over || !is_option(argv[n])) {
            words[(*n_words)++] = argv[n];
            continue;
        }
        const result res = parse_option(groups, count, argc, argv, &n);
        if (res.kind != RESULT_DONE)
            return res;
    }
    return result_done();
}
