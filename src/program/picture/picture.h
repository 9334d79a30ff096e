/* picture.h - pixels as PNG files. A picture is width * height * 3 bytes: 8-bit sRGB, row-major, the top row first. No
 * OpenGL. */
#ifndef TERRANE_PROGRAM_PICTURE_PICTURE_H
#define TERRANE_PROGRAM_PICTURE_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "program/core/result.h"

/** Asked while a large picture is packed: false interrupts it. */
typedef struct picture_pulse {
    bool (*goes_on)(void *user);
    void *user;
} picture_pulse;

/** Pixels as the bytes of a PNG file; free() them. `name` is for the error's sentence. Errors OUTCOME_FAILED;
 * OUTCOME_INTERRUPTED
 */
outcome picture_encode(const char *name, const uint8_t *pixels, int width, int height, const picture_pulse *pulse,
                       void **bytes, size_t *size);

/** How a picture is written. */
typedef struct picture_output {
    bool may_replace; /* a file that is there already */
    bool is_beside;   /* its name is of the program's own making: never a device or a pipe that is written in place */
    int (*is_interrupted)(void); /* large pictures take long: asked every few rows */
} picture_output;

/** Write pixels as PNG; the file appears when it is complete. Errors OUTCOME_FILE; OUTCOME_FAILED; OUTCOME_INTERRUPTED
 */
outcome picture_write(const char *path, const uint8_t *pixels, int width, int height, const picture_output *output);

#endif
