/* picture.h - what a finished frame looks like as pixels, and as a PNG file. */
#ifndef TERRANE_RENDER_PICTURE_H
#define TERRANE_RENDER_PICTURE_H

#include <stdint.h>

#include "render/gl.h"

/** Read a framebuffer's colours: width * height * 3 bytes, top row first; free() it. */
outcome picture_read(GLuint framebuffer, int width, int height, uint8_t **pixels);

/** Pixels as the bytes of a PNG file; free() them. `name` is for the error's sentence. */
outcome picture_encode(const char *name, const uint8_t *pixels, int width, int height, void **bytes, size_t *size);

/** Write pixels as PNG; the file appears when it is complete. */
outcome picture_write(const char *path, const uint8_t *pixels, int width, int height);

#endif
