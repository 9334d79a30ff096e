/* tiff_handle.h - a handle of libtiff that records its first error, and can be closed safely after missing memory. */
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
    jmp_buf *escape; /* jump there when memory is missing, where libtiff would go on; NULL: let libtiff return */
} tiff_handle;

/** Make options for opening a file that send messages to the handle. Free them with TIFFOpenOptionsFree. Returns NULL
 * without memory.
 */
TIFFOpenOptions *tiff_handle_options(tiff_handle *handle);

/** The error of a failed call. If libtiff has sent no message, memory was missing. */
result tiff_handle_failure(tiff_handle *handle);

/** Close without writing anything more. After missing memory, libtiff's memory is leaked instead, because libtiff 4.5
 * would free pointers that it never got: it counts entries of its lists before it has allocated them. */
void tiff_handle_abandon(const tiff_handle *handle);

#endif
