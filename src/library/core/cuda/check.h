/* check.h - what happens when a CUDA call fails: a status, and the sentence that says which call it was. CUDA sources
 * only. */
#ifndef TERRANE_CORE_CUDA_CHECK_H
#define TERRANE_CORE_CUDA_CHECK_H

#include <cuda_runtime.h>

#include "library/core/status.h"

#ifdef TER_CUDA_FAULTS
/** For tests: whether the next checked call is to fail instead of being made, which is the one that the environment's
 *  TERRANE_CUDA_FAULT counts to, from 1. */
bool ter_cuda_fault_is_due(void);
#define TER_CUDA_RESULT(call) (ter_cuda_fault_is_due() ? cudaErrorMemoryAllocation : (call))
#else
#define TER_CUDA_RESULT(call) (call)
#endif

/** Return from the enclosing function with TER_ENOMEM or TER_EDEVICE when a CUDA call fails. */
#define TER_CUDA(call)                                                                                                 \
    do {                                                                                                               \
        const cudaError_t ter_error_ = TER_CUDA_RESULT(call);                                                          \
        if (ter_error_ != cudaSuccess)                                                                                 \
            return ter_cuda_fail(ter_error_, #call);                                                                   \
    } while (0)

/** Record what failed; TER_ENOMEM when the device is out of memory, else TER_EDEVICE. */
ter_status ter_cuda_fail(cudaError_t error, const char *call);

#endif
