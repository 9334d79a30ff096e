/* batch.cuh - a batch of blocks of fluvial worlds, which go through the passes together. */
#ifndef TERRANE_FLUVIAL_CUDA_BATCH_CUH
#define TERRANE_FLUVIAL_CUDA_BATCH_CUH

#include "library/fluvial/cuda/memory.cuh"
#include "library/fluvial/passes.h"

namespace ter_cuda
{

/** A batch. A launch has one row of its grid for each block. */
struct fluvial_jobs {
    const ter_fluvial_job *host;   /* `count` plans */
    const ter_fluvial_job *device; /* the same, uploaded */
    int count;
    cudaStream_t stream;
};

/** The greatest of the counts of all blocks; 0 if there are no blocks. count_of(n): count of block n */
template <class Count> int greatest_of(const fluvial_jobs &jobs, Count count_of)
{
    int most = 0;
    for (int n = 0; n < jobs.count; n++) {
        const int count = count_of(n);
        most = count > most ? count : most;
    }
    return most;
}

} // namespace ter_cuda

#endif
