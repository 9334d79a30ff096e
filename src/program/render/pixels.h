/* pixels.h - compute shaders that run one thread a pixel. */
#ifndef TERRANE_PROGRAM_RENDER_PIXELS_H
#define TERRANE_PROGRAM_RENDER_PIXELS_H

#include <stddef.h>

#include "program/render/gl.h"
#include "program/render/quality.h"

/** An image that a pass writes. */
typedef struct pixel_image {
    GLuint texture;
    GLenum format;
    int width, height;
} pixel_image;

enum { PIXELS_DEFINES = 128 };  /* bytes that pixels_defines needs at most */
enum { PIXELS_BAND = 1 << 16 }; /* of a picture that the CPU makes, between two looks at whether to go on */

/** Lines before the text of a shader that runs once a pixel: what of the quality it knows while it is compiled. */
void pixels_defines(const render_quality *quality, char *text, size_t size);

/** Run a program once a pixel; where the CPU draws in bands of rows, so that it can be interrupted. */
void pixels_draw(GLuint program, const pixel_image *image, int (*is_interrupted)(void));

/** Set all words of an array of images. program: words_clear.comp; size: width, height, layers */
void pixels_clear(GLuint program, GLuint texture, const int size[3], GLuint word);

/** Run the program in use, whose image is bound, for `rows` rows of pixels from `first` on, a multiple of 8. */
void pixels_draw_rows(int width, int first, int rows);

/** Run the program in use, whose image is bound, for `count` blocks of 8 x 8 pixels from the `first` of all lists on. */
void pixels_draw_blocks(int first, int count);

#endif
