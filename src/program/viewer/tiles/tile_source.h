/* tile_source.h - brings requested tiles into the tile store. It joins a queue, which chooses tiles; a way to make
 * them; a worker thread, if frames must not wait; and a morph, while one landscape becomes another. */
#ifndef TERRANE_PROGRAM_VIEWER_TILES_TILE_SOURCE_H
#define TERRANE_PROGRAM_VIEWER_TILES_TILE_SOURCE_H

#include <stdbool.h>

#include "program/render/tile_store.h"
#include "program/stream/quadtree.h"
#include "program/viewer/camera/landscape.h"

typedef struct tile_source tile_source;

/** What a source works with; all of it must outlive the source. */
typedef struct tile_source_options {
    ter_generator *generator;
    const landscape *land;
    tile_store *store;
    tile_pool *pool;
    size_t n_slots;
    bool waits_for_tiles; /* each update waits until the requested tiles are there: pictures do not depend on speed */
    bool is_real_time;    /* frames show the time that passes, and none waits for tiles that a GPU makes */
    /* Not 0: the CPU gives up the tiles that it makes, and updates return RESULT_INTERRUPTED. Called on any thread */
    int (*is_interrupted)(void);
} tile_source_options;

/** Create a source. Errors  RESULT_FAILED */
result tile_source_create(const tile_source_options *options, tile_source **out);
void tile_source_destroy(tile_source *source);

/** Cost of a tile, in tiles of the finest level: coarse tiles lie over more of the drainage network. All tiles of land
 * without water cost the same. */
double tile_source_cost(const tile_source *source, int lod);

/** "on", or why heights go through host memory. */
const char *tile_source_interop(const tile_source *source);

/** Whether a GPU makes tiles where they are drawn: hundreds in some milliseconds. */
bool tile_source_is_shared(const tile_source *source);

/** Let the worker rest for `rest` seconds after each second of work, so that drawing gets processors too. It does not
 * rest while visible tiles are missing. 0: it never rests */
void tile_source_set_rest(tile_source *source, double rest);

/** Start on a frame's requests, and complete in the pool what has become ready. *n_completed: number of those tiles */
result tile_source_update(tile_source *source, const quadtree_request *requests, size_t count, uint64_t frame,
                          size_t *n_completed);

/** Wait for the worker's batch and take it. Afterwards nothing reads the landscape or uses the generator. */
result tile_source_drain(tile_source *source);

/** Whether updates wait for the GPU: it makes many tiles for them, or a morph is under way. */
bool tile_source_waits_for_device(const tile_source *source);

/** Whether no batch is being made, so that tile_source_drain does not wait. */
bool tile_source_is_idle(tile_source *source);

/** Reserve memory for morphs now; otherwise the first morph does. It is kept for all morphs. Errors RESULT_FAILED */
result tile_source_prepare_morphs(tile_source *source);

/** A morph into a world is going to begin: updates prepare visible tiles for it. NULL: it is not. */
void tile_source_await_morph(tile_source *source, const ter_world *coming);

/** Whether all tiles used in `frame` are prepared for the awaited morph. */
bool tile_source_is_prepared(const tile_source *source, uint64_t frame);

/** Share 0..1 of the work for them that is done. */
double tile_source_share_prepared(const tile_source *source, uint64_t frame);

/** The landscape has begun to morph, after tile_source_drain. Tiles that are not used in `frame` are dropped; the
 * others are loaded with the next world now, unless they are prepared. */
result tile_source_begin_morph(tile_source *source, uint64_t frame);

/** Show the morph: blend the tiles used in `frame` that it changes, or all of them if is_last. Call it once a frame. If
 * a worker makes tiles in host memory and no frame waits for them, updates blend between two batches instead; is_last
 * waits for that. */
result tile_source_blend(tile_source *source, uint64_t frame, bool is_last);

/** The morph is over or cancelled: every tile shows the landscape's world. */
void tile_source_end_morph(tile_source *source);

#endif
