/* device_state.cuh - what every part of the CUDA backend needs of a generator: its device, its method and its streams.
 */
#ifndef TERRANE_CORE_CUDA_DEVICE_STATE_CUH
#define TERRANE_CORE_CUDA_DEVICE_STATE_CUH

#include <cuda_runtime.h>

#include "terrane/terrane.h"

namespace ter_cuda
{

struct device_state {
    int device; /* ordinal */
    ter_method method;
    bool is_by_sample;            /* single-pass: one sample a thread */
    cudaStream_t stream;          /* of calls that name none */
    cudaStream_t stream_of_plans; /* of what the host waits for before it can go on with a call */
    cudaEvent_t scratch_is_free;  /* the last call that used scratch memory may have been on another stream */
};

/** The device of a backend's state, which begins with its device_state. */
inline int device_of(const void *state)
{
    return static_cast<const device_state *>(state)->device;
}

} // namespace ter_cuda

#endif
