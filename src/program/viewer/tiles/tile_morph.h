/* tile_morph.h - holds tiles in both worlds of a morph. Tiles are loaded before the morph begins, and blended into the
 * store frame by frame. A morph is called awaited while its tiles are loaded and it has not begun. */
#ifndef TERRANE_PROGRAM_VIEWER_TILES_TILE_MORPH_H
#define TERRANE_PROGRAM_VIEWER_TILES_TILE_MORPH_H

#include "program/viewer/tiles/tile_maker.h"

typedef struct tile_morph {
    tile_maker *maker;
    size_t n_slots;
    ter_morph *morph; /* heights of both worlds by slot; created for the first morph and kept for later ones */
    ter_generator *next_generator; /* on a GPU: makes tiles of the next world in parallel; else NULL */
    bool is_morphing;              /* a morph is running, and new tiles are loaded into it */
    const ter_world *next;         /* target of the awaited morph, or NULL */
    bool *is_prepared;             /* by slot: `morph` holds the tile for the awaited morph */
    bool *lacks_cover;       /* by slot: the narrow rivers of the tile are unknown, because a morph made its heights */
    bool has_uncovered;      /* some slots may lack their rivers */
    ter_blend_phase *phases; /* by slot: phase of the morph that the store's heights show */
    uint32_t *slots;         /* memory for lists of all slots */
    tile_key *keys;
    ter_tile *tiles;
} tile_morph;

/** Create without memory for morphs. Errors RESULT_FAILED */
result tile_morph_create(tile_morph *morph, tile_maker *maker, size_t n_slots);
void tile_morph_destroy(tile_morph *morph);

/** Allocate the memory for morphs, unless this was done before. Do not call this while a batch is made. Errors
 * RESULT_FAILED */
result tile_morph_reserve(tile_morph *morph);

/** Record that a slot gets a new tile. */
void tile_morph_forget_slot(tile_morph *morph, uint32_t slot);

/* ---- before a morph ---- */

/** Set the target of the awaited morph; NULL: no morph is awaited. */
void tile_morph_await(tile_morph *morph, const ter_world *next);

/** Whether all tiles used in `frame` are prepared. */
bool tile_morph_is_prepared(const tile_morph *morph, uint64_t frame);

/** Share 0..1 of the tiles used in `frame` that is prepared, weighted by cost. */
double tile_morph_share_prepared(const tile_morph *morph, uint64_t frame);

/** Fill the batch with visible tiles that are not prepared (BATCH_PREPARED) or whose rivers are unknown (BATCH_RIVERS),
 * until they cost `limit`: coarse tiles first, neighbours together. */
void tile_morph_take_loaded(tile_morph *morph, tile_batch *batch, batch_kind kind, double limit, uint64_t frame);

/** Begin to load tiles of the store into the awaited morph; on any thread. */
ter_status tile_morph_prepare(tile_morph *morph, tile_list tiles);

/* ---- in a morph ---- */

/** Begin the morph, after the landscape has begun it. Tiles that `frame` does not use are dropped. The others are
 * loaded in the next world now, unless they are prepared. Do not call this while a batch is made. Errors RESULT_FAILED
 */
result tile_morph_begin(tile_morph *morph, const tile_maker_table *table, uint64_t frame);

/** Load new tiles in both worlds and wait for them; on any thread. */
ter_status tile_morph_load(tile_morph *morph, tile_list tiles);

/** Wait until the generators have finished their queued work, if they run on a GPU. */
ter_status tile_morph_wait(const tile_morph *morph);

/** Blend the tiles that the morph changes: those used in *frame, or all if frame is NULL. On a GPU some hidden tiles
 * are blended to the end of the morph, which spreads the work of its last frame. */
ter_status tile_morph_blend(tile_morph *morph, const tile_maker_table *table, const uint64_t *frame);

/** End the morph, after it is over or cancelled: every tile has the heights of the landscape's world. */
void tile_morph_end(tile_morph *morph);

#endif
