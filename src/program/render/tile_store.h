/* tile_store.h - heights of all tile slots on the GPU, and water over them, the page table that finds them by place,
 * and the light that falls on them.
 */
#ifndef TERRANE_PROGRAM_RENDER_TILE_STORE_H
#define TERRANE_PROGRAM_RENDER_TILE_STORE_H

#include <stdbool.h>

#include "program/render/gl.h"
#include "program/stream/quadtree.h"

typedef struct tile_store tile_store;

typedef struct tile_store_options {
    uint32_t n_slots; /* tiles to have room for */
    int light_side;   /* light is kept at light_side + 1 texels a side of each, a divisor of TILE_QUADS */
    bool has_water;   /* tiles have water beside their heights */
    int (*is_interrupted)(
        void); /* where the CPU draws, work on tiles asks it and leaves the rest undone once it says so */
} tile_store_options;

/** Make room for tiles. Errors OUTCOME_FAILED */
outcome tile_store_create(const tile_store_options *options, tile_store **out);
void tile_store_destroy(tile_store *store);

/** The most slots that this context can hold. */
uint64_t tile_store_slots_max(void);

/** GPU memory of one slot, bytes. */
uint64_t tile_store_slot_bytes(int light_side, bool has_water);

/** GL buffer of the heights: slot s is TILE_FLOATS floats from s * TILE_FLOATS on, row-major, TILE_SAMPLES a row. */
GLuint tile_store_buffer(const tile_store *store);

/** GL buffer of the water, laid out likewise: its level, not a number where it is dry. 0 when there is none. */
GLuint tile_store_water_buffer(const tile_store *store);

/** GL buffer in which RIVER_ARRIVALS tiles with water arrive, ARRIVAL_LAYERS of them (river_cover.h). 0 when there is
 * no water. */
GLuint tile_store_arrivals_buffer(const tile_store *store);

/** Copy heights and water that have arrived there into slots. */
void tile_store_take_arrivals(tile_store *store, const uint32_t *slots, size_t count);

/** Copy flow and shore of arriving tile n from host memory. */
void tile_store_upload_rivers(tile_store *store, size_t n, const float *flow, const float *shore);

/** Find narrow rivers of tiles whose flow and shore have arrived and whose water is in their slots; steps_m: between
 * samples. Without that, after the water of a slot has changed, a slot keeps the rivers of the tile that it held
 * before. */
void tile_store_find_rivers(tile_store *store, const uint32_t *slots, const float *steps_m, float spacing_m,
                            size_t count);

/** Copy one tile's heights, and its water or NULL, from host memory. */
void tile_store_upload(tile_store *store, uint32_t slot, const float *heights, const float *water);

/** A slot is going to hold a tile's heights, or holds other ones now: until then nothing is made of what it holds. */
void tile_store_vacate(tile_store *store, uint32_t slot);

/** A tile's heights are in its slot. */
void tile_store_complete(tile_store *store, uint32_t slot, tile_key key);

/** Slots and tiles that are there; both arrays have room for all slots. Returns how many. */
size_t tile_store_list(const tile_store *store, uint32_t *slots, tile_key *keys);

/** Read a slot's heights back, and its water unless that is NULL, TILE_FLOATS floats each; returns the tile it holds.
 */
tile_key tile_store_read(const tile_store *store, uint32_t slot, float *heights, float *water);

/** How many tiles have been completed since the last work on tiles. */
size_t tile_store_new(const tile_store *store);

/** While heights change from frame to frame bounds are not known, nor are narrow rivers; when they rest again bounds of
 * all tiles are measured anew. Their light is what tile_store_work makes again. */
void tile_store_set_changing(tile_store *store, bool is_changing);

/** Make the light and the bounds of new tiles, and the light of `n_refreshed` old ones again, for the frame whose
 * uniforms are bound. Bounds reach the pool some frames later. */
void tile_store_work(tile_store *store, tile_pool *pool, const quadtree *tree, const int64_t cell[2],
                     size_t n_refreshed);

/** Bind the light of tiles as it is. */
void tile_store_bind(const tile_store *store);

#endif
