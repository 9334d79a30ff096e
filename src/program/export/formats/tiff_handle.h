/* tiff_handle.h - a handle of libtiff that records its first error, and can be closed safely after libtiff ran out of
 * memory. */
#ifndef TERRANE_PROGRAM_EXPORT_FORMATS_TIFF_HANDLE_H
#define TERRANE_PROGRAM_EXPORT_FORMATS_TIFF_HANDLE_H

#include <setjmp.h>
#include <stdbool.h>
#include <tiffio.h>

#include "program/core/result.h"

typedef struct tiff_handle {
    const char *path, *operation; /* "read" or "write" */
    TIFF *tiff;
    result result;   /* first error of libtiff */
    bool is_broken;  /* libtiff had no memory; its structures may be invalid */
    jmp_buf *escape; /* target of a jump when libtiff has no memory but would continue; NULL: do not jump */
} tiff_handle;

/** Make options for opening a file, with which libtiff sends its messages to the handle. Free them with
 * TIFFOpenOptionsFree. Returns NULL if there is no memory.
 */
TIFFOpenOptions *tiff_handle_options(tiff_handle *handle);

/** The error of a failed call. If libtiff has sent no message, memory was missing. */
result tiff_handle_failure(tiff_handle *handle);

/** Close without writing anything more. If libtiff ran out of memory, its memory is leaked instead: libtiff 4.5 counts
 * entries of its lists before it allocates them, so it would free invalid pointers. */
void tiff_handle_abandon(const tiff_handle *handle);

#endif
