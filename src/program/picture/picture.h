/* picture.h - writes pixels as PNG. Calls no OpenGL.
 *
 * A picture is width * height * 3 bytes: 8-bit sRGB, row-major, the top row first. */
#ifndef TERRANE_PROGRAM_PICTURE_PICTURE_H
#define TERRANE_PROGRAM_PICTURE_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "program/core/result.h"

/** Called while a picture is encoded. Returning false interrupts the encoding. */
typedef struct picture_progress {
    bool (*goes_on)(void *user);
    void *user;
} picture_progress;

/** Encode pixels as PNG in memory. The caller frees *bytes with free(). `name` appears in error messages. Errors
 * RESULT_FAILED; RESULT_INTERRUPTED */
result picture_encode(const char *name, const uint8_t *pixels, int width, int height, const picture_progress *progress,
                      void **bytes, size_t *size);

/** The same for small pictures: larger files in a third of the time, and no interruption. Errors RESULT_FAILED */
result picture_encode_fast(const char *name, const uint8_t *pixels, int width, int height, void **bytes, size_t *size);

/** Options of picture_write. */
typedef struct picture_output {
    bool may_replace; /* an existing file may be replaced */
    bool is_own_file; /* the program chose the name, so the file is never a device or pipe to write in place */
    int (*is_interrupted)(void); /* called every few rows, because large pictures take long */
} picture_output;

/** Write pixels to a PNG file, which appears only when it is complete. Errors RESULT_FILE; RESULT_FAILED;
 * RESULT_INTERRUPTED */
result picture_write(const char *path, const uint8_t *pixels, int width, int height, const picture_output *output);

#endif
