/* simd.c - instruction set levels, and which of them this machine can run. */
#include "library/core/simd.h"

#if defined(__x86_64__)
#define BASELINE_NAME "sse2"
#elif defined(__aarch64__)
#define BASELINE_NAME "neon"
#elif defined(__wasm_simd128__)
#define BASELINE_NAME "simd128"
#else
#define BASELINE_NAME "scalar"
#endif

bool ter_simd_can_run(ter_simd simd)
{
    switch (simd) {
    case TER_SIMD_BASELINE:
        return true;
#if defined(__x86_64__)
    case TER_SIMD_AVX2:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case TER_SIMD_AVX512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("fma");
#endif
    default:
        return false;
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
        if (ter_simd_can_run((ter_simd)simd))
            return (ter_simd)simd;
    return TER_SIMD_BASELINE;
}
