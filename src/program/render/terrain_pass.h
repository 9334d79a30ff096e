/* terrain_pass.h - draws the depth of the land. Each tile of a quadtree, or part of a tile, is drawn by the same grid
 * of triangles. */
#ifndef TERRANE_PROGRAM_RENDER_TERRAIN_PASS_H
#define TERRANE_PROGRAM_RENDER_TERRAIN_PASS_H

#include <stdbool.h>

#include "program/render/quality.h"
#include "program/render/targets.h"
#include "program/stream/quadtree.h"

typedef struct terrain_pass terrain_pass;

/** Create programs and buffers for the mesh and the samples per pixel of a quality. Errors RESULT_FAILED */
result terrain_pass_create(const render_quality *quality, terrain_pass **out);
void terrain_pass_destroy(terrain_pass *pass);

/** Clear the depth and draw all tiles into it for the frame whose uniforms are bound. Returns the number of triangles.
 */
uint64_t terrain_pass_draw(terrain_pass *pass, const targets *targets, const quadtree *tree, bool is_wire);

/** Clear the depth without drawing. */
void terrain_pass_clear(const terrain_pass *pass, const targets *targets);

#endif
