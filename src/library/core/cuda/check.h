/* check.h - checks CUDA calls: a failed call becomes a status and a sentence that names the call. For CUDA sources. */
#ifndef TERRANE_CORE_CUDA_CHECK_H
#define TERRANE_CORE_CUDA_CHECK_H

#include <cuda_runtime.h>

#include "library/core/status.h"

#ifdef TER_CUDA_FAULTS
/** For tests: whether the next checked call must fail instead of being made. The environment variable
 * TERRANE_CUDA_FAULT is the number of that call, from 1. */
bool ter_cuda_fault_is_due(void);
#define TER_CUDA_RESULT(call) (ter_cuda_fault_is_due() ? cudaErrorMemoryAllocation : (call))
#else
#define TER_CUDA_RESULT(call) (call)
#endif

/** Return TER_ENOMEM or TER_EDEVICE from the enclosing function if a CUDA call fails. */
#define TER_CUDA(call)                                                                                                 \
    do {                                                                                                               \
        const cudaError_t ter_error_ = TER_CUDA_RESULT(call);                                                          \
        if (ter_error_ != cudaSuccess)                                                                                 \
            return ter_cuda_fail(ter_error_, #call);                                                                   \
    } while (0)

/** Record the sentence about a failed call. Returns TER_ENOMEM if the device is out of memory, else TER_EDEVICE. */
ter_status ter_cuda_fail(cudaError_t error, const char *call);

#endif
