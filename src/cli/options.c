/* options.c - parsing of option values and of a command's words. */
#include "cli/options.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is allowed, in words ---- */

static void describe_limits(const option *o, char *text, size_t size)
{
    const char *noun = o->kind == OPTION_INTEGER ? "an integer" : "a number";
    const option_limits *l = &o->limits;
    if (l->low == 0 && l->high == 0 && !l->is_low_open)
        snprintf(text, size, "%s", noun);
    else if (isinf(l->high))
        snprintf(text, size, l->is_low_open ? "%s above %.15g" : "%s, %.15g or more", noun, l->low);
    else
        snprintf(text, size, "%s from %.15g%s to %.15g%s", noun, l->low, l->is_low_open ? " (excluded)" : "", l->high,
                 l->is_high_open ? " (excluded)" : "");
}

static void describe_choices(const option *o, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int n = 0; o->choices[n]; n++) {
        const char *separator = n == 0 ? "" : o->choices[n + 1] ? ", " : " or ";
        used += (size_t)snprintf(text + used, size - used, "%s%s", separator, o->choices[n]);
    }
}

static void describe_allowed(const option *o, char *text, size_t size)
{
    switch (o->kind) {
    case OPTION_INTEGER:
    case OPTION_REAL:
        describe_limits(o, text, size);
        break;
    case OPTION_UNSIGNED:
        snprintf(text, size, "an integer from 0 to 18446744073709551615");
        break;
    case OPTION_CHOICE:
        describe_choices(o, text, size);
        break;
    case OPTION_PLACE:
        snprintf(text, size, "two integers X,Z from -2^46 to 2^46");
        break;
    case OPTION_SIZE:
        snprintf(text, size, "two integers WxH of 1 or more, as 1920x1080");
        break;
    case OPTION_RANGE:
        snprintf(text, size, "two numbers LO,HI with LO below HI, in metres, or auto");
        break;
    case OPTION_SHARD:
        snprintf(text, size, "two integers I/N, the shard from 0 to N - 1 and their number");
        break;
    case OPTION_ANGLES:
        snprintf(text, size, "azimuth -360 to 360 and elevation -90 to 90, degrees");
        break;
    default:
        snprintf(text, size, "a text");
        break;
    }
}

/* ---- values ---- */

static bool parse_real(const char *text, double *value, const char **end)
{
    char *stop;
    errno = 0;
    *value = strtod(text, &stop);
    *end = stop;
    return stop != text && isfinite(*value);
}

static bool parse_integer(const char *text, int64_t *value, const char **end)
{
    char *stop;
    errno = 0;
    *value = strtoll(text, &stop, 10);
    *end = stop;
    return stop != text && errno == 0;
}

static bool is_within(double value, const option_limits *l)
{
    if (l->low == 0 && l->high == 0 && !l->is_low_open)
        return true;
    return (l->is_low_open ? value > l->low : value >= l->low) && (l->is_high_open ? value < l->high : value <= l->high);
}

static bool set_integer(const option *o, const char *text)
{
    int64_t value;
    const char *end;
    if (!parse_integer(text, &value, &end) || *end || value < INT32_MIN || value > INT32_MAX ||
        !is_within((double)value, &o->limits))
        return false;
    *(int *)o->target = (int)value;
    return true;
}

static bool set_unsigned(const option *o, const char *text)
{
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || errno)
        return false;
    *(uint64_t *)o->target = value;
    return true;
}

static bool set_real(const option *o, const char *text)
{
    double value;
    const char *end;
    if (!parse_real(text, &value, &end) || *end || !is_within(value, &o->limits))
        return false;
    *(double *)o->target = value;
    return true;
}

static bool set_choice(const option *o, const char *text)
{
    for (int n = 0; o->choices[n]; n++)
        if (strcmp(o->choices[n], text) == 0) {
            *(int *)o->target = n;
            return true;
        }
    return false;
}

static bool set_place(const option *o, const char *text)
{
    int64_t place[2];
    const char *end;
    if (!parse_integer(text, &place[0], &end) || *end != ',' || !parse_integer(end + 1, &place[1], &end) || *end)
        return false;
    for (int n = 0; n < 2; n++)
        if (place[n] < -TER_COORDINATE_MAX || place[n] > TER_COORDINATE_MAX)
            return false;
    memcpy(o->target, place, sizeof place);
    return true;
}

static bool set_size(const option *o, const char *text)
{
    int64_t size[2];
    const char *end;
    if (!parse_integer(text, &size[0], &end) || *end != 'x' || !parse_integer(end + 1, &size[1], &end) || *end || size[0] < 1 ||
        size[1] < 1)
        return false;
    memcpy(o->target, size, sizeof size);
    return true;
}

/** Two numbers A,B. */
static bool parse_pair(const char *text, double pair[2])
{
    const char *end;
    return parse_real(text, &pair[0], &end) && *end == ',' && parse_real(end + 1, &pair[1], &end) && !*end;
}

static bool set_angles(const option *o, const char *text)
{
    double angles[2];
    if (!parse_pair(text, angles) || !(fabs(angles[0]) <= 360.0) || !(fabs(angles[1]) <= 90.0))
        return false;
    memcpy(o->target, angles, sizeof angles);
    return true;
}

static bool set_range(const option *o, const char *text)
{
    double range[2] = {NAN, NAN};
    if (strcmp(text, "auto") != 0 && (!parse_pair(text, range) || !(range[0] < range[1])))
        return false;
    memcpy(o->target, range, sizeof range);
    return true;
}

static bool set_shard(const option *o, const char *text)
{
    int64_t shard, count;
    const char *end;
    if (!parse_integer(text, &shard, &end) || *end != '/' || !parse_integer(end + 1, &count, &end) || *end || shard < 0 ||
        shard >= count || count > INT32_MAX)
        return false;
    ((int *)o->target)[0] = (int)shard;
    ((int *)o->target)[1] = (int)count;
    return true;
}

static bool set_text(const option *o, const char *text)
{
    *(const char **)o->target = text;
    return true;
}

static bool set_flag(const option *o, const char *text)
{
    (void)text;
    *(bool *)o->target = true;
    return true;
}

outcome option_set(const option *o, const char *label, const char *text)
{
    static bool (*const setters[])(const option *, const char *) = {
        [OPTION_FLAG] = set_flag,   [OPTION_INTEGER] = set_integer, [OPTION_UNSIGNED] = set_unsigned, [OPTION_REAL] = set_real,
        [OPTION_TEXT] = set_text,   [OPTION_CHOICE] = set_choice,   [OPTION_PLACE] = set_place,       [OPTION_SIZE] = set_size,
        [OPTION_RANGE] = set_range, [OPTION_SHARD] = set_shard,     [OPTION_ANGLES] = set_angles,
    };
    if (!setters[o->kind](o, text)) {
        char allowed[256];
        describe_allowed(o, allowed, sizeof allowed);
        return outcome_of(OUTCOME_USAGE, "%s is '%s', expected %s", label, text, allowed);
    }
    if (o->is_given)
        *o->is_given = true;
    return outcome_done();
}

/* ---- words ---- */

const option *option_find(const option_group *groups, size_t count, const char *name)
{
    for (size_t g = 0; g < count; g++)
        for (size_t n = 0; n < groups[g].count; n++)
            if (strcmp(groups[g].options[n].name, name) == 0)
                return &groups[g].options[n];
    return NULL;
}

/** Whether a word starts an option: two dashes, or one and a letter. */
static bool is_option(const char *word)
{
    if (word[0] != '-')
        return false;
    return word[1] == '-' || (word[1] >= 'a' && word[1] <= 'z');
}

/** Parse the option at argv[*n]; moves *n on to its last word. */
static outcome parse_option(const option_group *groups, size_t count, int argc, char **argv, int *n)
{
    const char *word = argv[*n];
    char name[64];
    const char *start = word + (word[1] == '-' ? 2 : 1);
    const char *equals = word[1] == '-' ? strchr(start, '=') : NULL;
    const size_t length = equals ? (size_t)(equals - start) : strlen(start);
    snprintf(name, sizeof name, "%.*s", (int)length, start);
    const option *o = option_find(groups, count, name);
    if (!o || (word[1] == '-') != (strlen(name) > 1))
        return outcome_of(OUTCOME_USAGE, "unknown option '%.*s'", (int)(length + (size_t)(start - word)), word);
    char label[72];
    snprintf(label, sizeof label, "%s%s", word[1] == '-' ? "--" : "-", name);
    if (o->kind == OPTION_FLAG)
        return equals ? outcome_of(OUTCOME_USAGE, "%s takes no value, got '%s'", label, equals + 1) : option_set(o, label, "");
    if (equals)
        return option_set(o, label, equals + 1);
    if (*n + 1 >= argc)
        return outcome_of(OUTCOME_USAGE, "%s needs a value: %s", label, o->argument);
    return option_set(o, label, argv[++*n]);
}

outcome options_parse(const option_group *groups, size_t count, int argc, char **argv, const char **words, int *n_words)
{
    *n_words = 0;
    for (int n = 0; n < argc; n++) {
        if (!is_option(argv[n])) {
            words[(*n_words)++] = argv[n];
            continue;
        }
        const outcome o = parse_option(groups, count, argc, argv, &n);
        if (o.kind != OUTCOME_DONE)
            return o;
    }
    return outcome_done();
}

/* ---- help ---- */

static void print_option(const option *o)
{
    char left[64], allowed[256];
    snprintf(left, sizeof left, "%s%s %s", strlen(o->name) == 1 ? "-" : "--", o->name, o->argument ? o->argument : "");
    printf("  %-28s %s", left, o->help);
    if (o->kind == OPTION_CHOICE) {
        describe_allowed(o, allowed, sizeof allowed);
        printf(": %s", allowed);
    } else if ((o->kind == OPTION_INTEGER || o->kind == OPTION_REAL) && (o->limits.low != 0 || o->limits.high != 0)) {
        describe_allowed(o, allowed, sizeof allowed);
        printf(" (%s)", allowed);
    }
    putchar('\n');
}

void options_print(const option_group *groups, size_t count)
{
    for (size_t g = 0; g < count; g++) {
        printf("\n%s\n", groups[g].title);
        for (size_t n = 0; n < groups[g].count; n++)
            print_option(&groups[g].options[n]);
    }
}
