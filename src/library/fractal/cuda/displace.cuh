/* displace.cuh - turns random bytes into displacements. */
#ifndef TERRANE_FRACTAL_CUDA_DISPLACE_CUH
#define TERRANE_FRACTAL_CUDA_DISPLACE_CUH

#include "library/fractal/height.h"

namespace
{

constexpr unsigned ALL_LANES = 0xffffffffu;

/** The random integer r, which is byte n of a word less 128, as a float. The byte becomes the lowest byte of the
 * mantissa of 2^23 + byte, which is exact.
 * The compiler does not know that threadIdx.y is 0, so it keeps the bits of 2^23 (0x4B000000) in a register. Then the
 * selectors of __byte_perm for n = 0..3 become immediate operands. */
__device__ __forceinline__ float byte_r(unsigned word, int n)
{
    return __uint_as_float(__byte_perm(word, 0x4B000000u | threadIdx.y, 0x7440 | n)) - 8388736.0f;
}

/** The first bytes of rows 1 and 3 of a block, for the block west of it. */
__device__ __forceinline__ unsigned western_bytes(unsigned row1, unsigned row3)
{
    return __byte_perm(row1, row3, 0x0040);
}

template <int VALLEY> __device__ __forceinline__ float displace(const ter_field &f, float amplitude, float r, float m)
{
    return ter_displace(r, amplitude, m, VALLEY, f.valley_offset, f.valley_slope);
}

} // namespace

#endif
