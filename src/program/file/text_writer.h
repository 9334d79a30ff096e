/* text_writer.h - writes formatted text to a file, in large pieces. */
#ifndef TERRANE_PROGRAM_FILE_TEXT_WRITER_H
#define TERRANE_PROGRAM_FILE_TEXT_WRITER_H

#include "library/core/printf_format.h"
#include "program/file/output_file.h"

enum { TEXT_PUT_MAX = 4096 }; /* bytes of the longest text that one call of text_put takes */

/** All members but `out` begin as 0. Open and close the file by the functions of output_file.h. */
typedef struct text_writer {
    output_file out;
    result result; /* the first error; later texts are dropped */
    size_t used;
    char text[1 << 16]; /* that is not written yet */
} text_writer;

TER_PRINTF(2, 3) void text_put(text_writer *w, const char *format, ...);

/** Write the text that is not written yet. Returns the first error of the writer. Errors RESULT_FILE */
result text_flush(text_writer *w);

#endif
