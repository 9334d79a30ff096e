/* terrain.h - the land of a flight and its tiles: streams what a view needs, and lets one world become another. */
#ifndef TERRANE_PROGRAM_VIEWER_TILES_TERRAIN_H
#define TERRANE_PROGRAM_VIEWER_TILES_TERRAIN_H

#include "program/viewer/camera/landscape.h"
#include "program/viewer/request.h"
#include "program/viewer/tiles/tile_source.h"

/** What has happened since the beginning. */
typedef struct terrain_counts {
    uint64_t n_generated, n_late; /* tiles; one that is missing in several frames counts in each */
    uint64_t n_morphs;
} terrain_counts;

/** A morph whose tiles are being loaded; world: NULL when there is none. */
typedef struct terrain_coming {
    ter_world *world;
    fly_morph morph;
    bool is_front, is_cancelled;
    double waited_s;
} terrain_coming;

/** Work on a view's tiles before it is shown. */
typedef struct terrain_loading {
    double start_s;
    size_t n_made;
    double cost_made; /* of those, see tile_source_cost */
    int coarsest;     /* lod of the first tiles */
    bool is_idle;     /* the last update has brought none */
} terrain_loading;

typedef struct terrain {
    landscape land;
    terrain_coming coming;
    double low_m, high_m; /* heights lie between */
    tile_pool *pool;
    tile_source *source;
    uint32_t n_slots; /* of the pool */
    bool waits_for_tiles;
    double rest;
    quadtree tree;
    terrain_loading loading;
    bool is_announced;    /* how long the first view takes has been said */
    double generation_ms; /* of the last frame */
    terrain_counts counts;
} terrain;

/** What a terrain's tiles are made by and kept in. */
typedef struct terrain_options {
    ter_generator *generator;
    tile_store *store;
    uint32_t n_slots;
    int mesh_step;        /* samples a mesh quad */
    bool waits_for_tiles; /* frames wait for their tiles */
    bool is_real_time;    /* they show the time that passes */
    double rest;          /* seconds without work on tiles after each second of it, while frames are drawn */
    bool has_morphs;      /* memory for morphs is wanted from the beginning */
    int (*is_interrupted)(void);
} terrain_options;

/** Begin in a world, which it takes over; no tiles yet. */
void terrain_begin(terrain *terrain, ter_world *world, const look *look);

/** Open pool and source. Errors RESULT_FAILED */
result terrain_open(terrain *terrain, const terrain_options *options);
void terrain_close(terrain *terrain);

/** Begin a morph into another world, as a front along the camera's heading or everywhere at once; nothing while one is
 * under way. Unless frames wait for their tiles it begins some frames later, when the tiles in view have been loaded
 * for it. Errors RESULT_USAGE a world that this land cannot become */
result terrain_morph(terrain *terrain, const fly_morph *morph, bool is_front, const camera *camera);

/** Begin a morph into the world of the next seed. */
result terrain_morph_on(terrain *terrain, double seconds, bool is_front, const camera *camera);

/** Cancel a morph: one that has not begun does not begin, one under way goes back to the world that it came from.
 * Returns whether there was one. */
bool terrain_cancel_morph(terrain *terrain);

/** Let the time of a morph pass; far_m is as far as the land is seen. */
result terrain_advance(terrain *terrain, double elapsed_s, double far_m, const camera *camera);

/** Bring in tiles for a view; a patient terrain goes on until nothing is missing. */
result terrain_stream(terrain *terrain, const quadtree_view *view, double elapsed_s);

/** Begin to bring in a view's tiles; terrain_load goes on. */
void terrain_begin_loading(terrain *terrain);

/** Bring in a view's tiles for at least `most_s` seconds. Work that takes long is announced once.
 *
 *  is_done  receives whether the view is complete, or cannot become so, or, unless frames wait for their tiles, has
 * taken too long: `report` has been told why then Errors   RESULT_INTERRUPTED, RESULT_FAILED
 */
result terrain_load(terrain *terrain, const quadtree_view *view, double most_s, const fly_events *events,
                    bool *is_done);

/** End of that: what the view changes in a morph is shown. */
result terrain_end_loading(terrain *terrain);

/** All three, until it is done. */
result terrain_complete(terrain *terrain, const quadtree_view *view, const fly_events *events);

/** Bring in what a view may need soon, but not where frames wait for tiles that a CPU makes. It ends when all is there,
 * or after half a second. Errors RESULT_FAILED */
result terrain_look_ahead(terrain *terrain, const quadtree_view *view);

/** tile_source_waits_for_device */
bool terrain_waits_for_device(const terrain *terrain);

/** Level of detail that is drawn at a distance, metres, and the share of the next coarser one there. */
int terrain_lod_at(const terrain *terrain, double distance_m, float *coarser);

/** The world that shows at the camera, or more of it than of the other one. */
const ter_world *terrain_world_at(const terrain *terrain, const camera *camera);

#endif
