/* simd.c - choice of the instruction set level at run time. */
#include "library/generator/cpu/simd.h"

#include "library/core/status.h"

#if defined(__x86_64__)
#define BASELINE_NAME "sse2"
#elif defined(__aarch64__)
#define BASELINE_NAME "neon"
#else
#define BASELINE_NAME "scalar"
#endif

static int can_run(ter_simd simd)
{
    switch (simd) {
    case TER_SIMD_BASELINE:
        return 1;
#if defined(__x86_64__)
    case TER_SIMD_AVX2:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case TER_SIMD_AVX512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("fma");
#endif
    default:
        return 0;
    }
}

const char *ter_simd_name(ter_simd simd)
{
    static const char *const names[TER_SIMD_COUNT] = {[TER_SIMD_AUTO] = "auto",
                                                      [TER_SIMD_BASELINE] = BASELINE_NAME,
                                                      [TER_SIMD_AVX2] = "avx2",
                                                      [TER_SIMD_AVX512] = "avx512"};
    return (unsigned)simd < TER_SIMD_COUNT ? names[simd] : NULL;
}

ter_simd ter_simd_best(void)
{
    for (int simd = TER_SIMD_COUNT - 1; simd > TER_SIMD_BASELINE; simd--)
        if (can_run((ter_simd)simd))
            return (ter_simd)simd;
    return TER_SIMD_BASELINE;
}

const ter_row_kernels *ter_row_kernels_for(ter_simd simd)
{
    if (simd == TER_SIMD_AUTO)
        simd = ter_simd_best();
    if ((unsigned)simd >= TER_SIMD_COUNT || !can_run(simd)) {
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
