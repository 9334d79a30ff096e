/* tile_pool.h - maps tiles to slots of the tile buffer and evicts the least recently used tiles. */
#ifndef TERRANE_PROGRAM_STREAM_TILE_POOL_H
#define TERRANE_PROGRAM_STREAM_TILE_POOL_H

#include <stdbool.h>
#include <stddef.h>

#include "program/stream/tile.h"

typedef enum tile_state { TILE_ABSENT, TILE_PENDING, TILE_READY } tile_state;

typedef struct tile_pool tile_pool;

/** Create a pool of n_slots empty slots. Returns NULL when out of memory. */
tile_pool *tile_pool_create(uint32_t n_slots);
void tile_pool_destroy(tile_pool *pool);

/** State of a tile; marks the tile as used in `frame`. *slot is set unless the tile is absent. */
tile_state tile_pool_use(tile_pool *pool, tile_key key, uint64_t frame, uint32_t *slot);

/** Whether the tile in a slot was used in `frame`. */
bool tile_pool_is_used(const tile_pool *pool, uint32_t slot, uint64_t frame);

/** Assign a slot to an absent tile, which becomes pending. Returns false if every slot is pending or was used in
 * `frame`. */
bool tile_pool_reserve(tile_pool *pool, tile_key key, uint64_t frame, uint32_t *slot);

/** Mark a pending tile as ready: its heights have arrived. */
void tile_pool_complete(tile_pool *pool, uint32_t slot);

/** Lowest and highest sample of a ready tile, metres; infinite until they are set. */
void tile_pool_set_bounds(tile_pool *pool, uint32_t slot, float low_m, float high_m);
void tile_pool_bounds(const tile_pool *pool, uint32_t slot, float *low_m, float *high_m);

/** Weight 0..1 of a ready tile's own shape; the rest is its parent's shape. 1 for a new tile. */
void tile_pool_set_detail_share(tile_pool *pool, uint32_t slot, float share);
float tile_pool_detail_share(const tile_pool *pool, uint32_t slot);

/** Record that `frame` draws a ready tile instead of some of its children; `children` has bits 1 << child. */
void tile_pool_note_replaced_children(tile_pool *pool, uint32_t slot, uint64_t frame, unsigned children);

/** The children, as bits, that `frame` did not draw because it drew the tile instead. */
unsigned tile_pool_replaced_children(const tile_pool *pool, uint32_t slot, uint64_t frame);

/** Drop every ready tile that was not used in `frame`; calls `dropped` for each of their slots. */
void tile_pool_drop_unused(tile_pool *pool, uint64_t frame, void (*dropped)(void *user, uint32_t slot), void *user);

/** Forget the bounds of all tiles. */
void tile_pool_forget_bounds(tile_pool *pool);

#endif
