/* device_state.cuh - device, method and streams of a generator, which all parts of the CUDA backend use. */
#ifndef TERRANE_CORE_CUDA_DEVICE_STATE_CUH
#define TERRANE_CORE_CUDA_DEVICE_STATE_CUH

#include <cuda_runtime.h>

#include "terrane/terrane.h"

namespace ter_cuda
{

struct device_state {
    int device; /* ordinal */
    ter_method method;
    bool is_by_sample;            /* single-pass: one sample per thread */
    cudaStream_t stream;          /* for calls without a stream */
    cudaStream_t stream_of_plans; /* for work that the host waits for in the middle of a call */
    cudaEvent_t scratch_is_free;  /* after the last call that used scratch memory, on any stream */
};

/** The device of a backend's state. The state begins with a device_state. */
inline int device_of(const void *state)
{
    return static_cast<const device_state *>(state)->device;
}

} // namespace ter_cuda

#endif
