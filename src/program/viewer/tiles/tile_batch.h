/* tile_batch.h - tiles that are made together. */
#ifndef TERRANE_PROGRAM_VIEWER_TILES_TILE_BATCH_H
#define TERRANE_PROGRAM_VIEWER_TILES_TILE_BATCH_H

#include "program/render/river_cover.h"
#include "program/stream/tile_pool.h"
#include "terrane/terrane.h"

enum { TILE_BATCH_MAX = STAGING_TILES };

/** What a batch is for. */
typedef enum batch_kind {
    BATCH_NEW,      /* tiles that are missing */
    BATCH_PREPARED, /* tiles that are there, for the coming morph */
    BATCH_RIVERS    /* tiles that are there, for their narrow rivers: a morph does not know these */
} batch_kind;

typedef struct tile_batch {
    ter_tile tiles[TILE_BATCH_MAX];
    uint32_t slots[TILE_BATCH_MAX];
    tile_key keys[TILE_BATCH_MAX];
    size_t count;
    batch_kind kind;
} tile_batch;

/** Tiles that are there, and their slots. */
typedef struct tile_list {
    const ter_tile *tiles;
    const uint32_t *slots;
    size_t count;
} tile_list;

#endif
