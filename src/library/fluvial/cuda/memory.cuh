/* memory.cuh - device memory that fluvial worlds are made in, and what is kept of it from call to call. */
#ifndef TERRANE_FLUVIAL_CUDA_MEMORY_CUH
#define TERRANE_FLUVIAL_CUDA_MEMORY_CUH

#include "library/core/cuda/device_array.cuh"
#include "library/core/cuda/device_state.cuh"
#include "library/fluvial/workspace.h"

namespace ter_cuda
{

/** The network of a call, while its memory holds nothing else. */
struct kept_network {
    bool is_made;
    uint64_t used;    /* the number of the call that used it last */
    ter_window cells; /* of the last level, over which blocks may lie */
    ter_fluvial_job plan;
    device_array nodes; /* a large network lies in fluvial_memory.network instead */
};

/** Cells that few samples lay over, with a margin: who flies asks for places near those of the frame before. */
struct kept_extents {
    bool is_found;
    uint64_t used; /* the number of the call that used it last */
    ter_fluvial f;
    int64_t x0, y0, x1, y1; /* m, both ends included */
    ter_window cells;
};

/** What a group of fluvial blocks is made in. */
struct fluvial_memory {
    device_array jobs, outputs;           /* plans of blocks; where their samples go */
    device_array points, network;         /* arrays of the blocks, and of their networks */
    device_array heights;                 /* of 16-bit samples, before they are quantised; of probes */
    device_array edges;                   /* cells of the places */
    device_array networks, tiles;         /* tiled: plans of networks; tiles of samples to finish */
    device_array shared, copies;          /* tiled: samples of rectangles that tiles share, and where those go */
    device_array plan_jobs, plan_knots;   /* tiled: of the stream of plans */
    cudaEvent_t plans_are_free;           /* the last call may still look at them */
    device_array wanted, wanted_tiles;    /* tiled: cells that places are near; and of each network, where they lie */
    device_array network_of;              /* tiled: of each block */
    device_array blurred, blurred_blocks; /* points that means are made of; plans of these */
    kept_network kept[3]; /* small ones of two worlds, for a flight may be between them, and a large one */
    kept_extents few[2];
    uint64_t n_calls;
};

/** The part of a generator's state that fluvial worlds use. */
struct fluvial_state : device_state {
    fluvial_memory fluvial;
};

} // namespace ter_cuda

#endif
