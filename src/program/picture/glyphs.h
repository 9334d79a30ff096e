/* glyphs.h - makes an atlas of the program's font, for text on the GPU and in maps. Calls no OpenGL. */
#ifndef TERRANE_PROGRAM_PICTURE_GLYPHS_H
#define TERRANE_PROGRAM_PICTURE_GLYPHS_H

#include <stdbool.h>

#include "program/core/result.h"

enum { GLYPHS_ATLAS = 512 }; /* pixels per side of the atlas */

typedef struct glyphs glyphs;

/** A letter's rectangle in the text, x and y in pixels, and in the atlas, s and t in 0..1. */
typedef struct glyph_quad {
    float x0, y0, x1, y1, s0, t0, s1, t1;
} glyph_quad;

/** Make the atlas of all printable ASCII characters. Errors RESULT_FAILED the characters do not fit; out of memory */
result glyphs_create(float height_px, glyphs **out);
void glyphs_destroy(glyphs *glyphs);

/** Coverage 0..255, GLYPHS_ATLAS x GLYPHS_ATLAS, row-major. */
const unsigned char *glyphs_pixels(const glyphs *glyphs);

/** Height of letters and width of every letter, pixels. */
float glyphs_height(const glyphs *glyphs);
float glyphs_advance(const glyphs *glyphs);

/** Rectangle of a letter whose base line begins at (*x, y). Advances *x. Returns false for a character that the atlas
 * lacks. */
bool glyphs_quad(const glyphs *glyphs, char letter, float *x, float y, glyph_quad *out);

#endif
