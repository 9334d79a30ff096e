/* tile_source.h - gets requested tiles generated and into the tile store: straight into the GL buffer where CUDA and
 * OpenGL share it, else through host memory and an upload; by a worker thread where frames must not wait. While a
 * landscape morphs it blends them, frame by frame. */
#ifndef TERRANE_PROGRAM_VIEWER_TILES_TILE_SOURCE_H
#define TERRANE_PROGRAM_VIEWER_TILES_TILE_SOURCE_H

#include <stdbool.h>

#include "program/render/tile_store.h"
#include "program/stream/quadtree.h"
#include "program/viewer/camera/landscape.h"

typedef struct tile_source tile_source;

/** What a source works with; all of it outlives the source. */
typedef struct tile_source_means {
    ter_generator *generator;
    const landscape *land;
    tile_store *store;
    tile_pool *pool;
    size_t n_slots;
    bool is_patient; /* every update waits until what was requested is there, so that pictures do not depend on speed */
    bool is_real_time; /* frames show the time that passes: none waits for tiles that a GPU makes */
    int (*is_interrupted)(
        void); /* the CPU gives up the tiles that it makes, and updates return OUTCOME_INTERRUPTED; on any thread */
} tile_source_means;

/** Make a source. Errors  OUTCOME_FAILED */
outcome tile_source_create(const tile_source_means *means, tile_source **out);
void tile_source_destroy(tile_source *source);

/** What a tile costs, in fine ones: the farther samples are apart, the more of the network it lies over. All tiles of
 * land without water cost the same. */
double tile_source_cost(const tile_source *source, int lod);

/** "on", or why heights go through host memory. */
const char *tile_source_interop(const tile_source *source);

/** Whether a GPU makes tiles where they are drawn: hundreds in some milliseconds. */
bool tile_source_is_shared(const tile_source *source);

/** From now on the worker thread rests after each second of work for `rest` seconds, or half of them where land in view
 * is missing: it shares the processors with who draws. */
void tile_source_share(tile_source *source, double rest);

/** Start on a frame's requests, and complete in the pool what has become ready. *n_completed counts those tiles. */
outcome tile_source_update(tile_source *source, const quadtree_request *requests, size_t count, uint64_t frame,
                           size_t *n_completed);

/** Wait until the worker has nothing to do and what it has made has been taken: the generator and the batch are the
 * caller's then, and nobody reads the landscape. */
outcome tile_source_settle(tile_source *source);

/** Whether updates wait for the GPU: it makes many tiles for them, or a morph is under way. */
bool tile_source_waits_for_device(const tile_source *source);

/** Whether the worker has nothing to do, so that tile_source_settle does not wait. */
bool tile_source_is_idle(tile_source *source);

/** Make the memory for morphs now: else the first one does. It stays until the source is destroyed, for all morphs.
 * Errors OUTCOME_FAILED */
outcome tile_source_prepare_morphs(tile_source *source);

/** The landscape is going to morph into a world: updates load tiles in view for it with what room their requests leave,
 * and where memory is shared make new ones in both worlds. NULL: it is not. */
void tile_source_await_morph(tile_source *source, const ter_world *coming);

/** Whether all tiles used in `frame` are loaded for the morph that is awaited. */
bool tile_source_is_prepared(const tile_source *source, uint64_t frame);

/** Share 0..1 of the work for them that is done. */
double tile_source_share_prepared(const tile_source *source, uint64_t frame);

/** The landscape has begun to morph, after tile_source_settle: tiles not used in `frame` are dropped, the others get
 * the heights of its next world too, now unless they have been prepared. */
outcome tile_source_begin_morph(tile_source *source, uint64_t frame);

/** Write the blended heights of the tiles used in `frame` that the blend changes, of all that are there where is_last;
 * once a frame while the landscape morphs. Where a worker makes tiles in host memory and nobody waits for them, that
 * happens in updates, when the worker rests; is_last waits for it. */
outcome tile_source_blend(tile_source *source, uint64_t frame, bool is_last);

/** The morph is over, or given up: every tile holds the landscape's world. */
void tile_source_end_morph(tile_source *source);

#endif
