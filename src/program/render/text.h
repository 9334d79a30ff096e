/* text.h - lines of monospaced text over the picture. */
#ifndef TERRANE_PROGRAM_RENDER_TEXT_H
#define TERRANE_PROGRAM_RENDER_TEXT_H

#include "program/render/gl.h"

typedef struct text_layer text_layer;

/** Bake the glyphs (ASCII) at a height in pixels. */
outcome text_layer_create(float height_px, text_layer **out);
void text_layer_destroy(text_layer *layer);

/** Draw lines (separated by \n) on a dark rectangle whose top left corner is at x, y pixels, onto a target of width x
 * height. */
void text_layer_draw(text_layer *layer, const char *text, float x, float y, int width, int height);

#endif
