/* tiff_handle.h - a handle of libtiff with the reason why it failed, and an end that is safe where memory was short. */
#ifndef TERRANE_PROGRAM_EXPORT_FORMATS_TIFF_HANDLE_H
#define TERRANE_PROGRAM_EXPORT_FORMATS_TIFF_HANDLE_H

#include <setjmp.h>
#include <stdbool.h>
#include <tiffio.h>

#include "program/core/result.h"

typedef struct tiff_handle {
    const char *path, *operation; /* "read" or "write" */
    TIFF *tiff;
    outcome result;  /* why libtiff failed */
    bool is_broken;  /* libtiff had no memory, and does not know what it holds */
    jmp_buf *escape; /* where to go then, because libtiff would go on; or NULL */
} tiff_handle;

/** Options to open a file with, whose messages go to the handle; free them with TIFFOpenOptionsFree. NULL when there is
 * no memory.
 */
TIFFOpenOptions *tiff_handle_options(tiff_handle *handle);

/** The handle's failure. Where libtiff has no message for it, there was no memory. */
outcome tiff_handle_failure(tiff_handle *handle);

/** Close without writing anything more. What libtiff holds when it had no memory is given up: it would free what it
 * never got. Source: libtiff 4.5, where lists of fields and values are lost or counted before they are there. */
void tiff_handle_abandon(const tiff_handle *handle);

#endif
