/* simd.c - choice of the row kernels at run time. */
#include "library/generator/cpu/simd.h"

#include "library/core/simd.h"
#include "library/core/status.h"

const ter_row_kernels *ter_row_kernels_for(ter_simd simd)
{
    if (simd == TER_SIMD_AUTO)
        simd = ter_simd_best();
    if ((unsigned)simd >= TER_SIMD_COUNT || !ter_simd_can_run(simd)) {
        const char *name = ter_simd_name(simd);
        ter_fail(TER_ENOBACKEND, "this CPU cannot run SIMD level %s; the best one here is %s",
                 name ? name : "(unknown)", ter_simd_name(ter_simd_best()));
        return NULL;
    }
#if defined(__x86_64__)
    if (simd == TER_SIMD_AVX512)
        return &ter_row_kernels_avx512;
    if (simd == TER_SIMD_AVX2)
        return &ter_row_kernels_avx2;
#endif
    return &ter_row_kernels_baseline;
}
