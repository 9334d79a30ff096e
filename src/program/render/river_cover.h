/* river_cover.h - computes the cover of narrow rivers: the share of the ground around each sample that a river or the
 * dry bed of a river covers, or how thick a glacier or sand is there.
 * Rivers up to 1.6 sample distances wide have their full cover; that of wider ones fades out, and is 0 from 3.2 on.
 *
 * The inputs are the layers flow (drained area of the nearest channel) and shore (distance to its middle), and in
 * worlds that have them, glacier and dryness. The GPU holds these layers only until the cover is computed. */
#ifndef TERRANE_PROGRAM_RENDER_RIVER_COVER_H
#define TERRANE_PROGRAM_RENDER_RIVER_COVER_H

#include "program/render/gl.h"
#include "program/stream/tile.h"

enum { RIVER_BUFFER = 4 /* binding of the cover */ };

/* The staging buffer has STAGING_LAYERS layers of STAGING_TILES tiles of TILE_FLOATS floats; constants.glsl has the
 * numbers of the layers. Height and water are copied to slots; the cover is computed from the others. */

typedef struct river_cover river_cover;

/** Create buffers for the cover of n_slots tiles. Errors RESULT_FAILED */
result river_cover_create(uint32_t n_slots, river_cover **out);
void river_cover_destroy(river_cover *cover);

/** GPU memory of one slot, bytes. */
uint64_t river_cover_slot_bytes(void);

/** GL buffer of the cover. A slot has TILE_FLOATS bytes, see COVER_RIVER in shaders/constants.glsl, and a word of
 * flags, see shaders/river_cover.glsl. */
GLuint river_cover_buffer(const river_cover *cover);

/** GL staging buffer: STAGING_LAYERS layers one after another. */
GLuint river_cover_staging(const river_cover *cover);

/** A tile of the staging buffer and its slot. */
typedef struct staging_tile {
    uint32_t slot;
    float step_m;    /* distance between samples */
    float spacing_m; /* lattice step */
    uint32_t covers; /* STAGING_HAS_GLACIERS, STAGING_HAS_DROUGHT and STAGING_HAS_SAND, if the staging buffer has the
                        layers */
} staging_tile;

/** Compute the cover of the first `count` tiles of the staging buffer, at most STAGING_TILES. Their flow and shore
 * must be in the staging buffer and their water in their slots.
 *
 *  water  GL buffer of the water in slots
 */
void river_cover_find(river_cover *cover, GLuint water, const staging_tile *tiles, size_t count);

/** Mark the cover of all slots as unknown, because their water changes. Shaders draw no narrow rivers in such slots. */
void river_cover_forget(river_cover *cover);

#endif
