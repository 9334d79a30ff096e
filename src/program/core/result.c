/* result.c - makes results, and shortens their sentences. */
#include "program/core/result.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

result result_done(void)
{
    return (result){.kind = RESULT_DONE};
}

/* ---- sentences that are too long ---- */

enum {
    SENTENCE = 16384, /* size of the buffer of an unshortened sentence, bytes */
    QUOTE_END = 96    /* bytes that remain of each end of a shortened quotation */
};

/** Find the closing ' of the quotation that opens at `begin`: the next ' at the end of a word. NULL: there is none. */
static char *end_of_quotation(char *begin)
{
    for (char *c = strchr(begin + 1, '\''); c; c = strchr(c + 1, '\''))
        if (c[1] == '\0' || strchr(" ,;:.)", c[1]))
            return c;
    return NULL;
}

/** Find the longest quotation of a sentence. Returns its first character after the '; NULL if nothing is quoted. */
static char *longest_quotation(char *sentence, size_t *length)
{
    char *longest = NULL;
    *length = 0;
    for (char *c = strchr(sentence, '\''); c; c = strchr(c + 1, '\'')) {
        char *end = c == sentence || strchr(" (", c[-1]) ? end_of_quotation(c) : NULL;
        if (!end)
            continue;
        if ((size_t)(end - c - 1) > *length) {
            longest = c + 1;
            *length = (size_t)(end - c - 1);
        }
        c = end;
    }
    return longest;
}

/** Remove the middles of long quotations, which are file names, until the sentence fits. Its end says why something
 * failed, so the end must not be cut off. */
static void shorten(char *sentence, size_t size)
{
    static const char between[] = "...";
    size_t length;
    while (strlen(sentence) >= size) {
        char *quoted = longest_quotation(sentence, &length);
        if (length <= 2 * QUOTE_END + sizeof between)
            return;
        char *rest = quoted + length - QUOTE_END;
        memcpy(quoted + QUOTE_END, between, sizeof between - 1);
        memmove(quoted + QUOTE_END + sizeof between - 1, rest, strlen(rest) + 1);
    }
}

result result_of(result_kind kind, const char *format, ...)
{
    result res = {.kind = kind};
    char sentence[SENTENCE];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    shorten(sentence, sizeof res.text);
    snprintf(res.text, sizeof res.text, "%.*s", (int)sizeof res.text - 1, sentence);
    return res;
}

static result_kind kind_of(ter_status status)
{
    switch (status) {
    case TER_OK:
        return RESULT_DONE;
    case TER_EINVAL:
        return RESULT_USAGE;
    case TER_ENOBACKEND:
    case TER_EINTEROP:
        return RESULT_MISSING;
    case TER_ECANCELLED:
        return RESULT_INTERRUPTED;
    default:
        return RESULT_FAILED;
    }
}

result result_of_library(ter_status status, const char *what)
{
    if (status == TER_OK)
        return result_done();
    if (status == TER_ECANCELLED)
        return result_of(RESULT_INTERRUPTED, "interrupted");
    return result_of(kind_of(status), "%s%s%s", what, *what ? ": " : "", ter_error_detail());
}

const result_kind result_kinds[RESULT_KINDS] = {RESULT_DONE, RESULT_FAILED,  RESULT_USAGE,
                                                RESULT_FILE, RESULT_MISSING, RESULT_INTERRUPTED};

const char *result_meaning(result_kind kind)
{
    switch (kind) {
    case RESULT_DONE:
        return "done";
    case RESULT_USAGE:
        return "an option or a word is wrong";
    case RESULT_FILE:
        return "a file cannot be read or written";
    case RESULT_MISSING:
        return "no such backend, device, display or OpenGL";
    case RESULT_INTERRUPTED:
        return "interrupted by a signal";
    default:
        return "failed";
    }
}

const char *result_quote(const char *value, char quoted[RESULT_QUOTE])
{
    enum { WHOLE_MAX = 256, END = 96 };
    const size_t length = strlen(value);
    if (length <= WHOLE_MAX)
        snprintf(quoted, RESULT_QUOTE, "'%s'", value);
    else
        snprintf(quoted, RESULT_QUOTE, "'%.*s...%s' (%zu bytes)", END, value, value + length - END, length);
    for (char *c = quoted; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    return quoted;
}

result result_of_file(const char *operation, const char *path)
{
    const int error = errno;
    char quoted[RESULT_QUOTE];
    return result_of(RESULT_FILE, "cannot %s %s: %s", operation, result_quote(path, quoted), strerror(error));
}
