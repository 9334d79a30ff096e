/* tile_maker.h - ways to make tiles and to bring them into the tile store: straight into its GL buffers, by its staging
 * buffer, or by host memory. Each way is a table of functions over the same state; tile_ways.h lists them. */
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
    const tile_queue *queue;     /* for costs */
    int (*is_interrupted)(void); /* the CPU gives up the tiles that it makes; called on any thread */
    bool has_water;              /* the store keeps water */

    ter_gl_buffer *heights, *water,
        *staging;                /* buffers of the store that the generator writes into; NULL: host memory */
    layer_arrays mapped;         /* heights and water while they are mapped */
    float *mapped_staging;       /* the staging buffer while it is mapped, else NULL */
    float *host[STAGING_LAYERS]; /* host memory of a batch, layer by layer; NULL: not used */
    char interop[256];           /* "on", or why heights go through host memory */
} tile_maker;

/** One way. */
typedef struct tile_maker_table {
    /** Prepare to make a batch, on the GL thread. */
    result (*begin)(tile_maker *maker);
    /** Make the tiles of a batch; on any thread. On a GPU the work is queued only. */
    ter_status (*make)(tile_maker *maker, const tile_batch *batch);
    /** End what begin has begun, on the GL thread, also after a failure. */
    result (*end)(tile_maker *maker);
    /** Put a batch that was made into its slots, with its narrow rivers, on the GL thread. */
    void (*take)(tile_maker *maker, const tile_batch *batch);
    /** Load the first landscape of a morph with tiles that the store shows. */
    ter_status (*load_shown)(tile_maker *maker, ter_morph *morph, tile_list tiles);
    /** Blend tiles of a morph into the store; those of `final` as they are at the end of the morph. */
    ter_status (*blend)(tile_maker *maker, ter_morph *morph, tile_list tiles, tile_list final);
} tile_maker_table;

/** Whether a GPU makes tiles where they are drawn. */
bool tile_maker_is_shared(const tile_maker *maker);

/** Whether land and store have water now. */
bool tile_maker_has_rivers(const tile_maker *maker);

/** Level of a lod in a world. */
int tile_maker_level(const ter_world *world, int lod);

/** A tile with its apron, in the landscape's world. */
ter_tile tile_maker_tile(const tile_maker *maker, tile_key key);

/** Find the narrow rivers of a batch whose layers are in the staging buffer. */
void tile_maker_find_rivers(tile_maker *maker, const tile_batch *batch);

#endif
