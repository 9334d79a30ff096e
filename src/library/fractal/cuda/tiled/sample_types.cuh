/* sample_types.cuh - stores heights as samples of the output: unchanged, or quantised to 16 bits. */
#ifndef TERRANE_FRACTAL_CUDA_TILED_SAMPLE_TYPES_CUH
#define TERRANE_FRACTAL_CUDA_TILED_SAMPLE_TYPES_CUH

#include "library/core/cuda/batch.h"
#include "library/core/quantise.h"

namespace
{

/** Store four heights as samples of the output. */
__device__ __forceinline__ void store_four(float *to, float4 h, ter_quantiser)
{
    *(float4 *)to = h;
}

__device__ __forceinline__ void store_four(uint16_t *to, float4 h, ter_quantiser q)
{
    const unsigned x = __float_as_uint(ter_quantise_biased(q, h.x)), y = __float_as_uint(ter_quantise_biased(q, h.y));
    const unsigned z = __float_as_uint(ter_quantise_biased(q, h.z)), w = __float_as_uint(ter_quantise_biased(q, h.w));
    *(uint2 *)to = make_uint2(__byte_perm(x, y, 0x5410), __byte_perm(z, w, 0x5410));
}

__device__ __forceinline__ void store_one(float *to, float h, ter_quantiser)
{
    *to = h;
}

__device__ __forceinline__ void store_one(uint16_t *to, float h, ter_quantiser q)
{
    *to = (uint16_t)__float_as_uint(ter_quantise_biased(q, h));
}

/** Store the samples of four that lie inside a row of `width` samples. x: column of the first one */
template <class SAMPLE>
__device__ __forceinline__ void store_clipped(SAMPLE *to, int x, int width, float4 h, ter_quantiser q)
{
    const float values[4] = {h.x, h.y, h.z, h.w};
#pragma unroll
    for (int n = 0; n < 4; n++)
        if ((unsigned)(x + n) < (unsigned)width)
            store_one(to + n, values[n], q);
}

} // namespace

#endif
