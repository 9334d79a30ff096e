/* tiff_handle.c - receives libtiff's messages, and recognises those that mean missing memory. */
#include "program/export/formats/tiff_handle.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/** Whether a text contains a word, in letters of any case. */
static bool contains(const char *text, const char *word)
{
    for (; *text; text++)
        if (strncasecmp(text, word, strlen(word)) == 0)
            return true;
    return false;
}

static int on_error(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments)
{
    tiff_handle *t = user;
    char text[256];
    (void)tiff, (void)module;
    vsnprintf(text, sizeof text, format, arguments);
    t->is_broken |=
        errno == ENOMEM || contains(text, "memory") || contains(text, "allocate") || strstr(text, "No space for");
    if (t->result.kind == RESULT_DONE)
        t->result = result_of(t->is_broken ? RESULT_FAILED : RESULT_FILE, "cannot %s '%s': libtiff: %s", t->operation,
                              t->path, *text ? text : "no memory");
    if (t->is_broken && t->escape)
        longjmp(*t->escape, 1);
    return 1;
}

static int on_warning(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments)
{
    (void)tiff, (void)user, (void)module, (void)format, (void)arguments;
    return 1;
}

result tiff_handle_failure(tiff_handle *t)
{
    if (t->result.kind != RESULT_DONE)
        return t->result;
    t->is_broken = true;
    return result_of(RESULT_FAILED, "cannot %s '%s': libtiff has no memory", t->operation, t->path);
}

TIFFOpenOptions *tiff_handle_options(tiff_handle *t)
{
    errno = 0; /* libtiff sets errno, and on_error reads it */
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (options) {
        TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, t);
        TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, t);
    }
    return options;
}

void tiff_handle_abandon(const tiff_handle *t)
{
    if (!t->tiff || t->is_broken)
        return;
    TIFFSetMode(t->tiff, O_RDONLY);
    TIFFClose(t->tiff);
}
