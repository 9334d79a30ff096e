/* pixels.h - runs compute shaders with one thread per pixel. */
#ifndef TERRANE_PROGRAM_RENDER_PIXELS_H
#define TERRANE_PROGRAM_RENDER_PIXELS_H

#include <stddef.h>

#include "program/render/gl.h"
#include "program/render/quality.h"

/** An image that a pass writes to. */
typedef struct pixel_image {
    GLuint texture;
    GLenum format;
    int width, height;
} pixel_image;

enum { PIXELS_DEFINES = 128 };  /* memory for the text of pixels_defines, bytes */
enum { PIXELS_BAND = 1 << 16 }; /* pixels that the CPU renders between two checks for interruption */

/** Make #define lines for per-pixel shaders: the settings of the quality that are compile-time constants. */
void pixels_defines(const render_quality *quality, char *text, size_t size);

/** Run a program for every pixel of an image. On the CPU it runs in bands of rows, so that it can be interrupted. */
void pixels_draw(GLuint program, const pixel_image *image, int (*is_interrupted)(void));

/** Set all words of an array of images. program: words_clear.comp; size: width, height, layers */
void pixels_clear(GLuint program, GLuint texture, const int size[3], GLuint word);

/** Run the current program on `rows` rows of pixels of the bound image. first: first row, a multiple of 8 */
void pixels_draw_rows(int width, int first, int rows);

/** Run the current program on `count` entries, from entry `first` on, of the bound lists of blocks of 8 x 8 pixels. */
void pixels_draw_blocks(int first, int count);

#endif
