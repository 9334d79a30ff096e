/* forest.h - trees, bushes, grass and stones: placed by a compute pass from place and ground, drawn into the land's depth and into a
 * target of their own, which shade.comp reads; their shadows.
 */
#ifndef TERRANE_RENDER_FOREST_H
#define TERRANE_RENDER_FOREST_H

#include "render/frame_block.h"
#include "render/targets.h"

typedef struct forest forest;

/** A plant as scatter.comp places it; Plant in plants.glsl. */
typedef struct forest_plant {
    float foot[3], height; /* from the camera, m */
    float yaw;             /* radians */
    float look;            /* kind, and its tint as the fraction */
    float kept[2];         /* of the pixels' dither */
} forest_plant;

/** Create for a quality. Errors OUTCOME_FAILED */
outcome forest_create(const render_quality *quality, forest **out);
void forest_destroy(forest *forest);

/** Place everything for a view, and draw its shadows; the frame's uniforms, heights and light of tiles are bound. Where no plant can be
 * near nothing is done. */
void forest_place(forest *forest, const render_view *view, const frame_block *block);

/** Draw what was placed over the land. */
void forest_draw(forest *forest, const targets *targets);

/** Bind what shade.comp reads. */
void forest_bind(const forest *forest, const targets *targets);

/** Trees that the last frame placed for shadows, wherever they stand, nearest ones first or not: at most `most`; waits for the GPU. */
size_t forest_read(const forest *forest, forest_plant *plants, size_t most);

#endif
