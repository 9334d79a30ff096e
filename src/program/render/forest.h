/* forest.h - trees, bushes, grass and stones: placed by a compute pass from place and ground, drawn into the land's
 * depth and into a target of their own, which shade.comp reads; their shadows.
 */
#ifndef TERRANE_PROGRAM_RENDER_FOREST_H
#define TERRANE_PROGRAM_RENDER_FOREST_H

#include "program/render/frame_block.h"
#include "program/render/gpu_timer.h"
#include "program/render/targets.h"

typedef struct forest forest;

/** A plant as scatter.comp places it; Plant in plants.glsl. */
typedef struct forest_plant {
    float foot[3], height; /* from the camera, m */
    float yaw;             /* radians */
    float look;            /* kind, and its tint as the fraction */
    float kept[2];         /* of the pixels' dither */
} forest_plant;

/** Trees and bushes around the camera of an earlier frame, whether they are in view or not, and where that camera
 * stood. */
typedef struct forest_stand {
    const forest_plant *plants; /* good until the next frame is drawn */
    size_t count;
    int64_t cell[2]; /* lattice cell of the camera */
    double offset_m[2], altitude_m;
} forest_stand;

/** Create for a quality. Errors OUTCOME_FAILED */
outcome forest_create(const render_quality *quality, forest **out);
void forest_destroy(forest *forest);

/** Place everything for a view, and draw its shadows; the frame's uniforms, heights and light of tiles are bound. Where
 * no plant can be near nothing is done. slot: 0..GPU_TIMER_FRAMES - 1, of the frames that the GPU may be behind: in it
 * the trees are kept.
 */
void forest_place(forest *forest, const render_view *view, const frame_block *block, unsigned slot);

/** Place everything for a view before its first frame, and keep its trees in all slots. Waits for the GPU. */
void forest_find(forest *forest, const render_view *view, const frame_block *block);

/** Draw what was placed over the land. */
void forest_draw(forest *forest, const targets *targets);

/** Bind what shade.comp reads. */
void forest_bind(const forest *forest, const targets *targets);

/** The trees that were kept in a slot, by a frame that the GPU has finished. */
void forest_stand_of(const forest *forest, unsigned slot, forest_stand *out);

/** Trees that the last frame placed for shadows, wherever they stand, nearest ones first or not: at most `most`; waits
 * for the GPU.
 */
size_t forest_read(const forest *forest, forest_plant *plants, size_t most);

#endif
