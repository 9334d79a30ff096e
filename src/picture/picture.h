/* picture.h - pixels as PNG files. A picture is width * height * 3 bytes: 8-bit sRGB, row-major, the top row first. No OpenGL. */
#ifndef TERRANE_PICTURE_PICTURE_H
#define TERRANE_PICTURE_PICTURE_H

#include <stddef.h>
#include <stdint.h>

#include "program/outcome.h"

/** Pixels as the bytes of a PNG file; free() them. `name` is for the error's sentence. */
outcome picture_encode(const char *name, const uint8_t *pixels, int width, int height, void **bytes, size_t *size);

/** Write pixels as PNG; the file appears when it is complete. */
outcome picture_write(const char *path, const uint8_t *pixels, int width, int height);

#endif
