/* tile_maker.h - methods that make tiles and bring them into the tile store: directly into its GL buffers, through its
 * staging buffer, or through host memory. Each method is a table of functions over the same state; tile_makers.h
 * chooses the method. */
#ifndef TERRANE_PROGRAM_VIEWER_TILES_TILE_MAKER_H
#define TERRANE_PROGRAM_VIEWER_TILES_TILE_MAKER_H

#include "program/core/fill.h"
#include "program/render/tile_store.h"
#include "program/viewer/camera/landscape.h"
#include "program/viewer/tiles/tile_batch.h"
#include "program/viewer/tiles/tile_queue.h"

typedef struct tile_maker {
    ter_generator *generator;
    const landscape *land;
    tile_store *store;
    tile_pool *pool;
    const tile_queue *queue;     /* gives the costs of tiles */
    int (*is_interrupted)(void); /* if it returns nonzero, the CPU stops making tiles; called on any thread */
    bool has_water;              /* the store has water */
    int fine_lods;               /* as in quadtree */

    /* Buffers of the store, shared with the generator; NULL: tiles go through host memory. */
    ter_gl_buffer *heights, *water, *staging;
    layer_arrays mapped;         /* heights and water while they are mapped */
    float *mapped_staging;       /* the staging buffer while it is mapped, else NULL */
    float *host[STAGING_LAYERS]; /* host memory of a batch, layer by layer; NULL: not used */
    char interop[256];           /* "on", or why tiles go through host memory */
} tile_maker;

/** A method. */
typedef struct tile_maker_table {
    /** Prepare to make a batch, on the GL thread. */
    result (*begin)(tile_maker *maker);
    /** Make the tiles of a batch, on any thread. On a GPU the call only queues the work. */
    ter_status (*make)(tile_maker *maker, const tile_batch *batch);
    /** End what `begin` began, on the GL thread. Also called if `make` has failed. */
    result (*end)(tile_maker *maker);
    /** Put a finished batch and its narrow rivers into its slots, on the GL thread. */
    void (*take)(tile_maker *maker, const tile_batch *batch);
    /** Load tiles of the store into a morph as heights of its first world. */
    ter_status (*load_shown)(tile_maker *maker, ter_morph *morph, tile_list tiles);
    /** Blend tiles of a morph into the store: `tiles` as they are now, `final` as they are at the end of the morph. The
     * method of host memory ignores `final`. */
    ter_status (*blend)(tile_maker *maker, ter_morph *morph, tile_list tiles, tile_list final);
} tile_maker_table;

/** Whether a GPU makes tiles in the GL buffers from which they are drawn. */
bool tile_maker_is_shared(const tile_maker *maker);

/** Whether both land and store have water. */
bool tile_maker_has_rivers(const tile_maker *maker);

/** Layers of the staging buffer that tiles of the landscape's world need, from the first float of each. staging: by the
 * numbers of constants.glsl; all are there if tile_maker_has_rivers, otherwise only the heights */
layer_arrays tile_maker_layers(const tile_maker *maker, float *const staging[STAGING_LAYERS]);

/** A tile with its apron, in the landscape's world. */
ter_tile tile_maker_tile(const tile_maker *maker, tile_key key);

/** Find the narrow rivers of a batch whose layers are in the staging buffer. */
void tile_maker_find_rivers(tile_maker *maker, const tile_batch *batch);

#endif
