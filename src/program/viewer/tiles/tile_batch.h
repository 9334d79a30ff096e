/* tile_batch.h - a batch: tiles that are made together. */
#ifndef TERRANE_PROGRAM_VIEWER_TILES_TILE_BATCH_H
#define TERRANE_PROGRAM_VIEWER_TILES_TILE_BATCH_H

#include "program/render/river_cover.h"
#include "program/stream/tile_pool.h"
#include "terrane/terrane.h"

enum { TILE_BATCH_MAX = STAGING_TILES };

/** Purpose of a batch. */
typedef enum batch_kind {
    BATCH_NEW,      /* missing tiles */
    BATCH_PREPARED, /* loaded tiles, made once more in the target world of a morph that has not begun yet */
    BATCH_RIVERS    /* loaded tiles whose narrow rivers are unknown after a morph */
} batch_kind;

typedef struct tile_batch {
    ter_tile tiles[TILE_BATCH_MAX];
    uint32_t slots[TILE_BATCH_MAX];
    tile_key keys[TILE_BATCH_MAX];
    size_t count;
    batch_kind kind;
} tile_batch;

/** Loaded tiles and their slots. */
typedef struct tile_list {
    const ter_tile *tiles;
    const uint32_t *slots;
    size_t count;
} tile_list;

#endif
