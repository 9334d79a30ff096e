/* read_back.h - copies a framebuffer's colours to host memory. */
#ifndef TERRANE_PROGRAM_RENDER_READ_BACK_H
#define TERRANE_PROGRAM_RENDER_READ_BACK_H

#include <stdint.h>

#include "program/render/gl.h"

/** Read a framebuffer's colours. Waits for the GPU.
 *
 *  pixels  receives width * height * 3 bytes, row-major, the top row first; the caller frees them
 *  Errors  RESULT_FAILED out of memory
 *  Threads the thread that owns the context
 */
result read_back_colors(GLuint framebuffer, int width, int height, uint8_t **pixels);

#endif
