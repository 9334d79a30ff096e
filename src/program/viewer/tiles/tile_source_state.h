/* tile_source_state.h - what a tile source is made of, for the files of it alone: the way straight into GL buffers, the
 * way through host memory, the thread that makes tiles on either, and morphs on both. */
#ifndef TERRANE_PROGRAM_VIEWER_TILES_TILE_SOURCE_STATE_H
#define TERRANE_PROGRAM_VIEWER_TILES_TILE_SOURCE_STATE_H

#include <pthread.h>

#include "program/core/fill.h"
#include "program/render/river_cover.h"
#include "program/viewer/tiles/tile_source.h"

enum { SHARED_BATCH = RIVER_ARRIVALS /* tiles of a batch at most: of a frame when the GPU makes them */ };

/** What a batch is for: tiles that are not there yet; the coming morph, of tiles that are; their rivers, which no morph
 * knows. */
typedef enum batch_kind { BATCH_NEW, BATCH_PREPARED, BATCH_RIVERS } batch_kind;

/** Tiles on their way; the memory is that of the way through the host. */
typedef struct host_batch {
    ter_tile tiles[SHARED_BATCH];
    uint32_t slots[SHARED_BATCH];
    tile_key keys[SHARED_BATCH];
    size_t count;
    float *heights, *water; /* water: NULL where the store has none, and flow and shore likewise */
    float *flow, *shore;
    batch_kind kind;
} host_batch;

typedef enum worker_state { WORKER_IDLE, WORKER_BUSY, WORKER_DONE, WORKER_STOP } worker_state;

struct tile_source {
    ter_generator *generator;
    const landscape *land;
    tile_store *store;
    tile_pool *pool;
    size_t n_slots;
    bool is_patient;
    int (*is_interrupted)(void);
    double rest;                     /* of the worker thread, see tile_source_share */
    double worked_s, worked_until_s; /* how long it took for its last batch, and when that was done */
    double batch_cost, pace;         /* host: what the worker's batch costs; and what it makes a second, 0: not known */
    double asked_s, between_s;       /* host: when the last update was, and how long it was after the one before */
    ter_generator *other; /* shared: makes the next world's tiles of a morph, beside those of this one; else NULL */
    ter_morph *morph;     /* heights of both worlds by slot; made for the first morph and kept for the next ones */
    bool is_morphing;     /* the landscape morphs, and tiles are loaded into the morph */
    int n_turning;        /* updates to come that have less time, for a morph has begun or ended */
    double updated_s,
        usual_wait_s;        /* shared: when the last update was done, and how long it is from there to the next one */
    bool has_waited;         /* and whether that was much longer before this one */
    bool waits;              /* shared: frames wait for the tiles that the device makes */
    const ter_world *coming; /* of a morph that is being prepared, or NULL */
    bool *prepared;          /* slots whose tiles the morph holds */
    bool *bare;              /* slots whose tiles have come without their rivers, by a morph */
    ter_blend_phase *shown;  /* while the landscape morphs: what slots of the store show of it */
    bool has_bare;           /* there may be such slots */
    uint32_t *held;          /* room for a list of all slots */
    tile_key *keys;
    ter_tile *tiles;
    size_t n_settled;      /* tiles completed between updates */
    ter_gl_buffer *shared; /* NULL: through host memory */
    ter_gl_buffer *shared_water;
    ter_gl_buffer *arrivals; /* where tiles with water arrive */
    float *mapped;           /* the same while it is mapped, else NULL */
    bool has_water;          /* the store keeps water */
    char interop[256];

    host_batch batch;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    worker_state state;
    double cheap_cost; /* of what the CPU has made since the last tile that takes it long */
    outcome worker_result;
    bool has_thread;
};

/* ---- both ways: tile_source_batches.c ---- */

/** Level of a lod in a world. */
int tile_source_level(const ter_world *world, int lod);

/** A tile with its apron, in the landscape's world. */
ter_tile tile_source_tile(const tile_source *source, tile_key key);

/** Whether it costs so much that it keeps others waiting. */
bool tile_source_is_dear(const tile_source *source, int lod);

/** How many of some requests are for what is seen; they come first. */
size_t tile_source_count_seen(const quadtree_request *requests, size_t count);

/** How many of some requests cost no more than `most`; one at least, where there is one. */
size_t tile_source_affordable(const tile_source *source, const quadtree_request *requests, size_t count, double most);

/** Reserve slots for requests, up to `most`; they become the batch. */
void tile_source_take_requests(tile_source *source, const quadtree_request *requests, size_t count, size_t most,
                               uint64_t frame);

/** Say in the store and the pool that the batch is there; the batch is empty then. */
void tile_source_complete_batch(tile_source *source, size_t *n_completed);

/** Find the narrow rivers of a batch that is there. */
void tile_source_find_rivers(tile_source *source);

/* ---- straight into GL buffers: tile_source_shared.c ---- */

/** Let the generator write into the store's buffers, into all or into none. */
ter_status tile_source_share_buffers(tile_source *source);

/** Let the generator write into the buffer where tiles with water arrive, on its own stream, and end that; the second
 * does nothing unless it is mapped. */
outcome tile_source_map_arrivals(tile_source *source);
outcome tile_source_unmap_arrivals(tile_source *source);

/** Begin to fill that buffer with the batch, on the generator's own stream; on any thread. */
ter_status tile_source_fill_arrivals(tile_source *source);

/** Put the batch from there into its slots, with its rivers. */
void tile_source_take_arrivals(tile_source *source);

/** Make what is requested, and what else there is room for, at once. */
outcome tile_source_update_shared(tile_source *source, const quadtree_request *requests, size_t count, uint64_t frame,
                                  size_t *n_completed);

/** Let the morph take the heights of all tiles that are there, `count` of them, listed. */
ter_status tile_source_take_shown(tile_source *source, size_t count);

/** Blend the first `count` tiles that are listed, and take the next `n_over` as far as the morph goes. */
ter_status tile_source_blend_shared(tile_source *source, size_t count, size_t n_over);

/* ---- through host memory: tile_source_host.c ---- */

/** Memory for a batch. Errors OUTCOME_FAILED */
outcome tile_source_reserve_host(tile_source *source);

/** Make the batch there, or give it up; on any thread. */
ter_status tile_source_fill_host(tile_source *source);

/** Upload it from there into its slots, with its rivers. */
void tile_source_upload(tile_source *source);

/** Let the morph take the heights of all tiles that are there, `count` of them, listed, from where the store draws
 * them; for a generator on the CPU. The worker rests. */
ter_status tile_source_take_stored(tile_source *source, size_t count);

/** Blend the tiles that are listed, `count` of them. The worker rests. */
ter_status tile_source_blend_through_host(tile_source *source, size_t count);

/* ---- while frames are drawn: tile_source_worker.c ---- */

/** Start the worker thread. Errors OUTCOME_FAILED */
outcome tile_source_start_worker(tile_source *source);

/** End it, where there is one. */
void tile_source_stop_worker(tile_source *source);

/** Take what the worker has made, and give it the next batch. */
outcome tile_source_update_by_worker(tile_source *source, const quadtree_request *requests, size_t count,
                                     uint64_t frame, size_t *n_completed);

/* ---- morphs: tile_source_morph.c ---- */

/** List the tiles that the landscape's blend changes, of all that are there. Returns how many; they show it then. */
size_t tile_source_list_changed(tile_source *source);

/** Fill slots of the morph with both worlds' heights; tiles are those of the first one. Returns when they are there. */
ter_status tile_source_load_morph(tile_source *source, const ter_tile *tiles, const uint32_t *held, size_t count);

/** The same for a morph that has not begun, of tiles that are there; begin to fill them. With the next world's heights
 * alone, where the first one's are taken from the store when it begins. */
ter_status tile_source_load_coming(tile_source *source, const ter_tile *tiles, const uint32_t *held, size_t count);

/** Wait until the generators have made what they were asked for, where a GPU does. */
ter_status tile_source_wait(tile_source *source);

/** Take tiles in view that the coming morph does not hold, or whose rivers are not known; coarse ones first and
 * neighbours together, until they cost `most`. They become the batch. */
void tile_source_take_held(tile_source *source, batch_kind kind, double most, uint64_t frame);

#endif
