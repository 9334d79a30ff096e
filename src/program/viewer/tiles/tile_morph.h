/* tile_morph.h - tiles that hold two worlds while one landscape becomes another: loaded before the morph begins,
 * blended into the store frame by frame. */
#ifndef TERRANE_PROGRAM_VIEWER_TILES_TILE_MORPH_H
#define TERRANE_PROGRAM_VIEWER_TILES_TILE_MORPH_H

#include "program/viewer/tiles/tile_maker.h"

typedef struct tile_morph {
    tile_maker *maker;
    size_t n_slots;
    ter_morph *morph;        /* heights of both worlds by slot; made for the first morph and kept for later ones */
    ter_generator *other;    /* on a GPU: makes the next world's tiles beside those of this one; else NULL */
    bool is_morphing;        /* the landscape morphs, and tiles are loaded into the morph */
    const ter_world *coming; /* the world of a morph that is awaited, or NULL */
    bool *is_prepared;       /* by slot: the morph holds the tile */
    bool *lacks_cover;       /* by slot: the narrow rivers of the tile are not known, for it came by a morph */
    bool has_uncovered;      /* there may be such slots */
    ter_blend_phase *shown;  /* by slot: what the store shows of the morph */
    uint32_t *slots;         /* room for lists of all slots */
    tile_key *keys;
    ter_tile *tiles;
} tile_morph;

/** Begin without a morph. Errors RESULT_FAILED */
result tile_morph_create(tile_morph *morph, tile_maker *maker, size_t n_slots);
void tile_morph_destroy(tile_morph *morph);

/** Make the memory for morphs, unless it is there. No batch may be under way. Errors RESULT_FAILED */
result tile_morph_reserve(tile_morph *morph);

/** Note that a slot gets a new tile. */
void tile_morph_forget_slot(tile_morph *morph, uint32_t slot);

/* ---- before a morph ---- */

/** A morph into a world is awaited; NULL: it is not. */
void tile_morph_await(tile_morph *morph, const ter_world *coming);

/** Whether all tiles used in `frame` are prepared. */
bool tile_morph_is_prepared(const tile_morph *morph, uint64_t frame);

/** Share 0..1 of the cost of these tiles that is prepared. */
double tile_morph_share_prepared(const tile_morph *morph, uint64_t frame);

/** Collect visible tiles that the coming morph lacks, or whose rivers are not known: coarse ones first and neighbours
 * together, until they cost `limit`. They become the batch. */
void tile_morph_take_held(tile_morph *morph, tile_batch *batch, batch_kind kind, double limit, uint64_t frame);

/** Begin to load tiles that are there for the awaited morph; on any thread. */
ter_status tile_morph_prepare(tile_morph *morph, tile_list tiles);

/* ---- in a morph ---- */

/** The landscape has begun to morph. Tiles that are not used in `frame` are dropped; the others are loaded with the
 * next world now, unless they are prepared. No batch may be under way. Errors RESULT_FAILED */
result tile_morph_begin(tile_morph *morph, const tile_maker_table *way, uint64_t frame);

/** Load new tiles with both worlds, and wait until they are there; on any thread. */
ter_status tile_morph_load(tile_morph *morph, tile_list tiles);

/** Wait until the generators have made what was queued, if they run on a GPU. */
ter_status tile_morph_wait(const tile_morph *morph);

/** Blend the tiles that the morph changes: those used in *frame, or all if frame is NULL. On a GPU some hidden tiles
 * are blended to the end of the morph, which spreads the work of its last frame. */
ter_status tile_morph_blend(tile_morph *morph, const tile_maker_table *way, const uint64_t *frame);

/** The morph is over or cancelled: every tile shows the landscape's world. */
void tile_morph_end(tile_morph *morph);

#endif
