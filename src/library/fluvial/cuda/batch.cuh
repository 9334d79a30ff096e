/* batch.cuh - blocks of fluvial worlds that are made together. */
#ifndef TERRANE_FLUVIAL_CUDA_BATCH_CUH
#define TERRANE_FLUVIAL_CUDA_BATCH_CUH

#include "library/fluvial/cuda/memory.cuh"
#include "library/fluvial/passes.h"

namespace ter_cuda
{

/** Blocks that go through the passes together: a row of the grid is a block. */
struct fluvial_jobs {
    const ter_fluvial_job *host;   /* `count` plans */
    const ter_fluvial_job *device; /* the same, uploaded */
    int count;
    cudaStream_t stream;
};

/** The greatest of some counts of each block, 0 without a block; count_of(n): of block n. */
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
