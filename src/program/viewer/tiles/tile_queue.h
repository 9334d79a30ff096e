/* tile_queue.h - chooses which requested tiles are made next, and how many. It only decides: it never calls OpenGL, a
 * generator or a thread, and reads no clock. The unit of costs is the cost of a tile of the finest level. Requested
 * tiles are visible (the current view needs them) or hidden. */
#ifndef TERRANE_PROGRAM_VIEWER_TILES_TILE_QUEUE_H
#define TERRANE_PROGRAM_VIEWER_TILES_TILE_QUEUE_H

#include <stdbool.h>

#include "program/stream/quadtree.h"
#include "program/viewer/tiles/tile_batch.h"

/** Who makes tiles, and when. */
typedef enum tile_mode {
    TILES_BY_FRAMES,        /* a GPU, within updates */
    TILES_BY_DEVICE_WORKER, /* a GPU, for a worker thread */
    TILES_BY_HOST_WORKER    /* the CPU, on a worker thread */
} tile_mode;

/** What tiles are made for. */
typedef enum tile_phase {
    PHASE_ONE_WORLD,
    PHASE_BEFORE_MORPH, /* a morph waits for its tiles ("is awaited"): new tiles are made in both worlds, and loaded
                           tiles in the target world */
    PHASE_IN_MORPH      /* tiles are made in both worlds */
} tile_phase;

/** The caller sets these members; the others begin as 0. */
typedef struct tile_queue {
    tile_mode mode;
    tile_phase phase;
    bool has_water;        /* the network of a fluvial world makes coarse tiles expensive */
    bool waits_for_tiles;  /* updates wait until all requested tiles are made */
    double spacing_m;      /* distance between samples of tiles of lod 0 */
    double rest;           /* seconds that the worker rests after each second of work */
    int transition_frames; /* frames with a lower limit, because a morph begins or ends */

    /* Tiles by frames: */
    double updated_s, usual_wait_s; /* end of the last update; usual time from an update's end to the next update */
    bool has_overrun;               /* the last frame took much longer than usual */
    bool waits_for_device;          /* frames wait for the tiles that the GPU makes */

    /* Tiles by a worker on the CPU: */
    double asked_s, between_s; /* time of the last update; time between the last two updates */
    double batch_cost, pace;   /* cost of the worker's batch; cost of the tiles made per second, 0: not known */
    double cheap_cost;         /* cost of the cheap tiles since the last expensive one */
} tile_queue;

/** Cost of a tile. */
double tile_queue_cost(const tile_queue *queue, int lod);

/** Whether a tile costs so much that other tiles would wait long for it. */
bool tile_queue_is_expensive(const tile_queue *queue, int lod);

/** Sum of the costs of tiles. */
double tile_queue_cost_of(const tile_queue *queue, const tile_key *keys, size_t count);

/* ---- tiles by frames ---- */

/** Begin an update. Records whether the last frame overran; two overruns in a row count as one. */
void tile_queue_begin_frame(tile_queue *queue, double now_s);

/** Cost limit of this frame's tiles; 0 if the last frame overran, infinite if updates wait for tiles. */
double tile_queue_frame_limit(const tile_queue *queue, size_t n_requests);

/** Choose requests for a frame: those for visible tiles, and those for hidden tiles up to the limit. One expensive
 * hidden tile is added out of turn, so that it does not wait until it is visible. The other expensive hidden tiles come
 * last.
 *
 *  chosen   receives the requests
 *  Returns  the number of chosen requests
 */
size_t tile_queue_choose_for_frame(const tile_queue *queue, const quadtree_request *requests, size_t count,
                                   double limit, quadtree_request chosen[TILE_BATCH_MAX]);

/** Cost limit of further work in an update that has made tiles of cost `cost`: preparing a morph, and rivers. No frame
 * waits for this work. 0: no further work */
double tile_queue_hidden_limit(const tile_queue *queue, double limit, double cost);

/** End an update that has made tiles of cost `cost`. Returns whether to wait for the GPU now. Otherwise a later frame
 * would wait for the tiles of several frames. */
bool tile_queue_end_frame(tile_queue *queue, double cost);

/* ---- tiles by a worker ---- */

/** A part of the requests. */
typedef struct request_range {
    size_t first, count;
} request_range;

/** Begin an update. */
void tile_queue_begin_worker_update(tile_queue *queue, double now_s);

/** Cost limit of a batch. */
double tile_queue_worker_limit(const tile_queue *queue);

/** Cost limit of a batch of loaded tiles. */
double tile_queue_loaded_limit(const tile_queue *queue);

/** Choose the requests of the worker's next batch. If updates wait for tiles of land with water, which are slow to
 * make, only visible tiles are chosen. On the CPU, unless updates wait for tiles, a batch with visible tiles contains
 * no hidden tiles, and expensive tiles take turns with cheap tiles. */
request_range tile_queue_choose_for_worker(const tile_queue *queue, const quadtree_request *requests, size_t count);

/** State of tiles and morph when the worker can begin a batch. */
typedef struct worker_moment {
    bool is_late; /* a visible tile is missing */
    bool is_soon; /* a tile will be visible some frames from now */
    bool is_over; /* the morph is over: no batch is begun, so that the end of the morph never waits for the worker */
    bool is_prepared; /* the awaited morph has all its tiles: no batch is begun, so that the morph can start at once */
    bool lacks_cover; /* some tiles lack their narrow rivers */
    batch_kind last;  /* kind of the last batch */
} worker_moment;

/** Order in which the worker tries the kinds of batches, until one has tiles: late tiles; then, in turns, tiles of the
 * awaited morph and tiles that are soon visible; then other tiles; then rivers. Returns the number of kinds in `order`;
 * 0: make no batch now. */
size_t tile_queue_worker_order(const tile_queue *queue, const worker_moment *moment, batch_kind order[3]);

/** Whether the worker has rested long enough since its last batch, which took worked_s until ended_s. It does not rest
 * while visible tiles are missing or a morph is awaited. */
bool tile_queue_has_rested(const tile_queue *queue, bool is_late, double worked_s, double ended_s, double now_s);

/** Record a batch of new tiles that the CPU begins. */
void tile_queue_note_batch(tile_queue *queue, const tile_key *keys, size_t count);

/** Record that the worker has made its batch in worked_s. */
void tile_queue_note_made(tile_queue *queue, double worked_s);

#endif
