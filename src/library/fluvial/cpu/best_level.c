/* best_level.c - the table of kernels for the best instruction set level of this machine. */
#include "library/core/simd.h"
#include "library/fluvial/cpu/kernels.h"

const ter_fluvial_kernels *ter_fluvial_best_kernels(void)
{
#if defined(__x86_64__)
    if (ter_simd_can_run(TER_SIMD_AVX512))
        return &ter_fluvial_kernels_avx512;
    if (ter_simd_can_run(TER_SIMD_AVX2))
        return &ter_fluvial_kernels_avx2;
#endif
    return &ter_fluvial_kernels_baseline;
}
