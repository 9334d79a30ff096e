/* tile_store.h - owns the tile slots on the GPU: heights, water, light and bounds, and the page table that finds slots
 * by position. */
#ifndef TERRANE_PROGRAM_RENDER_TILE_STORE_H
#define TERRANE_PROGRAM_RENDER_TILE_STORE_H

#include <stdbool.h>

#include "program/render/gl.h"
#include "program/stream/quadtree.h"

typedef struct tile_store tile_store;

typedef struct tile_store_options {
    uint32_t n_slots;
    int light_side; /* a tile has (light_side + 1)^2 texels of light; a divisor of TILE_QUADS */
    bool has_water; /* slots hold water levels as well as heights */
    /* Called between batches of tiles. If it returns nonzero, tile_store_work stops, and its work stays incomplete. */
    int (*is_interrupted)(void);
} tile_store_options;

/** Create the store. Errors RESULT_FAILED */
result tile_store_create(const tile_store_options *options, tile_store **out);
void tile_store_destroy(tile_store *store);

/** Largest number of slots that the current context supports. */
uint64_t tile_store_slots_max(void);

/** GPU memory of one slot, bytes. */
uint64_t tile_store_slot_bytes(int light_side, bool has_water);

/** GL buffer of the heights. Slot s has TILE_FLOATS floats from index s * TILE_FLOATS on, row-major, TILE_SAMPLES per
 * row. */
GLuint tile_store_buffer(const tile_store *store);

/** GL buffer of the water in the same layout: water level, NaN where the ground is dry. 0 if the store has no water. */
GLuint tile_store_water_buffer(const tile_store *store);

/** GL staging buffer for up to STAGING_TILES tiles with STAGING_LAYERS layers (river_cover.h). 0 if the store has no
 * water. */
GLuint tile_store_staging_buffer(const tile_store *store);

/** Copy heights and water of the first `count` tiles of the staging buffer to slots. */
void tile_store_copy_staging(tile_store *store, const uint32_t *slots, size_t count);

/** Copy a layer of a tile from host memory to tile n of the staging buffer. layer: number from constants.glsl */
void tile_store_upload_staging(tile_store *store, int layer, size_t n, const float *samples);

/** Compute narrow rivers and ice of the first `count` tiles of the staging buffer from their layers. Their water must
 * be in the slots. Call this after the water of a slot has changed; otherwise the slot keeps the rivers of its former
 * tile.
 *
 *  steps_m    distance between samples, for each tile
 *  spacing_m  lattice step
 *  covers     as in staging_tile
 */
void tile_store_find_rivers(tile_store *store, const uint32_t *slots, const float *steps_m, float spacing_m,
                            uint32_t covers, size_t count);

/** Copy one tile's heights, and its water unless NULL, from host memory to a slot. */
void tile_store_upload(tile_store *store, uint32_t slot, const float *heights, const float *water);

/** Mark a slot as empty, before its contents change. The store ignores it until tile_store_complete. */
void tile_store_vacate(tile_store *store, uint32_t slot);

/** Mark a slot as filled with a tile's heights. */
void tile_store_complete(tile_store *store, uint32_t slot, tile_key key);

/** List the filled slots and their tiles. Both arrays must have n_slots elements. Returns how many. */
size_t tile_store_list(const tile_store *store, uint32_t *slots, tile_key *keys);

/** Read a slot's heights, and its water unless NULL, TILE_FLOATS floats each. Waits for the GPU. Returns the tile. */
tile_key tile_store_read(const tile_store *store, uint32_t slot, float *heights, float *water);

/** Number of tiles completed since the last tile_store_work. */
size_t tile_store_new(const tile_store *store);

/** Set whether heights change from frame to frame. While heights change, bounds are not passed to the pool and narrow
 * rivers are unknown. Afterwards the bounds of all tiles are measured again. The light of tiles is recomputed only as
 * n_refreshed of tile_store_work says. */
void tile_store_set_changing(tile_store *store, bool is_changing);

/** Compute light and bounds of new tiles, and recompute the light of at most n_refreshed old tiles, for the frame whose
 * uniforms are bound. Also uploads the page table and binds the buffers. Bounds reach the pool some frames later.
 *
 *  cell  lattice cell of the camera
 */
void tile_store_work(tile_store *store, tile_pool *pool, const quadtree *tree, const int64_t cell[2],
                     size_t n_refreshed);

/** Bind the light of tiles without an update. */
void tile_store_bind(const tile_store *store);

#endif
