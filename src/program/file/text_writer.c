/* text_writer.c - collects 64 KiB of text, then writes them. */
#include "program/file/text_writer.h"

#include <stdarg.h>
#include <stdio.h>

result text_flush(text_writer *w)
{
    if (w->result.kind == RESULT_DONE)
        w->result = output_file_write(&w->out, w->text, w->used);
    w->used = 0;
    return w->result;
}

void text_put(text_writer *w, const char *format, ...)
{
    if (sizeof w->text - w->used < TEXT_PUT_MAX)
        text_flush(w);
    va_list arguments;
    va_start(arguments, format);
    w->used += (size_t)vsnprintf(w->text + w->used, sizeof w->text - w->used, format, arguments);
    va_end(arguments);
}
