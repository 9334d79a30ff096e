/* forest.h - places and draws trees, bushes, grass, stones and their shadows on the GPU.
 *
 * A compute pass places plants by their position in the world and by the ground there. Other passes draw the plants
 * that the land does not hide into two targets, which shade.comp reads. */
#ifndef TERRANE_PROGRAM_RENDER_FOREST_H
#define TERRANE_PROGRAM_RENDER_FOREST_H

#include "program/render/frame_block.h"
#include "program/render/gpu_timer.h"
#include "program/render/targets.h"

typedef struct forest forest;

/** A plant as scatter.comp places it; Plant in plants.glsl. */
typedef struct forest_plant {
    float foot[3], height; /* foot relative to the camera, and height, m */
    float yaw;             /* radians */
    float look;            /* integer part: kind * PLANT_AGES + age; fraction: tint */
    float dither_range[2]; /* range of dither values in which a pixel shows the plant */
} forest_plant;

/** Half the width of a plant's crown, m, except for the differences between plants of a kind. */
float forest_half_width(const forest_plant *plant);

/** Trees and bushes around the camera of an earlier frame, in view or not, and the position of that camera. */
typedef struct nearby_trees {
    const forest_plant *plants; /* valid until the next frame is drawn */
    size_t count;
    double place_m[2]; /* position of that camera: metres east and south of the world's origin */
    double altitude_m;
} nearby_trees;

/** Create the plants' programs, meshes and buffers for a quality. Errors RESULT_FAILED */
result forest_create(const render_quality *quality, forest **out);
void forest_destroy(forest *forest);

/** Place the plants of a view and draw their shadow maps. The frame's uniforms, heights and tile light must be bound.
 * Does nothing where no plant can be near.
 *
 *  slot  0..GPU_TIMER_FRAMES - 1, one for each frame in flight; receives a copy of the trees
 */
void forest_place(forest *forest, const render_view *view, const frame_block *block, unsigned slot);

/** Place the plants of a view before its first frame and copy its trees to all slots. Waits for the GPU. */
void forest_find(forest *forest, const render_view *view, const frame_block *block);

/** Draw the placed plants over the land. */
void forest_draw(forest *forest, const targets *targets);

/** Bind the textures and the uniform block that shade.comp reads. */
void forest_bind(const forest *forest, const targets *targets);

/** The trees in a slot. The GPU must have finished the frame that copied them. */
void forest_nearby_trees(const forest *forest, unsigned slot, nearby_trees *out);

/** Read the trees and bushes that the last frame placed for the far shadow map, in no particular order, at most `most`.
 * Returns how many. Waits for the GPU. */
size_t forest_read(const forest *forest, forest_plant *plants, size_t most);

#endif
