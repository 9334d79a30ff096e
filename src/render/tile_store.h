/* tile_store.h - heights of all tile slots on the GPU, the page table that finds them by place, and the light that falls on them.
 */
#ifndef TERRANE_RENDER_TILE_STORE_H
#define TERRANE_RENDER_TILE_STORE_H

#include <stdbool.h>

#include "render/gl.h"
#include "stream/quadtree.h"

typedef struct tile_store tile_store;

/** Room for n_slots tiles; light is kept at light_side + 1 texels a side of each, a divisor of TILE_QUADS. Where the CPU draws,
 * work on tiles asks `is_interrupted` and leaves the rest undone once it says so. */
outcome tile_store_create(uint32_t n_slots, int light_side, int (*is_interrupted)(void), tile_store **out);
void tile_store_destroy(tile_store *store);

/** The most slots that this context can hold. */
uint64_t tile_store_slots_max(void);

/** GPU memory of one slot, bytes. */
uint64_t tile_store_slot_bytes(int light_side);

/** GL buffer of the heights: slot s is TILE_FLOATS floats from s * TILE_FLOATS on, row-major, TILE_SAMPLES a row. */
GLuint tile_store_buffer(const tile_store *store);

/** Copy one tile's heights from host memory. */
void tile_store_upload(tile_store *store, uint32_t slot, const float *heights);

/** A slot is going to hold a tile's heights, or holds other ones now: until then nothing is made of what it holds. */
void tile_store_vacate(tile_store *store, uint32_t slot);

/** A tile's heights are in its slot. */
void tile_store_complete(tile_store *store, uint32_t slot, tile_key key);

/** Slots and tiles that are there; both arrays have room for all slots. Returns how many. */
size_t tile_store_list(const tile_store *store, uint32_t *slots, tile_key *keys);

/** Read a slot's heights back, TILE_FLOATS floats; returns the tile it holds. */
tile_key tile_store_read(const tile_store *store, uint32_t slot, float *heights);

/** While heights change from frame to frame bounds are not measured; when they rest again light and bounds of all tiles are made
 * anew. */
void tile_store_set_changing(tile_store *store, bool is_changing);

/** Make the light and the bounds of new tiles, and the light of `n_refreshed` old ones again, for the frame whose uniforms are
 * bound. Bounds reach the pool some frames later. */
void tile_store_work(tile_store *store, tile_pool *pool, const quadtree *tree, const int64_t cell[2], size_t n_refreshed);

#endif
