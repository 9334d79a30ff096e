/* file_names.c - replaces the fields of name patterns. */
#include "program/export/job/file_names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "program/file/output_file.h"
#include "program/file/path_name.h"

enum { NAME_MAX_LENGTH = 1000 };

/* ---- fields ---- */

/** Length of the end of a field, } or :3}, at `at`; 0 if there is none. digits: receives 1, or the digit */
static size_t field_end(const char *at, int *digits)
{
    *digits = 1;
    if (at[0] == '}')
        return 1;
    if (at[0] != ':' || at[1] < '1' || at[1] > '9' || at[2] != '}')
        return 0;
    *digits = at[1] - '0';
    return 3;
}

/** Length of the field {x}, {y} or {x:3} at `at`; 0 if there is none. */
static size_t index_field(const char *at, char *which, int *digits)
{
    if (at[0] != '{' || (at[1] != 'x' && at[1] != 'y'))
        return 0;
    *which = at[1];
    const size_t end = field_end(at + 2, digits);
    return end > 0 ? 2 + end : 0;
}

/** Length of the field {lod} or {lod:2} at `at`; 0 if there is none. */
static size_t lod_field(const char *at, int *digits)
{
    *digits = 1;
    if (strncmp(at, "{lod", 4) != 0)
        return 0;
    const size_t end = field_end(at + 4, digits);
    return end > 0 ? 4 + end : 0;
}

static const char LAYER_FIELD[] = "{layer}";

/** Length of the field {layer} at `at`; 0 if there is none or if the names have no layers. */
static size_t layer_field(const file_names *names, const char *at)
{
    const size_t length = sizeof LAYER_FIELD - 1;
    return names->has_layers && strncmp(at, LAYER_FIELD, length) == 0 ? length : 0;
}

bool pattern_has_index(const char *pattern, char field, const char *end)
{
    char which;
    int digits;
    for (const char *at = pattern; *at && at != end; at++)
        if (index_field(at, &which, &digits) && which == field)
            return true;
    return false;
}

bool pattern_has_layer(const char *pattern, const char *end)
{
    const char *at = strstr(pattern, LAYER_FIELD);
    return at && (!end || at < end);
}

bool pattern_has_lod(const char *pattern)
{
    int digits;
    for (const char *at = pattern; *at; at++)
        if (lod_field(at, &digits))
            return true;
    return false;
}

bool pattern_has_ambiguous_lod(const char *pattern)
{
    char which;
    int digits;
    for (const char *at = pattern; *at; at++) {
        const size_t lod = lod_field(at, &digits), length = lod ? lod : index_field(at, &which, &digits);
        const char *after = at + length;
        while (length && isdigit((unsigned char)*after))
            after++;
        if (length && (lod ? index_field(after, &which, &digits) : lod_field(after, &digits)))
            return true;
    }
    return false;
}

result pattern_set_lod(const char *pattern, int lod, char path[EXPORT_PATH_MAX])
{
    size_t used = 0;
    for (const char *at = pattern; *at && used < NAME_MAX_LENGTH;) {
        int digits;
        const size_t length = lod_field(at, &digits);
        if (length)
            used += (size_t)snprintf(path + used, EXPORT_PATH_MAX - used, "%0*d", digits, lod);
        else
            path[used++] = *at;
        at += length ? length : 1;
    }
    path[used] = '\0';
    return used < NAME_MAX_LENGTH ? result_done()
                                  : result_of(RESULT_USAGE, "-o is a name of more than %d characters", NAME_MAX_LENGTH);
}

bool pattern_is_ambiguous(const char *pattern, const tile_set *tiles)
{
    char which;
    int digits, next;
    for (const char *at = pattern; *at; at++) {
        const size_t length = index_field(at, &which, &digits);
        const char *after = at + length;
        while (length && isdigit((unsigned char)*after))
            after++;
        if (length && index_field(after, &which, &next) && digits < tile_set_digits(tiles))
            return true;
    }
    return false;
}

/* ---- names ---- */

/** Write what replaces the field at `at`. Returns the length of the field in the pattern, 0 if there is no field. */
static size_t expand(const file_names *names, const tile_set *t, int64_t number, const char *at, char text[32])
{
    const int64_t tile = number / names->n_layers, row = tile / t->columns, x = t->start + tile % t->columns,
                  y = t->start + (t->y_from_south ? t->rows - 1 - row : row);
    char which;
    int digits;
    size_t length = t->is_set ? index_field(at, &which, &digits) : 0;
    if (length)
        snprintf(text, 32, "%0*lld", digits, (long long)(which == 'x' ? x : y));
    else if ((length = layer_field(names, at)) > 0)
        snprintf(text, 32, "%s", names->layers[number % names->n_layers]);
    return length;
}

result file_names_path(const file_names *names, const tile_set *tiles, int64_t number, char path[EXPORT_PATH_MAX])
{
    const char *ending = names->endings[number % names->n_layers];
    size_t used = 0;
    for (const char *at = names->pattern; *at && used < EXPORT_PATH_MAX;) {
        char text[32];
        const size_t length = expand(names, tiles, number, at, text);
        if (length)
            used += (size_t)snprintf(path + used, EXPORT_PATH_MAX - used, "%s", text);
        else
            path[used++] = *at;
        at += length ? length : 1;
    }
    if (used >= NAME_MAX_LENGTH)
        return result_of(RESULT_USAGE, "-o is a name of more than %d characters", NAME_MAX_LENGTH);
    path[used] = '\0';
    if (ending && output_file_is_regular(names->pattern)) {
        char *dot = path + (path_dot(path) - path);
        snprintf(dot, (size_t)(EXPORT_PATH_MAX - (dot - path)), ".%s", ending);
    }
    return result_done();
}

static bool joins_words(char c)
{
    return c == '_' || c == '-';
}

void file_names_set_path(const file_names *names, int k, const char *ending, char path[EXPORT_PATH_MAX])
{
    size_t used = 0;
    char which;
    int digits;
    for (const char *at = names->pattern; *at && used < NAME_MAX_LENGTH;) {
        size_t length = index_field(at, &which, &digits);
        if (length) /* "_x{x}" and "_{x}": the letter and the '_' before an index are left out with the index */
            used -= used > 1 && path[used - 1] == which && joins_words(path[used - 2])
                        ? 2
                        : used > 0 && joins_words(path[used - 1]);
        else if ((length = layer_field(names, at)) > 0)
            used += (size_t)snprintf(path + used, EXPORT_PATH_MAX - used, "%s", names->layers[k]);
        else
            path[used++] = *at;
        at += length ? length : 1;
    }
    path[used] = '\0';
    char *dot = path + (path_dot(path) - path);
    if (dot == path_base(path)) /* the pattern has nothing but indices */
        dot += snprintf(dot, 8, "tiles");
    snprintf(dot, (size_t)(EXPORT_PATH_MAX - (dot - path)), "%s", ending);
}
