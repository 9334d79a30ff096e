/* renderer.h - draws frames of land, sea and sky into a framebuffer of the renderer. Files of other folders draw only
 * by these functions. */
#ifndef TERRANE_PROGRAM_RENDER_RENDERER_H
#define TERRANE_PROGRAM_RENDER_RENDERER_H

#include <stdbool.h>

#include "program/render/forest.h"
#include "program/render/gpu_timer.h"
#include "program/render/quality.h"
#include "program/render/shade_kinds.h"
#include "program/render/targets.h"
#include "program/render/tile_store.h"
#include "program/render/view.h"
#include "program/stream/quadtree.h"

/** Passes of a frame, in order. Their names are in render_pass_names.
 *
 *  tiles    makes the light and the bounds of new tiles
 *  air      makes the tables of the atmosphere
 *  terrain  draws the depth of the land
 *  forest   places and draws plants and stones
 *  clouds   computes the light of clouds
 *  sea      computes the waves
 *  shade    computes the light of land, water and sky
 *  display  chooses the exposure and makes the picture of 8 bits per colour
 *  hud      draws text over the picture
 */
typedef enum render_pass {
    PASS_TILES,
    PASS_AIR,
    PASS_TERRAIN,
    PASS_FOREST,
    PASS_CLOUDS,
    PASS_SEA,
    PASS_SHADE,
    PASS_DISPLAY,
    PASS_HUD,
    PASSES
} render_pass;
extern const char *const render_pass_names[PASSES];

typedef struct renderer renderer;

typedef struct renderer_options {
    uint32_t n_slots;              /* tile slots */
    bool has_water;                /* slots hold water levels as well as heights */
    const render_quality *quality; /* copied */
    /* Called during slow frames on the CPU. A nonzero result ends the frame early. So before the caller uses a frame,
     * it must call this function to learn whether the frame is complete. */
    int (*is_interrupted)(void);
    void (*report)(const char *text); /* called once with the expected time of a slow frame; NULL: no message */
    /* If OpenGL renders on the CPU: context of a thread that compiles shaders while frames are drawn; the struct is
     * copied. NULL: no such thread */
    const second_context *second;
} renderer_options;

/** Create a renderer. Errors RESULT_FAILED */
result renderer_create(const renderer_options *options, renderer **out);
void renderer_destroy(renderer *renderer);

tile_store *renderer_tiles(renderer *renderer);

/** Begin a frame. Waits until the GPU has finished the frame `behind` frames earlier. Passes the GPU times of an
 * earlier frame to `result`.
 *
 *  behind  1 .. GPU_TIMER_FRAMES
 */
void renderer_next_frame(renderer *renderer, unsigned behind, gpu_timer_result *result, void *user);

/** Wait for the GPU and pass the times of all finished frames to `result`. */
void renderer_finish(renderer *renderer, gpu_timer_result *result, void *user);

/** Last measured GPU time of a pass, milliseconds; 0: not measured. */
double renderer_pass_ms(const renderer *renderer, render_pass pass);

/** Whether GPU times are measured; and the sum of the last times of all passes, milliseconds, 0: not measured. */
bool renderer_is_timed(const renderer *renderer);
double renderer_frame_ms(const renderer *renderer);

/** Reload the shaders if a file of their folder has changed. `report` receives the log of shaders that do not compile.
 */
void renderer_reload(renderer *renderer, void (*report)(const char *text));

/** Set the size of the frame and of its picture. Errors RESULT_FAILED */
result renderer_resize(renderer *renderer, const target_size *size);

/** Draw a frame of a view with the tiles and ranges of a quadtree. Passes measured bounds of tiles to the pool. Errors
 * RESULT_FAILED a shader that no frame before needed does not compile */
result renderer_draw(renderer *renderer, const render_view *view, const quadtree *tree, tile_pool *pool);

/** Draw text over the picture; x, y in pixels from the top left corner. */
void renderer_text(renderer *renderer, const char *text, float x, float y);

/** Progress of the thread that compiles shaders. While `is_frame_shaded` is false, frames are not shaded. Errors
 * RESULT_FAILED
 */
result renderer_progress(renderer *renderer, shade_progress *out);

/** Copy the picture to a window's framebuffer of width x height. */
void renderer_present(const renderer *renderer, int width, int height);

enum { RENDER_PLACES_WIDE = 128, RENDER_PLACES = 128 * 128 };

/** Positions of the ground that the last frame shows, at a grid of pixels: east, south and distance from the camera,
 * metres; distance 0 where a pixel shows no ground. Waits for the GPU. */
void renderer_view_ground(renderer *renderer, float places[RENDER_PLACES][4]);

/** Framebuffer of the finished picture. */
GLuint renderer_framebuffer(const renderer *renderer);

/** Place the trees of a view before the first frame, so that renderer_nearby_trees returns them from the first frame
 * on. Waits for the GPU. */
void renderer_find_trees(renderer *renderer, const render_view *view, const quadtree *tree, tile_pool *pool);

/** Trees and bushes around the camera of the frame that lies GPU_TIMER_FRAMES before the current one. Call this after
 * renderer_next_frame and before renderer_draw. Returns false if that frame had no trees. */
bool renderer_nearby_trees(const renderer *renderer, nearby_trees *out);

/** Trees of the last frame; NULL if the quality has no trees. */
const forest *renderer_forest(const renderer *renderer);

/** Triangles of the last frame. */
uint64_t renderer_triangles(const renderer *renderer);

#endif
