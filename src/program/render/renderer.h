/* renderer.h - a frame of land, sea and sky into a framebuffer of its own; everything that draws goes through here. */
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

/** Passes, in order; their names are in render_pass_names. "tiles" is light and bounds of new tiles, "air" the tables
 * of the atmosphere, "terrain" its depth, "forest" plants and stones over it, "sea" its waves, "shade" the light of
 * land, water and sky, "display" exposure and the finished picture.
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
    uint32_t n_slots;              /* tiles to have room for */
    bool has_water;                /* with water beside their heights */
    const render_quality *quality; /* copied */
    /* Where the CPU draws, a frame takes long: this is asked within one, and what is left of the frame is not drawn
     * once it says so; the caller asks it, too, before it uses the frame. */
    int (*is_interrupted)(void);
    void (*say)(const char *text); /* NULL, or takes how long a frame takes, once, where that is long */
    const second_context
        *second; /* NULL, or where shaders are compiled while frames are drawn, if the CPU draws; copied */
} renderer_options;

/** Create a renderer. Errors OUTCOME_FAILED */
outcome renderer_create(const renderer_options *options, renderer **out);
void renderer_destroy(renderer *renderer);

tile_store *renderer_tiles(renderer *renderer);

/** Begin a frame: waits until the GPU has drawn the one `behind` frames before it, and hands out the times of an
 * earlier frame.
 *
 *  behind  1 .. GPU_TIMER_FRAMES
 */
void renderer_next_frame(renderer *renderer, unsigned behind, gpu_timer_result *result, void *user);

/** Wait for the GPU, and hand out the times of all frames that it has drawn. */
void renderer_finish(renderer *renderer, gpu_timer_result *result, void *user);

/** Newest GPU time of a pass, milliseconds; 0: not measured. */
double renderer_pass_ms(const renderer *renderer, render_pass pass);

/** Whether GPU times are measured; and the newest ones of all passes together, milliseconds, 0 before there are any. */
bool renderer_is_timed(const renderer *renderer);
double renderer_frame_ms(const renderer *renderer);

/** Take shaders that have changed in the folder they come from; `say` takes the log of those that do not compile. */
void renderer_reload(renderer *renderer, void (*say)(const char *text));

/** Make the frame and its picture so large. Errors OUTCOME_FAILED */
outcome renderer_resize(renderer *renderer, const target_size *size);

/** Draw a frame: view, and the tiles and ranges of a quadtree; bounds of tiles go to the pool. */
void renderer_draw(renderer *renderer, const render_view *view, const quadtree *tree, tile_pool *pool);

/** Draw text over the picture; x, y in pixels from the top left corner. */
void renderer_text(renderer *renderer, const char *text, float x, float y);

/** How far the shaders are that a second context compiles. Until they are begun frames have no light. Errors
 * OUTCOME_FAILED */
outcome renderer_progress(renderer *renderer, shade_progress *out);

/** Copy the picture to a window's framebuffer of width x height. */
void renderer_present(const renderer *renderer, int width, int height);

enum { RENDER_PLACES_WIDE = 128, RENDER_PLACES = 128 * 128 };

/** The ground that the last frame shows, by a grid of pixels: east, south and distance, metres from the camera;
 * distance 0 where there is no ground. Waits for the GPU. */
void renderer_view_ground(renderer *renderer, float places[RENDER_PLACES][4]);

/** Framebuffer that holds the finished picture. */
GLuint renderer_framebuffer(const renderer *renderer);

/** Place the trees of a view before the first frame, so that renderer_stand knows them from that frame on. Waits for
 * the GPU. */
void renderer_find_trees(renderer *renderer, const render_view *view, const quadtree *tree, tile_pool *pool);

/** The trees and bushes around the camera of the frame GPU_TIMER_FRAMES before the one that has begun and is not drawn
 * yet. False when there were none. */
bool renderer_stand(const renderer *renderer, forest_stand *out);

/** Trees of the last frame; NULL where the quality has none. */
const forest *renderer_forest(const renderer *renderer);

/** Triangles of the last frame. */
uint64_t renderer_triangles(const renderer *renderer);

#endif
