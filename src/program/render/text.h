/* text.h - draws lines of monospaced text over the picture. */
#ifndef TERRANE_PROGRAM_RENDER_TEXT_H
#define TERRANE_PROGRAM_RENDER_TEXT_H

#include "program/render/gl.h"

typedef struct text_layer text_layer;

/** Create a text layer with ASCII glyphs of a height in pixels. Errors RESULT_FAILED */
result text_layer_create(float height_px, text_layer **out);
void text_layer_destroy(text_layer *layer);

/** Draw lines, separated by \n, on a dark rectangle whose top left corner is at (x, y), onto the bound target of width
 * x height. All in pixels. */
void text_layer_draw(text_layer *layer, const char *text, float x, float y, int width, int height);

#endif
