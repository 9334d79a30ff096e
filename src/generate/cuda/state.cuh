/* state.cuh - what a generator on a CUDA device owns. */
#ifndef TER_GENERATE_CUDA_STATE_CUH
#define TER_GENERATE_CUDA_STATE_CUH

#include "generate/cuda/tiled/common_memory.cuh"
#include "world/fluvial/job.h"

namespace ter_cuda
{

constexpr size_t CHUNK_FLOATS = (size_t)16 << 20; /* of an array that leaves the device piece by piece: 64 MiB */

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
    device_array jobs, outputs;         /* plans of blocks; where their samples go */
    device_array points, network;       /* arrays of the blocks, and of their networks */
    device_array heights;               /* of 16-bit samples, before they are quantised; of probes */
    device_array edges;                 /* cells of the places */
    device_array networks, tiles;       /* tiled: plans of networks; tiles of samples to finish */
    device_array shared, copies;        /* tiled: samples of rectangles that tiles share, and where those go */
    device_array plan_jobs, plan_knots; /* tiled: of the stream of plans */
    cudaEvent_t plans_are_free;         /* the last call may still look at them */
    device_array wanted, wanted_tiles;  /* tiled: cells that places are near; and of each network, where they lie */
    device_array network_of;            /* tiled: of each block */
    kept_network kept[3];               /* small ones of two worlds, for a flight may be between them, and a large one */
    kept_extents few[2];
    uint64_t n_calls;
};

/** Memory grows on demand and is freed with the generator. */
struct cuda_state {
    int device; /* ordinal; the first member, for the entries of entries.h read it alone */
    ter_method method;
    bool is_by_sample;            /* single-pass: one sample a thread */
    cudaStream_t stream;          /* of calls that name none */
    cudaStream_t stream_of_plans; /* of what the host waits for before it can go on with a call */
    device_array scratch[2];      /* coarser levels of `recursive` */
    cudaEvent_t scratch_is_free;  /* the last call that used them may have been on another stream */
    common_memories common;       /* coarse levels that the blocks of a launch of `tiled` share */
    device_array chunk;           /* heights on their way to the host */
    device_array small;           /* points, sums, histogram */
    fluvial_memory fluvial;
};

} // namespace ter_cuda

#endif
