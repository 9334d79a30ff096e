/* check.cu - makes the sentence about a failed CUDA call. */
#include "library/core/cuda/check.h"

#ifdef TER_CUDA_FAULTS
#include <atomic>
#include <cstdlib>
#endif

ter_status ter_cuda_fail(cudaError_t error, const char *call)
{
    cudaGetLastError();
    return ter_fail(error == cudaErrorMemoryAllocation ? TER_ENOMEM : TER_EDEVICE, "CUDA: %s (%s)",
                    cudaGetErrorString(error), call);
}

#ifdef TER_CUDA_FAULTS
bool ter_cuda_fault_is_due(void)
{
    static std::atomic<long> n_calls;
    static const char *const fault = getenv("TERRANE_CUDA_FAULT");
    return fault && ++n_calls == strtol(fault, nullptr, 10);
}
#endif
