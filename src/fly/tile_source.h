/* tile_source.h - gets requested tiles generated and into the tile store: straight into the GL buffer where CUDA and OpenGL share
 * it, else by a worker thread through host memory and an upload. */
#ifndef TERRANE_FLY_TILE_SOURCE_H
#define TERRANE_FLY_TILE_SOURCE_H

#include <stdbool.h>

#include "render/tile_store.h"
#include "stream/quadtree.h"

typedef struct tile_source tile_source;

/** Make a source. `is_patient`: every update waits until what was requested is there, so that pictures do not depend on speed.
 *  Errors  OUTCOME_FAILED */
outcome tile_source_create(ter_generator *generator, const ter_world *world, tile_store *store, tile_pool *pool, bool is_patient,
                           tile_source **out);
void tile_source_destroy(tile_source *source);

/** "on", or why heights go through host memory. */
const char *tile_source_interop(const tile_source *source);

/** Start on a frame's requests, and complete in the pool what has become ready. *n_completed counts those tiles. */
outcome tile_source_update(tile_source *source, const quadtree_request *requests, size_t count, uint64_t frame,
                           size_t *n_completed);

#endif
