/* memory.cuh - device memory in which fluvial worlds are made, and what is cached in it from call to call. */
#ifndef TERRANE_FLUVIAL_CUDA_MEMORY_CUH
#define TERRANE_FLUVIAL_CUDA_MEMORY_CUH

#include "library/core/cuda/device_array.cuh"
#include "library/core/cuda/device_state.cuh"
#include "library/fluvial/workspace.h"

namespace ter_cuda
{

/** A network of an earlier call. */
struct cached_network {
    bool is_made;
    uint64_t used;    /* number of the call that used it last */
    ter_window cells; /* cells of the last level over which blocks may lie */
    ter_fluvial_job plan;
    device_array nodes; /* its arrays; those of a large network lie in fluvial_memory.network instead */
};

/** Cells over which the few samples of a probe lay, with a margin: the next frame of a flight asks for places nearby.
 */
struct cached_extents {
    bool is_found;
    uint64_t used; /* number of the call that used it last */
    ter_fluvial f;
    int64_t x0, y0, x1, y1; /* m, both ends included */
    ter_window cells;
};

/** Tables of a guide. */
struct cached_guide {
    uint64_t key;  /* ter_fluvial.guide_key */
    uint64_t used; /* number of the call that used it last; 0: no tables */
    device_array tables;
};

/** Device memory of a generator for fluvial worlds. "tiled" marks arrays that only that method uses. */
struct fluvial_memory {
    device_array jobs, outputs;           /* plans of blocks; descriptions of their output */
    device_array points, network;         /* arrays of the blocks; arrays of their networks */
    device_array heights;                 /* heights that are quantised to 16 bits afterwards, and heights of probes */
    device_array edges;                   /* cell_edges */
    device_array networks, tiles;         /* tiled: plans of networks; tiles of samples to finish */
    device_array shared, copies;          /* tiled: samples of merged rectangles; copies from them to tiles */
    device_array plan_jobs, plan_knots;   /* tiled: used on the stream of plans */
    cudaEvent_t plans_are_free;           /* recorded when the last call has read plan_jobs and plan_knots */
    device_array mask_rings, masks;       /* tiled: bytes of all masks; a tile_mask for each network */
    device_array network_of;              /* tiled: index of the network of each block */
    device_array blurred, blurred_blocks; /* points of which means are made; plans of the means */
    device_array fine, fine_parts;        /* points from which levels of detail below 0 are made; plans of these */
    device_array climate, climate_jobs;   /* knots of the climate and what they are made from; plans of these */
    device_array climate_parts;           /* tiles whose climate is made */
    device_array under_cover;             /* layers that the cover of the ground needs but a call does not want */
    cached_network network_cache[3]; /* two small networks, because a flight may cross between two worlds; one large */
    cached_extents extents_cache[2];
    cached_guide guide_cache[2];
    uint64_t n_guides; /* calls for worlds with a guide */
    uint64_t n_calls;
};

/** The part of a generator's state that fluvial worlds use. */
struct fluvial_state : device_state {
    fluvial_memory fluvial;
};

} // namespace ter_cuda

#endif
