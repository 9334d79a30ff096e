/* read_back.h - a framebuffer's colours in host memory. */
#ifndef TERRANE_PROGRAM_RENDER_READ_BACK_H
#define TERRANE_PROGRAM_RENDER_READ_BACK_H

#include <stdint.h>

#include "program/render/gl.h"

/** Read a framebuffer's colours; waits until they are drawn.
 *
 *  pixels  receives width * height * 3 bytes, row-major, the top row first; the caller frees them
 *  Errors  OUTCOME_FAILED out of memory
 *  Threads the one that owns the context
 */
outcome read_back_colors(GLuint framebuffer, int width, int height, uint8_t **pixels);

#endif
