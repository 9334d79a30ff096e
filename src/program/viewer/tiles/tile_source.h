/* tile_source.h - brings requested tiles into the tile store. It combines a queue that chooses tiles, a method that
 * makes them, a worker thread if frames must not wait, and the state of morphs. */
#ifndef TERRANE_PROGRAM_VIEWER_TILES_TILE_SOURCE_H
#define TERRANE_PROGRAM_VIEWER_TILES_TILE_SOURCE_H

#include <stdbool.h>

#include "program/render/tile_store.h"
#include "program/stream/quadtree.h"
#include "program/viewer/camera/landscape.h"

typedef struct tile_source tile_source;

/** Options of a source. All objects must outlive the source. */
typedef struct tile_source_options {
    ter_generator *generator;
    const landscape *land;
    tile_store *store;
    tile_pool *pool;
    size_t n_slots;
    int fine_lods;        /* as in quadtree */
    bool waits_for_tiles; /* each update waits for the requested tiles, so that pictures do not depend on speed */
    bool is_real_time;    /* frames are shown in real time, so they must not wait for tiles that a GPU makes */
    /* If it returns nonzero, the CPU stops making tiles, and updates return RESULT_INTERRUPTED. Called on any
     * thread. */
    int (*is_interrupted)(void);
} tile_source_options;

/** Create a source. Errors  RESULT_FAILED */
result tile_source_create(const tile_source_options *options, tile_source **out);
void tile_source_destroy(tile_source *source);

/** Cost of a tile; a tile of the finest level costs about 1. Coarse tiles need more of the drainage network. All tiles
 * of land without water cost the same. */
double tile_source_cost(const tile_source *source, int lod);

/** "on", or why tiles go through host memory. */
const char *tile_source_interop(const tile_source *source);

/** Whether a GPU makes tiles in the GL buffers from which they are drawn. A GPU makes hundreds of tiles within some
 * milliseconds. */
bool tile_source_is_shared(const tile_source *source);

/** Let the worker rest for `rest` seconds after each second of work, so that drawing gets processors, too. The worker
 * does not rest while visible tiles are missing. 0: it never rests */
void tile_source_set_rest(tile_source *source, double rest);

/** Start to make requested tiles, and complete finished tiles in the pool. *n_completed: number of finished tiles */
result tile_source_update(tile_source *source, const quadtree_request *requests, size_t count, uint64_t frame,
                          size_t *n_completed);

/** Wait for the worker's batch and put it into the store. Afterwards no thread uses the landscape or the generator. */
result tile_source_drain(tile_source *source);

/** Whether updates wait for the GPU, because it makes many tiles or a morph is running. */
bool tile_source_waits_for_device(const tile_source *source);

/** Whether no batch is being made, so that tile_source_drain does not wait. */
bool tile_source_is_idle(tile_source *source);

/** Reserve the memory for morphs now; otherwise the first morph reserves it. The memory is kept. Errors RESULT_FAILED
 */
result tile_source_prepare_morphs(tile_source *source);

/** Set the target of the awaited morph, which has not begun yet. Updates prepare visible tiles for the morph. NULL: no
 * morph is awaited. */
void tile_source_await_morph(tile_source *source, const ter_world *next);

/** Whether all tiles used in `frame` are prepared for the awaited morph. */
bool tile_source_is_prepared(const tile_source *source, uint64_t frame);

/** Share 0..1 of the tiles used in `frame` that is prepared, weighted by cost. */
double tile_source_share_prepared(const tile_source *source, uint64_t frame);

/** Begin a morph, after tile_source_drain and after the landscape has begun it. Tiles that `frame` does not use are
 * dropped. The others are loaded in the next world now, unless they are prepared. */
result tile_source_begin_morph(tile_source *source, uint64_t frame);

/** Blend the tiles that the morph changes: those used in `frame`, or all if is_last. Call this once per frame. If a
 * worker makes tiles in host memory and frames do not wait for them, the call does nothing unless is_last, and updates
 * blend between two batches instead. */
result tile_source_blend(tile_source *source, uint64_t frame, bool is_last);

/** End the morph, after it is over or cancelled: every tile has the heights of the landscape's world. */
void tile_source_end_morph(tile_source *source);

#endif
