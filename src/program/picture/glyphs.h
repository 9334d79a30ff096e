/* glyphs.h - the program's font as a picture of all its letters, for text on the GPU and in maps. No OpenGL. */
#ifndef TERRANE_PROGRAM_PICTURE_GLYPHS_H
#define TERRANE_PROGRAM_PICTURE_GLYPHS_H

#include <stdbool.h>

#include "program/core/result.h"

enum { GLYPHS_ATLAS = 512 }; /* pixels of the picture's side */

typedef struct glyphs glyphs;

/** A letter's place on the page (pixels) and in the picture (0..1). */
typedef struct glyph_quad {
    float x0, y0, x1, y1, s0, t0, s1, t1;
} glyph_quad;

/** Draw all letters of ASCII height_px high. Errors OUTCOME_FAILED they do not fit, out of memory */
outcome glyphs_create(float height_px, glyphs **out);
void glyphs_destroy(glyphs *glyphs);

/** Coverage 0..255, GLYPHS_ATLAS x GLYPHS_ATLAS, row-major. */
const unsigned char *glyphs_pixels(const glyphs *glyphs);

float glyphs_height(const glyphs *glyphs);
float glyphs_advance(const glyphs *glyphs); /* of every letter */

/** Quad of a letter whose base line begins at *x, y; moves *x on. False for what is no letter. */
bool glyphs_quad(const glyphs *glyphs, char letter, float *x, float y, glyph_quad *out);

#endif
