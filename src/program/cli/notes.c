/* notes.c - prints notes on standard error. */
#include "program/cli/notes.h"

#include <stdarg.h>
#include <stdio.h>

static bool is_silent;

void notes_silence(void)
{
    is_silent = true;
}

bool notes_are_wanted(void)
{
    return !is_silent;
}

void note(const char *format, ...)
{
    va_list args;
    if (is_silent)
        return;
    va_start(args, format);
    fputs("terrane: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}
