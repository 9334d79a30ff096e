/* terrain.h - the land of a flight and its tiles: streams the tiles of a view, and runs morphs. */
#ifndef TERRANE_PROGRAM_VIEWER_TILES_TERRAIN_H
#define TERRANE_PROGRAM_VIEWER_TILES_TERRAIN_H

#include "program/viewer/camera/landscape.h"
#include "program/viewer/request.h"
#include "program/viewer/tiles/tile_source.h"

/** Counts since the beginning. */
typedef struct terrain_counts {
    uint64_t n_generated, n_late; /* tiles; n_late counts a tile in every frame in which it is missing */
    uint64_t n_morphs;
} terrain_counts;

/** A morph that waits for its tiles. world: its target; NULL: no morph is awaited. */
typedef struct awaited_morph {
    ter_world *world;
    fly_morph morph;
    bool is_front, is_cancelled;
    double waited_s;
} awaited_morph;

/** State of loading a view before it is shown. */
typedef struct terrain_loading {
    double start_s;
    size_t n_made;
    double cost_made; /* cost of the made tiles, see tile_source_cost */
    int coarsest;     /* lod of the first requested tiles */
    bool is_idle;     /* the last update has completed no tile */
} terrain_loading;

typedef struct terrain {
    landscape land;
    awaited_morph awaited;
    double low_m, high_m; /* bounds of all heights */
    tile_pool *pool;
    tile_source *source;
    uint32_t n_slots; /* slots of the pool */
    bool waits_for_tiles;
    double rest; /* see terrain_options */
    quadtree tree;
    terrain_loading loading;
    bool is_announced;    /* the time of the first view has been reported */
    double generation_ms; /* time of the last frame's update of tiles */
    terrain_counts counts;
} terrain;

/** Options of terrain_open. */
typedef struct terrain_options {
    ter_generator *generator;
    tile_store *store;
    uint32_t n_slots;
    int mesh_step;        /* samples per mesh quad */
    int fine_lods;        /* levels of detail below 0 that may be drawn; worlds of a narrow lattice have none */
    bool waits_for_tiles; /* frames wait for their tiles */
    bool is_real_time;    /* frames are shown in real time, so they must not wait for a GPU that makes tiles */
    double rest;          /* seconds that the tile worker rests after each second of work, while frames are drawn */
    bool has_morphs;      /* reserve memory for morphs at once */
    int (*is_interrupted)(void);
} terrain_options;

/** Begin with a world, without tiles. Takes ownership of the world. */
void terrain_begin(terrain *terrain, ter_world *world, const look *look);

/** Open tile pool and tile source. Errors RESULT_FAILED */
result terrain_open(terrain *terrain, const terrain_options *options);
void terrain_close(terrain *terrain);

/** Begin a morph to another world, as a front along the camera's heading or everywhere at once. Does nothing during a
 * morph. Unless frames wait for their tiles, the morph begins some frames later, when the visible tiles are loaded for
 * it, or after a time limit. Errors RESULT_USAGE a morph to this world is not possible; RESULT_FAILED */
result terrain_morph(terrain *terrain, const fly_morph *morph, bool is_front, const camera *camera);

/** Begin a morph to the world of the next seed. */
result terrain_morph_on(terrain *terrain, double seconds, bool is_front, const camera *camera);

/** Cancel a morph. A morph that has not begun is dropped; a running one goes back to the world that it started from.
 * Returns whether there was a morph. */
bool terrain_cancel_morph(terrain *terrain);

/** Advance the morph in time. far_m: distance to which the land is visible. */
result terrain_advance(terrain *terrain, double elapsed_s, double far_m, const camera *camera);

/** Request tiles for a view and take finished ones. With waits_for_tiles this repeats until an update completes no
 * tile, because none is missing or the memory is full. */
result terrain_stream(terrain *terrain, const quadtree_view *view, double elapsed_s);

/** Between two frames, let the CPU make tiles that are missing in the view, for about `most_s` seconds or until none is
 * missing. view: the view of the last frame. Errors RESULT_FAILED */
result terrain_catch_up(terrain *terrain, const quadtree_view *view, double most_s);

/** Begin to load a view's tiles; terrain_load continues. */
void terrain_begin_loading(terrain *terrain);

/** Load a view's tiles until all tiles are loaded, or for about `most_s` seconds. If the work takes long, the expected
 * time is reported once.
 *
 *  is_done  becomes true if the view is complete. Also becomes true, and the reason is reported, if the memory is too
 *           small or, unless frames wait for their tiles, if loading takes too long.
 *  Errors   RESULT_INTERRUPTED, RESULT_FAILED
 */
result terrain_load(terrain *terrain, const quadtree_view *view, double most_s, const fly_events *events,
                    bool *is_done);

/** End loading, and blend the loaded tiles if there is a morph. */
result terrain_end_loading(terrain *terrain);

/** Load a view until it is done: terrain_begin_loading, terrain_load, terrain_end_loading. */
result terrain_complete(terrain *terrain, const quadtree_view *view, const fly_events *events);

/** Load tiles that a view may need soon, for at most half a second. Does nothing if frames wait for tiles that the CPU
 * makes. Errors RESULT_FAILED */
result terrain_look_ahead(terrain *terrain, const quadtree_view *view);

/** See tile_source_waits_for_device. */
bool terrain_waits_for_device(const terrain *terrain);

/** Level of detail drawn at a distance in metres. *coarser becomes the weight 0..1 of the next coarser level in this
 * ground. */
int terrain_lod_at(const terrain *terrain, double distance_m, float *coarser);

/** The world at the camera; during a morph the one with the larger share. */
const ter_world *terrain_world_at(const terrain *terrain, const camera *camera);

#endif
