/* fma.h - the fused multiply-add and the saturation of the world format, exact on every machine.
 *
 * GPUs and many CPUs have an instruction for the fused multiply-add. On other machines the product is computed exactly
 * in binary64, the sum is rounded to odd, and the following rounding to binary32 gives the correct result. Source:
 * Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums: proved algorithms using rounding to odd", 2008.
 */
#ifndef TERRANE_CORE_FMA_H
#define TERRANE_CORE_FMA_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __CUDACC__
#define TER_FN static __host__ __device__ __forceinline__
#else
#define TER_FN static inline __attribute__((always_inline))
#endif

/** Declares a function that does a pass over cells or samples. By default a pass is inlined into all its callers.
 * Builds with sanitizers define TER_CALL_PASSES, so that passes are called instead: sanitizers would add checks to each
 * inlined copy, and compiling one file would take minutes. */
#if defined(TER_CALL_PASSES) && !defined(__CUDACC__)
#define TER_PASS_FN static __attribute__((noinline, unused))
#else
#define TER_PASS_FN TER_FN
#endif

/** Align a struct to a number of bytes, so that a GPU loads that many bytes by one instruction. */
#define TER_ALIGNED(bytes) __attribute__((aligned(bytes)))

/** Correctly rounded a * b + c. */
TER_FN float ter_fma(float a, float b, float c)
{
#if defined(__CUDA_ARCH__) || defined(__FMA__) || defined(__ARM_FEATURE_FMA)
    return fmaf(a, b, c);
#else
    const double product = (double)a * (double)b;
    const double addend = (double)c;
    const double sum = product + addend;
    const double back = sum - product;
    const double lost = (product - (sum - back)) + (addend - back);
    int64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    const int64_t towards = (lost > 0.0) == (sum > 0.0) ? 1 : -1;
    bits += (lost != 0.0) & ~bits & 1 ? towards : 0;
    double odd;
    memcpy(&odd, &bits, sizeof odd);
    return (float)odd;
#endif
}

/** Clamp to [0, 1]. */
TER_FN float ter_saturate(float x)
{
#ifdef __CUDA_ARCH__
    return __saturatef(x);
#else
    const float low = x > 0.0f ? x : 0.0f;
    return low < 1.0f ? low : 1.0f;
#endif
}

#endif
