/* terrain.h - the land of a flight and its tiles: streams what a view needs, and lets one world become another. */
#ifndef TERRANE_FLY_TERRAIN_H
#define TERRANE_FLY_TERRAIN_H

#include "fly/landscape.h"
#include "fly/request.h"
#include "fly/tile_source.h"

/** What has happened since the beginning. */
typedef struct terrain_counts {
    uint64_t n_generated, n_late; /* tiles; one that is missing in several frames counts in each */
    uint64_t n_morphs;
} terrain_counts;

/** A morph whose tiles are being loaded; world: NULL when there is none. */
typedef struct terrain_coming {
    ter_world *world;
    fly_morph morph;
    bool is_front;
    double waited_s;
} terrain_coming;

typedef struct terrain {
    landscape land;
    terrain_coming coming;
    double low_m, high_m; /* heights lie between */
    tile_pool *pool;
    tile_source *source;
    uint32_t n_slots; /* of the pool */
    bool is_patient;
    double rest;
    quadtree tree;
    double generation_ms; /* of the last frame */
    terrain_counts counts;
} terrain;

/** What a terrain's tiles are made by and kept in. */
typedef struct terrain_means {
    ter_generator *generator;
    tile_store *store;
    uint32_t n_slots;
    int mesh_step;     /* samples a mesh quad */
    bool is_patient;   /* frames wait for their tiles */
    bool is_real_time; /* they show the time that passes */
    double rest;       /* seconds without work on tiles after each second of it, while frames are drawn */
    bool has_morphs;   /* memory for morphs is wanted from the beginning */
    int (*is_interrupted)(void);
} terrain_means;

/** Begin in a world, which it takes over; no tiles yet. */
void terrain_begin(terrain *terrain, ter_world *world, const look *look);

/** Open pool and source. Errors OUTCOME_FAILED */
outcome terrain_open(terrain *terrain, const terrain_means *means);
void terrain_close(terrain *terrain);

/** Begin a morph into another world, as a front along the camera's heading or everywhere at once; nothing while one is under way.
 * Unless frames wait for their tiles it begins some frames later, when the tiles in view have been loaded for it.
 * Errors OUTCOME_USAGE a world that this land cannot become */
outcome terrain_morph(terrain *terrain, const fly_morph *morph, bool is_front, const camera *camera);

/** Begin a morph into the world of the next seed. */
outcome terrain_morph_on(terrain *terrain, double seconds, bool is_front, const camera *camera);

/** Let the time of a morph pass; far_m is as far as the land is seen. */
outcome terrain_advance(terrain *terrain, double elapsed_s, double far_m, const camera *camera);

/** Bring in tiles for a view; a patient terrain goes on until nothing is missing. */
outcome terrain_stream(terrain *terrain, const quadtree_view *view, double elapsed_s);

/** Bring in tiles until a view is complete, or, unless frames wait for their tiles, so much time has passed that `say` is told.
 * Errors OUTCOME_INTERRUPTED */
outcome terrain_complete(terrain *terrain, const quadtree_view *view, const fly_events *events);

/** Bring in what a view may need soon, but not where frames wait for tiles that a CPU makes. It ends when all is there, or after
 * half a second. Errors OUTCOME_FAILED */
outcome terrain_look_ahead(terrain *terrain, const quadtree_view *view);

/** tile_source_waits_for_device */
bool terrain_waits_for_device(const terrain *terrain);

/** Level of detail that is drawn at a distance, metres, and the share of the next coarser one there. */
int terrain_lod_at(const terrain *terrain, double distance_m, float *coarser);

/** The world that shows at the camera, or more of it than of the other one. */
const ter_world *terrain_world_at(const terrain *terrain, const camera *camera);

#endif
