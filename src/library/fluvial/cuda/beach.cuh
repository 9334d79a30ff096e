/* beach.cuh - computes ter_beach with a faster division. The bits are the same for all heights; test_beach checks each
 * height. */
#ifndef TERRANE_FLUVIAL_CUDA_BEACH_CUH
#define TERRANE_FLUVIAL_CUDA_BEACH_CUH

#include "library/fluvial/surface.h"

/** ter_beach. The quotient q lies in 0 .. 0.75. It is computed by an approximate reciprocal and one correction. The
 * result is either rounded as by a division, or so small that 0.25 + q has the same bits. */
__device__ __forceinline__ float fast_beach(float height, float sea)
{
    const float h = height - sea, a = 0.75f * h * h, b = h * h + 36.0f;
    float reciprocal;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(reciprocal) : "f"(b));
    const float q = a * reciprocal, rest = ter_fma(-b, q, a);
    return h * (ter_fma(rest, reciprocal, q) + 0.25f) + sea;
}

#endif
