/* option.c - for each kind of option: describes the allowed values, parses a value, and prints the default. */
#include "program/cli/option.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- allowed values ---- */

static bool has_limits(const option_limits *l)
{
    return (l->low != 0 || l->high != 0 || l->is_low_open) && !(isinf(l->low) && isinf(l->high));
}

static void describe_limits(const option *o, char *text, size_t size)
{
    const char *noun = o->kind == OPTION_INTEGER ? "an integer" : "a number";
    const option_limits *l = &o->limits;
    if (!has_limits(l))
        snprintf(text, size, "%s", o->kind == OPTION_INTEGER ? "any integer" : "any finite number");
    else if (isinf(l->high))
        snprintf(text, size, l->is_low_open ? "%s above %.15g" : "%s, %.15g or more", noun, l->low);
    else
        snprintf(text, size, "%s from %.15g%s to %.15g%s", noun, l->low, l->is_low_open ? " (excluded)" : "", l->high,
                 l->is_high_open ? " (excluded)" : "");
}

void options_join(const char *const *words, const char *last, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int n = 0; words[n] && used < size; n++)
        used += (size_t)snprintf(text + used, size - used, "%s%s%s%s",
                                 n == 0         ? ""
                                 : words[n + 1] ? ", "
                                                : " ",
                                 n == 0 || words[n + 1] ? "" : last, n == 0 || words[n + 1] ? "" : " ", words[n]);
}

static void describe_list(const option *o, char *text, size_t size)
{
    char words[400] = "words with commas between them";
    if (o->choices)
        options_join(o->choices, "and", words, sizeof words);
    snprintf(text, size, "a list of %s", words);
}

static void describe_worlds(const option *o, char *text, size_t size)
{
    char names[300] = "";
    if (o->choices)
        options_join(o->choices, "or", names, sizeof names);
    snprintf(text, size, "a world file or the name of a world%s%s", *names ? ": " : "", names);
}

/** Allowed values of kinds whose options all allow the same values. */
static const char *const allowed_texts[OPTION_KINDS] = {
    [OPTION_UNSIGNED] = "an integer from 0 to 18446744073709551615",
    [OPTION_TEXT] = "a text",
    [OPTION_PATH] = "the name of a file",
    [OPTION_FOLDER] = "the name of a folder",
    [OPTION_PLACE] = "two integers X,Z from -2^46 to 2^46",
    [OPTION_POINT] = "two numbers X,Z from -2^46 to 2^46",
    [OPTION_SIZE] = "two integers WxH of 1 or more, as 1920x1080",
    [OPTION_RANGE] = "two numbers LO,HI with LO below HI, in metres, or auto",
    [OPTION_SHARD] = "two integers I/N, the shard from 0 to N - 1 and their number",
    [OPTION_ANGLES] = "azimuth -360 to 360 and elevation -90 to 90, degrees",
};

void option_describe_allowed(const option *o, char *text, size_t size)
{
    switch (o->kind) {
    case OPTION_INTEGER:
    case OPTION_REAL:
        describe_limits(o, text, size);
        break;
    case OPTION_CHOICE:
        options_join(o->choices, "or", text, size);
        break;
    case OPTION_LIST:
        describe_list(o, text, size);
        break;
    case OPTION_WORLD:
        describe_worlds(o, text, size);
        break;
    case OPTION_LODS:
        snprintf(text, size, "an integer from %d to %d, or two of them as 0-6 or -4..24, the finer one first",
                 (int)o->limits.low, (int)o->limits.high);
        break;
    default:
        snprintf(text, size, "%s", allowed_texts[o->kind]);
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
    if (!has_limits(l))
        return true;
    return (l->is_low_open ? value > l->low : value >= l->low) &&
           (l->is_high_open ? value < l->high : value <= l->high);
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

static bool set_point(const option *o, const char *text)
{
    double point[2];
    const char *end;
    if (!parse_real(text, &point[0], &end) || *end != ',' || !parse_real(end + 1, &point[1], &end) || *end)
        return false;
    for (int n = 0; n < 2; n++)
        if (!(fabs(point[n]) <= (double)TER_COORDINATE_MAX))
            return false;
    memcpy(o->target, point, sizeof point);
    return true;
}

static bool set_size(const option *o, const char *text)
{
    int64_t size[2];
    const char *end;
    if (!parse_integer(text, &size[0], &end) || *end != 'x' || !parse_integer(end + 1, &size[1], &end) || *end ||
        size[0] < 1 || size[1] < 1)
        return false;
    memcpy(o->target, size, sizeof size);
    return true;
}

/** Parse two numbers A,B. */
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
    if (!parse_integer(text, &shard, &end) || *end != '/' || !parse_integer(end + 1, &count, &end) || *end ||
        shard < 0 || shard >= count || count > INT32_MAX)
        return false;
    ((int *)o->target)[0] = (int)shard;
    ((int *)o->target)[1] = (int)count;
    return true;
}

static bool set_lods(const option *o, const char *text)
{
    int64_t lods[2];
    const char *end;
    if (!parse_integer(text, &lods[0], &end))
        return false;
    lods[1] = lods[0];
    const size_t between = *end == '-' ? 1 : strncmp(end, "..", 2) == 0 ? 2 : 0;
    if ((between > 0 && !parse_integer(end + between, &lods[1], &end)) || *end || lods[0] > lods[1] ||
        !is_within((double)lods[0], &o->limits) || !is_within((double)lods[1], &o->limits))
        return false;
    ((int *)o->target)[0] = (int)lods[0];
    ((int *)o->target)[1] = (int)lods[1];
    return true;
}

static bool set_text(const option *o, const char *text)
{
    *(const char **)o->target = text;
    return true;
}

static bool set_name(const option *o, const char *text)
{
    return *text && set_text(o, text);
}

/** Whether the word of `length` bytes at `text` is one of the choices. */
static bool is_choice(const option *o, const char *text, size_t length)
{
    for (int n = 0; o->choices && o->choices[n]; n++)
        if (strlen(o->choices[n]) == length && strncmp(o->choices[n], text, length) == 0)
            return true;
    return !o->choices && length > 0;
}

static bool set_list(const option *o, const char *text)
{
    const char *at = text;
    for (bool is_last = false; !is_last;) {
        const size_t length = strcspn(at, ",");
        if (!is_choice(o, at, length))
            return false;
        is_last = at[length] == '\0';
        at += length + 1;
    }
    return set_text(o, text);
}

static bool set_flag(const option *o, const char *text)
{
    (void)text;
    *(bool *)o->target = true;
    return true;
}

result option_set(const option *o, const char *label, const char *text)
{
    static bool (*const setters[OPTION_KINDS])(const option *, const char *) = {
        [OPTION_FLAG] = set_flag,   [OPTION_INTEGER] = set_integer, [OPTION_UNSIGNED] = set_unsigned,
        [OPTION_REAL] = set_real,   [OPTION_TEXT] = set_text,       [OPTION_PATH] = set_name,
        [OPTION_FOLDER] = set_name, [OPTION_WORLD] = set_name,      [OPTION_CHOICE] = set_choice,
        [OPTION_LIST] = set_list,   [OPTION_PLACE] = set_place,     [OPTION_SIZE] = set_size,
        [OPTION_RANGE] = set_range, [OPTION_SHARD] = set_shard,     [OPTION_ANGLES] = set_angles,
        [OPTION_LODS] = set_lods,   [OPTION_POINT] = set_point,
    };
    if (!setters[o->kind](o, text)) {
        char allowed[512], quoted[RESULT_QUOTE];
        option_describe_allowed(o, allowed, sizeof allowed);
        return result_of(RESULT_USAGE, "%s is %s, expected %s", label, result_quote(text, quoted), allowed);
    }
    if (o->is_given)
        *o->is_given = true;
    return result_done();
}

/* ---- defaults ---- */

const char option_required[] = "required";

/** Print the value of the target; "" for kinds without a printable default. */
static void describe_value(const option *o, char *text, size_t size)
{
    const double *reals = o->target;
    const int64_t *integers = o->target;
    const char *const *string = o->target;
    text[0] = '\0';
    switch (o->kind) {
    case OPTION_INTEGER:
    case OPTION_LODS: /* defaults are single levels of detail */
        snprintf(text, size, "%d", *(const int *)o->target);
        break;
    case OPTION_UNSIGNED:
        snprintf(text, size, "%llu", (unsigned long long)*(const uint64_t *)o->target);
        break;
    case OPTION_REAL:
        snprintf(text, size, "%.15g", reals[0]);
        break;
    case OPTION_CHOICE:
        snprintf(text, size, "%s", o->choices[*(const int *)o->target]);
        break;
    case OPTION_PLACE:
        snprintf(text, size, "%lld,%lld", (long long)integers[0], (long long)integers[1]);
        break;
    case OPTION_SIZE:
        snprintf(text, size, "%lldx%lld", (long long)integers[0], (long long)integers[1]);
        break;
    case OPTION_ANGLES:
    case OPTION_POINT:
        snprintf(text, size, "%.15g,%.15g", reals[0], reals[1]);
        break;
    case OPTION_TEXT:
    case OPTION_PATH:
    case OPTION_FOLDER:
    case OPTION_WORLD:
    case OPTION_LIST:
        snprintf(text, size, "%s", *string ? *string : "");
        break;
    default:
        break;
    }
}

void option_describe_default(const option *o, char *text, size_t size)
{
    if (o->otherwise)
        snprintf(text, size, "%s", o->otherwise);
    else
        describe_value(o, text, size);
}
